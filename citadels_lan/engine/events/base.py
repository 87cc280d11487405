"""What all events are, and the few moves of cards that many of them share."""

from msgspec import Struct

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.data import Data
from citadels_lan.engine.state import State

Cards = tuple[str, ...]


class Impossible(Exception):
    """What cannot be at any table, such as a card that leaves a hand without it. The text names no card."""


def hide(cards: Cards) -> Cards:
    """As many cards, none of them known."""
    return (HIDDEN,) * len(cards)


def take(cards: list[str], card: str) -> None:
    """Remove a card from a hand, known or hidden. Raises Impossible."""
    if card not in cards:
        card = HIDDEN
        if card not in cards:
            raise Impossible("card")
    cards.remove(card)


def take_all(cards: list[str], wanted: Cards) -> None:
    """Remove several cards from a hand, known or hidden."""
    for card in wanted:
        take(cards, card)


def note_draw(state: State, label: str) -> None:
    """Count a draw among those of the round."""
    if label:
        state.draws.append(label)


class Event(Struct, Data, frozen=True, array_like=True, tag_field="event", forbid_unknown_fields=True):
    """Base of all events. On the wire an event is [tag, fields...]; tags are never reused."""

    def apply(self, state: State) -> None:
        """Change `state` in place. Only `evolve` and the table call this."""
        raise NotImplementedError(type(self).__name__)

    def redact(self, viewer: int | None) -> "Event":
        """The event as `viewer` (a seat, None for a spectator) is told it."""
        return self
