"""A state being played on."""

from collections.abc import Sequence

from .chance import Chance
from .events import Event, GoldGained
from .state import State


class Table:
    """A state that changes as rules emit events to it: they are applied at once, so that what comes next sees what
    has happened. `events` are those emitted so far; a table that only plays on has no use for them and
    `keeps` none."""

    def __init__(self, state: State, chance: Chance, *, keeps: bool = True) -> None:
        self.state = state
        self.chance = chance
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

    def mixed(self, cards: Sequence[str], what: str) -> tuple[str, ...]:
        """Cards in a random order (R036)."""
        if len(cards) < 2:
            return tuple(cards)
        return tuple(self.chance.shuffle(self.label(what), cards))

    def label(self, what: str) -> str:
        """A label for chance that no other request of the game has."""
        return f"{what}/{self.state.round}/{self.state.tick}"
