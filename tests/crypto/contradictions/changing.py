"""How entries are changed, for rows."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from citadels_lan.crypto.commitments import WIDTH, Opening, committed, conceal, plain
from citadels_lan.crypto.log import AnyEntry, Close, CoSigned, Move, Open, TableMove
from citadels_lan.crypto.signatures import claim
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import FP, GAME, Game, nonce_key, player

from .rows import Case


def change(entries: list[Draft], at: int, **changes: Any) -> None:
    """Other fields of an entry."""
    entries[at].entry = replace(entries[at].entry, **changes)


def changed(game: Game, kind: type[AnyEntry], number: int = 0, *, at: int = 0, **how: Any) -> Case:
    """The `number`th entry of a kind with other fields: `how` gives each from the old entry. It is noticed there,
    or `at` entries later."""
    entries = drafts(game)
    index = [index for index, one in enumerate(entries) if isinstance(one.entry, kind)][number]
    entry = entries[index].entry
    change(entries, index, **{name: new(entry) for name, new in how.items()})
    return Case(entries, index + 1 + at)


def header(game: Game, viewer: int = 0, **changes: Any) -> Case:
    """Another table in the first entry."""
    return replace(changed(game, Open, header=lambda one: replace(one.header, **changes)), viewer=viewer)


def players(game: Game, seat: int, **changes: Any) -> tuple[Any, ...]:
    """Those of the header, one of them changed."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    found = list(first.header.players)
    found[seat] = replace(found[seat], **changes)
    return tuple(found)


def claimed(game: Game, host: bytes) -> tuple[Any, ...]:
    """Those of the header, who have signed their names at a table with this key of the host."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    return tuple(
        replace(one, claim=claim(player(seat), GAME, FP, host, one.name, one.kind))
        for seat, one in enumerate(first.header.players)
    )


def constants(fields: dict[str, Any]) -> dict[str, Any]:
    """For `changed`: these fields, whatever they were."""
    return {name: lambda _, new=new: new for name, new in fields.items()}


def others(values: tuple[Any, ...], seat: int, **new: Any) -> tuple[Any, ...]:
    """The same, but one seat's with other fields."""
    return (*values[:seat], replace(values[seat], **new), *values[seat + 1 :])


def retold(entries: list[Draft], at: int, tag: int, field: int, value: Any) -> None:
    """Another field of an event of an entry; a function gives it from the old one."""
    events = [list(event) for event in entries[at].entry.events]  # type: ignore[union-attr]
    event = next(event for event in events if event[0] == tag)
    event[field] = value(event[field]) if callable(value) else value
    change(entries, at, events=events)


def added(entries: list[Draft], at: int, event: list[Any]) -> None:
    change(entries, at, events=[*entries[at].entry.events, event])  # type: ignore[union-attr]


def where(entries: list[Draft], wanted: Callable[[Move], bool], *, after: int = 0) -> int:
    """The index of the first move that is so."""
    moves = ((at, one.entry) for at, one in enumerate(entries) if isinstance(one.entry, Move))
    return next(at for at, move in moves if at >= after and wanted(move))


def says(*beginnings: str) -> Callable[[Move], bool]:
    """Whether a move is open or sealed and begins so."""
    return lambda move: isinstance(move.what, str) and move.what.startswith(beginnings)


def tells(tag: int) -> Callable[[Move], bool]:
    """Whether a move has an event with this tag."""
    return lambda move: any(event[0] == tag for event in move.events)


def beginning_of(entries: list[Draft], round_: int) -> int:
    """The index of the entry in which a round begins."""
    rounds = [at for at, one in enumerate(entries) if isinstance(one.entry, CoSigned)]
    return find(entries, TableMove, after=rounds[round_ - 2])


def reopened(entries: list[Draft], old: Callable[[Opening], bool], new: Opening) -> None:
    """Another opening, wherever the old one is shown."""
    for draft in entries:
        if isinstance(draft.entry, (Move, Close)):
            openings = tuple(new if old(one) else one for one in draft.entry.openings)
            draft.entry = replace(draft.entry, openings=openings)


def misplaced(game: Game, round_: int = 0, seat: int = 0, slot: int = 0) -> Case:
    """The first hidden move is committed to for another place than it has; the opening fits the commitment."""
    entries = drafts(game)
    at = find(entries, Move, hidden=True)
    move = entries[at].entry
    assert isinstance(move, Move)
    line = game.host_log.line(at + 1)
    place = (game.host_log.head_at(at), 1 + round_, (move.seat + seat) % len(game.state.players), slot)
    what, (opening, *_) = conceal(nonce_key(move.seat), GAME, *place, line)
    own = move.seat
    reopened(entries, lambda one: (one.round, one.seat, one.slot, one.kind) == (1, own, 0, "pick"), opening)
    assert isinstance(move.what, bytes)
    change(entries, at, what=what[:WIDTH] + move.what[WIDTH:])
    return Case(entries)


def resealed(game: Game, star: Callable[[list[str]], list[str]]) -> Case:
    """The first warrants are sealed, and opened, with another line than one of those with a single star."""
    entries = drafts(game)
    at = where(entries, says("warrant"))
    move = entries[at].entry
    assert isinstance(move, Move)
    old = game.host_log.audit.concealed.opened[at + 1, 0]
    verb, *words = plain(str(move.what)).split()
    new = replace(old, line=" ".join([verb, *star(words)]))
    commit = committed(GAME, new)
    change(entries, at, what=f"{plain(str(move.what))} sealed {commit.hex()}")
    reopened(entries, lambda one: one == old, new)
    return Case(entries)
