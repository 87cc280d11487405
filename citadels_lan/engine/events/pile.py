"""The face-up pile of discarded districts."""

from citadels_lan.engine.state import State

from .base import Cards, Event, hide, note_draw


class Discarded(Event, frozen=True, array_like=True, tag=70):
    """Cards that have just left a hand or a city go face up on the pile, the last one on top (R491)."""

    cards: Cards

    def apply(self, state: State) -> None:
        state.discards.extend(self.cards)


class Restocked(Event, frozen=True, array_like=True, tag=71):
    """The pile, shuffled, goes under what is left of the deck (R404); nobody knows in which order, top last.
    `draw` is the label of that order, empty where none was drawn."""

    cards: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck[:0] = self.cards
        state.discards = []
        note_draw(state, self.draw)

    def redact(self, viewer: int | None) -> Event:
        return Restocked(hide(self.cards), self.draw)
