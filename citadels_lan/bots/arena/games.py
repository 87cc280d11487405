"""One game of a match: who sits where, chance that is the same for all games of a deal, and what came of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from random import Random
from time import perf_counter
from typing import Final, TypeVar

from msgspec import Struct

from citadels_lan.bots.policy import Policy, tell
from citadels_lan.bots.simulation import ENDLESS
from citadels_lan.engine import (
    Choice,
    Deal,
    Event,
    IllegalMove,
    State,
    Table,
    TableConfig,
    decisions,
    go_on,
    new_table,
    play_move,
    redact,
    view,
)

from .plugins import PluginFault, PluginPolicy

T = TypeVar("T")

STEP: Final = log(1.1)
"""Times of thought are counted in classes, each a tenth longer than the one before."""
SHORTEST: Final = 1e-6
"""Seconds of the first class."""


class LabelledChance:
    """Chance in which an outcome follows from a seed and its label alone: whatever was asked before, the same
    request of another game has the same outcome."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = list(items)
        Random(f"{self._seed}/{label}").shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        return Random(f"{self._seed}/{label}").choice(items)


class ArenaGame(Struct, frozen=True):
    """What came of a game, by seat: `wins` are the shares of the victory, which add up to 1, or to nothing in a
    game that went nowhere. `thoughts` count the decisions with more than one choice by their class of time."""

    wins: tuple[float, ...]
    points: tuple[int, ...]
    moves: int
    thoughts: tuple[Mapping[int, int], ...]

    @property
    def stuck(self) -> bool:
        return not any(self.wins)


def play_game(config: TableConfig, policies: Sequence[Policy], seed: str) -> ArenaGame:
    """Play a game to its end. Raises PluginFault where a plug-in does what it may not."""
    table = Table(new_table(config), LabelledChance(seed))
    thoughts: list[Counter[int]] = [Counter() for _ in policies]
    listeners = {seat: policy for seat, policy in enumerate(policies) if not policy.deaf}
    moves = 0
    while table.state.phase != "over":
        before = table.state.copy() if listeners else table.state
        waiting = decisions(table.state)
        if waiting:
            ((seat, choices),) = waiting.items()
            _move(table, seat, choices, policies[seat], thoughts[seat])
            moves += 1
        else:
            go_on(table)
        if moves > ENDLESS or not (waiting or table.events):
            return ArenaGame((0.0,) * len(policies), (0,) * len(policies), moves, tuple(thoughts))
        _tell(listeners, before, table.events)
        table.events.clear()
    winners = table.state.winners
    wins = tuple((seat in winners) / len(winners) for seat in range(len(policies)))
    return ArenaGame(wins, tuple(score.total for score in table.state.scores), moves, tuple(thoughts))


def _move(table: Table, seat: int, choices: Sequence[Choice], policy: Policy, thoughts: Counter[int]) -> None:
    known = table.state if policy.blind else view(table.state, seat)
    begin = perf_counter()
    action = policy.choose(known, seat, choices)
    if len(choices) > 1 or isinstance(choices[0], Deal):
        thoughts[class_of(perf_counter() - begin)] += 1
    try:
        play_move(table, seat, action)
    except IllegalMove as reason:
        if isinstance(policy, PluginPolicy):
            raise PluginFault(policy.name, "illegal", f"{action} ({reason.code})") from None
        raise


def _tell(listeners: Mapping[int, Policy], before: State, events: Sequence[Event]) -> None:
    for seat, policy in listeners.items():
        tell(policy, view(before, seat), [redact(event, seat) for event in events])


def class_of(seconds: float) -> int:
    """The class of a time of thought."""
    return max(0, round(log(max(seconds, SHORTEST) / SHORTEST) / STEP))


def quantile(thoughts: Mapping[int, int], part: float) -> float:
    """The seconds within which this part of the decisions was made, to a twentieth; 0 where there are none."""
    left = part * sum(thoughts.values())
    for number in sorted(thoughts):
        left -= thoughts[number]
        if left <= 0:
            return float(SHORTEST * 1.1**number)
    return 0.0
