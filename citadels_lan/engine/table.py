"""A state being played on."""

from collections.abc import Sequence

from .chance import Chance, label_of
from .events import Event, GoldGained
from .state import State


class Table:
    """A state that changes as rules emit events to it: they are applied at once, so that what comes next sees what
    has happened. `seat` makes the present move, None where the table acts by itself. `events` are those emitted so
    far; a table that only plays on has no use for them and `keeps` none."""

    def __init__(self, state: State, chance: Chance, *, keeps: bool = True) -> None:
        self.state = state
        self.chance = chance
        self.seat: int | None = None
        self.keeps = keeps
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Let an event happen."""
        state = self.state
        event.apply(state)
        state.tick += 1
        if self.keeps:
            self.events.append(event)

    def gain_gold(self, seat: int, gold: int, why: str) -> None:
        """`seat` gains gold from the bank."""
        if gold:
            self.emit(GoldGained(seat, gold, why))

    def mixed(self, cards: Sequence[str], purpose: str, seat: int | None) -> tuple[tuple[str, ...], str]:
        """Cards in a random order, the first one on top (R036), and the label of this draw, which the event must
        have; no label where there is nothing to draw."""
        if len(cards) < 2:
            return tuple(cards), ""
        before = self.label(purpose, seat, 0)[:-1]
        label = self.label(purpose, seat, sum([draw.startswith(before) for draw in self.state.draws]))
        return tuple(self.chance.shuffle(label, cards)), label

    def label(self, purpose: str, seat: int | None, use: int = 0) -> str:
        """The label of a draw in the present round."""
        return label_of(purpose, self.state.round, seat, use)
