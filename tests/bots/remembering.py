"""Games in which every seat remembers its events, and a bot that plays at random and remembers."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from citadels_lan.bots import RandomPolicy, tell
from citadels_lan.bots.search.memory import DRAWN, UNDER, Memory, remember
from citadels_lan.engine import Action, Choice, Event, State, TableConfig, redact, view
from tests.engine.games import Game
from tests.engine.tables import ALL, Tables


class Rememberer(RandomPolicy):
    """Plays at random, remembers the events that it receives, and keeps its view at each of its decisions."""

    ignores_view = False
    ignores_events = False

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.memory = Memory()
        self.asked: list[State] = []

    def told(self, view: State, event: Event) -> None:
        remember(self.memory, view, event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.asked.append(view)
        return super().choose(view, seat, choices)


class RememberedGame(Game):
    """A random game in which each seat has a memory. The memories begin after the move number `late`."""

    def __init__(self, seed: int, setup: TableConfig | None = None, tables: Tables = ALL, late: int = 0) -> None:
        super().__init__(seed, setup, tables)
        self.minds = [Rememberer(seat) for seat in range(self.setup.players)]
        self.late = late

    def step(self) -> tuple[str, list[Event]]:
        before = self.state.copy()
        line, events = super().step()
        if self.moves >= self.late:
            for seat, mind in enumerate(self.minds):
                tell(mind, view(before, seat), [redact(event, seat) for event in events])
        return line, events

    def decisions(self, part: float) -> Iterator[tuple[State, int, Memory]]:
        """Play the game. At a random `part` of all decisions yield (view, seat, memory) of every seat, also
        of those that do not decide."""
        looks = random.Random(self.setup.players)
        for _ in self.steps():
            if self.state.phase in ("draft", "turns") and looks.random() < part:
                for seat, mind in enumerate(self.minds):
                    yield view(self.state, seat), seat, mind.memory


def certain(memory: Memory) -> Mapping[int, Counter[str]]:
    """Return the cards of which the memory knows the place for certain, by place."""
    found: dict[int, Counter[str]] = {}
    for seen in memory.cards:
        if seen.certain:
            found.setdefault(next(iter(seen.places)), Counter())[seen.card] += 1
    return found


def lying(state: State, seat: int, memory: Memory) -> Mapping[int, Counter[str]]:
    """Return the cards that really are in each place of the `memory` of `seat`, from the full state."""
    found = {other: Counter(player.hand) for other, player in enumerate(state.players)}
    under = [pair for player in state.players for district in player.city for pair in district.under]
    found[UNDER] = Counter(card for by, card in under if by != seat)
    found[DRAWN] = Counter(card for step in state.steps if step.verb == "keep" for card in step.cards)
    at = 0
    for layer in memory.layers:
        found[layer.place] = Counter(state.deck[at : at + layer.size])
        at += layer.size
    assert at <= len(state.deck)
    return found


def holds(state: State, seat: int, memory: Memory) -> bool:
    """Return whether all that the memory of `seat` knows for certain is true in a full state."""
    there = lying(state, seat, memory)
    return all(cards <= there[place] for place, cards in certain(memory).items())


def remembered_game(edition: str, seed: int, late: int = 0) -> RememberedGame:
    """Return a random game of an edition."""
    return RememberedGame(seed, tables=Tables((edition,)), late=late)
