"""Hosts that cheat, each in its own way, with everything chained and signed as it should be: each is named."""

import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chain import sign_entry
from citadels_lan.crypto.claims import claim, endorse
from citadels_lan.crypto.commitments import conceal
from citadels_lan.crypto.delta import decode_delta, encode_delta
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.frames import u64
from citadels_lan.crypto.identity import verify as signed_by
from citadels_lan.crypto.log import (
    RULES,
    Close,
    Commits,
    Move,
    Open,
    Opened,
    Parts,
    Seal,
    TableMove,
    decode_private,
    encode_entry,
    encode_private,
)
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import Finding, Report, sentence
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, FileHead, Writer
from citadels_lan.crypto.words import key_words
from citadels_lan.engine.events import Picked, Revealed
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import FP, GAME, HOST, OWNER, Game, begin, identity, player, recorded, with_bodies
from tests.effort import quick

T = TypeVar("T")


def judge(path: Path, entries: list[Draft], **how: Any) -> Report:
    return verify([saved(path / "a.ctr", Forge(**how).file(entries))])


def assert_host_named(report: Report, contradiction: str) -> Finding:
    assert report.code == 1
    (finding,) = [finding for finding in report.findings if finding.kind == "proof"]
    assert (finding.code, finding.contradiction) == ("host_cheated", contradiction)
    for evidence in finding.evidence:
        assert evidence.key == HOST.public
    text = report_text.text(report)
    assert "Proof that the host cheated" in text
    assert HOST.public.hex()[:16] in text
    assert finding.evidence[0].signature.hex() in text
    return finding


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
    what, (opening,) = conceal(key, GAME, 1, move.seat, 0, line)
    entries[at].entry = replace(move, what=what)
    for draft in entries:
        if isinstance(draft.entry, (Move, Opened, Close)):
            openings = [opening if conceal_of(game, one) == move.what else one for one in draft.entry.openings]
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


def test_a_rigged_shuffle(tmp_path: Path) -> None:
    """The whole game is played with another seed than the joint one; nobody can tell until it is over."""
    game = begin(2, chance=lambda seed: SeededChance(seed[::-1]), followed=False).play()
    report = verify([saved(tmp_path / "a.ctr", game.transcript())])
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


class Loaded(SeededChance):
    """Fair in everything but one label."""

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        fair = super().shuffle(label, items)
        return fair[::-1] if label == "chars/3" else fair


def test_one_loaded_shuffle(tmp_path: Path) -> None:
    game = begin(4, chance=Loaded, followed=False).play()
    report = verify([saved(tmp_path / "a.ctr", game.transcript())])
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


@pytest.mark.parametrize("viewer", [0, 1])
def test_another_card_dealt(duel: Game, tmp_path: Path, viewer: int) -> None:
    """Seat b is told another hand than the deck has; even a's file proves it."""
    entries = drafts(duel)
    at = find(entries, TableMove)
    told = decode_private(entries[at].private[1])
    event = list(told[0].event)
    event[2] = ["palace", *event[2][1:]] if event[2][0] != "palace" else ["tavern", *event[2][1:]]
    entries[at].private[1] = encode_private([replace(told[0], event=event), *told[1:]])
    data = Forge().file(entries, viewer)
    assert_host_named(verify([saved(tmp_path / "a.ctr", data)]), "private")


