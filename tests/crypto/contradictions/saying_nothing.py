"""Contradictions in the encoding: entries, events and leaves that are malformed."""

from collections.abc import Callable
from typing import Any

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import pack
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
    """A field is left out that has a default, so the event would be the same."""
    entries = drafts(games.duel)
    shorter = 4
    at = next(at for at, one in enumerate(entries) if any(event[0] == shorter for event in told(one)))
    events = [list(event)[:-1] if event[0] == shorter else event for event in told(entries[at])]
    change(entries, at, events=events)
    return Case(entries, at + 1)


def told(draft: Draft) -> list[Any]:
    """Return the encoded events of an entry."""
    return draft.entry.events if isinstance(draft.entry, (log.Move, log.TableMove)) else []


@contradicts("malformed", "something private that says nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[find(entries, log.TableMove)].private[0] = b"\x91\x00"
    return Case(entries, find(entries, log.TableMove) + 1)


@contradicts("malformed", "nothing in a private part")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[find(entries, log.TableMove)].private[0] = b"\x90"
    return Case(entries, find(entries, log.TableMove) + 1)


@contradicts("leaves", "where nobody is told anything")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[1].private = {1: b"\x90"}
    return Case(entries, 2)


def leaving(games: Games, leaves: Callable[[bytes], bytes]) -> Case:
    """Return the case in which `leaves` changes the leaves of the deal. The viewer is a spectator, who has no
    leaf."""
    entries = drafts(games.duel)
    at = find(entries, log.TableMove)
    kept = entries[at].private
    made = log.join_leaves(
        {
            seat: log.leaf_hash(GAME, at + 1, seat, log.salt(SECRET, at + 1, seat), data)
            for seat, data in kept.items()
        }
    )
    entries[at] = Draft(entries[at].entry, {}, leaves=leaves(made))
    return Case(entries, at + 1)


contradicts("leaves", "that are not whole")(lambda games: leaving(games, lambda made: made[:-1]))


contradicts("leaves", "two of a seat")(lambda games: leaving(games, lambda made: made[: log.LEAF] * 2))


@contradicts("leaves", "of a seat that the table does not have")
def _(games: Games) -> Case:
    return leaving(games, lambda _: bytes([8]) + bytes(32))


@contradicts("leaves", "of seats that do not rise")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[log.LEAF :] + made[: log.LEAF])


def told_otherwise(games: Games, *told: log.Told) -> Case:
    """Return the case in which seat 0 receives these private events in the deal."""
    entries = drafts(games.duel)
    at = find(entries, log.TableMove)
    entries[at].private[0] = pack(list(told))
    return Case(entries, at + 1)


def dealt(games: Games) -> list[log.Told]:
    """Return the private events that seat 0 receives in the deal."""
    entries = drafts(games.duel)
    return log.decode_private(entries[find(entries, log.TableMove)].private[0])


contradicts("private_event", "of another kind")(lambda games: told_otherwise(games, log.Told(0, [15])))


contradicts("private_event", "of no event")(lambda games: told_otherwise(games, log.Told(200, [15])))


contradicts("private_event", "twice")(lambda games: told_otherwise(games, dealt(games)[0], dealt(games)[0]))


@contradicts("private_event", "other cards than everybody is told of")
def _(games: Games) -> Case:
    """There is one card too many: the public event has as many hidden cards as before."""
    told = dealt(games)[0]
    kind, seat, cards, why = told.event
    return told_otherwise(games, log.Told(told.index, [kind, seat, [*cards, cards[0]], why]))


@contradicts("private_event", "another reason")
def _(games: Games) -> Case:
    told = dealt(games)[0]
    return told_otherwise(games, log.Told(told.index, [*told.event[:-1], "gift"]))
