"""Contradictions about what lets a game go on at another host."""

from msgspec.structs import replace

from citadels_lan.crypto.log import (
    Agreed,
    Commits,
    Move,
    NewHost,
    Seal,
    SharedOut,
)
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import FP, HOST

from .changing import change, changed, constants, header, others
from .rows import Case, Games, contradicts
from .seed import own

for _what, _boxes in (
    ("none", None),
    ("a seat too few", (bytes([9]) * 32,)),
    ("of small order", (bytes(32),) * 3),
):

    @contradicts("box", _what)
    def _(games: Games, boxes: tuple[bytes, ...] | None = _boxes) -> Case:
        return changed(games.shared, Commits, **constants({"boxes": boxes}))


@contradicts("box", "where there are no shares")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, boxes=lambda one: (bytes([9]) * 32,) * 2)


@contradicts("own_part", "another key of the share")
def _(games: Games) -> Case:
    return own(changed(games.shared, Commits, boxes=lambda one: others(one.boxes, 0)))


@contradicts("shared", "a share too few")
def _(games: Games) -> Case:
    return changed(games.shared, SharedOut, shares=lambda one: one.shares[:2])


@contradicts("shared", "more shares are needed than there are")
def _(games: Games) -> Case:
    case = header(games.shared, migrate=4)
    return replace(case, n=find(case.entries, SharedOut) + 1)


@contradicts("order", "no shares")
def _(games: Games) -> Case:
    entries = drafts(games.shared)
    del entries[(at := find(entries, SharedOut))]
    return Case(entries, at + 1)


@contradicts("order", "another host after the end")
def _(games: Games) -> Case:
    entries = drafts(games.shared)
    return Case([*entries, Draft(newcomer(1), {})], len(entries) + 1)


@contradicts("own_share", "another one")
def _(games: Games) -> Case:
    return own(changed(games.shared, SharedOut, shares=lambda one: others(one.shares, 0, bytes([77]) * 49)))


@contradicts("own_share", "another commitment to it")
def _(games: Games) -> Case:
    return own(changed(games.shared, SharedOut, commits=lambda one: others(one.commits, 0)))


for _what, _escrow in (("none", None), ("too short", bytes(79)), ("too long", bytes(81))):

    @contradicts("escrow", _what)
    def _(games: Games, escrow: bytes | None = _escrow) -> Case:
        return changed(games.shared, Move, 3, **constants({"escrow": escrow}))


@contradicts("escrow", "where nobody could go on")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move, hidden=False)
    change(entries, at, escrow=bytes(80))
    return Case(entries, at + 1)


def newcomer(*seats: int) -> NewHost:
    """Another host, by the word of the old one: nobody has signed that."""
    return NewHost(1, HOST.public, FP, tuple(Agreed(seat, bytes(64)) for seat in seats))


for _what, _seats in (("by nobody's signature", (0, 1, 2)), ("of too few", (1,)), ("without itself", (0, 2))):

    @contradicts("new_host", _what)
    def _(games: Games, seats: tuple[int, ...] = _seats) -> Case:
        entries = drafts(games.shared)
        entries.insert(at := find(entries, Seal), Draft(newcomer(*seats), {}))
        return Case(entries, at + 1)
