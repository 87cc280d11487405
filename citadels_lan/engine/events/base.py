"""The base of all events, and what several events do to cards."""

from msgspec import Struct

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.data import Data
from citadels_lan.engine.state import State

Cards = tuple[str, ...]


class Impossible(Exception):
    """An event or state that no table can have, such as a card that leaves a hand without being in it. The
    text contains no card."""


def hide(cards: Cards) -> Cards:
    """Return the same number of HIDDEN cards."""
    return (HIDDEN,) * len(cards)


def take(cards: list[str], card: str) -> None:
    """Remove a card, or a HIDDEN one instead, from a list of cards. Raises Impossible."""
    if card not in cards:
        card = HIDDEN
        if card not in cards:
            raise Impossible("card")
    cards.remove(card)


def take_all(cards: list[str], removed: Cards) -> None:
    """Remove several cards from a list of cards. Raises Impossible."""
    for card in removed:
        take(cards, card)


def note_draw(state: State, label: str) -> None:
    """Add the label of a draw to the labels of the round. An empty label is ignored."""
    if label:
        state.draws.append(label)


class Event(Struct, Data, frozen=True, array_like=True, tag_field="event", forbid_unknown_fields=True):
    """Base of all events. On the wire an event is [tag, fields...]. Tags are never reused."""

    def apply(self, state: State) -> None:
        """Change `state` in place. Only `evolve` and `Table` call this."""
        raise NotImplementedError(type(self).__name__)

    def redact(self, viewer: int | None) -> "Event":
        """Return the event as `viewer` (a seat, None for a spectator) receives it."""
        return self
