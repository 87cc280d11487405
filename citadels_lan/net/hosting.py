"""Opening a table in this process: everything around a server, for the command line and for tests.

async with open_table(Settings(players=4), data_dir) as table:
    session = await table.join("Anna", data_dir)      # the owner: the host's own person, over loopback
    await table.over()
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.ledger import Written
from citadels_lan.crypto.packing import Malformed

from .game import RULES, Game, Keep
from .handshake import Versions
from .journal import Journal, TableRecord
from .lobby import Lobby
from .messages import Settings
from .reasons import Turned
from .server import Server, listen
from .session import Address, Session
from .table import Core, Table, Timing
from .tls import Certificate, host_context, make_certificate


class OpenTable:
    """A table that is being served. `port` is where, `game_id` and `fp` what it is known by; `journal` is the file
    to resume it from, which is there once the game has begun."""

    def __init__(self, table: Table, port: int, journal: Path, timing: Timing) -> None:
        self.table = table
        self.game_id = table.core.game
        self.fp = table.core.fp
        self.port = port
        self.journal = journal
        self.host = "127.0.0.1"
        self._timing = timing
        self._over = asyncio.Event()
        table.changed = self._look

    def _look(self) -> None:
        if self.table.over:
            self._over.set()

    @property
    def address(self) -> Address:
        """Where this machine's own sessions connect."""
        return (self.host, self.port)

    def invite(self, key: bytes) -> None:
        """Let a public key be one of the host's own: its person is the owner, its bots take the bots' seats."""
        self.table.lobby.own.add(key)

    async def join(self, name: str, data_dir: Path, *, out_dir: Path | None = None, bot: bool = False) -> Session:
        """A session of the host's own at this table: its person, or a bot. Raises Turned."""
        self.invite(Identity.load_or_create(data_dir / "identity.key").public)
        return await Session.join(
            self.address, data_dir=data_dir, out_dir=out_dir, name=name, bot=bot, timing=self._timing
        )

    async def over(self) -> None:
        """Wait until the game is closed and every player who is connected has all of it."""
        await self._over.wait()


@contextlib.asynccontextmanager
async def open_table(
    settings: Settings,
    data_dir: Path,
    *,
    host: str | None = None,
    port: int | None = None,
    timing: Timing | None = None,
    resume: Path | None = None,
) -> AsyncIterator[OpenTable]:
    """Serve a table while the context lasts. `host` is the address to listen on, None for all; `port` None is the
    usual port or a free one. `resume` is the journal of a game to go on with; its settings count then, and its
    port if it is free.

    Raises Turned: settings that cannot be played, `not_journal`, `journal`; OSError where it cannot listen.
    """
    timing = timing or Timing()
    with contextlib.ExitStack() as stack:
        if resume is not None:
            journal, record, entries = Journal.resume(resume)
            stack.callback(journal.close)
            sockets = _again(host, port, record.port)
            table = _resumed(record, journal, entries, timing)
        else:
            lobby = Lobby(settings)
            sockets = listen(host, port)
            record = _new_record(settings, sockets)
            resume = data_dir / "tables" / f"{record.game.hex()}.journal"
            table = _new_table(record, lobby, resume, timing, stack)
        for one in sockets:
            stack.callback(one.close)
        opened = OpenTable(table, sockets[0].getsockname()[1], resume, timing)
        if host is not None and host not in ("0.0.0.0", "::"):
            opened.host = host
        server = Server(table, host_context(_certificate(record)), Versions(RULES), timing)
        async with _served(server, sockets):
            yield opened


@contextlib.asynccontextmanager
async def _served(server: Server, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """The server beside the body of the context; if it cannot go on, the body is cancelled."""
    try:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(server.run(sockets))
            try:
                yield
            finally:
                task.cancel()
    except* OSError:
        raise Turned("journal") from None


def _again(host: str | None, port: int | None, before: int) -> list[socket.socket]:
    """The port of before, so that the others find back; any other if that is taken now."""
    if port is not None:
        return listen(host, port)
    try:
        return listen(host, before)
    except OSError:
        return listen(host, None)


def _new_table(
    record: TableRecord, lobby: Lobby, path: Path, timing: Timing, stack: contextlib.ExitStack
) -> Table:
    def begin(settings: Settings) -> Keep:
        own = tuple(place.key for place in lobby.places if place.key in lobby.own)
        journal = Journal.create(
            path,
            TableRecord(
                record.game, record.secret, record.host, record.certificate, record.key, record.port, settings, own
            ),
        )
        stack.callback(journal.close)
        return journal.append

    return Table(_core(record), lobby, begin, timing)


def _resumed(record: TableRecord, journal: Journal, entries: Sequence[Written], timing: Timing) -> Table:
    lobby = Lobby(record.settings)
    lobby.own = set(record.own)
    table = Table(_core(record), lobby, lambda _: journal.append, timing)
    try:
        table.resume(Game.restore(entries, record.secret, table.core.host, journal.append))
    except (Malformed, Mismatch):
        raise Turned("not_journal", path=str(journal.path)) from None
    return table


def _certificate(record: TableRecord) -> Certificate:
    return Certificate(record.certificate, record.key)


def _core(record: TableRecord) -> Core:
    return Core(record.game, record.secret, Identity(record.host), _certificate(record).fp)


def _new_record(settings: Settings, sockets: Sequence[socket.socket]) -> TableRecord:
    certificate = make_certificate()
    port = sockets[0].getsockname()[1]
    return TableRecord(
        os.urandom(16), os.urandom(32), os.urandom(32), certificate.der, certificate.key, port, settings, ()
    )
