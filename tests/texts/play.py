"""Small random games to read: every event, choice and question of a few of them passes through the texts."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

from citadels_lan.engine import (
    Action,
    Chance,
    Choice,
    Event,
    State,
    TableConfig,
    advance,
    decide,
    decisions,
    evolve,
    expand,
    new_table,
)
from tests.facts import CHARACTERS, UNIQUES

T = TypeVar("T")
NAMES = ("Anna", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo")


class Dice:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        return self.random.sample(list(items), len(items))

    def pick(self, label: str, items: Sequence[T]) -> T:
        return self.random.choice(items)


def setup(players: int, number: int) -> TableConfig:
    """A table whose cast has the `number`th character of each rank."""
    ranks = 8 if players == 2 else 9
    cast = []
    for rank in range(1, ranks + 1):
        fitting = [k for k, c in CHARACTERS.items() if c.rank == rank and c.players[0] <= players <= c.players[1]]
        cast.append(fitting[number % len(fitting)])
    start = number * 8 % len(UNIQUES)
    return TableConfig(players, tuple(cast), tuple((*UNIQUES, *UNIQUES)[start : start + 14]))


def game(table: TableConfig, seed: int, moves: int) -> Iterator[tuple[State, Sequence[Event]]]:
    """A random game: before each step the full state, then what happens in it. Stops after `moves`."""
    dice, chance = random.Random(seed), Dice(seed)
    state = new_table(table)
    while state.phase != "over" and moves > 0:
        asked = decisions(state)
        if asked:
            seat, choices = next(iter(asked.items()))
            events = decide(state, seat, choose(dice, choices), chance)
        else:
            events = advance(state, chance)
        moves -= 1
        yield state, events
        for event in events:
            state = evolve(state, event)


def choose(dice: random.Random, choices: Sequence[Choice]) -> Action:
    """A random action, building and abilities before the end of the turn."""
    choice = dice.choice(choices)
    action = dice.choice(list(islice(expand([choice]), 20)))
    if action.verb == "end" and len(choices) > 1:
        return choose(dice, [other for other in choices if str(other) != "end"])
    return action


_: Chance = Dice(0)
