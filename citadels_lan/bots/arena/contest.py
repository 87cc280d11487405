"""Who plays whom, and the deals: each is played once for each rotation of the seats."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from citadels_lan.bots import make_policy
from citadels_lan.bots.policy import Policy
from citadels_lan.engine import TableConfig

from .games import ArenaGame, play_game
from .plugins import Plugin, PluginPolicy
from .workers import Workers

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
