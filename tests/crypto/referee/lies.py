"""What a lying host makes of the events of an entry: one small thing is otherwise, in what everybody is told.

The host goes on from what it has told: its state follows its lie, and what comes later fits it.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from citadels_lan.engine import HIDDEN, TYPES, Event, Score, State, redact
from citadels_lan.engine import events as ev
from citadels_lan.engine.edition import edition_of

from .hosts import Host

WAYS: Final = ("field", "field", "field", "drop", "again", "swap", "invent")
SEATS: Final = {"seat", "other", "by", "giver", "taker", "owner", "seller"}
INVENTED: Final = ("gold", "crown", "cards", "end")


class OneLie:
    """Tells one lie, in the first entry from `at` on that has an event of this kind, any if there is none; `told`
    says what kind of event it was about, and how it was changed."""

    def __init__(
        self, at: int, dice: random.Random, kind: type[Event] | None = None, ways: Sequence[str] = WAYS
    ) -> None:
        self.at = at
        self.dice = dice
        self.kind = kind
        self.ways = ways
        self.told = ""

    def __call__(self, host: Host, events: list[Event]) -> list[Event]:
        places = [at for at, event in enumerate(events) if self.kind in (None, type(event))]
        if self.told or host.n < self.at or not places:
            return events
        for _ in range(5):
            way = self.dice.choice(self.ways)
            changed, about = lied(way, host.state, events, self.dice.choice(places), self.dice)
            if shown(changed) != shown(events):
                self.told = f"{about} {way}"
                return changed
        return events


def shown(events: Sequence[Event]) -> list[Event]:
    """The events as everybody is told them."""
    return [redact(event, None) for event in events]


def lied(way: str, state: State, events: list[Event], index: int, dice: random.Random) -> tuple[list[Event], str]:
    """The events with a lie of this kind about one of them, and the name of the event that it is about."""
    event = events[index]
    match way:
        case "drop":
            changed = events[:index] + events[index + 1 :]
        case "again":
            changed = [*events[: index + 1], event, *events[index + 1 :]]
        case "swap":
            changed = events.copy()
            other = min(index + 1, len(events) - 1)
            changed[index], changed[other] = changed[other], changed[index]
        case "invent":
            event = invented(state, dice)
            changed = [*events[:index], event, *events[index:]]
        case _:
            event = edited(state, event, dice)
            changed = [*events[:index], event, *events[index + 1 :]]
    return changed, type(event).__name__


def invented(state: State, dice: random.Random) -> Event:
    """Something that has not happened."""
    seat = dice.randrange(len(state.players))
    match dice.choice(INVENTED):
        case "gold":
            return ev.GoldGained(seat, dice.randint(1, 3), "income")
        case "crown":
            return ev.Crowned(seat)
        case "cards":
            return ev.CardsGained(seat, tuple(state.deck[-1:]), "income")
        case _:
            played = edition_of(state)
            results = played.scores(state)
            return ev.GameEnded(results, played.winners(state, results))


def edited(state: State, event: Event, dice: random.Random) -> Event:
    """The event with one field otherwise that everybody is told."""
    public = redact(event, None).fields()
    open_fields = [name for name, value in event.fields().items() if public[name] == value]
    if not open_fields:
        return event
    name = dice.choice(open_fields)
    return replace(event, **{name: other(state, name, public[name], dice)})


def other(state: State, name: str, value: Any, dice: random.Random) -> Any:
    """Another value that a field of this name could have."""
    if isinstance(value, bool):
        return not value
    if name in SEATS or (name == "seat" and value is None):
        return dice.randrange(len(state.players))
    if isinstance(value, int):
        return max(0, value + dice.choice((-2, -1, 1, 2)))
    if isinstance(value, tuple):
        return other_tuple(state, name, value, dice)
    if isinstance(value, str):
        return other_word(state, name, value, dice)
    return value


def other_tuple(state: State, name: str, value: tuple[Any, ...], dice: random.Random) -> tuple[Any, ...]:
    """One item otherwise, more or less."""
    if not value:
        return value
    at = dice.randrange(len(value))
    if isinstance(value[at], Score):
        parts = value[at].parts
        changed = replace(value[at], parts=(*parts[:-1], (parts[-1][0], parts[-1][1] + 1)) if parts else parts)
        return (*value[:at], changed, *value[at + 1 :])
    if HIDDEN in value or (name != "points" and dice.random() < 0.3):
        return value[:at] + value[at + 1 :] if dice.random() < 0.5 else (*value, value[at])
    item = value[at]
    changed_item = (
        dice.randrange(len(state.players)) if name in ("others", "winners") else other(state, "", item, dice)
    )
    return (*value[:at], changed_item, *value[at + 1 :])


def other_word(state: State, name: str, value: str, dice: random.Random) -> str:
    """Another card, character or word."""
    played = edition_of(state)
    if value in played.districts:
        return dice.choice(list(played.districts))
    if value in state.cast:
        return dice.choice(state.cast)
    if value in TYPES:
        return dice.choice(TYPES)
    return {"yes": "no", "no": "yes"}.get(value, "bonus" if name in ("why", "ability") else value)
