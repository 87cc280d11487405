"""Honest players in a separate process that move at a fixed pace, and the time that each of their moves
takes.

async with Players.seated(folder, port, count=2, pace=4.0) as players:
    ...
players.moves           # [Moved(n, asked, done)…], seconds of the machine's clock"""

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from msgspec import Struct

from citadels_lan.net.client.session import Session
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.platform.system import keep_loaded
from tests.net.playing import random_action

from .hosting import CODE


class Moved(Struct, frozen=True):
    """A move that became an entry, with number `n` or a little later: `asked` is when its player sent it,
    `done` when the player received the entry."""

    n: int
    asked: float
    done: float

    @property
    def took(self) -> float:
        """The duration in milliseconds."""
        return 1000 * (self.done - self.asked)


class Players:
    """Controls the process of the players."""

    def __init__(self) -> None:
        self.moves: list[Moved] = []

    @classmethod
    @contextlib.asynccontextmanager
    async def seated(cls, folder: Path, port: int, count: int, pace: float) -> AsyncIterator["Players"]:
        """Run the process as long as the context lasts. All players have a seat when the context begins."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tools.survival.playing", str(folder), str(port), str(count), str(pace),
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        players = cls()
        assert process.stdout is not None
        assert await process.stdout.readline() == b"seated\n"
        try:
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(players._read(process.stdout))
                yield players
                reading.cancel()
        finally:
            with contextlib.suppress(ProcessLookupError):  # it may have ended already
                process.kill()
            await process.wait()

    async def _read(self, lines: asyncio.StreamReader) -> None:
        async for line in lines:
            self.moves.append(Moved(*json.loads(line)))

    def between(self, begin: float, end: float) -> list[Moved]:
        """Return the moves that were sent between two times."""
        return [move for move in self.moves if begin <= move.asked < end]


async def play_slowly(
    session: Session, pace: asyncio.Lock, seconds: float, dice: random.Random, *, tell: bool = True
) -> None:
    """Make random moves for a session until the game ends. All players share `pace`, so that together they
    make one move in `seconds` seconds."""
    async for _ in session.updates():
        while session.table.choices:
            async with pace:
                await asyncio.sleep(seconds)
                choices = session.table.choices
                if not choices:
                    continue
                asked = time.monotonic()
                with contextlib.suppress(Rejected):
                    await session.act(random_action(choices, dice))
                    if tell:
                        print(json.dumps([session.table.head.n, asked, time.monotonic()]), flush=True)
        if session.table.status == "over":
            return


async def _play(folder: Path, port: int, count: int, pace: float) -> None:
    address = ("127.0.0.1", port)
    sessions = [
        await Session.join(address, data_dir=folder / str(seat), name=f"P{seat}", code=CODE)
        for seat in range(count)
    ]
    for session in sessions:
        await session.ready()
    keep_loaded()  # as a real client does
    print("seated", flush=True)
    turn = asyncio.Lock()
    async with asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            tasks.create_task(play_slowly(session, turn, 1 / pace, random.Random(seat)))
    for session in sessions:
        await session.leave()


if __name__ == "__main__":
    asyncio.run(_play(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
