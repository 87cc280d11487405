"""Plays a game again: the engine, with the moves of a log and the joint seed, must give the same events.

A host computes its state with this after a crash, verification compares the result with the log, and the replay on
the screen steps through it with all hands open.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.client_log import Owner, decode_events, private_parts
from citadels_lan.crypto.draft.knowledge import Knowledge, KnownEvents, drafted, speaker
from citadels_lan.crypto.seed import SeededChance, joint_seed
from citadels_lan.engine.events import Picked
from citadels_lan.engine.table import Chance

from . import log
from .commitments import BREAKING, WIDTH, committed, join, manner, plain, starred

if TYPE_CHECKING:
    from .host_log import HostLog


class Played(Struct, frozen=True):
    """One entry in a replay. `seat` and `line` are those of a move (None and "" otherwise). `events` are the
    events without hidden values, and `state` is the full state after the entry."""

    n: int
    seat: int | None
    line: str
    events: tuple[engine.Event, ...]
    state: engine.State


def knows_edition(header: log.Header) -> bool:
    """Return whether this program can play the edition and options of a header."""
    try:
        engine.edition_named(header.edition, header.options)
    except engine.Unplayable:
        return False
    return True


def table_of(header: log.Header) -> engine.State:
    """Return the engine's state before the deal, as the header describes the table. Raises Mismatch if this
    program cannot play it."""
    if not knows_edition(header):
        raise log.Mismatch("edition", 1)
    try:
        return engine.new_table(header.config, sealed=True)
    except engine.Unplayable:
        raise log.Mismatch("setup", 1) from None


def chance_of(audit: Auditor) -> SeededChance:
    """Return the chance of the game, computed from the secret and the parts of the seed that a closed log
    contains."""
    assert audit.secret is not None
    return SeededChance(joint_seed(audit.committed_head, audit.secret, audit.parts))


def play(
    header: log.Header, entries: Iterable[log.AnyEntry], line: Callable[[int, log.Move], str], chance: Chance
) -> Iterator[Played]:
    """Play a game again: yield a step for every entry of the table, move, and message of a sealed draft.
    `entries` begin with entry 1. The engine plays as the host's does: without the picks of a sealed draft.

    `line(n, move)` returns the line of notation of the move in entry `n`. Raises Mismatch at the first entry
    that the rules do not allow. The caller has to compare the events with those in the log."""
    state = table_of(header)
    for n, entry in enumerate(entries, 1):
        if not isinstance(entry, log.EVENTFUL):
            continue
        match entry:
            case log.TableMove():
                played = _table(n, state, chance)
            case log.Move():
                played = _move(n, entry, line(n, entry), state, chance)
            case log.Said():
                played = _said(n, entry, state, chance)
        state = played.state
        yield played


def _table(n: int, state: engine.State, chance: Chance) -> Played:
    events = [] if engine.acting(state) else engine.advance(state, chance)
    if not events:
        raise log.Mismatch("no_table", n)
    return Played(n, None, "", tuple(events), engine.evolve(state, *events))


def _move(n: int, entry: log.Move, line: str, state: engine.State, chance: Chance) -> Played:
    seat = entry.seat
    try:
        action = engine.parse(line, seat)
        # The engine never knows which sealed marker counts until its owner opens it.
        verb = BREAKING.get(entry.what) if isinstance(entry.what, str) else None
        unsealed = next((starred(opening) for opening in entry.openings if opening.kind == verb), None)
        events = engine.decide(state, seat, action, chance, unsealed)
    except (engine.BadNotation, engine.IllegalMove) as reason:
        raise log.Mismatch("illegal", n, seat=seat, line=line, reason=reason.code) from None
    if str(action) != line:
        raise log.Mismatch("notation", n, seat=seat)
    return Played(n, seat, line, tuple(events), engine.evolve(state, *events))


def _said(n: int, entry: log.Said, state: engine.State, chance: Chance) -> Played:
    try:
        events = drafted(state, chance, entry.items)
    except (engine.IllegalMove, engine.Impossible):
        raise log.Mismatch("draft", n, seat=entry.items[0].seat) from None
    item = speaker(entry)
    return Played(n, item.seat if item is not None else None, "", tuple(events), engine.evolve(state, *events))


class Counts(Struct, frozen=True):
    """How many events, leaves and results of chance a replay has compared."""

    events: int = 0
    leaves: int = 0
    outcomes: int = 0


def compare(audit: Auditor, entries: Sequence[log.AnyEntry], leaves: Sequence[bytes]) -> Counts:
    """Replay a closed log. Compare every event with the log, and every private part with its leaf (`leaves`
    are the joined leaves by entry). Raises Mismatch at the first difference."""
    assert audit.secret is not None
    played = play(audit.table, entries, partial(opened_line, audit), chance := chance_of(audit))
    return replace(_compare(played, audit.table, audit.secret, entries, leaves), outcomes=chance.asked)


def compare_own(host_log: "HostLog", secret: bytes) -> None:
    """Compare a log that is not closed with its replay, as `compare` does. `secret` is the host's secret, and
    `host_log` has the openings. Raises Mismatch."""
    entries, header = host_log.entries(), host_log.header
    for written, entry in zip(host_log.written, entries, strict=True):
        commits = b"".join(committed(header.game_id, opening) for opening in written.openings)
        if isinstance(entry, log.Move) and isinstance(entry.what, bytes) and commits != entry.what:
            raise log.Mismatch("opening", written.n)
    leaves = [host_log.delta(written.n, None).leaves for written in host_log.written]
    if (seed := host_log.seed()) is not None:
        _compare(play(header, entries, host_log.line, SeededChance(seed)), header, secret, entries, leaves)


def _compare(
    steps: Iterable[Played],
    header: log.Header,
    secret: bytes,
    entries: Sequence[log.AnyEntry],
    leaves: Sequence[bytes],
) -> Counts:
    events = private = 0
    for played in steps:
        public = [engine.redact(event, None) for event in played.events]
        told = decode_events(log.events_of(entries[played.n - 1]))
        for index, (event, due) in enumerate(zip(told, public, strict=False)):
            if event != due:
                raise log.Mismatch("event", played.n, index=index, event=type(event).__name__)
        if len(told) != len(public):
            raise log.Mismatch("event_count", played.n, told=len(told), expected=len(public))
        parts = private_parts(len(header.players), played.events, public)
        if log.leaves_of(secret, header.game_id, played.n, parts) != leaves[played.n - 1]:
            raise log.Mismatch("private", played.n)
        events += len(played.events)
        private += len(parts)
    return Counts(events, private)


def opened_line(audit: Auditor, n: int, move: log.Move) -> str:
    """Return the line of the move in entry `n` of a closed log, without a star. Raises Mismatch: `unopened`
    if its commitment was never opened, `hidden` if the line was not allowed to be hidden."""
    if isinstance(move.what, str):
        return plain(move.what)
    parts = [audit.concealed.opened.get((n, index)) for index in range(len(move.what) // WIDTH)]
    lines = tuple(part.line for part in parts if part is not None)
    if len(lines) != len(parts):
        raise log.Mismatch("unopened", n, seat=move.seat)
    line = join(lines)
    # A substitute bot hides its markers, because it has no player who could seal them.
    if manner(line) != "hidden" and not (move.by == log.SUBSTITUTE and manner(line) == "sealed"):
        raise log.Mismatch("hidden", n, seat=move.seat)
    return line


def with_characters(steps: Iterable[Played], table: engine.State, drafts: KnownEvents) -> Iterator[Played]:
    """Fill the characters that `drafts` knows into the steps of a replay, which has no picks of sealed
    drafts. `table` is the state before the deal. If a lie makes the known characters impossible in an entry,
    they stay hidden in it."""
    state = table
    for played in steps:
        events = drafts.opened(played.events)
        try:
            state = engine.evolve(state, *events)
        except engine.Impossible:
            state, events = played.state, list(played.events)
        yield replace(played, events=tuple(events), state=state)


def unknown_picks(steps: Iterable[Played]) -> list[int]:
    """Return the seats that have a hidden pick in `steps`, in order."""
    events = (event for played in steps for event in played.events)
    return sorted(
        {event.seat for event in events if isinstance(event, Picked) and event.character == engine.HIDDEN}
    )


def opened_drafts(audit: Auditor, owner: Owner | None = None) -> KnownEvents:
    """Return an object that fills characters into the events of a log, as far as the links in the log, and
    the key of `owner` if given, reveal them."""

    @cache
    def known(round_: int) -> Knowledge | None:
        drafts, hand = audit.drafts, owner.hand(audit, round_) if owner is not None else None
        if drafts is None or not 0 < round_ <= len(drafts.rounds):
            return None
        record = drafts.rounds[round_ - 1]
        own = {} if hand is None else {hand.seat: hand.secret}
        return Knowledge(record, {**drafts.secrets(record), **own})

    return KnownEvents(known)
