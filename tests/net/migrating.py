"""Tables whose host goes away for good, over real sockets: the others go on with a host among them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.cli.open.takeover import make
from citadels_lan.engine import TableConfig
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.host.new_host.succeeding import Successor
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game

from .playing import QUICK, play

SHORT = replace(QUICK, gone=0.5, beat=0.1)
"""Nobody waits long for a host that is gone."""


@dataclass
class Orphans:
    """A table that nobody of its players hosts, and these; `lost` are those who go with the host, its person and
    its bots."""

    table: OpenTable
    sessions: list[Session]
    gone: asyncio.Event
    lost: list[Session]

    async def play_up_to(self, n: int) -> None:
        """Play until everybody has so many entries."""
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(self.sessions):
                tasks.create_task(play(session, seat, until=n))

    async def play_on(self, until: Callable[[], bool], seed: int = 1) -> None:
        """Play until something holds, then the host is gone, and play on to the end."""
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(self.sessions):
                tasks.create_task(play(session, 100 * seed + seat))
            lost = [tasks.create_task(play(session, 99 * seed)) for session in self.lost]
            while not until():  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.002)
            self.gone.set()
            for session, playing in zip(self.lost, lost, strict=True):
                playing.cancel()
                await session.leave()


@contextlib.asynccontextmanager
async def orphans(
    folder: Path, players: int, migrate: int, *, lost: int = 0, config: TableConfig | None = None
) -> AsyncIterator[Orphans]:
    """Everybody sits at a table that nobody hosts in person, and the game has begun. With the host one of them is
    `lost`, its person, or that and a bot. `config` is what is played, a first game for None."""
    gone = asyncio.Event()
    opened: asyncio.Future[OpenTable] = asyncio.get_running_loop().create_future()
    settings = Settings(config or first_game(players), max(lost - 1, 0), migrate)
    # kept: awaited when the table is over
    host = asyncio.get_running_loop().create_task(_host(folder / "host", settings, opened, gone))
    sessions: list[Session] = []
    going: list[Session] = []
    try:
        table = await opened
        for seat in range(players - lost):
            fp = table.fp if seat == 0 else b""  # who has found it in a list, and who has typed its address
            sessions.append(await sit(table.address, folder / str(seat), f"Player {seat}", fp=fp))
            await sessions[-1].ready()
        for own in range(lost):
            name = f"Bot {own}" if own else "Owner"
            going.append(await table.join(name, folder / f"host{own or ''}", bot=own > 0))
            await going[-1].ready()
        yield Orphans(table, sessions, gone, going)
    finally:
        gone.set()
        await asyncio.gather(*(session.leave() for session in (*sessions, *going)))
        await host


async def _host(folder: Path, settings: Settings, opened: asyncio.Future[OpenTable], gone: asyncio.Event) -> None:
    async with open_table(settings, folder, host="127.0.0.1", port=0, timing=SHORT, unattended=True) as table:
        opened.set_result(table)
        await gone.wait()


async def sit(
    address: Address, folder: Path, name: str, *, games: Sequence[bytes] = (), fp: bytes = b""
) -> Session:
    """Somebody who can be the host. `games` are those that this person may have a seat in already, `fp` is what
    was announced of the table."""
    takeover = Takeover(make, 0.3)
    heir = Successor(folder, host="127.0.0.1", announce=False, timing=SHORT, takeover=takeover)
    options = {"timing": SHORT, "heir": heir, "games": games, "fp": fp}
    return await Session.join(address, data_dir=folder, name=name, **options)  # type: ignore[arg-type]


def transcripts(sessions: Sequence[Session]) -> list[Path]:
    """The files of some sessions."""
    return [session.transcript for session in sessions if session.transcript is not None]
