"""Hosts that change picks, openings, moves and what comes of them, each signed as it should be: each is named."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from citadels_lan.crypto.commitments import committed, conceal
from citadels_lan.crypto.log import Close, CoSigned, Move
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import sentence
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.words import key_words
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import GAME, OWNER, Game, with_bodies

from .judging import assert_host_named, judge


def test_the_forge_changes_nothing_by_itself(duel: Game, tmp_path: Path) -> None:
    forge = Forge()
    forge.file(drafts(duel))
    assert forge.chain.head == duel.host_log.chain.head
    assert judge(tmp_path, drafts(duel)).code == 0


def repicked(game: Game, key: bytes, line: str) -> tuple[list[Draft], int]:
    """The entries with another commitment for the first pick, opened as the host likes; and its index."""
    entries = drafts(game)
    at = find(entries, Move, hidden=True)
    move = entries[at].entry
    assert isinstance(move, Move)
    what, (opening,) = conceal(key, GAME, game.host_log.head_at(at), 1, move.seat, 0, line)
    entries[at].entry = replace(move, what=what)
    for draft in entries:
        if isinstance(draft.entry, (Move, Close)):
            openings = [opening if committed(GAME, one) == move.what else one for one in draft.entry.openings]
            draft.entry = replace(draft.entry, openings=tuple(openings))
    return entries, at + 1


def test_a_changed_pick(duel: Game, tmp_path: Path) -> None:
    """The host puts another commitment in the place of a player's: the player never signed it."""
    entries, n = repicked(duel, bytes(32), duel.host_log.line(find(drafts(duel), Move, hidden=True) + 1))
    assert_host_named(judge(tmp_path, entries, forged={n}), "move_signature")


def test_a_pick_opened_as_another(duel: Game, tmp_path: Path) -> None:
    """The signed commitment stays, but the host says that it was to another character."""
    entries, n = repicked(duel, bytes(32), "pick merchant")
    entries[n - 1] = drafts(duel)[n - 1]
    assert_host_named(judge(tmp_path, entries), "opening")


def revealing(entries: list[Draft]) -> tuple[int, int, list[Any]]:
    """The first entry and event that reveal a character."""
    for at, draft in enumerate(entries):
        if isinstance(draft.entry, Move):
            for index, event in enumerate(draft.entry.events):
                if event[0] == 11:
                    return at, index, event
    raise LookupError


def test_another_character_revealed(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at, index, event = revealing(entries)
    events = list(entries[at].entry.events)  # type: ignore[union-attr]
    events[index] = [11, event[1], "architect" if event[2] != "architect" else "king"]
    entries[at].entry = replace(entries[at].entry, events=events)
    assert_host_named(judge(tmp_path, entries), "revealed")


def test_an_opening_that_does_not_fit(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at, _, _ = revealing(entries)
    move = entries[at].entry
    assert isinstance(move, Move)
    opening = replace(move.openings[0], nonce=bytes(32))
    entries[at].entry = replace(move, openings=(opening, *move.openings[1:]))
    finding = assert_host_named(judge(tmp_path, entries), "opening")
    assert finding.evidence[0].public


def test_an_opening_too_early(duel: Game, tmp_path: Path) -> None:
    """What a player hid is shown to the others while the game goes on."""
    entries = drafts(duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    last = max(at for at, one in enumerate(entries) if isinstance(one.entry, Move) and not one.entry.openings)
    move = entries[last].entry
    assert isinstance(move, Move)
    entries[last].entry = replace(move, openings=close.openings[:1])
    entries[-1].entry = replace(close, openings=close.openings[1:])
    assert_host_named(judge(tmp_path, entries), "opening")


def test_an_event_with_something_added(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at, index, event = revealing(entries)
    move = entries[at].entry
    assert isinstance(move, Move)
    events = list(move.events)
    events[index] = [*event, 0]
    entries[at].entry = replace(move, events=events)
    assert judge(tmp_path, entries).code == 1


def test_a_dropped_entry_that_the_players_signed_on_from(duel: Game, tmp_path: Path) -> None:
    """If the host leaves out a move, later signatures stand on a history that is not in the file."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    del entries[at]
    everything = set(range(at + 1, len(entries) + 1))
    assert_host_named(judge(tmp_path, entries, forged=everything), "move_signature")


def test_a_dropped_entry_that_nobody_noticed(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    del entries[find(entries, Move, hidden=False)]
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


def test_a_forged_move(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    assert_host_named(judge(tmp_path, entries, forged={at + 1}), "move_signature")


def test_a_forged_move_in_the_last_round(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    last = max(at for at, draft in enumerate(entries) if isinstance(draft.entry, Move))
    report = judge(tmp_path, entries, forged={last + 1})
    assert assert_host_named(report, "move_signature").seat is not None


def test_forged_move_at_the_end_of_an_unsigned_file_names_the_host(duel: Game, tmp_path: Path) -> None:
    """An honest client stores the entry, rejects it and leaves without signing the file."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    data = Forge(forged={at + 1}).file(entries[: at + 1], finish=False)
    assert_host_named(verify([saved(tmp_path / "a.ctr", data)]), "move_signature")


def test_an_illegal_move(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    entries[at].entry = replace(entries[at].entry, what="taxes")
    assert_host_named(judge(tmp_path, entries), "illegal")


def test_a_move_of_another_player(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    move = entries[at].entry
    assert isinstance(move, Move)
    entries[at].entry = replace(move, seat=1 - move.seat)
    assert_host_named(judge(tmp_path, entries), "illegal")


def test_entries_in_another_order(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, CoSigned)
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    assert_host_named(judge(tmp_path, entries), "order")


def test_an_entry_that_says_nothing(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    entries[20].public = b"\x93\x02\x90\x90"
    assert_host_named(judge(tmp_path, entries), "malformed")


def test_a_hidden_move_shown(four: Game, tmp_path: Path) -> None:
    entries = drafts(four)
    at = find(entries, Move, hidden=True)
    what = entries[at].entry.what  # type: ignore[union-attr]
    line = four.host_log.line(at + 1)
    entries[at].entry = replace(entries[at].entry, what=line)
    for draft in entries:
        if isinstance(draft.entry, (Move, Close)):
            kept = tuple(one for one in draft.entry.openings if committed(GAME, one) != what)
            if kept != draft.entry.openings:
                draft.entry = replace(draft.entry, openings=kept)
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


def test_an_opening_that_the_host_had_and_left_out(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    entries[-1].entry = replace(close, openings=close.openings[:-1])
    report = judge(tmp_path, entries)
    finding = assert_host_named(report, "withheld")
    assert finding.seat == close.openings[-1].seat
    assert f"Player {finding.seat}" in report_text.text(report)


def test_a_host_that_does_not_open_a_finished_game_is_named(duel: Game, tmp_path: Path) -> None:
    closing = next(n for n, entry in enumerate(duel.host_log.entries(), 1) if isinstance(entry, Close))
    signed = max(n for n, entry in enumerate(duel.host_log.entries(), 1) if isinstance(entry, CoSigned))
    for n, code in ((closing - 1, "held_back"), (closing, "held_back"), (signed - 1, "unfinished")):
        game = with_bodies(duel, duel.bodies[:n])
        report = verify([saved(tmp_path / "a.ctr", game.transcript(0, finish=False))])
        assert (report.code, [finding.code for finding in report.findings]) == (4, [code])
        (finding,) = report.findings
        assert finding.accused is None
        named = " ".join(key_words(OWNER.public)) in sentence(finding, report.files[0].header)
        assert named == (code == "held_back")
