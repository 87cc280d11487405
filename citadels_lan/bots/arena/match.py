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
"""Ratio between the limits of two classes of decision times: each class is a tenth longer than the one before."""
SHORTEST: Final = 1e-6
"""The time of the first class, in seconds."""


class LabelledChance:
    """Chance that depends only on a seed and the label of a draw. A draw has the same outcome in each game of
    a deal, whatever was drawn before."""

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
    """The result of a game, by seat. `wins` are the shares of the victory: their sum is 1, or 0 if the game
    did not end. `thoughts` count the decisions with several choices by the class of their time."""

    wins: tuple[float, ...]
    points: tuple[int, ...]
    moves: int
    thoughts: tuple[Mapping[int, int], ...]

    @property
    def stuck(self) -> bool:
        """Whether the game did not end."""
        return not any(self.wins)


class TimedPolicy:
    """A policy whose decisions are timed. `thoughts` counts them by `class_of` their time."""

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
    """Return the number of the histogram class that contains this thinking time. Classes grow by 10 %."""
    return max(0, round(log(max(seconds, SHORTEST) / SHORTEST) / STEP))


def quantile(thoughts: Mapping[int, int], part: float) -> float:
    """Return the seconds within which this part of the decisions was made, with an error of about 5 %. 0 if
    there was no decision."""
    remaining = part * sum(thoughts.values())
    for number in sorted(thoughts):
        remaining -= thoughts[number]
        if remaining <= 0:
            return float(SHORTEST * 1.1**number)
    return 0.0


Pairing: TypeAlias = tuple[int, ...]
"""Contenders by number: the hero first, then the others as they sit to its left."""
PlayedDeal: TypeAlias = dict[Pairing, ArenaGame]
"""The games of a deal, by the contenders in the seats."""


class Contender(Struct, frozen=True):
    """A bot of a level, or a plug-in."""

    name: str
    plugin: Plugin | None = None

    def policy(self, seed: str) -> Policy:
        """Return a new policy of this contender."""
        return make_policy(self.name, seed) if self.plugin is None else PluginPolicy(self.plugin, seed)


class Contest(Struct, frozen=True):
    """The configuration of the table, the contenders, and the seed of all chance."""

    config: TableConfig
    contenders: tuple[Contender, ...]
    seed: str

    def game(self, seating: Pairing, number: int) -> ArenaGame:
        """Play a game of a deal with these contenders in the seats. A bot's seed depends on its name and its
        seat."""
        key = f"{self.seed}/{number}"
        sitting = [self.contenders[contender] for contender in seating]
        policies = [contender.policy(f"{key}/{contender.name}/{seat}") for seat, contender in enumerate(sitting)]
        return play_game(self.config, policies, key)


def rotations(pairing: Pairing) -> list[Pairing]:
    """Return the seatings of a pairing, one for each seat of the hero."""
    return [pairing[-seat:] + pairing[:-seat] if seat else pairing for seat in range(len(pairing))]


def against(contenders: int, players: int) -> list[Pairing]:
    """Return pairings of each contender as the hero against each other contender in all other seats."""
    return [
        (hero, *(other,) * (players - 1))
        for hero in range(contenders)
        for other in range(contenders)
        if other != hero
    ]


def play_deal(contest: Contest, pairings: Sequence[Pairing], number: int) -> PlayedDeal:
    """Play all games of a deal. Equal seatings of different pairings are one game."""
    seatings = dict.fromkeys(seating for pairing in pairings for seating in rotations(pairing))
    return {seating: contest.game(seating, number) for seating in seatings}


def play(contest: Contest, pairings: Sequence[Pairing], deals: int, workers: Workers) -> Iterator[PlayedDeal]:
    """Yield the deals in order, regardless of the workers' speed. A caller that stops early has always
    received the first deals. Raises PluginFault, and WorkersLost if no worker is left."""
    under_way: deque[Callable[[], PlayedDeal]] = deque()
    for number in range(deals):
        under_way.append(workers.submit(play_deal, contest, tuple(pairings), number))
        if len(under_way) >= workers.ahead:
            yield under_way.popleft()()
    while under_way:
        yield under_way.popleft()()
