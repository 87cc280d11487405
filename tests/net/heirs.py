"""Players whose programs can take a game over from its host, with real sockets on this computer."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.client.connection import Locate
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.host.handing_over import IncomingHandover
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game

from .playing import QUICK, random_action, until


class Program:
    """The program of one player: its `session`, and the `tables` that it serves after a handover. `announce`:
    it announces these tables."""

    def __init__(self, folder: Path, takeover: Takeover | None = None, *, announce: bool | None = None) -> None:
        self.folder = folder
        self.announce = announce
        self.tables: list[OpenTable] = []
        self.heir = IncomingHandover(folder / "tables", self._open, "127.0.0.1", 0)
        self.takeover = takeover
        self._stack = contextlib.AsyncExitStack()

    async def _open(self, path: Path) -> Address:
        table = open_table(
            Settings(), self.folder, host="127.0.0.1", timing=QUICK, resume=path, takeover=self.takeover,
            announce=self.announce,
        )  # fmt: skip
        self.tables.append(await self._stack.enter_async_context(table))
        return self.tables[-1].address

    async def join(
        self,
        address: Address,
        name: str,
        *,
        heir: bool = True,
        kind: SeatKind = SeatKind.PLAYER,
        locate: Locate | None = None,
    ) -> Session:
        """Join a table as a ready player. `heir`: the program can take the game over."""
        make_heir = (lambda: self.heir) if heir else None
        self.session = await Session.join(
            address, data_dir=self.folder, name=name, kind=kind, timing=QUICK, locate=locate, heir=make_heir
        )
        if self.session.table.status == "lobby" and self.session.table.seat is not None:
            await self.session.ready()
        return self.session

    @property
    def hosts(self) -> bool:
        """Whether this program hosts the game in which its player sits."""
        at = self.session.connection
        return bool(self.tables) and at.up and self.session.table.addresses[0][1] == self.tables[-1].port

    @property
    def n(self) -> int:
        """The number of the last entry in the game that this program hosts."""
        return self.tables[-1].table.audience.last

    @property
    def absences(self) -> list[int]:
        """The seats for which substitute bots have played in the game that this program hosts."""
        game = self.tables[-1].table.game
        assert game is not None
        return [one.seat for one in game.host_log.audit.absences.all]

    async def close(self) -> None:
        """End the program, as far as that is possible within a test."""
        await self.session.leave()
        self.heir.drop()
        await self._stack.aclose()


@dataclass
class Handover:
    """A table, the session of the host's player, and the programs of the other players. `gone` are programs
    that have left."""

    table: OpenTable
    host: Session
    programs: list[Program]
    gone: list[Program] = field(default_factory=list)

    @property
    def sessions(self) -> list[Session]:
        """The sessions of the players who have not left."""
        return [self.host, *(program.session for program in self.programs if program not in self.gone)]

    @property
    def n(self) -> int:
        """The number of the last entry at the first host."""
        return self.table.table.audience.last

    async def begin(self, n: int = 25) -> None:
        """Start the game and play to about entry `n`."""
        await until(lambda: all(place.claim for place in self.table.table.lobby.places))
        await self.host.start()
        await self.go_on(n)

    async def go_on(self, n: int = 10**9) -> None:
        """Let all players make random moves until entry `n`, or to the end."""
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(self.sessions):
                tasks.create_task(play_on(session, seat, n))
        if n == 10**9:
            assert self.host.table.status == "over"

    async def leave(self, program: Program) -> None:
        """Let the player of a program leave for good."""
        self.gone.append(program)
        await program.session.leave()

    async def watch(self, folder: Path, table: OpenTable) -> Session:
        """Let a spectator join."""
        return await Session.join(table.address, data_dir=folder, name="Eva", role="spectator", timing=QUICK)


async def play_on(session: Session, seed: int, n: int) -> None:
    """Make random moves until entry `n`, or to the end, even if no update comes first."""
    dice, updates = random.Random(seed), session.updates()
    while session.table.status != "over" and session.table.head.n < n:
        if choices := session.table.choices:
            with contextlib.suppress(Rejected):
                await session.act(random_action(choices, dice))
        elif await anext(updates, None) is None:
            return


@contextlib.asynccontextmanager
async def with_heirs(folder: Path, players: int) -> AsyncIterator[Handover]:
    """Context with an open table in the lobby, whose players' programs can take the game over."""
    settings = Settings(first_game(players))
    async with open_table(settings, folder / "host", host="127.0.0.1", port=0, timing=QUICK) as table:
        own = await table.join("Marco", folder / "host")
        programs = [Program(folder / str(seat)) for seat in range(1, players)]
        for program, name in zip(programs, ("Zoe", "Anna", "Luca"), strict=False):
            await program.join(table.address, name)
        try:
            yield Handover(table, own, programs)
        finally:
            await own.leave()
            for program in programs:
                await program.close()
