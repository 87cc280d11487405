"""What must hold from entry to entry: each rule broken once by a host that signs everything as it should be, and
whose players sign along. A client refuses at once; what the host has signed proves it."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import plain, read_sealed, seal
from citadels_lan.crypto.log import CheckWords, Close, Commits, CoSigned, Move, TableMove
from citadels_lan.crypto.report.model import Finding
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import encode_event
from citadels_lan.engine.events import Confiscated, Placed, ThreatShown
from tests.crypto.forging import Draft, Forge, drafts, find, refused, saved, starred_otherwise
from tests.crypto.table import GAME, HOST, Game, nonce_key, recorded
from tests.effort import one_case, quick

AFTERWARDS = 5
"""So many entries of a file come after the one that is refused."""


def where(entries: list[Draft], verb: str, *, after: int = 0) -> int:
    """The index of the first open or sealed move that begins so."""
    for at, draft in enumerate(entries[after:], after):
        what = draft.entry.what if isinstance(draft.entry, Move) else None
        if isinstance(what, str) and what.startswith(verb):
            return at
    raise LookupError(verb)


def change(entries: list[Draft], at: int, **changes: Any) -> None:
    entries[at].entry = replace(entries[at].entry, **changes)


def retold(entries: list[Draft], at: int, tag: int, **fields: Any) -> None:
    """Another event with this tag in an entry: fields by their index."""
    entry = entries[at].entry
    assert isinstance(entry, (Move, TableMove))
    events = [list(event) for event in entry.events]
    event = next(event for event in events if event[0] == tag)
    for index, value in fields.items():
        event[int(index.removeprefix("at"))] = value
    change(entries, at, events=events)


def assert_refused(entries: list[Draft], path: Path, code: str, n: int, proven: str = "") -> Finding:
    """A client_log stops at entry `n`; and where the host has signed it, it is proof against the host alone:
    `proven` if the bookkeeping finds something else before that."""
    fault = refused(entries)
    assert fault is not None
    assert (fault.code, fault.n) == (code, n)
    report = verify([saved(path / "a.ctr", Forge().file(entries[: n + AFTERWARDS]))])
    proofs = [finding for finding in report.findings if finding.kind == "proof"]
    assert report.code == 1
    assert [(one.code, one.contradiction, one.evidence[0].key) for one in proofs] == [
        ("host_cheated", proven or code, HOST.public)
    ]
    return proofs[0]


def test_the_games_of_these_tests_are_taken(marked: Game) -> None:
    assert refused(drafts(marked)) is None


# Commitments and co-signatures


def test_a_table_with_too_few_commitments(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    commits = entries[1].entry
    assert isinstance(commits, Commits)
    change(entries, 1, seats=commits.seats[:1])
    assert_refused(entries, tmp_path, "seats", 2)


def test_one_commitment_twice(duel: Game, tmp_path: Path) -> None:
    """A host that copies a part could cancel it."""
    entries = drafts(duel)
    commits = entries[1].entry
    assert isinstance(commits, Commits)
    change(entries, 1, seats=tuple(replace(one, commit=bytes(32)) for one in commits.seats))
    assert_refused(entries, tmp_path, "value_again", 2)


@one_case("kind", [CoSigned, CheckWords])
@pytest.mark.parametrize("number", [0, -1])
def test_co_signatures_have_their_place(duel: Game, tmp_path: Path, kind: type, number: int) -> None:
    places = find_all(drafts(duel), (kind,))
    entries = drafts(duel)
    entries.insert(5, Draft(entries[places[number]].entry, {}))
    assert_refused(entries, tmp_path, "order", 6)
    if kind is CoSigned:
        entries = drafts(duel)
        del entries[places[number]]
        assert_refused(entries, tmp_path, "order", places[number] + 1)


# Rounds


def began(entries: list[Draft], number: int) -> int:
    """The index of the entry in which a round after the first begins."""
    return find_all(entries, (CheckWords,))[number - 2] + 1


@one_case("round_", [0, 1, 2, 4, 60])
def test_a_round_has_the_next_number(duel: Game, tmp_path: Path, round_: int) -> None:
    """With another number the seats would use nonces again that are open already."""
    entries = drafts(duel)
    at = began(entries, 3)
    retold(entries, at, 2, at1=round_)
    assert_refused(entries, tmp_path, "round", at + 1)


def test_a_round_begins_once(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = began(entries, 2)
    begins = entries[at].entry
    assert isinstance(begins, TableMove)
    entries.insert(at + 1, Draft(begins, {}))
    assert_refused(entries, tmp_path, "round", at + 2)
    entries = drafts(duel)
    move = entries[at + 1].entry
    assert isinstance(move, Move)
    change(entries, at + 1, events=[*move.events, begins.events[0]])
    assert_refused(entries, tmp_path, "round", at + 2)


def test_nobody_moves_before_the_round_begins(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = began(entries, 2)
    entries[at] = Draft(TableMove([]), {})
    assert_refused(entries, tmp_path, "round", at + 2, proven="no_events")


# Sealed moves


@pytest.mark.parametrize("verb", quick(["warrant", "threaten"], "warrant"))
def test_other_markers_than_the_move_says(marked: Game, tmp_path: Path, verb: str) -> None:
    entries = drafts(marked)
    at = where(entries, verb)
    move = entries[at].entry
    assert isinstance(move, Move)
    placed = next(event for event in move.events if event[0] == 51)
    cast = marked.state.cast
    other = next(one for one in cast if one not in placed[3])
    for changes in (
        {"at3": [other, *placed[3][1:]]},
        {"at3": placed[3][1:]},
        {"at2": (placed[2] + 1) % 4},
        {"at4": placed[3][0]},
        {"at1": "threat" if placed[1] == "warrant" else "warrant"},
    ):
        entries = drafts(marked)
        retold(entries, at, 51, **changes)
        assert_refused(entries, tmp_path, "placed", at + 1)


def test_markers_out_of_nothing(marked: Game, tmp_path: Path) -> None:
    whole = drafts(marked)
    placed = next(
        event
        for draft in whole
        if isinstance(draft.entry, Move)
        for event in draft.entry.events
        if event[0] in (35, 53)
    )
    for at in (find(whole, TableMove, after=10), find(whole, Move, hidden=True), where(whole, "gather")):
        entries = drafts(marked)
        events = entries[at].entry.events  # type: ignore[union-attr]
        change(entries, at, events=[*events, [51, "warrant", 0, ["king"], "?"]])
        assert_refused(entries, tmp_path, "placed", at + 1)
        entries = drafts(marked)
        change(entries, at, events=[*events, placed])
        code = "placed" if isinstance(entries[at].entry, TableMove) else "shown"
        assert_refused(entries, tmp_path, code, at + 1)


@pytest.mark.parametrize("line", ["confiscate yes", "reveal yes"])
def test_a_seal_that_is_broken_without_its_opening(marked: Game, tmp_path: Path, line: str) -> None:
    entries = drafts(marked)
    at = where(entries, line)
    move = entries[at].entry
    assert isinstance(move, Move)
    assert len(move.openings) >= 1
    kind = {"confiscate yes": "warrant", "reveal yes": "threaten"}[line]
    change(entries, at, openings=tuple(one for one in move.openings if one.kind != kind))
    assert_refused(entries, tmp_path, "seal_unopened", at + 1)


@pytest.mark.parametrize("line", ["confiscate yes", "reveal yes"])
def test_another_star_than_was_sealed(marked: Game, tmp_path: Path, line: str) -> None:
    entries = drafts(marked)
    at = where(entries, line)
    move = entries[at].entry
    assert isinstance(move, Move)
    change(
        entries,
        at,
        openings=tuple(
            starred_otherwise(one) if one.kind in ("warrant", "threaten") else one for one in move.openings
        ),
    )
    assert_refused(entries, tmp_path, "opening", at + 1)


@pytest.mark.slow
def test_a_confiscation_from_another_character(marked: Game, tmp_path: Path) -> None:
    at = where(drafts(marked), "confiscate yes")
    for changes in ({"at5": "architect"}, {"at1": 3}, {"at1": 2}):
        entries = drafts(marked)
        move = entries[at].entry
        assert isinstance(move, Move)
        event = next(event for event in move.events if event[0] == 35)
        if event[int(next(iter(changes))[2:])] in changes.values():
            continue
        retold(entries, at, 35, **changes)
        assert_refused(entries, tmp_path, "shown", at + 1)


def test_a_flower_where_none_is(marked: Game, tmp_path: Path) -> None:
    entries = drafts(marked)
    at = where(entries, "reveal yes")
    move = entries[at].entry
    assert isinstance(move, Move)
    event = next(event for event in move.events if event[0] == 53)
    retold(entries, at, 53, at2=not event[2])
    assert_refused(entries, tmp_path, "shown", at + 1)


@pytest.mark.parametrize("verb", ["warrant", "threaten"])
def test_a_sealed_move_that_is_told_openly(marked: Game, tmp_path: Path, verb: str) -> None:
    entries = drafts(marked)
    at = where(entries, verb)
    move = entries[at].entry
    assert isinstance(move, Move)
    assert isinstance(move.what, str)
    change(entries, at, what=plain(move.what))
    assert_refused(entries, tmp_path, "hidden", at + 1)


def shown_before_the_next(entries: list[Draft], first: int) -> bool:
    """Whether the warrants of a move are shown before there are others."""
    between = entries[first : where(entries, "warrant", after=first + 1)]
    moves = [one.entry for one in between if isinstance(one.entry, Move)]
    return any(opening.kind == "warrant" for move in moves for opening in move.openings)


def test_a_commitment_that_comes_again(marked: Game, tmp_path: Path) -> None:
    entries = drafts(marked)
    first = where(entries, "warrant")
    while shown_before_the_next(entries, first):
        first = where(entries, "warrant", after=first + 1)
    second = where(entries, "warrant", after=first + 1)
    old, new = entries[first].entry, entries[second].entry
    assert isinstance(old, Move)
    assert isinstance(new, Move)
    again = read_sealed(str(old.what))
    assert again is not None
    change(entries, second, what=f"{plain(str(new.what))} sealed {again.commit.hex()}")
    assert_refused(entries, tmp_path, "commitment_again", second + 1)


# Openings


def test_a_reveal_needs_the_pick_of_that_round(tmp_path: Path) -> None:
    """An opening of the same character from another round does not pass for it."""
    for seed in range(3, 40):
        if reveals_wrongly(recorded(4, seed=seed), tmp_path):
            return
    raise AssertionError("no such pick in these games")


def reveals_wrongly(game: Game, path: Path) -> bool:
    """Reveal a character with the opening of another round; False if the game has none to be used so."""
    entries = drafts(game)
    hidden = {one.line: one for at in find_all(entries, (Close,)) for one in entries[at].entry.openings}  # type: ignore[union-attr]
    for at in find_all(entries, (Move,)):
        move = entries[at].entry
        assert isinstance(move, Move)
        revealed = [one for one in move.openings if one.line in hidden and hidden[one.line].round < one.round]
        if not revealed:
            continue
        change(entries, at, openings=tuple(hidden[one.line] if one in revealed else one for one in move.openings))
        assert_refused(entries, path, "revealed", at + 1)
        return True
    return False


def find_all(entries: list[Draft], kinds: tuple[type, ...]) -> list[int]:
    return [at for at, draft in enumerate(entries) if isinstance(draft.entry, kinds)]


@pytest.mark.parametrize("number", [0, -1])
def test_openings_that_the_host_had_are_not_left_out(marked: Game, tmp_path: Path, number: int) -> None:
    entries = drafts(marked)
    at = find_all(entries, (Close,))[number]
    openings = entries[at].entry.openings  # type: ignore[union-attr]
    left = next(one for one in openings if one.kind not in ("warrant", "threaten"))
    change(entries, at, openings=tuple(one for one in openings if one is not left))
    finding = assert_refused(entries, tmp_path, "withheld", len(entries))
    assert finding.seat == left.seat


def test_an_opening_twice(marked: Game, tmp_path: Path) -> None:
    entries = drafts(marked)
    at = find(entries, Close)
    opened = entries[at].entry
    assert isinstance(opened, Close)
    assert not opened.secret
    entries.insert(at + 1, Draft(replace(opened, openings=opened.openings[:1]), {}))
    assert_refused(entries, tmp_path, "opening", at + 2)


def test_sealed_openings_after_the_game_fit_their_seals(marked: Game, tmp_path: Path) -> None:
    entries = drafts(marked)
    for at in find_all(entries, (Close,)):
        openings = entries[at].entry.openings  # type: ignore[union-attr]
        if any(one.kind == "threaten" for one in openings):
            changed = tuple(starred_otherwise(one) if one.kind == "threaten" else one for one in openings)
            change(entries, at, openings=changed)
            assert_refused(entries, tmp_path, "opening", at + 1)
            return
    raise AssertionError("no such seal in this game")


# Leaves


@one_case("kind", [Commits, CoSigned, CheckWords, Close])
def test_leaves_where_nobody_is_told_anything(duel: Game, tmp_path: Path, kind: type) -> None:
    entries = drafts(duel)
    at = find(entries, kind)
    entries[at].private = {1: b"\x90"}
    assert_refused(entries, tmp_path, "leaves", at + 1)


def test_events_are_those_that_these_tests_mean() -> None:
    assert encode_event(Placed("warrant", 1, ("king",), "?")) == [51, "warrant", 1, ("king",), "?"]
    assert encode_event(Confiscated(1, 2, "palace", 0, "king", 5)) == [35, 1, 2, "palace", 0, "king", 5]
    assert encode_event(ThreatShown("king", True)) == [53, "king", True]


def test_what_a_seat_seals_is_what_its_program_would(marked: Game) -> None:
    entries = drafts(marked)
    at = where(entries, "warrant")
    move = entries[at].entry
    assert isinstance(move, Move)
    opening = marked.host_log.audit.concealed.opened[at + 1, 0]
    assert opening.seat == move.seat
    head = marked.host_log.head_at(at)
    what = seal(nonce_key(opening.seat), GAME, head, opening.round, opening.seat, opening.slot, opening.line)
    assert what == move.what
