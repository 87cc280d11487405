"""Contradictions that only a replay of the game finds."""

from msgspec.structs import replace

from citadels_lan.crypto.log import Header, Open, TableMove
from tests.crypto.forging import Draft, drafts, find

from .changing import added, change, header, retold, says, where
from .rows import VERIFY, Case, Games, contradicts
from .saying_nothing import told


def verified(case: Case) -> Case:
    return replace(case, by=VERIFY)


@contradicts("edition")
def _(games: Games) -> Case:
    """No one is accused."""
    return verified(header(games.duel, edition="of_tomorrow"))


@contradicts("setup")
def _(games: Games) -> Case:
    first = drafts(games.duel)[0].entry
    assert isinstance(first, Open)
    kept: Header = first.header
    return verified(header(games.duel, cast=(kept.cast[0],) * len(kept.cast)))


@contradicts("no_table")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, TableMove) + 1
    while isinstance(entries[at].entry, TableMove):
        at += 1
    entries.insert(at, Draft(TableMove([]), {}))
    return verified(Case(entries, at + 1))


@contradicts("illegal")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    change(entries, at, what="taxes")
    return verified(Case(entries, at + 1))


@contradicts("notation")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    change(entries, at, what=str(entries[at].entry.what).replace(" ", "  "))  # type: ignore[union-attr]
    return verified(Case(entries, at + 1))


@contradicts("event", "more gold than is taken")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    retold(entries, at, 20, 2, lambda old: old + 1)
    return verified(Case(entries, at + 1))


@contradicts("event_count", "one too many")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    added(entries, at, told(entries[at])[-1])
    return verified(Case(entries, at + 1))


@contradicts("event_count", "one too few")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    change(entries, at, events=told(entries[at])[:-1])
    return verified(Case(entries, at + 1))


@contradicts("private", "another card")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    entries[at].private[1] = entries[at].private[0]
    return verified(Case(entries, at + 1))


@contradicts("private", "to somebody who is told nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    entries[at].private[1] = b"\x90"
    return verified(Case(entries, at + 1))
