"""The host's side of the web server: start its process, send it each change of the table, restart it, end it.

The messages are lines of JSON: first a `WebStart`, then a `TableNow` whenever the table changes. The server
answers with a `Listening`, and then sends a `WrongCodes` for each notice about wrong codes of guests. This module
does not import aiohttp, which only the other process needs.
"""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from citadels_lan.platform.process import command_of

if TYPE_CHECKING:
    from citadels_lan.net.host.opening import OpenTable


class WebStart(Struct, frozen=True):
    """The first message. `folder` is private and has the seats, `game` is the id of the first game in hexadecimal
    digits, `port` the wanted port (0: any free port)."""

    folder: str
    game: str
    port: int


class TableNow(Struct, frozen=True):
    """The state of the table: its port on this computer, its code (`words` and `token`, both empty at an open
    table), the number of its seats, and whether its game is over."""

    port: int
    words: tuple[str, ...]
    token: str
    seats: int
    over: bool = False

    def __repr__(self) -> str:
        return f"TableNow(port={self.port})"


class Listening(Struct, frozen=True):
    """The answer of the server: its port, or the system's error."""

    port: int = 0
    error: str = ""


class WrongCodes(Struct, frozen=True):
    """A notice for the host: an address has sent this many wrong codes. `guessed`: a client seems to be
    guessing the code."""

    address: str
    count: int
    guessed: bool


def web_key(token: str) -> str:
    """Return the key in a web link: 128 bits derived from the join token of the table, in the token's
    alphabet; "" for an open table. The token cannot be computed from the key. So someone who intercepts the
    traffic of a browser, which is not encrypted, cannot join with the program."""
    if not token:
        return ""
    digest = hmac.digest(token.encode(), b"citadels-lan web door", hashlib.sha256)[:16]
    return base64.b32encode(digest).decode().rstrip("=").lower()


PORT: Final = 47180
"""The default port."""
LOOK: Final = 0.3
"""Seconds between two checks of the table and of the process."""
AGAIN: Final = 1.0
"""Seconds before a server that has ended unexpectedly is started again."""
WHILE: Final = 10.0
"""After the end of a game, guests can still see it for this many seconds."""
LAST: Final = 8.0
"""Seconds before a server is killed that does not end after its clients."""


class CannotServe(Exception):
    """The web server does not start on `port`. The message is the system's error."""

    def __init__(self, port: int, reason: str) -> None:
        super().__init__(reason)
        self.port = port


class WebGuests:
    """A web server for the guests of this program's tables, one table after another. `port` is set when a table
    has been opened."""

    def __init__(self, folder: Path, port: int | None) -> None:
        """`folder` has all files of the guests. If `port` is None, the server uses PORT or, if that is in
        use, any free port."""
        self.port = 0
        self._folder = folder
        self._wanted = port
        self._game = ""
        self._table: OpenTable | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._sent: TableNow | None = None
        self._over_since = 0.0
        self._hearing: asyncio.Task[None] | None = None

    def link(self, host: str, table: "OpenTable") -> str:
        """Return the link for friends who reach this computer at the address `host`."""
        where, key = f"[{host}]" if ":" in host else host, web_key(table.join_code.token)
        return f"http://{where}:{self.port}/" + (f"#{key}" if key else "")

    @contextlib.asynccontextmanager
    async def at(self, table: "OpenTable") -> AsyncIterator[None]:
        """Context in which guests can join the table with a browser. Raises CannotServe, OSError."""
        await self._open(table)
        # kept: cancelled below; a fault in it only concerns guests
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
        """Send the server each change of the table, and restart the server if it has ended."""
        while self._table is table:
            await asyncio.sleep(LOOK)
            if self._process is None or self._process.returncode is not None:
                await asyncio.sleep(AGAIN)
                with contextlib.suppress(CannotServe, OSError):  # the next round tries again
                    await self._start(self.port)
            elif self._sent != (now := _now(table)):
                self._tell(now)

    async def _leave(self, table: "OpenTable") -> None:
        """End the server when a table closes, unless another table has been opened. After a game, guests have
        WHILE seconds to see its end and to load their transcripts."""
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
            *command_of("citadels_lan.web"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,  # it writes its own log
        )  # fmt: skip
        self._write(WebStart(str(self._folder / self._game), self._game, port))
        self._tell(_now(self._table))
        output = self._process.stdout
        assert output is not None
        line = await output.readline()
        answer = msgspec.json.decode(line, type=Listening) if line else Listening(error="?")
        if not answer.port:
            process, self._process = self._process, None
            await process.wait()
            raise CannotServe(port, answer.error)
        self.port = answer.port
        # kept: ends with the output of the process
        self._hearing = asyncio.get_running_loop().create_task(self._hear(output))

    async def _hear(self, output: asyncio.StreamReader) -> None:
        """Read the notices of the server about wrong codes, and pass them to the table's join code."""
        async for line in output:
            notice = msgspec.json.decode(line, type=WrongCodes)
            if self._table is not None:
                self._table.join_code.note_wrong(notice.address, notice.count, guessed=notice.guessed)

    def _tell(self, now: TableNow) -> None:
        if now.over and not (self._sent is not None and self._sent.over):
            self._over_since = time.monotonic()
        self._sent = now
        self._write(now)

    def _write(self, message: WebStart | TableNow) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(message) + b"\n")


def _now(table: "OpenTable") -> TableNow:
    code, seats = table.join_code, table.table.lobby.settings.players
    return TableNow(table.port, code.words, code.token, seats, table.table.over)
