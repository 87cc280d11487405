"""Contradictions in bytes: entries, events and leaves that say nothing."""

from collections.abc import Callable
from typing import Any

from citadels_lan.crypto.log import (
    LEAF,
    Move,
    TableMove,
    Told,
    decode_private,
    encode_private,
    join_leaves,
    leaf_hash,
    salt,
)
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import GAME, SECRET

from .changing import change
from .rows import Case, Games, contradicts


@contradicts("malformed", "no entry")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[20].public = b"\x93\x02\x90\x90"
    return Case(entries, 21)


@contradicts("malformed", "an event in another encoding")
def _(games: Games) -> Case:
    """One field is left out that could be left out, so it would be the same event."""
    entries = drafts(games.duel)
    shorter = 4
    at = next(at for at, one in enumerate(entries) if any(event[0] == shorter for event in told(one)))
    events = [list(event)[:-1] if event[0] == shorter else event for event in told(entries[at])]
    change(entries, at, events=events)
    return Case(entries, at + 1)


def told(draft: Draft) -> list[Any]:
    """The events of an entry."""
    return draft.entry.events if isinstance(draft.entry, (Move, TableMove)) else []


@contradicts("malformed", "something private that says nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[find(entries, TableMove)].private[0] = b"\x91\x00"
    return Case(entries, find(entries, TableMove) + 1)


@contradicts("malformed", "nothing in a private part")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[find(entries, TableMove)].private[0] = b"\x90"
    return Case(entries, find(entries, TableMove) + 1)


@contradicts("leaves", "where nobody is told anything")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[1].private = {1: b"\x90"}
    return Case(entries, 2)


def leaving(games: Games, leaves: Callable[[bytes], bytes]) -> Case:
    """The deal with other leaves, for whoever has none of them."""
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    kept = entries[at].private
    made = join_leaves(
        {seat: leaf_hash(GAME, at + 1, seat, salt(SECRET, at + 1, seat), data) for seat, data in kept.items()}
    )
    entries[at] = Draft(entries[at].entry, {}, leaves=leaves(made))
    return Case(entries, at + 1)


@contradicts("leaves", "that are not whole")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[:-1])


@contradicts("leaves", "two of a seat")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[:LEAF] * 2)


@contradicts("leaves", "of a seat that the table does not have")
def _(games: Games) -> Case:
    return leaving(games, lambda _: bytes([8]) + bytes(32))


@contradicts("leaves", "of seats that do not rise")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[LEAF:] + made[:LEAF])


def told_otherwise(games: Games, *told: Told) -> Case:
    """Seat 0 is told events of the deal otherwise than the others."""
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    entries[at].private[0] = encode_private(list(told))
    return Case(entries, at + 1)


def dealt(games: Games) -> list[Told]:
    """What seat 0 is told of the deal."""
    entries = drafts(games.duel)
    return decode_private(entries[find(entries, TableMove)].private[0])


@contradicts("private_event", "of another kind")
def _(games: Games) -> Case:
    return told_otherwise(games, Told(0, [15]))


@contradicts("private_event", "of no event")
def _(games: Games) -> Case:
    return told_otherwise(games, Told(200, [15]))


@contradicts("private_event", "twice")
def _(games: Games) -> Case:
    return told_otherwise(games, dealt(games)[0], dealt(games)[0])


@contradicts("private_event", "other cards than everybody is told of")
def _(games: Games) -> Case:
    """One too many: the public event has as many unknown ones as there were."""
    told = dealt(games)[0]
    kind, seat, cards, why = told.event
    return told_otherwise(games, Told(told.index, [kind, seat, [*cards, cards[0]], why]))


@contradicts("private_event", "another reason")
def _(games: Games) -> Case:
    told = dealt(games)[0]
    return told_otherwise(games, Told(told.index, [*told.event[:-1], "gift"]))
