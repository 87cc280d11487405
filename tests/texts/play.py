"""Small random games, so that tests can phrase all their events, choices and questions."""

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from citadels_lan.engine import Action, Choice, Event, State, TableConfig, expand, new_table
from tests.facts import CHARACTERS, UNIQUES
from tests.play.dice import Dice
from tests.play.table import Play

NAMES = ("Anna", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Gaia", "Ivo")


def setup(players: int, number: int) -> TableConfig:
    """Return a table whose cast has the `number`th character of each rank."""
    ranks = 8 if players == 2 else 9
    cast = []
    for rank in range(1, ranks + 1):
        fitting = [k for k, c in CHARACTERS.items() if c.rank == rank and c.players[0] <= players <= c.players[1]]
        cast.append(fitting[number % len(fitting)])
    start = number * 8 % len(UNIQUES)
    return TableConfig(players, tuple(cast), tuple((*UNIQUES, *UNIQUES)[start : start + 14]))


def game(table: TableConfig, seed: int, moves: int) -> Iterator[tuple[State, Sequence[Event]]]:
    """Play a random game of at most this many moves. Yield, for each step, the full state before it and its
    events."""
    dice = random.Random(seed)
    play = Play(new_table(table), Dice(seed))
    while not play.over and moves > 0:
        before = play.state
        _, _, events = play.step(lambda _, choices: choose(dice, choices))
        moves -= 1
        yield before, events


def choose(dice: random.Random, choices: Sequence[Choice]) -> Action:
    """Return a random action; the end of the turn only if no building or ability is possible."""
    choice = dice.choice(choices)
    action = dice.choice(list(islice(expand([choice]), 20)))
    if action.verb == "end" and len(choices) > 1:
        return choose(dice, [other for other in choices if str(other) != "end"])
    return action