def test_a_dropped_entry_that_the_players_signed_on_from(duel: Game, tmp_path: Path) -> None:
    """If the host leaves out a move, later signatures stand on a history that is not in the file."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    del entries[at]
    everything = set(range(at + 1, len(entries) + 1))
    # Its referee misses the move before the seal comes.
    assert_host_named(judge(tmp_path, entries, forged=everything), "no_move")


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


def test_a_forged_move_in_a_file_that_ends_with_the_refused_seal(duel: Game, tmp_path: Path) -> None:
    """As an honest client leaves it: it refuses the seal, writes it down, and does not sign."""
    entries = drafts(duel)
    seal = find(entries, Seal)
    at = find(entries, Move, hidden=False)
    data = Forge(forged={at + 1}).file(entries[: seal + 1], finish=False)
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


def test_another_secret_at_the_end(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Close)
    entries[at].entry = replace(entries[at].entry, secret=bytes(32))
    assert_host_named(judge(tmp_path, entries), "secret")


def test_another_part_of_the_seed(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    parts = entries[2].entry
    assert isinstance(parts, Parts)
    entries[2].entry = replace(parts, parts=(bytes(32), *parts.parts[1:]))
    finding = assert_host_named(judge(tmp_path, entries), "part")
    assert finding.seat == 0


def test_a_part_that_its_seat_did_not_sign(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    commits = entries[1].entry
    assert isinstance(commits, Commits)
    entries.insert(2, Draft(Parts(duel.host_log.audit.parts, (bytes(64), bytes(64))), {}))
    del entries[3]
    forge = Forge()
    forge.resign = False
    data = forge.file(entries, finish=False)
    assert verify([saved(tmp_path / "a.ctr", data)]).code == 3


def test_entries_in_another_order(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Seal)
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    assert_host_named(judge(tmp_path, entries), "order")


def test_an_entry_that_says_nothing(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    entries[20].public = b"\x93\x04\x90\x90"
    assert_host_named(judge(tmp_path, entries), "malformed")


def test_a_hidden_move_shown(four: Game, tmp_path: Path) -> None:
    entries = drafts(four)
    at = find(entries, Move, hidden=True)
    what = entries[at].entry.what  # type: ignore[union-attr]
    line = four.host_log.line(at + 1)
    entries[at].entry = replace(entries[at].entry, what=line)
    for draft in entries:
        if isinstance(draft.entry, (Move, Opened, Close)):
            kept = tuple(one for one in draft.entry.openings if conceal_of(four, one) != what)
            if kept != draft.entry.openings:
                draft.entry = replace(draft.entry, openings=kept)
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


def conceal_of(game: Game, opening: Any) -> bytes:
    key = bytes([50 + opening.seat]) * 32
    return conceal(key, GAME, opening.round, opening.seat, opening.slot, opening.line)[0]


def test_an_opening_that_the_host_had_and_left_out(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Close)
    close = entries[at].entry
    assert isinstance(close, Close)
    entries[at].entry = replace(close, openings=close.openings[:-1])
    report = judge(tmp_path, entries)
    finding = assert_host_named(report, "withheld")
    assert finding.seat == close.openings[-1].seat
    assert f"Player {finding.seat}" in report_text.text(report)


def test_two_histories(tmp_path: Path) -> None:
    """The host plays two games under one number and tells each player another."""
    first, second = recorded(2, seed=1), recorded(2, seed=2)
    one = saved(tmp_path / "a.ctr", first.transcript(0))
    other = saved(tmp_path / "b.ctr", second.transcript(1))
    assert verify([one]).code == verify([other]).code == 0
    report = verify([one, other])
    assert report.code == 1
    (finding,) = report.findings
    assert finding.code == "two_histories"
    assert finding.details["n"] == find(drafts(first), Move) + 1
    for evidence in finding.evidence:
        assert evidence.key == HOST.public
        assert evidence.signed.hex() in report_text.text(report)
    assert finding.evidence[0].signed != finding.evidence[1].signed
    n = finding.details["n"]
    assert isinstance(n, int)
    for evidence, game in zip(finding.evidence, (first, second), strict=True):
        assert signed_by(HOST.public, evidence.signature, "entry", GAME, u64(n), game.host_log.head_at(n))


def test_two_histories_of_an_unfinished_game(tmp_path: Path) -> None:
    paths = []
    for seat in (0, 1):
        game = begin(2, seed=seat + 1, followed=False).play(until=lambda game: game.state.round > 1)
        paths.append(saved(tmp_path / f"{seat}.ctr", game.transcript(seat, finish=False)))
    assert verify(paths).code == 1


def test_two_histories_need_no_seal(tmp_path: Path) -> None:
    """The host signs every entry: the first that differs is enough."""
    paths = []
    for seat in (0, 1):
        game = begin(2, seed=seat + 1, followed=False).play(until=lambda game: game.host_log.chain.n > 8)
        paths.append(saved(tmp_path / f"{seat}.ctr", game.transcript(seat, finish=False)))
    report = verify(paths)
    assert report.code == 1
    assert [finding.code for finding in report.findings] == ["unfinished", "unfinished", "two_histories"]
    assert report.findings[2].details == {"n": 7}


@pytest.mark.parametrize("finish", [True, False])
def test_who_changes_the_own_file_has_not_the_hosts_signature(duel: Game, tmp_path: Path, finish: bool) -> None:
    """Whether its owner signs it or not, it is damaged, and accuses neither host nor owner."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    entries[at].entry = replace(entries[at].entry, what="end")
    forge = Forge(resign=False)
    forge.signatures = {n: duel.host_log.signature(n) for n in range(1, len(entries) + 1)}
    report = verify([saved(tmp_path / "a.ctr", forge.file(entries, finish=finish))])
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["link"])
    assert report.findings[0].details == {"n": at + 1}
    good = saved(tmp_path / "b.ctr", duel.transcript(1))
    report = verify([good, tmp_path / "a.ctr"])
    assert [file.code for file in report.files] == [0, 3]


