"""The web server's process as its host sees it: it starts, is told each change, starts again if it ends, and is
ended.

The messages are lines of JSON: first what to serve, then how the table is, whenever that changes. The server
answers once: where it listens, or why it cannot. Imports nothing of aiohttp, which only the other process
needs.
"""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from citadels_lan.net.host.opening import OpenTable


class WebStart(Struct, frozen=True):
    """`folder` is for the seats and nobody else's, `game` the first table's in hexadecimal digits, `port` the
    wanted one (0: any free one)."""

    folder: str
    game: str
    port: int


class TableNow(Struct, frozen=True):
    """The table as it is: its port on this machine, what lets in (`words` and `token`, both empty at an open
    table), its seats, and whether its game is over."""

    port: int
    words: tuple[str, ...]
    token: str
    seats: int
    over: bool = False

    def __repr__(self) -> str:
        return f"TableNow(port={self.port})"


class Listening(Struct, frozen=True):
    """The answer: a port, or the system's reason."""

    port: int = 0
    error: str = ""


def web_key(token: str) -> str:
    """What lets in behind a web link: 128 bits that follow from the table's token, written as it is, and do not
    tell it: who listens to a browser cannot come as a player of another kind. Empty at an open table."""
    if not token:
        return ""
    digest = hmac.digest(token.encode(), b"citadels-lan web door", hashlib.sha256)[:16]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def web_link(host: str, port: int, token: str) -> str:
    """What a friend opens in a browser; IPv6 in brackets."""
    where = f"[{host}]" if ":" in host else host
    key = web_key(token)
    return f"http://{where}:{port}/" + (f"#{key}" if key else "")


PORT: Final = 47180
"""The usual one."""
LOOK: Final = 0.3
"""Seconds between two looks at the table and at the process."""
AGAIN: Final = 1.0
"""Seconds before a server is started again that has ended by itself."""
WHILE: Final = 10.0
"""Seconds after the end of a game in which guests can still see it."""
LAST: Final = 8.0
"""Seconds that it has to end, with its clients, before it is killed."""


class CannotServe(Exception):
    """The web server does not start. `port` is the one that was wanted, the message the system's reason."""

    def __init__(self, port: int, reason: str) -> None:
        super().__init__(reason)
        self.port = port


class WebGuests:
    """A web server for the guests of this program's tables, one after another. `port` is where it listens, once a
    table has been opened."""

    def __init__(self, folder: Path, port: int | None) -> None:
        """`folder` is for all that belongs to guests; `port` None: the usual one, or any free one."""
        self.port = 0
        self._folder = folder
        self._wanted = port
        self._game = ""
        self._table: OpenTable | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._told: TableNow | None = None
        self._over_since = 0.0

    def link(self, host: str, table: "OpenTable") -> str:
        """What a friend opens who reaches this machine as `host`."""
        return web_link(host, self.port, table.door.token)

    @contextlib.asynccontextmanager
    async def at(self, table: "OpenTable") -> AsyncIterator[None]:
        """Inside, guests can come to a table. Raises CannotServe, OSError."""
        await self._open(table)
        # kept: cancelled below; what it does is for the guests alone
        following = asyncio.get_running_loop().create_task(self._follow(table))
        try:
            yield
        finally:
            following.cancel()
            await self._leave(table)

    async def _open(self, table: "OpenTable") -> None:
        self._table = table
        self._game = self._game or table.game_id.hex()
        if self._process is None:
            try:
                await self._start(PORT if self._wanted is None else self._wanted)
            except CannotServe:
                if self._wanted is not None:
                    raise
                await self._start(0)

    async def _follow(self, table: "OpenTable") -> None:
        """Look after guests while this is their table."""
        while self._table is table:
            await asyncio.sleep(LOOK)
            if self._process is None or self._process.returncode is not None:
                await asyncio.sleep(AGAIN)
                with contextlib.suppress(CannotServe, OSError):  # tried again, then
                    await self._start(self.port)
            elif self._told != (now := _now(table)):
                self._tell(now)

    async def _leave(self, table: "OpenTable") -> None:
        """That table closes; unless its guests are at another one by now, the server ends. After a game they have
        a while for the end of it, and for their transcripts."""
        if self._table is not table:
            return
        if self._process is not None and _now(table).over:
            self._tell(_now(table))
            await asyncio.sleep(self._over_since + WHILE - time.monotonic())
        self._table = None
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(LAST):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _start(self, port: int) -> None:
        assert self._table is not None
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "citadels_lan.web",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,  # it has a log of its own
        )  # fmt: skip
        self._write(WebStart(str(self._folder / self._game), self._game, port))
        self._tell(_now(self._table))
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        answer = msgspec.json.decode(line, type=Listening) if line else Listening(error="?")
        if not answer.port:
            process, self._process = self._process, None
            await process.wait()
            raise CannotServe(port, answer.error)
        self.port = answer.port

    def _tell(self, now: TableNow) -> None:
        if now.over and not (self._told is not None and self._told.over):
            self._over_since = time.monotonic()
        self._told = now
        self._write(now)

    def _write(self, said: WebStart | TableNow) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(said) + b"\n")


def _now(table: "OpenTable") -> TableNow:
    return TableNow(
        table.port, table.door.words, table.door.token, table.table.lobby.settings.players, table.table.over
    )
