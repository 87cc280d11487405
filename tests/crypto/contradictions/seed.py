"""Contradictions about the seed."""

from msgspec.structs import replace

from citadels_lan.crypto.log import Close, Commits, Move
from tests.crypto.forging import drafts

from .changing import change, changed, header, others
from .rows import OWN, Case, Games, contradicts


def own(case: Case) -> Case:
    return replace(case, by=OWN)


def last(games: Games, **changes: object) -> Case:
    """Return the case in which these fields of the last *close* are changed."""
    entries = drafts(games.duel)
    change(entries, len(entries) - 1, **changes)
    return Case(entries, len(entries))


for _what, _count in (("a seat too few", slice(0, 1)), ("a seat too many", slice(0, 3))):

    @contradicts("seats", f"commits: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        def some(one: Commits) -> tuple[object, ...]:
            return (*one.seats, replace(one.seats[0], commit=bytes(32)))[count]

        return changed(games.duel, Commits, seats=some)

    @contradicts("seats", f"parts: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        parts = drafts(games.duel)[-1].entry.parts  # type: ignore[union-attr]
        return last(games, parts=(*parts, bytes(32))[count])


@contradicts("seats", "a move of a seat that is not there")
def _(games: Games) -> Case:
    return changed(games.duel, Move, seat=lambda one: 5)


for _seat in (0, 1):

    @contradicts("part", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        parts = drafts(games.duel)[-1].entry.parts  # type: ignore[union-attr]
        return last(games, parts=(*parts[:seat], bytes(32), *parts[seat + 1 :]))

    @contradicts("agreement", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        """No other key can sign for the seat, and an empty signature is invalid."""
        case = changed(games.duel, Commits, seats=lambda one: others(one.seats, seat, signature=bytes(64)))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat} to another commitment")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, seats=lambda one: others(one.seats, seat, commit=bytes(32)))
        return replace(case, players=False)

    @contradicts("anchors", f"of seat {_seat} in an open draft")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, Commits, seats=lambda one: others(one.seats, seat, anchors=(bytes(32),)))


@contradicts("agreement", "of another seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Commits, seats=lambda one: one.seats[::-1]), players=False)


@contradicts("agreement", "to another table")
def _(games: Games) -> Case:
    """The signed header is part of hash[1]."""
    return replace(header(games.duel, program="citadels-lan of others"), n=2, players=False)


@contradicts("value_again", "one commitment of two seats")
def _(games: Games) -> Case:
    return changed(
        games.duel, Commits, seats=lambda one: tuple(replace(seat, commit=bytes(32)) for seat in one.seats)
    )


contradicts("secret")(lambda games: last(games, secret=bytes(32)))


for _what, _why in (("agreed", 1), ("a lie that is not proven", 2)):

    @contradicts("close", _what)
    def _(games: Games, why: int = _why) -> Case:
        entries = drafts(games.duel)
        at = next(at for at, one in enumerate(entries) if isinstance(one.entry, Close))
        change(entries, at, why=why)
        return Case(entries, at + 1)
