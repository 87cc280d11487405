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
    Impossible,
    State,
    Unplayable,
    acting,
    advance,
    decide,
    edition_named,
    evolve,
    new_table,
    parse,
    redact,
)
from citadels_lan.engine.chance import Chance

from .audit import Auditor
from .chain import join_leaves, leaf_hash, salt
from .chance import SeededChance, joint_seed
from .client_log import decode_events
from .commitments import WIDTH, committed, join
from .draft.playing import drafted, speaker
from .faults import Mismatch
from .host_entries import told_to
from .host_log import HostLog
from .log import EVENTFUL, SUBSTITUTE, AnyEntry, Header, Move, Said, TableMove, encode_private, events_of
from .sealed_moves import BREAKING, manner, plain, starred


class Played(Struct, frozen=True):
    """An entry that was played again: `seat` and `line` are those of a move, `events` the whole ones, `state` the
    full state after it."""

    n: int
    seat: int | None
    line: str
    events: tuple[Event, ...]
    state: State


def knows_edition(header: Header) -> bool:
    """Whether this program plays the edition of a header."""
    try:
        edition_named(header.edition, header.options)
    except Unplayable:
        return False
    return True


def table_of(header: Header) -> State:
    """The table of a header, before the deal. Raises Mismatch for one that this program does not play."""
    if not knows_edition(header):
        raise Mismatch("edition", 1)
    try:
        return new_table(header.config, sealed=True)
    except Unplayable:
        raise Mismatch("setup", 1) from None


def chance_of(audit: Auditor) -> SeededChance:
    """The chance of a closed log."""
    assert audit.secret is not None
    return SeededChance(joint_seed(audit.committed_head, audit.secret, audit.parts))


def play(
    header: Header, entries: Sequence[AnyEntry], line: Callable[[int], str], chance: Chance
) -> Iterator[Played]:
    """Every `table` and `move` of a log (entry n at index n - 1), and every entry of a sealed draft, played by the
    engine as the host played it: without the picks of a sealed draft.

    `line` gives the line of the move in an entry. Raises Mismatch at the first entry that the rules do not allow;
    whether the events are those of the log is for the caller to compare."""
    state = table_of(header)
    for n, entry in enumerate(entries, 1):
        if not isinstance(entry, EVENTFUL):
            continue
        match entry:
            case TableMove():
                played = _table(n, state, chance)
            case Move():
                played = _move(n, entry, line(n), state, chance)
            case Said():
                played = _said(n, entry, state, chance)
        state = played.state
        yield played


def _table(n: int, state: State, chance: Chance) -> Played:
    events = [] if acting(state) else advance(state, chance)
    if not events:
        raise Mismatch("no_table", n)
    return Played(n, None, "", tuple(events), evolve(state, *events))


def _move(n: int, entry: Move, line: str, state: State, chance: Chance) -> Played:
    seat = entry.seat
    try:
        action = parse(line, seat)
        events = decide(state, seat, action, chance, unsealed_by(entry))
    except (BadNotation, IllegalMove) as reason:
        raise Mismatch("illegal", n, seat=seat, line=line, reason=reason.code) from None
    if str(action) != line:
        raise Mismatch("notation", n, seat=seat)
    return Played(n, seat, line, tuple(events), evolve(state, *events))


def _said(n: int, entry: Said, state: State, chance: Chance) -> Played:
    try:
        events = drafted(state, chance, entry.items)
    except (IllegalMove, Impossible):
        raise Mismatch("draft", n, seat=entry.items[0].seat) from None
    item = speaker(entry)
    return Played(n, item.seat if item is not None else None, "", tuple(events), evolve(state, *events))


def unsealed_by(entry: Move) -> str | None:
    """What the opening in a move says of the seal that the move breaks."""
    verb = BREAKING.get(entry.what) if isinstance(entry.what, str) else None
    return next((starred(opening) for opening in entry.openings if opening.kind == verb), None)


class Counts(Struct, frozen=True):
    """What a replay has compared."""

    events: int = 0
    leaves: int = 0
    outcomes: int = 0


def compare(audit: Auditor, entries: Sequence[AnyEntry], leaves: Sequence[bytes]) -> Counts:
    """Play a closed log again, and compare every event and every leaf of every seat.

    Raises Mismatch at the first that is another.
    """
    assert audit.secret is not None
    lines = MoveLines(audit, entries)
    return _compare(audit.table, audit.secret, entries, lines.line, chance_of(audit), leaves)


def compare_own(log: HostLog, secret: bytes) -> None:
    """The same of a log that is not closed, with the secret and the openings of its host. Raises Mismatch."""
    entries, game = log.entries(), log.header.game_id
    for written, entry in zip(log.written, entries, strict=True):
        commits = b"".join(committed(game, opening) for opening in written.openings)
        if isinstance(entry, Move) and isinstance(entry.what, bytes) and commits != entry.what:
            raise Mismatch("opening", written.n)
    leaves = [log.delta(written.n, None).leaves for written in log.written]
    if (seed := log.seed()) is not None:
        _compare(log.header, secret, entries, log.line, SeededChance(seed), leaves)


def _compare(
    header: Header,
    secret: bytes,
    entries: Sequence[AnyEntry],
    line: Callable[[int], str],
    chance: SeededChance,
    leaves: Sequence[bytes],
) -> Counts:
    events = private = 0
    for played in play(header, entries, line, chance):
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
    for index, (event, due) in enumerate(zip(told, expected, strict=False)):
        if event != due:
            raise Mismatch("event", played.n, index=index, event=type(event).__name__)
    if len(told) != len(expected):
        raise Mismatch("event_count", played.n, told=len(told), expected=len(expected))


def _leaves(header: Header, secret: bytes, played: Played) -> Mapping[int, bytes]:
    game, n = header.game_id, played.n
    public = [redact(event, None) for event in played.events]
    return {
        seat: leaf_hash(game, n, seat, salt(secret, n, seat), encode_private(told))
        for seat in range(len(header.players))
        if (told := told_to(seat, played.events, public))
    }


class MoveLines:
    """The lines of the moves of a log, hidden ones from their openings."""

    def __init__(self, audit: Auditor, entries: Sequence[AnyEntry]) -> None:
        self._opened = audit.concealed.opened
        self._entries = entries

    def line(self, n: int) -> str:
        """The line of the move in entry `n`, without the star of a sealed one; Mismatch `unopened` if it is still
        hidden, `hidden` if it was hidden and should not have been."""
        entry = self._entries[n - 1]
        assert isinstance(entry, Move)
        if isinstance(entry.what, str):
            return plain(entry.what)
        line = self._opening(n, entry.seat, entry.what)
        if manner(line) != "hidden" and not (entry.by == SUBSTITUTE and manner(line) == "sealed"):
            raise Mismatch("hidden", n, seat=entry.seat)
        return line

    def _opening(self, n: int, seat: int, what: bytes) -> str:
        parts = [self._opened.get((n, index)) for index in range(len(what) // WIDTH)]
        lines = tuple(part.line for part in parts if part is not None)
        if len(lines) != len(parts):
            raise Mismatch("unopened", n, seat=seat)
        return join(lines)
