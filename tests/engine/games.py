"""Random games for the property tests."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

from citadels_lan.engine import Event, State, Table, TableConfig, decisions, go_on, new_table, play_move
from citadels_lan.engine import events as ev
from citadels_lan.engine.choices import Choice
from tests.play.dice import patient, some

from .tables import ALL, Tables

T = TypeVar("T")
MOST_MOVES = 20_000


class RandomChance:
    """Chance from a seed. It fails if the engine uses a label twice."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.labels: set[str] = set()

    def _ask(self, label: str) -> None:
        assert label not in self.labels, f"label {label} asked twice"
        self.labels.add(label)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        self._ask(label)
        shuffled = list(items)
        self.random.shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        self._ask(label)
        return self.random.choice(items)


class Game:
    """A random game on one table, played step by step. Each step changes the table's state in place."""

    def __init__(self, seed: int, setup: TableConfig | None = None, tables: Tables = ALL) -> None:
        self.rng = random.Random(seed)
        self.setup = setup or tables.draw(self.rng)
        self.table = Table(new_table(self.setup), RandomChance(seed))
        self.moves = 0

    @property
    def state(self) -> State:
        return self.table.state

    def asked(self) -> tuple[int, Sequence[Choice]] | None:
        """Return the seat that must decide, and its choices. None if the table acts next."""
        waiting = decisions(self.state)
        if not waiting:
            return None
        ((seat, choices),) = waiting.items()
        return seat, choices

    def step(self) -> tuple[str, list[Event]]:
        """Make a random move, or let the table act. Return (text, events). The text is the seat and the
        notation of the move, or "table" if the table acted."""
        self.table.events = []
        asked = self.asked()
        if asked is None:
            go_on(self.table)
            return "table", self.table.events
        seat, choices = asked
        action = some(self.rng, patient(self.rng, choices, self.moves))
        play_move(self.table, seat, action)
        self.moves += 1
        assert self.moves < MOST_MOVES, "a game without end"
        return f"{seat}: {action}", self.table.events

    @property
    def over(self) -> bool:
        """Whether the game is over, or no player can build: all cards are in cities or under the Museum."""
        state = self.state
        cards = state.deck or state.discards or state.steps or any(player.hand for player in state.players)
        return state.phase == "over" or not cards

    def steps(self) -> Iterator[tuple[str, list[Event]]]:
        """Play the whole game. Yield the result of each step."""
        while not self.over:
            yield self.step()


def cards_of(state: State) -> Counter[str]:
    """Return how many copies of each district card are at the table, in all places together."""
    found = Counter((*state.deck, *state.discards))
    for player in state.players:
        found.update(player.hand)
        for district in player.city:
            found[district.key] += 1
            found.update(card for _, card in district.under)
    for step in state.steps:
        if step.verb == "keep":
            found.update(step.cards)
        elif step.verb == "graveyard" and step.card is not None:
            found[step.card] += 1  # a district that was just destroyed
    if state.site is not None:
        found[state.site.card] += 1
    return found


def cards_drawn(events: list[Event], before: State) -> Counter[str]:
    """Return the cards that join the game with these events, because chance has drawn the unique districts."""
    return Counter(
        card
        for event in events
        if isinstance(event, ev.CastDrawn) and not before.districts
        for card in event.districts
    )


def gold_of(state: State) -> int:
    """Return the gold of all players and of the Tax Collector's card together."""
    return state.taxes + sum(player.gold for player in state.players)


def from_bank(event: Event) -> int:
    """Return how much gold `event` takes from the bank. Negative if gold goes to the bank."""
    if isinstance(event, ev.GoldGained | ev.Gathered):
        return event.gold
    if isinstance(event, ev.Confiscated):
        return event.gold
    if isinstance(event, ev.GoldPaid | ev.BuildPaid):
        return -event.gold
    return -1 if isinstance(event, ev.Beautified) else 0