class Impostor(Forge):
    """Signs entries as if it were the host of a table."""

    def body(self, draft: Draft, viewer: int) -> bytes:
        delta = decode_delta(super().body(draft, viewer))
        signature = sign_entry(MALLORY, GAME, delta.n, self.chain.head)
        return encode_delta(replace(delta, signature=signature))


MALLORY = identity("mallory")


def impostures(data: bytes) -> bytes:
    """A file that says that Mallory was the host."""
    return data.replace(HOST.public, MALLORY.public, 1)


@pytest.mark.parametrize("lie", [False, True])
def test_whoever_signs_for_another_host_accuses_itself(duel: Game, tmp_path: Path, lie: bool) -> None:
    """A guest has the true header, with everybody's claim and the endorsement; only the host's key it has not."""
    entries = drafts(duel)
    if lie:
        del entries[find(entries, Move)]
    path = saved(tmp_path / "a.ctr", impostures(Impostor().file(entries, finish=False)))
    report = verify([path])
    assert report.code == 1
    (finding,) = [finding for finding in report.findings if finding.kind == "proof"]
    assert (finding.contradiction, finding.accused_key) == ("host", MALLORY.public)
    assert (report.games, len(report.loose)) == ((), 1)
    text = report_text.text(report)
    assert MALLORY.public.hex()[:16] in text
    assert f"key {HOST.public.hex()[:16]}" not in text, "who has not signed it is not accused"
    (said,) = figures(report)["files"][0]["findings"]
    assert (said["accused"], said["accused_key"]) == ("host", MALLORY.public.hex())
    both = verify([saved(tmp_path / "b.ctr", duel.transcript(1)), path])
    assert both.files[0].code == 0
    other = verify([path, tmp_path / "b.ctr"])
    assert all(finding.kind != "proof" for finding in other.files[1].findings)


def test_entries_of_a_host_in_a_file_that_names_another_are_not_its_word(duel: Game, tmp_path: Path) -> None:
    data = duel.transcript(0, finish=False)
    report = verify([saved(tmp_path / "a.ctr", impostures(data))])
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["link"])


def test_a_first_entry_that_says_nothing_is_told_with_the_key(duel: Game, tmp_path: Path) -> None:
    """There is no header then that could name anybody."""
    entries = drafts(duel)[:1]
    entries[0].public = b"\xc0"
    report = judge(tmp_path, entries)
    assert_host_named(report, "malformed")
    assert report_text.text(report).startswith(f"PROOF OF CHEATING by the host (key {HOST.public.hex()[:16]})")


def test_a_game_with_keys_made_up_says_nothing_of_this_host(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    players = tuple(
        replace(one, claim=claim(player(seat), GAME, FP, MALLORY.public, one.name, one.bot))
        for seat, one in enumerate(opening.header.players)
    )
    endorsement = endorse(MALLORY, GAME, FP, MALLORY.public)
    entries[0].entry = Open(
        replace(opening.header, hostkey=MALLORY.public, players=players, endorsement=endorsement)
    )
    path = saved(tmp_path / "b.ctr", impostures(Impostor().file(entries, finish=False)))
    assert [finding.code for finding in verify([path]).findings] == ["host_cheated"], "another seed"
    report = verify([saved(tmp_path / "a.ctr", duel.transcript()), path])
    assert report.files[0].code == 0
    assert "other_table" in {finding.code for finding in report.files[1].findings}


# Alarms


def alarmed(path: Path, forge: Forge, entries: list[Draft], alarm: Alarmed, viewer: int = 0) -> Path:
    """The file of a viewer who has left in alarm, signed at the end of what it took."""
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, RULES, FP, HOST.public, viewer, player(viewer).public))
    writer.begin()
    for draft in entries:
        writer.append(forge.body(draft, viewer))
    writer.append_alarm(alarm)
    writer.finish(player(viewer), forge.chain)
    return saved(path, stream.getvalue())


