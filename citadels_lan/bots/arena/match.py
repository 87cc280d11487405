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
from citadels_lan.bots.arena.plugins import Plugin, PluginPolicy
from citadels_lan.bots.arena.workers import Workers
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.stepping import TABLE, steps
from citadels_lan.engine import Action, Choice, Deal, State, Table, TableConfig, new_table

T = TypeVar("T")

STEP: Final = log(1.1)
"""Decision times are counted in classes. Each class ends 10 % later than the one before; this is the
logarithm of that ratio."""
SHORTEST: Final = 1e-6
"""The time that class 0 stands for, in seconds."""


class LabelledChance:
    """Chance that depends only on a seed and the label of a draw. The same label has the same outcome in each
    game of a deal, although the draws before it may differ."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the items in an order that depends only on the seed and the label."""
        shuffled = list(items)
        Random(f"{self._seed}/{label}").shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return one of the items; it depends only on the seed and the label."""
        return Random(f"{self._seed}/{label}").choice(items)


class ArenaGame(Struct, frozen=True):
    """The result of a game; all but `moves` are by seat. `wins` are the shares of the victory: their sum is
    1, or 0 if the game did not end. `thoughts` count the decisions with several choices, by `class_of` the
    time that they took."""

    wins: tuple[float, ...]
    points: tuple[int, ...]
    moves: int
    thoughts: tuple[Mapping[int, int], ...]

    @property
    def stuck(self) -> bool:
        """Whether the game did not end."""
        return not any(self.wins)


class TimedPolicy:
    """A policy whose decisions are timed. `thoughts` counts them, by `class_of` the time that they took."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.ignores_view = policy.ignores_view
        self.ignores_events = policy.ignores_events
        self.told = policy.told
        self.thoughts: Counter[int] = Counter()

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the policy's choice and count its time."""
        begin = perf_counter()
        action = self._policy.choose(view, seat, choices)
        if len(choices) > 1 or isinstance(choices[0], Deal):
            self.thoughts[class_of(perf_counter() - begin)] += 1
        return action


def play_game(config: TableConfig, policies: Sequence[Policy], seed: str) -> ArenaGame:
    """Play a game to its end. Raises PluginFault if a plug-in fails or makes an illegal move."""
    table = Table(new_table(config), LabelledChance(seed))
    players = [TimedPolicy(policy) for policy in policies]
    listeners: dict[int, Policy] = {seat: bot for seat, bot in enumerate(players) if not bot.ignores_events}
    thoughts = tuple(player.thoughts for player in players)
    moves = sum(line != TABLE for line in steps(table, players, listeners))
    if table.state.phase != "over":
        return ArenaGame((0.0,) * len(players), (0,) * len(players), moves, thoughts)
    winners = table.state.winners
    wins = tuple((seat in winners) / len(winners) for seat in range(len(players)))
    return ArenaGame(wins, tuple(score.total for score in table.state.scores), moves, thoughts)


def class_of(seconds: float) -> int:
    """Return the number of the class to which a decision time belongs. Each class is 10 % longer than the one
    before."""
    return max(0, round(log(max(seconds, SHORTEST) / SHORTEST) / STEP))


def quantile(thoughts: Mapping[int, int], part: float) -> float:
    """Return how many seconds the fastest `part` (0 to 1) of the decisions took at most, with an error of
    about 5 %. `thoughts` counts decisions by `class_of` their time. 0 if there was no decision."""
    remaining = part * sum(thoughts.values())
    for number in sorted(thoughts):
        remaining -= thoughts[number]
        if remaining <= 0:
            return float(SHORTEST * 1.1**number)
    return 0.0


Pairing: TypeAlias = tuple[int, ...]
"""The bots of a table, as indices of `Contest.contenders`: first the bot under test (the hero), then the
others clockwise from it."""
PlayedDeal: TypeAlias = dict[Pairing, ArenaGame]
"""The games of a deal. The key has the bots by seat, as indices of `Contest.contenders`."""


class Contender(Struct, frozen=True):
    """A bot that takes part in a match: one of the levels named `name`, or a plug-in."""

    name: str
    plugin: Plugin | None = None

    def policy(self, seed: str) -> Policy:
        """Return a new bot of this contender for one seat of one game."""
        return make_policy(self.name, seed) if self.plugin is None else PluginPolicy(self.plugin, seed)


class Contest(Struct, frozen=True):
    """The settings of a match: the configuration of the table, the contenders, and the seed of all
    chance."""

    config: TableConfig
    contenders: tuple[Contender, ...]
    seed: str

    def game(self, seating: Pairing, number: int) -> ArenaGame:
        """Play a game of deal `number`. `seating` has the contenders by seat, as indices. A bot's seed
        depends on the deal, its name and its seat."""
        key = f"{self.seed}/{number}"
        sitting = [self.contenders[contender] for contender in seating]
        policies = [contender.policy(f"{key}/{contender.name}/{seat}") for seat, contender in enumerate(sitting)]
        return play_game(self.config, policies, key)


def rotations(pairing: Pairing) -> list[Pairing]:
    """Return `pairing` rotated so that the hero sits in each seat once."""
    return [pairing[-seat:] + pairing[:-seat] if seat else pairing for seat in range(len(pairing))]


def against(contenders: int, players: int) -> list[Pairing]:
    """Return a pairing for each ordered pair of different contenders: the first is the hero, the second has
    all other seats. `contenders` is their number."""
    return [
        (hero, *(other,) * (players - 1))
        for hero in range(contenders)
        for other in range(contenders)
        if other != hero
    ]


def play_deal(contest: Contest, pairings: Sequence[Pairing], number: int) -> PlayedDeal:
    """Play deal `number` once for each rotation of each pairing. If rotations of two pairings are equal, that
    game is played once and counts for both."""
    seatings = dict.fromkeys(seating for pairing in pairings for seating in rotations(pairing))
    return {seating: contest.game(seating, number) for seating in seatings}


def play(contest: Contest, pairings: Sequence[Pairing], deals: int, workers: Workers) -> Iterator[PlayedDeal]:
    """Yield the games of each deal, in the order of the deals even if a later one is ready first. So a caller
    that stops early has the first deals without gaps. Raises PluginFault, and WorkersLost if no worker is
    left."""
    under_way: deque[Callable[[], PlayedDeal]] = deque()
    for number in range(deals):
        under_way.append(workers.submit(play_deal, contest, tuple(pairings), number))
        if len(under_way) >= workers.ahead:
            yield under_way.popleft()()
    while under_way:
        yield under_way.popleft()()
