"""Contradictions about rounds: who takes part, whose links come."""

from msgspec.structs import replace

from citadels_lan.crypto.log import (
    AnyEntry,
    Beacons,
    Present,
    Seal,
    TableMove,
)
from tests.crypto.forging import Draft, drafts

from .changing import again, beginning_of, changed, retold, signatures
from .rows import Case, Games, contradicts

for _what, _round in (("the next", 1), ("the one before", -1), ("far away", 60)):

    @contradicts("present", f"in a round that is not: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        return changed(games.duel, Present, 2, round=lambda one: one.round + more)

    @contradicts("round", f"another number than its beacons: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        entries = drafts(games.duel)
        at = beginning_of(entries, 3)
        retold(entries, at, 2, 1, 3 + more)
        return Case(entries, at + 1)


for _what, _count in (("too few", slice(0, 1)), ("too many", slice(0, 3))):

    @contradicts("present", f"signatures: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: (*one.signatures, bytes(64))[count])
        return replace(case, players=False)

    @contradicts("beacons", f"links: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        return changed(games.duel, Beacons, 1, links=lambda one: (*one.links, bytes(32))[count])


@contradicts("present", "nobody at all, before the end")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0, signatures=lambda one: ())


@contradicts("present", "whose link was missing before this round")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b11, 3)
    return replace(case, n=(case.n or 0) + 2)


@contradicts("beacons", "links of others than take part")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0b10, signatures=lambda one: signatures(1), at=1)


@contradicts("beacon", "of the attempt before")
def _(games: Games) -> Case:
    """Everybody has seen it when the first attempt came to nothing."""
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 2)
    return replace(case, n=(case.n or 0) + 3)


@contradicts("beacon", "of the attempt after")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 4)
    return replace(case, n=(case.n or 0) + 3)


for _what, _first, _missing in (
    ("nobody's links", 0b11, 0),
    ("of a seat that did not take part", 0b01, 0b10),
    ("of a seat that is not at the table", 0b11, 0b110),
):

    @contradicts("restart", _what)
    def _(games: Games, first: int = _first, missing: int = _missing) -> Case:
        case = again(games.duel, 2, first, missing, 0b01, 3)
        return replace(case, n=(case.n or 0) + 1)


for _what, _missing_kind in (
    ("nobody has said who takes part", Present),
    ("no chance", Beacons),
    ("no seal", Seal),
):

    @contradicts("order", f"before a round: {_what}")
    def _(games: Games, kind: type[AnyEntry] = _missing_kind) -> Case:
        entries = drafts(games.duel)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, kind)][-2]
        del entries[at]
        return Case(entries, at + 1)


for _what, _again in (("who takes part", Present), ("its chance", Beacons)):

    @contradicts("order", f"before a round twice: {_what}")
    def _(games: Games, kind: type[AnyEntry] = _again) -> Case:
        entries = drafts(games.duel)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, kind)][1]
        entries.insert(at + 1, entries[at])
        return Case(entries, at + 2)


@contradicts("order", "a round whose links have not come")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 3)
    at = (case.n or 0) + 1
    return Case([*case.entries[:at], *case.entries[at + 1 :]], at + 1)


@contradicts("round", "it begins twice")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = beginning_of(entries, 2)
    entries.insert(at + 1, Draft(entries[at].entry, {}))
    return Case(entries, at + 2)


@contradicts("round", "a move before it")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = beginning_of(entries, 2)
    entries[at] = Draft(TableMove([]), {})
    return Case(entries, at + 2)
