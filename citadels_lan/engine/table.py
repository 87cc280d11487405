"""A table on which a game is played: its state, its chance and the events so far."""

from collections.abc import Sequence

from .chance import Chance, label_of
from .events import Event, GoldGained
from .state import State


class Table:
    """A state that changes while rules emit events.

    An event is applied when it is emitted, so the rest of the rule sees its result. `seat` makes the present
    move; it is None if the table acts by itself. `events` are the events emitted so far. If `keeps` is False,
    they are not stored.
    """

    def __init__(self, state: State, chance: Chance, *, keeps: bool = True) -> None:
        self.state = state
        self.chance = chance
        self.seat: int | None = None
        self.keeps = keeps
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Apply and store an event."""
        state = self.state
        event.apply(state)
        state.tick += 1
        if self.keeps:
            self.events.append(event)

    def gain_gold(self, seat: int, gold: int, why: str) -> None:
        """Give `seat` gold from the bank. Nothing happens if `gold` is 0."""
        if gold:
            self.emit(GoldGained(seat, gold, why))

    def mixed(self, cards: Sequence[str], purpose: str, seat: int | None) -> tuple[tuple[str, ...], str]:
        """Return the cards in a random order, the first one on top (R036), and the label of this draw, which
        the event must contain. The label is empty if there are fewer than two cards."""
        if len(cards) < 2:
            return tuple(cards), ""
        before = self.label(purpose, seat, 0)[:-1]
        label = self.label(purpose, seat, sum([draw.startswith(before) for draw in self.state.draws]))
        return tuple(self.chance.shuffle(label, cards)), label

    def label(self, purpose: str, seat: int | None, use: int = 0) -> str:
        """Return the label of a draw in the present round."""
        return label_of(purpose, self.state.round, seat, use)
