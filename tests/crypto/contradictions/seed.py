"""Contradictions about the seed."""

from typing import Any

from msgspec.structs import replace

from citadels_lan.crypto.log import (
    AnyEntry,
    Beacons,
    Close,
    Commits,
    Move,
    Parts,
    Present,
)
from tests.crypto.forging import drafts

from .changing import change, changed, constants, header, others, signatures
from .rows import OWN, Case, Games, contradicts


def own(case: Case) -> Case:
    return replace(case, by=OWN)


@contradicts("own_part", "another commitment")
def _(games: Games) -> Case:
    """Signed in its name: its key is in other hands."""
    return own(changed(games.duel, Commits, commits=lambda one: others(one.commits, 0)))


@contradicts("own_part", "another anchor")
def _(games: Games) -> Case:
    return own(changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 0)))


for _name, _kind in (
    ("commits", Commits),
    ("anchors", Commits),
    ("signatures", Commits),
    ("parts", Parts),
    ("signatures", Parts),
):
    for _what, _count in (("a seat too few", slice(0, 1)), ("a seat too many", slice(0, 3))):

        @contradicts("seats", f"{_name} in {_kind.__name__}: {_what}")
        def _(games: Games, name: str = _name, kind: type[AnyEntry] = _kind, count: slice = _count) -> Case:
            def some(one: AnyEntry) -> tuple[bytes, ...]:
                values = getattr(one, name)
                return (*values, values[0])[count]

            case = changed(games.duel, kind, **{name: some})  # type: ignore[arg-type]  # no field is called `at`
            return replace(case, players=name != "signatures")


for _what, _fields in (
    ("a seat that is not at the table takes part", {"present": 0b101}),
    ("it disputes", {"disputed": 0b100}),
    ("one that does not take part disputes", {"present": 0b01, "disputed": 0b10, "signatures": signatures(1)}),
):

    @contradicts("seats", _what)
    def _(games: Games, fields: dict[str, Any] = _fields) -> Case:
        return changed(games.duel, Present, 1, **constants(fields))


@contradicts("seats", "a move of a seat that is not there")
def _(games: Games) -> Case:
    return changed(games.duel, Move, seat=lambda one: 5)


for _seat in (0, 1):

    @contradicts("part", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Parts, parts=lambda one: others(one.parts, seat))
        return replace(case, viewer=1 - seat)

    @contradicts("part_signature", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        """Nobody else may sign for it, and no signature is none."""
        case = changed(games.duel, Parts, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat} to another commitment")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, commits=lambda one: others(one.commits, seat))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat} to another anchor")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, anchors=lambda one: others(one.anchors, seat))
        return replace(case, players=False)

    @contradicts("here", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("here", f"it does not dispute: seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return replace(changed(games.duel, Present, 1, disputed=lambda one: 1 << seat), players=False)

    @contradicts("beacon", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, Beacons, 1, links=lambda one: others(one.links, seat))


@contradicts("part_signature", "of another seat")
def _(games: Games) -> Case:
    case = changed(games.duel, Parts, signatures=lambda one: one.signatures[::-1])
    return replace(case, players=False)


@contradicts("agreement", "of another seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Commits, signatures=lambda one: one.signatures[::-1]), players=False)


@contradicts("agreement", "to another table")
def _(games: Games) -> Case:
    """The header that it has signed is in hash[1]."""
    return replace(header(games.duel, program="citadels-lan of others"), n=2, players=False)


@contradicts("here", "of another seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Present, 1, signatures=lambda one: one.signatures[::-1]), players=False)


@contradicts("here", "of the round before")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    first, second = [at for at, one in enumerate(entries) if isinstance(one.entry, Present)][:2]
    change(entries, second, signatures=entries[first].entry.signatures)  # type: ignore[union-attr]
    return Case(entries, second + 1, players=False)


@contradicts("beacon", "to another anchor")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 1), at=3)


@contradicts("secret")
def _(games: Games) -> Case:
    return changed(games.duel, Close, secret=lambda one: bytes(32))
