"""The seconds of the bots' pauses in a game of one against three sensible bots, without the time to think."""

import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from citadels_lan.bots import make_policy
from citadels_lan.bots.driving import SPEEDS, Pauses, drive
from citadels_lan.cli.hosted import Hosted, HostOptions
from citadels_lan.engine import EDITIONS
from citadels_lan.engine.state import State
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.plan import Plan

from .figure import Figure
from .processes import in_memory

TITLE = "One player against three sensible bots (seconds of pauses in a game)"
GAMES: Final = 3
MOST: Final = {"normal": 25.0, "instant": 3.0}
LEVEL: Final = "sensible"


class CountedPauses(Pauses):
    """Adds the pauses of each speed up, and makes none."""

    def __init__(self) -> None:
        super().__init__()
        self.sums = dict.fromkeys(SPEEDS, 0.0)

    async def wait(self, state: State, seat: int, *, begins: bool) -> None:
        for self.speed in SPEEDS:
            self.sums[self.speed] += self.seconds(state, seat, begins=begins)


def figures() -> Iterator[Figure]:
    for edition in EDITIONS:
        games = [asyncio.run(_sums(edition)) for _ in range(GAMES)]
        for speed in SPEEDS:
            longest = max(game[speed] for game in games)
            yield Figure(f"{edition}, {speed}: the longest of {GAMES}", longest, "s", most=MOST.get(speed))


async def _sums(edition: str) -> dict[str, float]:
    """Play a game and return its pauses by speed."""
    config = Plan.of(Settings().config).in_edition(edition).for_players(4).config
    pauses = CountedPauses()
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        options = HostOptions(
            Settings(config, 3), (LEVEL,) * 3, "Anna", Path(folder), Path(folder), network=False, begin=True
        )
        hosted = Hosted(replace(options, pauses=pauses))
        await hosted.open()
        assert hosted.me is not None
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(drive(hosted.me, make_policy(LEVEL, "Anna"), later=Rejected))
            await hosted.over()
            await hosted.close()
    return pauses.sums
