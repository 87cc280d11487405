"""The base of all events, and what several events do to cards."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from msgspec import Struct

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.data import Data
from citadels_lan.engine.state import State

Cards = tuple[str, ...]
Secrets: TypeAlias = Mapping[str, tuple[str, ...]]
"""The secret fields of an event. For each: the other fields that contain the seats that may see it. A secret
field without such fields is seen by no seat."""


class Impossible(Exception):
    """An event or state that cannot occur at any table, for example a card that leaves a hand but is not in
    it. The text contains no card."""


def hide(cards: Cards) -> Cards:
    """Return a tuple of as many HIDDEN as `cards` has cards."""
    return (HIDDEN,) * len(cards)


def take(cards: list[str], card: str) -> None:
    """Remove `card` from `cards`. If it is not there, remove a HIDDEN card. Raises Impossible if there is
    none either."""
    if card not in cards:
        card = HIDDEN
        if card not in cards:
            raise Impossible("card")
    cards.remove(card)


def take_all(cards: list[str], removed: Cards) -> None:
    """Remove each card of `removed` from `cards`, as `take` does. Raises Impossible."""
    for card in removed:
        take(cards, card)


def note_draw(state: State, label: str) -> None:
    """Add the label of a random draw to the labels of this round. Nothing is added for an empty label."""
    if label:
        state.draws.append(label)


class Event(Struct, Data, frozen=True, array_like=True, tag_field="event", forbid_unknown_fields=True):
    """Base of all events. On the wire an event is [tag, fields...]. Tags are never reused."""

    secrets: ClassVar[Secrets] = {}

    def apply(self, state: State) -> None:
        """Change `state` in place. Only `evolve` and `Table` call this."""
        raise NotImplementedError(type(self).__name__)

    def redact(self, viewer: int | None) -> "Event":
        """Return the event as `viewer` (a seat, None for a spectator) receives it."""
        hidden: dict[str, Any] = {}
        for name, owners in self.secrets.items():
            value = getattr(self, name)
            if value and viewer not in [getattr(self, owner) for owner in owners]:
                hidden[name] = HIDDEN if isinstance(value, str) else hide(value)
        return self.but(**hidden) if hidden else self
