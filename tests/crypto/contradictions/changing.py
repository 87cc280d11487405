"""Functions that change entries, for the list of contradictions."""

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
    """Change these fields of the entry with the index `at`, in place."""
    entries[at].entry = replace(entries[at].entry, **changes)


def changed(game: Game, kind: type[AnyEntry], number: int = 0, *, at: int = 0, **how: Any) -> Case:
    """Return the case in which fields of the entry with this `number` among those of a kind are changed; each
    value of `how` computes the new field from the old entry. The contradiction is found in that entry, or
    `at` entries later."""
    entries = drafts(game)
    index = [index for index, one in enumerate(entries) if isinstance(one.entry, kind)][number]
    entry = entries[index].entry
    change(entries, index, **{name: new(entry) for name, new in how.items()})
    return Case(entries, index + 1 + at)


def header(game: Game, viewer: int = 0, **changes: Any) -> Case:
    """Return the case in which these fields of the header are changed."""
    return replace(changed(game, Open, header=lambda one: replace(one.header, **changes)), viewer=viewer)


def players(game: Game, seat: int, **changes: Any) -> tuple[Any, ...]:
    """Return the players in the header, with these fields changed for one seat."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    found = list(first.header.players)
    found[seat] = replace(found[seat], **changes)
    return tuple(found)


def claimed(game: Game, host: bytes) -> tuple[Any, ...]:
    """Return the players in the header with new claims for a table with this host key."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    return tuple(
        replace(one, claim=claim(player(seat), GAME, FP, host, one.name, one.kind))
        for seat, one in enumerate(first.header.players)
    )


def constants(fields: dict[str, Any]) -> dict[str, Any]:
    """Return arguments for `changed` that set the fields to these values, whatever the old ones were."""
    return {name: lambda _, new=new: new for name, new in fields.items()}


def others(values: tuple[Any, ...], seat: int, **new: Any) -> tuple[Any, ...]:
    """Return `values` with these fields changed in the item of one seat."""
    return (*values[:seat], replace(values[seat], **new), *values[seat + 1 :])


def retold(entries: list[Draft], at: int, tag: int, field: int, value: Any) -> None:
    """Change a field of the first event with the number `tag` in the entry with the index `at`, in place.
    `value` is the new value, or a function that computes it from the old one."""
    events = [list(event) for event in entries[at].entry.events]  # type: ignore[union-attr]
    event = next(event for event in events if event[0] == tag)
    event[field] = value(event[field]) if callable(value) else value
    change(entries, at, events=events)


def added(entries: list[Draft], at: int, event: list[Any]) -> None:
    change(entries, at, events=[*entries[at].entry.events, event])  # type: ignore[union-attr]


def where(entries: list[Draft], wanted: Callable[[Move], bool], *, after: int = 0) -> int:
    """Return the index of the first move, at or after the index `after`, for which `wanted` is True."""
    moves = ((at, one.entry) for at, one in enumerate(entries) if isinstance(one.entry, Move))
    return next(at for at, move in moves if at >= after and wanted(move))


def says(*beginnings: str) -> Callable[[Move], bool]:
    """Return a condition for `where`: the move is not hidden, and its text begins with one of these."""
    return lambda move: isinstance(move.what, str) and move.what.startswith(beginnings)


def tells(tag: int) -> Callable[[Move], bool]:
    """Return a condition for `where`: the move has an event with the number `tag`."""
    return lambda move: any(event[0] == tag for event in move.events)


def beginning_of(entries: list[Draft], round_: int) -> int:
    """Return the index of the entry in which round `round_` begins."""
    rounds = [at for at, one in enumerate(entries) if isinstance(one.entry, CoSigned)]
    return find(entries, TableMove, after=rounds[round_ - 2])


def reopened(entries: list[Draft], old: Callable[[Opening], bool], new: Opening) -> None:
    """Replace each opening for which `old` is True by `new`, in place."""
    for draft in entries:
        if isinstance(draft.entry, (Move, Close)):
            openings = tuple(new if old(one) else one for one in draft.entry.openings)
            draft.entry = replace(draft.entry, openings=openings)


def misplaced(game: Game, round_: int = 0, seat: int = 0, slot: int = 0) -> Case:
    """Return the case in which the first hidden move commits to a wrong round, seat or slot. Its opening
    matches the commitment."""
    entries = drafts(game)
    at = find(entries, Move, hidden=True)
    move = entries[at].entry
    assert isinstance(move, Move)
    line = game.host_log.line(at + 1)
    place = (game.host_log.heads[at], 1 + round_, (move.seat + seat) % len(game.state.players), slot)
    what, (opening, *_) = conceal(nonce_key(move.seat), GAME, *place, line)
    own = move.seat
    reopened(entries, lambda one: (one.round, one.seat, one.slot, one.kind) == (1, own, 0, "pick"), opening)
    assert isinstance(move.what, bytes)
    change(entries, at, what=what[:WIDTH] + move.what[WIDTH:])
    return Case(entries)


def resealed(game: Game, star: Callable[[list[str]], list[str]]) -> Case:
    """Return the case in which the first sealed warrants commit to a line with other stars than one. Its
    opening matches the commitment."""
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
