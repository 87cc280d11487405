"""Contradictions about markers that are placed and shown."""

from citadels_lan.crypto.log import (
    TableMove,
)
from tests.crypto.forging import drafts, find

from .changing import added, change, retold, says, where
from .rows import Case, Games, contradicts


@contradicts("placed", "others than the move says")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("warrant", "threaten"))
    retold(entries, at, 51, 3, lambda old: old[1:])
    return Case(entries, at + 1)


@contradicts("placed", "by a move that places none")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("gather"))
    added(entries, at, [51, "warrant", 0, ["king"], "?"])
    return Case(entries, at + 1)


@contradicts("placed", "by the table")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = find(entries, TableMove, after=10)
    added(entries, at, [51, "warrant", 0, ["king"], "?"])
    return Case(entries, at + 1)


for _line, _kind_of in (("confiscate yes", "warrant"), ("reveal yes", "threaten")):

    @contradicts("seal_unopened", _line)
    def _(games: Games, line: str = _line, kind: str = _kind_of) -> Case:
        entries = drafts(games.marked)
        at = where(entries, says(line))
        openings = entries[at].entry.openings  # type: ignore[union-attr]
        change(entries, at, openings=tuple(one for one in openings if one.kind != kind))
        return Case(entries, at + 1)


@contradicts("shown", "a flower where none is")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("reveal yes"))
    retold(entries, at, 53, 2, lambda old: not old)
    return Case(entries, at + 1)


@contradicts("shown", "a confiscation from somebody else")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("confiscate yes"))
    retold(entries, at, 35, 5, lambda old: "queen" if old != "queen" else "king")
    return Case(entries, at + 1)


@contradicts("shown", "a confiscation by somebody else")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("confiscate yes"))
    retold(entries, at, 35, 1, lambda old: (old + 1) % 4)
    return Case(entries, at + 1)
