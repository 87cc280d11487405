"""A table that goes on here, its host before being gone: a journal is made of what a seat has, and resumed."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.net.client.moving import Heritage
from citadels_lan.net.host.journal import Journal, LobbyRecord, SeatRecord, TableRecord
from citadels_lan.net.host.listening import listen
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.certificates import make_certificate
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.reporting import Report, no_report
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import Certificate
from citadels_lan.systems.files import write_private

from .inheriting import Spoiled, inherited


class HeirKeys(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a host signs and answers with: the seed of its key, its certificate (DER) and the key to that (PEM)."""

    host: Annotated[bytes, Meta(min_length=32, max_length=32)]
    certificate: bytes
    key: bytes

    def __repr__(self) -> str:
        return "HeirKeys()"


class Successor:
    """Whose machine can become the host: see `net.client.moving.Heir`. The journal is in the folder of the tables,
    like that of a host that was the first one, and can be resumed like that."""

    def __init__(
        self,
        data_dir: Path,
        *,
        host: str | None = None,
        announce: bool = True,
        timing: Timing | None = None,
        report: Report = no_report,
        takeover: Takeover | None = None,
    ) -> None:
        """The parameters are those of `open_table`."""
        self._data_dir = data_dir
        self._host = host
        self._announce = announce
        self._timing = timing or Timing()
        self._report = report
        self._takeover = takeover
        self._opened: asyncio.Future[OpenTable] | None = None
        self._leaving = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def prepare(self, path: Path) -> tuple[bytes, bytes]:
        """The key of the host that would be, and the SHA-256 of its certificate: those in the file `path`, made
        when first asked for. Raises OSError."""
        keys = _heir_keys(path)
        return Identity(keys.host).public, Certificate(keys.certificate, keys.key).fp

    async def begin(self, heritage: Heritage) -> int:
        """Go on with the table, also where this machine has begun that before; the port. Raises Refusal: `spoiled`
        where it has not, and what `open_table` says of a journal; OSError."""
        path = self._journal_of(heritage)
        if not path.exists():
            self._write(heritage, path, _free_port(self._host))
        self._keep_house(heritage)
        self._leaving.clear()
        opened: asyncio.Future[OpenTable] = asyncio.get_running_loop().create_future()
        self._opened = opened
        # kept: awaited in `close`, and what keeps it from opening is raised below.
        self._task = asyncio.get_running_loop().create_task(self._serve(path, opened.set_result))
        await asyncio.wait((opened, self._task), return_when=asyncio.FIRST_COMPLETED)
        if not opened.done():
            await self._task
            raise Refusal("failed")
        return opened.result().port

    def _keep_house(self, heritage: Heritage) -> None:
        """The table is run as before, as far as this machine has heard how. Where the host's person alone let bots
        move, or a bot of that host's sits there, they come as this machine lets them: nobody else would ask."""
        if heritage.house is None:
            return
        clock, told = heritage.house.clock, heritage.house.takes_over
        self._timing = replace(self._timing, clock=clock)
        if not told.level and not any(player.bot for player in heritage.header.players):
            self._takeover = None
        elif self._takeover is not None and told.after is not None:
            self._takeover = self._takeover.like(told.after, told.level)

    async def close(self) -> None:
        """Whoever is still there gets the rest of a game that is over; then the table is gone, until `begin`."""
        self._leaving.set()
        if self._task is not None:
            await asyncio.wait((self._task,))
            self._task.exception()  # whoever plays has been told by the session

    async def _serve(self, path: Path, opened: Callable[[OpenTable], None]) -> None:
        async with open_table(
            Settings(),
            self._data_dir,
            host=self._host,
            timing=self._timing,
            resume=path,
            announce=self._announce,
            code="",
            report=self._report,
            takeover=self._takeover,
        ) as table:
            opened(table)
            await self._leaving.wait()
            game = table.table.game
            if game is not None and game.closed:
                await table.over()

    def _journal_of(self, heritage: Heritage) -> Path:
        name = f"{heritage.header.game_id.hex()}-{heritage.won.proposal.n}.journal"
        return self._data_dir / "tables" / name

    @staticmethod
    def _write(heritage: Heritage, path: Path, port: int) -> None:
        """The journal of the table as this machine takes it over, whole or not at all; it is at `port` whenever
        that is free. Raises Refusal, OSError."""
        header, won, keys = heritage.header, heritage.won, _heir_keys(heritage.keys)
        bots = sum(player.bot for player in header.players)
        record = TableRecord(
            header.game_id,
            won.secret,
            keys.host,
            keys.certificate,
            keys.key,
            port,
        )
        places = tuple(SeatRecord(one.key, one.name, one.bot, True, one.claim) for one in header.players)
        lobby = LobbyRecord(
            Settings(header.config, bots, header.migrate or 0, header.hints is None), places, (heritage.own,)
        )
        try:
            written = inherited(header, heritage.deltas, heritage.heads, won.secret)
        except Spoiled as spoiled:
            raise Refusal("spoiled", n=spoiled.n) from None
        host_log = HostLog.restore(won.secret, Identity(keys.host), written)
        begun = host_log.take_over(won.entry)
        draft = path.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        journal = Journal.create(draft, record, lobby)
        try:
            for one in (*written, begun):
                journal.append(one)
        finally:
            journal.close()
        draft.replace(path)


def _free_port(host: str | None) -> int:
    """A port that is free now. Raises OSError."""
    sockets = listen(host, 0)
    try:
        return int(sockets[0].getsockname()[1])
    finally:
        for one in sockets:
            one.close()


def _heir_keys(path: Path) -> HeirKeys:
    """The keys of a host on this machine, for one table. Raises OSError."""
    if not path.exists():
        certificate = make_certificate()
        write_private(path, pack(HeirKeys(os.urandom(32), certificate.der, certificate.key)))
    try:
        return typed(unpack(path.read_bytes()), HeirKeys)
    except Malformed:
        raise OSError("the keys of the host that would be are damaged") from None