def test_a_true_alarm_is_borne_out_by_the_entry(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Seal)
    del entries[at]
    path = alarmed(tmp_path / "a.ctr", Forge(), entries[: at + 1], Alarmed(at + 1, "order"))
    report = verify([path])
    assert_host_named(report, "order")
    assert "false_alarm" not in {finding.code for finding in report.findings}


@pytest.mark.parametrize("n", [6, 12])
@pytest.mark.parametrize("viewer", [0, 1])
def test_a_false_alarm_accuses_nobody(duel: Game, tmp_path: Path, n: int, viewer: int) -> None:
    path = alarmed(tmp_path / "a.ctr", Forge(), drafts(duel)[:n], Alarmed(n, "event"), viewer)
    report = verify([path])
    assert (report.code, report.files[0].signed) == (4, True)
    assert [finding.code for finding in report.findings] == ["false_alarm", "unfinished"]
    said = sentence(report.findings[0], report.files[0].header)
    assert f"Player {viewer}" in said
    assert "nobody is accused" in said
    others = verify([path, saved(tmp_path / "b.ctr", duel.transcript(1 - viewer))])
    assert others.files[1].code == 0
    assert {finding.kind for finding in others.findings} == {"incomplete"}


def test_a_false_alarm_of_a_spectator_is_told(duel: Game, tmp_path: Path) -> None:
    data = with_bodies(duel, duel.bodies[:9]).transcript(None, finish=False)
    record = pack(Alarmed(9, "event"))
    report = verify([saved(tmp_path / "a.ctr", data + len(record).to_bytes(4, "big") + b"A" + record)])
    assert report.code == 4
    assert "a spectator left in alarm at entry 9 (event)" in report_text.text(report)


def test_a_lie_that_is_not_signed_is_no_proof_whatever_is_said_of_it(duel: Game, tmp_path: Path) -> None:
    """Somebody makes up an entry, and an alarm because of it."""
    entries = drafts(duel)
    del entries[5]
    forge = Forge(resign=False)
    forge.signatures = {n: duel.host_log.signature(n) for n in range(1, 6)}
    report = verify([alarmed(tmp_path / "a.ctr", forge, entries[:6], Alarmed(6, "order"))])
    assert report.code == 3
    assert all(finding.kind != "proof" for finding in report.findings)


# What a host holds back


def test_a_host_that_does_not_open_a_finished_game_is_named(duel: Game, tmp_path: Path) -> None:
    closing = next(n for n, entry in enumerate(duel.host_log.entries(), 1) if isinstance(entry, (Opened, Close)))
    for n, code in ((closing - 1, "held_back"), (closing, "held_back"), (closing - 2, "unfinished")):
        game = with_bodies(duel, duel.bodies[:n])
        report = verify([saved(tmp_path / "a.ctr", game.transcript(0, finish=False))])
        assert (report.code, [finding.code for finding in report.findings]) == (4, [code])
        (finding,) = report.findings
        assert finding.accused is None
        named = " ".join(key_words(OWNER.public)) in sentence(finding, report.files[0].header)
        assert named == (code == "held_back")


def changed_field(event: list[Any], index: int) -> list[Any]:
    value = event[index]
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value = value + 1
    elif isinstance(value, str):
        value = "king" if value != "king" else "thief"
    elif isinstance(value, list) and value:
        value = value[1:]
    else:
        value = ["king"]
    return [*event[:index], value, *event[index + 1 :]]


