"""A game on the engine alone, step by step."""

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
"""Chooses the action of a seat from its choices."""


class Play:
    """A game in progress: its `state` and all `events` so far. Each step makes a new state; earlier ones do
    not change."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    @property
    def over(self) -> bool:
        return self.state.phase == "over"

    def asked(self) -> tuple[int, Sequence[Choice]] | None:
        """Return the seat that must decide and its choices; None if the table acts, or the game is over."""
        return next(iter(decisions(self.state).items()), None)

    def move(self, seat: int, action: Action, unsealed: str | None = None) -> list[Event]:
        """Make a move and return its events. Raises IllegalMove."""
        return self.follow(decide(self.state, seat, action, self.chance, unsealed))

    def begin_round(self) -> list[Event]:
        """Let the table act by itself: deal, or begin a round. Return the events."""
        return self.follow(advance(self.state, self.chance))

    def follow(self, events: list[Event]) -> list[Event]:
        """Apply events to the state and return them."""
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events
        return events

    def step(self, choose: Chooser) -> tuple[int | None, str | None, list[Event]]:
        """Make a move that `choose` returns, or let the table act. Return (seat, move, events); seat and move
        are None if the table acted."""
        asked = self.asked()
        if asked is None:
            return None, None, self.begin_round()
        seat, choices = asked
        action = choose(seat, choices)
        return seat, str(action), self.move(seat, action)

    def steps(self, choose: Chooser) -> Iterator[tuple[int | None, str | None, list[Event]]]:
        """Play the game to its end, and yield the result of each `step`."""
        while not self.over:
            yield self.step(choose)

    def say(self, seat: int, line: str) -> list[Event]:
        """Let the table act until a seat must decide, then make the move `line` of `seat`. Return the events
        as that seat receives them."""
        while not self.over and self.asked() is None:
            self.begin_round()
        return [redact(event, seat) for event in self.move(seat, parse(line, seat))]
