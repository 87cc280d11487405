"""The engine, played on one step after the other."""

from collections.abc import Callable, Iterator, Sequence

from citadels_lan.engine import (
    Action,
    Chance,
    Choice,
    Event,
    State,
    advance,
    decide,
    decisions,
    evolve,
    parse,
    redact,
)

Chooser = Callable[[int, Sequence[Choice]], Action]
"""What a seat does of what it may do."""


class Play:
    """A table being played: its state, and `events`, all that has happened. States are never changed: whoever
    keeps one has it as it was."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    @property
    def over(self) -> bool:
        return self.state.phase == "over"

    def asked(self) -> tuple[int, Sequence[Choice]] | None:
        """Who must decide, and the choices; None where the table goes on by itself, or the game is over."""
        return next(iter(decisions(self.state).items()), None)

    def move(self, seat: int, action: Action, unsealed: str | None = None) -> list[Event]:
        """A move, and what comes of it. Raises IllegalMove."""
        return self.follow(decide(self.state, seat, action, self.chance, unsealed))

    def begin_round(self) -> list[Event]:
        """What the table does by itself: the deal, and the beginning of a round."""
        return self.follow(advance(self.state, self.chance))

    def follow(self, events: list[Event]) -> list[Event]:
        """Let events happen."""
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events
        return events

    def step(self, choose: Chooser) -> tuple[int | None, str | None, list[Event]]:
        """What comes next: whose move, the move, and what comes of it; None for the table's own."""
        asked = self.asked()
        if asked is None:
            return None, None, self.begin_round()
        seat, choices = asked
        action = choose(seat, choices)
        return seat, str(action), self.move(seat, action)

    def steps(self, choose: Chooser) -> Iterator[tuple[int | None, str | None, list[Event]]]:
        """The rest of the game."""
        while not self.over:
            yield self.step(choose)

    def say(self, seat: int, line: str) -> list[Event]:
        """A move of a script, the table's own steps before it; what the seat is told of it."""
        while not self.over and self.asked() is None:
            self.begin_round()
        return [redact(event, seat) for event in self.move(seat, parse(line, seat))]
