"""A game played again: the engine over the moves of a log and the joint seed. What came out must come out again.

The host brings its state back with this after a crash, verification compares it with the log, and a replay on the
screen steps through it with all hands open.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from citadels_lan.engine import (
    BadNotation,
    Event,
    IllegalMove,
    Setup,
    State,
    Unplayable,
    advance,
    decide,
    decisions,
    evolve,
    new_table,
    parse,
    redact,
)
from citadels_lan.engine.chance import Chance
from citadels_lan.engine.setup import EDITION

from .audit import Auditor
from .chain import join_leaves, leaf_hash, salt
from .commitments import WIDTH, hidden, join
from .drbg import SeededChance
from .faults import Mismatch
from .follower import decode_events
from .ledger import told_to
from .log import AnyEntry, Header, Move, Table, encode_private, events_of
from .seed import joint_seed


class Played(Struct, frozen=True):
    """An entry that was played again: `seat` and `line` are those of a move, `events` the whole ones, `state` the
    full state after it."""

    n: int
    seat: int | None
    line: str
    events: tuple[Event, ...]
    state: State


def table_of(header: Header) -> State:
    """The table of a header, before the deal. Raises Unplayable."""
    return new_table(Setup(len(header.players), header.cast, header.uniques))


def play(
    header: Header, entries: Sequence[AnyEntry], line: Callable[[int], str], chance: Chance
) -> Iterator[Played]:
    """Every `table` and `move` of a log (entry n at index n - 1), played by the engine.

    `line` gives the line of the move in an entry. Raises Mismatch at the first entry that the rules do not allow;
    whether the events are those of the log is for the caller to compare.
    """
    if header.edition != EDITION:
        raise Mismatch("edition", 1)
    try:
        state = table_of(header)
    except Unplayable:
        raise Mismatch("setup", 1) from None
    for n, entry in enumerate(entries, 1):
        if isinstance(entry, Table):
            played = _table(n, state, chance)
        elif isinstance(entry, Move):
            played = _move(n, entry.seat, line(n), state, chance)
        else:
            continue
        state = played.state
        yield played


def _table(n: int, state: State, chance: Chance) -> Played:
    events = [] if decisions(state) else advance(state, chance)
    if not events:
        raise Mismatch("no_table", n)
    return Played(n, None, "", tuple(events), _after(state, events))


def _move(n: int, seat: int, line: str, state: State, chance: Chance) -> Played:
    try:
        action = parse(line, seat)
        events = decide(state, seat, action, chance)
    except (BadNotation, IllegalMove) as reason:
        raise Mismatch("illegal", n, seat=seat, line=line, reason=reason.code) from None
    if str(action) != line:
        raise Mismatch("notation", n, seat=seat)
    return Played(n, seat, line, tuple(events), _after(state, events))


def _after(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


class Counts(Struct, frozen=True):
    """What a replay has compared."""

    events: int = 0
    leaves: int = 0
    outcomes: int = 0


def compare(audit: Auditor, entries: Sequence[AnyEntry], leaves: Sequence[bytes], upto: int) -> Counts:
    """Play a closed log again up to entry `upto`, and compare every event and every leaf of every seat.

    Raises Mismatch at the first that is another.
    """
    header, secret = audit.table, audit.secret
    assert secret is not None
    chance = SeededChance(joint_seed(header.game_id, secret, audit.parts, audit.committed_head))
    events = private = 0
    lines = Lines(audit, entries)
    for n, (entry, given) in enumerate(zip(entries[:upto], leaves, strict=False), start=1):
        if given and not isinstance(entry, (Move, Table)):
            raise Mismatch("private", n)
    for played in play(header, entries[:upto], lines.line, chance):
        _compare_events(played, entries[played.n - 1])
        expected = _leaves(header, secret, played)
        if join_leaves(expected) != leaves[played.n - 1]:
            raise Mismatch("private", played.n)
        events += len(played.events)
        private += len(expected)
    return Counts(events, private, chance.asked)


def _compare_events(played: Played, entry: AnyEntry) -> None:
    told = decode_events(events_of(entry))
    expected = [redact(event, None) for event in played.events]
    for index, (theirs, ours) in enumerate(zip(told, expected, strict=False)):
        if theirs != ours:
            raise Mismatch("event", played.n, index=index, event=type(theirs).__name__)
    if len(told) != len(expected):
        raise Mismatch("event_count", played.n, told=len(told), expected=len(expected))


def _leaves(header: Header, secret: bytes, played: Played) -> Mapping[int, bytes]:
    game, n = header.game_id, played.n
    return {
        seat: leaf_hash(game, n, seat, salt(secret, n, seat), encode_private(told))
        for seat in range(len(header.players))
        if (told := told_to(seat, played.events))
    }


class Lines:
    """The lines of the moves of a log, hidden ones from their openings."""

    def __init__(self, audit: Auditor, entries: Sequence[AnyEntry]) -> None:
        self._opened = audit.opened
        self._entries = entries

    def line(self, n: int) -> str:
        """The line of the move in entry `n`; Mismatch `unopened` if it is still hidden, `hidden` if it was hidden
        and should not have been, or the other way round."""
        entry = self._entries[n - 1]
        assert isinstance(entry, Move)
        line = entry.what if isinstance(entry.what, str) else self._opening(n, entry.seat, entry.what)
        if hidden(line) != isinstance(entry.what, bytes):
            raise Mismatch("hidden", n, seat=entry.seat)
        return line

    def _opening(self, n: int, seat: int, what: bytes) -> str:
        parts = [self._opened.get((n, index)) for index in range(len(what) // WIDTH)]
        lines = tuple(part.line for part in parts if part is not None)
        if len(lines) != len(parts):
            raise Mismatch("unopened", n, seat=seat)
        return join(lines)