def fields(entries: list[Draft]) -> list[tuple[int, int, int]]:
    return [
        (at, number, index)
        for at, draft in enumerate(entries)
        if isinstance(draft.entry, (Move, TableMove))
        for number, event in enumerate(draft.entry.events)
        for index in range(1, len(event))
    ]


@pytest.mark.parametrize("step", quick(range(25), *range(0, 25, 4)))
def test_any_changed_field_of_any_event_is_proof(duel: Game, tmp_path: Path, step: int) -> None:
    entries = drafts(duel)
    places = fields(entries)
    at, number, index = places[step * len(places) // 25]
    events = list(entries[at].entry.events)  # type: ignore[union-attr]
    events[number] = changed_field(events[number], index)
    entries[at].entry = replace(entries[at].entry, events=events)
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


HEADERS: dict[str, Any] = {
    "game_id": bytes(16),
    "program": "citadels-lan 9",
    "rules": "2016/9",
    "cast": ("king",),
    "districts": (),
    "fp": bytes(32),
    "hostcommit": bytes(32),
    "players": (),
}


@pytest.mark.parametrize("field", HEADERS)
def test_any_changed_field_of_the_header_is_proof(duel: Game, tmp_path: Path, field: str) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    value = HEADERS[field] or (replace(opening.header.players[0], name="Mallory"), opening.header.players[1])
    value = () if field == "districts" else value
    entries[0].entry = Open(replace(opening.header, **{field: value}))
    report = judge(tmp_path, entries)
    assert report.code == 1
    assert report.findings[0].code == "host_cheated"


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"edition": "of_1066"}, "of_1066"), ({"options": (("deck", 68),)}, "2016, deck=68")],
)
@pytest.mark.parametrize("otherwise", [False, True], ids=["", "with entries that would be wrong here"])
def test_an_edition_of_another_version_accuses_nobody(
    duel: Game, tmp_path: Path, changes: dict[str, Any], named: str, otherwise: bool
) -> None:
    entries = drafts(duel)
    opening = entries[0].entry
    assert isinstance(opening, Open)
    entries[0].entry = Open(replace(opening.header, **changes))
    if otherwise:
        entries[find(entries, TableMove)].entry = TableMove([[199, "unheard of"]])
    report = judge(tmp_path, entries)
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["other_edition"])
    assert f"the edition {named}, which this program does not know" in sentence(report.findings[0], opening.header)


def leaves(value: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    if isinstance(value, list):
        return [found for index, one in enumerate(value) for found in leaves(one, (*path, index))]
    return [path]


def changed_leaf(value: Any, path: tuple[int, ...], chance: random.Random) -> Any:
    if path:
        rest = changed_leaf(value[path[0]], path[1:], chance)
        return [*value[: path[0]], rest, *value[path[0] + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, bytes):
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]
    return f"{value}x"


@pytest.mark.parametrize("number", quick(range(25), *range(8)))
def test_any_changed_value_of_any_entry_is_proof(duel: Game, tmp_path: Path, number: int) -> None:
    """The host signs everything after it as if nothing had been changed."""
    chance = random.Random(number)
    entries = drafts(duel)
    at = chance.randrange(len(entries) - 1)
    plain = unpack(encode_entry(entries[at].entry))
    entries[at].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
    report = judge(tmp_path, entries)
    assert report.code == 1, at
    assert {finding.code for finding in report.findings} == {"host_cheated"}


@pytest.mark.parametrize("number", quick(range(10), *range(3)))
@pytest.mark.parametrize("finish", [True, False])
def test_any_changed_value_of_the_end_is_proof(duel: Game, tmp_path: Path, number: int, finish: bool) -> None:
    """Whether the owner signs such a file or leaves."""
    chance = random.Random(number)
    entries = drafts(duel)
    plain = unpack(encode_entry(entries[-1].entry))
    entries[-1].public = pack(changed_leaf(plain, chance.choice(leaves(plain)), chance))
    report = verify([saved(tmp_path / "b.ctr", Forge().file(entries, finish=finish))])
    assert report.code == 1
    assert {finding.code for finding in report.findings} == {"host_cheated"}


def test_events_are_those_that_the_forging_means() -> None:
    assert Revealed.__struct_config__.tag == 11
    assert Picked.__struct_config__.tag == 4
