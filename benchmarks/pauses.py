"""A game of a person at the keyboard against three sensible bots: the fewest key presses for the person's
moves, and the seconds of the bots' pauses. The time that bots need to think is not included."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from citadels_lan.bots import Policy, make_policy
from citadels_lan.bots.pauses import SPEEDS, Pauses
from citadels_lan.cli.hosted import Hosted, HostOptions, drive
from citadels_lan.engine import EDITIONS, Action, Choice, Event
from citadels_lan.engine.state import State
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.plan import Plan
from citadels_lan.presenter.prompt.keys import CardLetters
from citadels_lan.presenter.prompt.menu import loose

from .figure import Figure
from .keys import keys_for
from .processes import in_memory

TITLE = "One player against three sensible bots (keys and seconds of pauses in a game)"
GAMES: Final = 3
MOST: Final = {"normal": 25.0, "instant": 3.0}
LEVEL: Final = "sensible"


class CountedPauses(Pauses):
    """Adds up how long the pauses of each speed would be, without waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.sums = dict.fromkeys(SPEEDS, 0.0)

    async def wait(self, state: State, seat: int, *, begins: bool) -> None:
        for self.speed in SPEEDS:
            self.sums[self.speed] += self.seconds(state, seat, begins=begins)


class CountedKeys:
    """A policy that counts the fewest key presses for each of its moves."""

    def __init__(self, policy: Policy) -> None:
        self.keys = 0
        self.ignores_view, self.ignores_events = policy.ignores_view, policy.ignores_events
        self._policy = policy
        self._letters = CardLetters()

    def told(self, view: State, event: Event) -> None:
        self._policy.told(view, event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        action = self._policy.choose(view, seat, choices)
        self._letters.update(view.players[seat].hand, loose(choices))
        self.keys += len(keys_for(view, seat, choices, action, self._letters))
        return action


def figures() -> Iterator[Figure]:
    for edition in EDITIONS:
        games = [asyncio.run(_sums(edition)) for _ in range(GAMES)]
        yield Figure(f"{edition}, keys: the mean of {GAMES}", sum(game["keys"] for game in games) / GAMES, "keys")
        for speed in SPEEDS:
            longest = max(game[speed] for game in games)
            yield Figure(f"{edition}, {speed}: the longest of {GAMES}", longest, "s", most=MOST.get(speed))


async def _sums(edition: str) -> dict[str, float]:
    """Play a game. Return the sum of its pauses for each speed, and the number of key presses."""
    config = Plan.of(Settings().config).in_edition(edition).for_players(4).config
    pauses, player = CountedPauses(), CountedKeys(make_policy(LEVEL, "Anna"))
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        options = HostOptions(
            Settings(config, 3), (LEVEL,) * 3, "Anna", Path(folder), Path(folder), network=False, begin=True
        )
        hosted = Hosted(replace(options, pauses=pauses))
        await hosted.open()
        assert hosted.me is not None
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(drive(hosted.me, player))
            await hosted.over()
            await hosted.close()
    return {**pauses.sums, "keys": player.keys}
