"""Matches between bots: contenders, pairings, deals, and the games of each deal.

Each deal is played once for each rotation of the seats.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log
from random import Random
from time import perf_counter
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from citadels_lan.bots import make_policy
from citadels_lan.bots.arena.plugins import Plugin, PluginFault, PluginPolicy
from citadels_lan.bots.arena.workers import Workers
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


Pairing: TypeAlias = tuple[int, ...]
"""Contenders by number, the hero first and the others as they sit to its left."""
PlayedDeal: TypeAlias = dict[Pairing, ArenaGame]
"""The games of a deal, by who sat in which seat."""


class Contender(Struct, frozen=True):
    """A bot of a level, or a plug-in."""

    name: str
    plugin: Plugin | None = None

    def policy(self, seed: str) -> Policy:
        return make_policy(self.name, seed) if self.plugin is None else PluginPolicy(self.plugin, seed)


class Contest(Struct, frozen=True):
    """What is played, by whom, and the seed that all chance follows from."""

    config: TableConfig
    contenders: tuple[Contender, ...]
    seed: str

    def game(self, seating: Pairing, number: int) -> ArenaGame:
        """The game of a deal with these contenders in the seats. A bot's seed says which bot it is, and where."""
        key = f"{self.seed}/{number}"
        sitting = [self.contenders[contender] for contender in seating]
        policies = [contender.policy(f"{key}/{contender.name}/{seat}") for seat, contender in enumerate(sitting)]
        return play_game(self.config, policies, key)


def rotations(pairing: Pairing) -> list[Pairing]:
    """Who sits where, once for each seat that the hero takes."""
    return [pairing[-seat:] + pairing[:-seat] if seat else pairing for seat in range(len(pairing))]


def against(contenders: int, players: int) -> list[Pairing]:
    """Each contender as the hero against a table of each other one."""
    return [
        (hero, *(other,) * (players - 1))
        for hero in range(contenders)
        for other in range(contenders)
        if other != hero
    ]


def play_deal(contest: Contest, pairings: Sequence[Pairing], number: int) -> PlayedDeal:
    """All games of a deal. Those with the same bots in the same seats are one game, played once."""
    seatings = dict.fromkeys(seating for pairing in pairings for seating in rotations(pairing))
    return {seating: contest.game(seating, number) for seating in seatings}


def play(contest: Contest, pairings: Sequence[Pairing], deals: int, workers: Workers) -> Iterator[PlayedDeal]:
    """The deals in their order, whoever plays them and whenever each is ready: whoever stops listening has always
    heard the first ones. Raises PluginFault, and WorkersLost where there is nobody left to play."""
    under_way: deque[Callable[[], PlayedDeal]] = deque()
    for number in range(deals):
        under_way.append(workers.submit(play_deal, contest, tuple(pairings), number))
        if len(under_way) >= workers.ahead:
            yield under_way.popleft()()
    while under_way:
        yield under_way.popleft()()
