"""A table of bots that think for long: the delay of its event loop, which serves connections and screens,
compared with a table of bots that do not think."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Final

from citadels_lan.bots.pauses import Pauses
from citadels_lan.cli.hosted import Hosted, HostOptions
from citadels_lan.engine import from_scenario
from citadels_lan.net.wire.messages import Settings

from .figure import Figure
from .processes import in_memory

TITLE = "Seven bots at a table (the lateness of the loop's steps)"
PLAYERS: Final = 7
SECONDS: Final = 40.0
STEP: Final = 0.005


def figures() -> Iterator[Figure]:
    for level, most in (("sensible", None), ("expert", 10.0)):
        late, moves = asyncio.run(_lateness(level))
        yield Figure(
            f"{level}: 99 % of steps late by less than", quantiles(late, n=100)[98] * 1e3, "ms", most=most
        )
        yield Figure(f"{level}: the latest step", max(late) * 1e3, "ms")
        yield Figure(f"{level}: entries meanwhile", moves, "", least=PLAYERS)


async def _lateness(level: str) -> tuple[list[float], int]:
    """Return two values: by how many seconds each timed step of the event loop was late, and the number of
    entries of the game."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        settings = Settings(from_scenario("first_game", PLAYERS), PLAYERS)
        wanted = HostOptions(
            settings,
            (level,) * PLAYERS,
            None,
            Path(folder),
            Path(folder),
            announce=False,
            port=0,
            pauses=Pauses("normal"),
        )
        hosted = Hosted(wanted)
        await hosted.open()
        loop, late = asyncio.get_running_loop(), []
        end = loop.time() + SECONDS
        while loop.time() < end:
            due = loop.time() + STEP
            await asyncio.sleep(STEP)
            late.append(loop.time() - due)
        game = hosted.table.table.game
        await hosted.close()
        return late, game.n if game is not None else 0
