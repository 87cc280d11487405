"""The guests. Each has a seat, identified by a cookie, and a client process, connected by three pipes.

The output of a client is read at once, even without a page: otherwise the process and its seat would stop.
Its input is limited; further input waits in the browser. `ui.pipe_driver` is the other end of the packets of
a client with screens.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import secrets
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from citadels_lan.line_mode import page_messages as messages
from citadels_lan.line_mode.page_messages import FromPage, ToPage
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.platform.files import Lock, write_private
from citadels_lan.platform.process import command_of
from citadels_lan.platform.system import limit_memory
from citadels_lan.web import browser
from citadels_lan.web.beside import TableNow
from citadels_lan.web.browser import BadMessage, BrowserPage, PageClear, PageEnd, Said

MODES: Final = b"".join(
    b"\x1b[?%dh" % mode for mode in (1049, 1000, 1003, 1015, 1006, 2004)
) + b"\x1b[?25l"  # fmt: skip
"""Control sequences that a page's terminal receives first: alternate screen, mouse, bracketed paste, hidden
cursor."""
BEGINNING: Final = b"__GANGLION__\n"
PONG: Final = b'{"type": "pong"}'
LARGEST_PACKET: Final = 16 * 1024 * 1024


def typed(keys: str) -> bytes:
    """Return key presses as a packet for the client."""
    return _packet(b"D", keys.encode("utf-8", "replace"))


def resized(width: int, height: int) -> bytes:
    """Return a screen size in columns and rows as a packet for the client."""
    return _packet(b"M", json.dumps({"type": "resize", "width": width, "height": height}).encode())


def _packet(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data


PING: Final = _packet(b"M", b'{"type": "ping"}')


GRACE: Final = 4.0
"""Seconds before a client that does not end is killed."""
REFUSED: Final = 2
"""The exit code of a client that could not join. It has printed the reason."""

Size = tuple[int, int]
TO_PAGE: Final = msgspec.json.Decoder(ToPage)


class WebClient:
    """A running client. When it ends, `ended` is called once, with the last message for the page."""

    kind = ""

    def __init__(self, command: Sequence[str], home: Path, size: Size, ended: "Ended") -> None:
        self.page: BrowserPage | None = None
        self.size = size
        self._command = command
        self._home = home
        self._ended = ended
        self._room = asyncio.Event()
        """Set when the client may be able to take another packet."""
        self._process: asyncio.subprocess.Process
        self._running: asyncio.Task[None]

    async def start(self, code: str) -> None:
        """Start the process, and write `code` to its standard input: as an argument, other users of this
        computer could see it. Raises OSError."""
        self._process = await asyncio.create_subprocess_exec(
            *command_of("citadels_lan"), *self._command,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=browser.LINE, env=environment(self._home, self.size),
        )  # fmt: skip
        limit_memory(self._process.pid, browser.MEMORY)
        self._write(f"{code}\n".encode())
        # kept: ends with the process, and reports its end
        self._running = asyncio.get_running_loop().create_task(self._run())

    @abstractmethod
    def show(self) -> None:
        """Send everything that is on the screen to the current page."""

    @abstractmethod
    async def read(self, output: asyncio.StreamReader) -> None:
        """Handle the output of the process until it ends. Raises IncompleteReadError at the end, and ValueError or
        LimitOverrunError if the output is malformed."""

    @abstractmethod
    async def take(self, message: Said) -> None:
        """Pass a message of the guest to the client, and return when the client can take more. Raises
        BadMessage if that takes too long."""

    def resize(self, size: Size) -> None:
        """Change the size of the screens to that of another page."""
        self.size = size

    async def stop(self, *, keep: bool = False) -> None:
        """End the process; kill it if it does not end in time. `keep`: kill it at once, which looks like a
        lost connection, so that the seat in the lobby stays reserved for the next client."""
        if keep:
            self._kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        await asyncio.wait((self._running,), timeout=GRACE)
        if not self._running.done():
            self._kill()
            await asyncio.wait((self._running,))

    async def _run(self) -> None:
        """Read the output until the process ends."""
        assert self._process.stdout is not None
        last_words = asyncio.get_running_loop().create_task(self._last_words())  # kept: awaited below
        try:
            await self.read(self._process.stdout)
        except asyncio.IncompleteReadError:
            pass
        except (ValueError, asyncio.LimitOverrunError):
            self._kill()
        words = await last_words
        code = await self._process.wait()
        refused = PageEnd("left", words if code == REFUSED else "")
        self._ended(self, refused if code in (0, REFUSED) else PageEnd("crashed"))

    async def _last_words(self) -> str:
        """Read standard error of the client until it is closed, and return its last part."""
        assert self._process.stderr is not None
        words = b""
        while data := await self._process.stderr.read(browser.LINE):
            # Only the end is kept, so that a client cannot fill the memory of the server.
            words = (words + data)[-browser.LINE :]
        return words.decode(errors="replace").strip()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)


Ended = Callable[[WebClient, PageEnd], None]


class ScreensClient(WebClient):
    """A client with screens. A page gets the bytes for its terminal."""

    kind = "screens"
    _ahead = 0

    def show(self) -> None:
        """Let the client draw everything for the present page. A client does that after each change of size,
        so change the size for a moment."""
        if self.page is not None:
            self.page.put(MODES)
        width, height = self.size
        self._packet(resized(width, height - 1))
        self._packet(resized(width, height))

    async def read(self, output: asyncio.StreamReader) -> None:
        try:
            # Output before this marker is not part of the packets.
            await output.readuntil(BEGINNING)
            while True:
                head = await output.readexactly(5)
                # A length that no client sends shows that the stream is out of step.
                if (size := int.from_bytes(head[1:], "big")) > LARGEST_PACKET:
                    raise ValueError(size)
                payload = await output.readexactly(size)
                if head[:1] == b"D" and self.page is not None:
                    self.page.put(payload)
                elif head[:1] == b"M" and payload == PONG:  # the client has handled what came before the ping
                    self._ahead -= 1
                    self._room.set()
        finally:
            self._room.set()

    async def take(self, message: Said) -> None:
        try:
            async with asyncio.timeout(browser.PATIENCE):
                # Without this limit a page could send faster than the client reads, and fill the memory of the
                # server.
                while self._ahead >= browser.AHEAD and self._process.returncode is None:
                    self._room.clear()
                    await self._room.wait()
        except TimeoutError:
            raise BadMessage(browser.STUCK) from None
        match message:
            case browser.PageKeys(keys):
                self._packet(typed(keys))
            case browser.PagePaste(text):
                self._packet(typed(pasted(text)))
            case browser.PageSize(size) if browser.clamped(*size) != self.size:
                self.resize(browser.clamped(*size))

    def resize(self, size: Size) -> None:
        super().resize(size)
        self._packet(resized(*size))

    def _packet(self, data: bytes) -> None:
        self._ahead += 1
        self._write(data + PING)


class TouchClient(WebClient):
    """A client of the touch page. Its messages go to the page. The last ones are also stored, and sent when
    the guest opens the page again."""

    kind = "touch"
    _kept: tuple[str, ...] = ()
    _stage = _board = ""
    _question: tuple[int, str] = (0, "")

    def show(self) -> None:
        if self.page is not None:
            self.page.tell(PageClear())
            for message in filter(None, (*self._kept, self._stage, self._board, self._question[1])):
                self.page.put(message)

    async def read(self, output: asyncio.StreamReader) -> None:
        async for line in output:
            with contextlib.suppress(msgspec.DecodeError, UnicodeError):
                self._hear(TO_PAGE.decode(line), line.decode().rstrip("\n"))

    def _hear(self, message: ToPage, line: str) -> None:
        match message:
            case messages.PageText() | messages.PageSince():
                self._kept = (*self._kept, line)
                while sum(map(len, self._kept)) > browser.HISTORY:
                    self._kept = self._kept[1:]
            case messages.PageQuestion(number):
                self._question = (number, line)
            case messages.PageClosed(number) if number == self._question[0]:
                self._question = (0, "")
            case messages.PageStage():
                self._stage = line
            case messages.PageBoard():
                self._board = line
        if self.page is not None:
            self.page.put(line)

    async def take(self, message: Said) -> None:
        if not isinstance(message, FromPage):
            return
        self._write(msgspec.json.encode(message) + b"\n")
        assert self._process.stdin is not None
        try:
            async with asyncio.timeout(browser.PATIENCE):
                with contextlib.suppress(ConnectionError):  # the process has ended, and the page is sent that
                    await self._process.stdin.drain()
        except TimeoutError:
            raise BadMessage(browser.STUCK) from None


def pasted(text: str) -> str:
    """Return a paste as a terminal sends it, without control characters."""
    printable = "".join(
        sign if sign.isprintable() or sign == "\n" else " "
        for sign in text.replace("\r\n", "\n").replace("\r", "\n")
    )
    return f"\x1b[200~{printable}\x1b[201~"


def environment(home: Path, size: Size) -> dict[str, str]:
    """Return the environment variables of a client process: a terminal of this size with the features of a
    browser's terminal, and `home` as the folder for all its files."""
    # The terminal of a browser has colours and Unicode, whatever the terminal of the host has.
    inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CITADELS_ASCII")}
    width, height = map(str, size)
    return inherited | {
        "CITADELS_HOME": str(home), "COLUMNS": width, "ROWS": height, "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "truecolor", "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
    }  # fmt: skip


KINDS: Final[dict[str, type[WebClient]]] = {one.kind: one for one in (ScreensClient, TouchClient)}
LOOK: Final = 0.1
"""Seconds between two checks whether an earlier client has ended."""


class WebSeat(Struct, frozen=True):
    """The stored data of a seat: its number, the hash of its cookie, the name of its guest."""

    number: int
    digest: str
    name: str


class GuestSeat:
    """A seat of a guest, with its page and its client. `home` is the folder of the client."""

    def __init__(self, kept: WebSeat, home: Path, table: Callable[[], TableNow]) -> None:
        self.kept = kept
        self.home = home
        self.page: BrowserPage | None = None
        self.client: WebClient | None = None
        self._table = table
        self._changing = asyncio.Lock()

    @property
    def transcript(self) -> Path | None:
        """The newest transcript of the guest; None if there is none."""
        found = (self.home / "data" / "transcripts").glob("*.ctr")
        return max(found, key=lambda path: path.stat().st_mtime, default=None)

    async def open(self, page: BrowserPage, kind: str, size: Size) -> None:
        """Give the seat to a page and end the page before it. Raises OSError if no client can be started."""
        if self.page is not None:
            self.page.finish(PageEnd("taken"))
        self.page = page
        page.missed = lambda: self.client.show() if self.client is not None else None
        # Two pages that open the seat at once must not start two clients.
        async with self._changing:
            if self.client is not None and self.client.kind != kind:
                await self._stop(keep=True)
            if self.client is None:
                page.tell(PageClear())
                await self._start(kind, size)
            elif self.page is page:
                self.client.page = page
                self.client.resize(size)
                self.client.show()

    def close(self, page: BrowserPage) -> None:
        """Record that the connection to `page` is lost. The client continues."""
        if self.page is page:
            self.page = None
            if self.client is not None:
                self.client.page = None

    async def stop(self) -> None:
        """End the client of the seat."""
        async with self._changing:
            await self._stop()

    async def _start(self, kind: str, size: Size) -> None:
        table = self._table()
        await self._alone()
        command = ("join", f"127.0.0.1:{table.port}", "--pipe", f"--name={self.kept.name}")
        client = KINDS[kind]((*command, "--plain") if kind == "touch" else command, self.home, size, self._ended)
        # Another page may have opened the seat during the wait, so the newest page counts.
        client.page = self.page
        self.client = client
        await client.start(table.token)

    async def _alone(self) -> None:
        """Wait until a client of an earlier server has ended, because it uses the same key."""
        (self.home / "data").mkdir(exist_ok=True)
        async with asyncio.timeout(browser.PATIENCE):
            while (lock := Lock.take(self.home / "data" / "lock")) is None:  # noqa: ASYNC110 -- of another process
                await asyncio.sleep(LOOK)
        lock.close()

    async def _stop(self, *, keep: bool = False) -> None:
        # The client is forgotten first, so that its end is not reported to the page.
        client, self.client = self.client, None
        if client is not None:
            await client.stop(keep=keep)

    def _ended(self, client: WebClient, end: PageEnd) -> None:
        if client is self.client:
            self.client = None
            if self.page is not None:
                self.page.tell(end)


class GuestSeats:
    """All seats of the guests of a game, in a private folder. Raises OSError if it cannot be written."""

    def __init__(self, folder: Path, table: Callable[[], TableNow]) -> None:
        self._folder = folder
        self._table = table
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._seats = {kept.number: self._seat(kept) for kept in _read(folder / "seats.json")}

    def __iter__(self) -> Iterator[GuestSeat]:
        return iter(self._seats.values())

    def of(self, cookie: str) -> GuestSeat | None:
        """Return the seat that a cookie identifies; None if it identifies none."""
        digest = _digest(cookie)
        return next((seat for seat in self if secrets.compare_digest(seat.kept.digest, digest)), None)

    def add(self, name: str, language: str, dark: bool) -> str:
        """Add a seat for a new guest; returns its cookie. Raises Refusal (`table_full`) and OSError."""
        if len(self._seats) >= self._table().seats:
            self._forget_one()
        # A folder has the key of one guest and is never given to another.
        number = next(one for one in count(1) if one not in self._seats and not (self._folder / str(one)).exists())
        cookie = secrets.token_urlsafe(32)
        seat = self._seat(WebSeat(number, _digest(cookie), name))
        settings = json.dumps({"language": language, "dark": dark}).encode()
        seat.home.mkdir(mode=0o700)
        write_private(seat.home / "settings" / "preferences.json", settings)
        self._seats[number] = seat
        self._save()
        return cookie

    def _forget_one(self) -> None:
        """Free the seat of one guest who left before the game began."""
        for number, seat in self._seats.items():
            if seat.client is None and seat.transcript is None:
                del self._seats[number]
                return
        raise Refusal("table_full", players=self._table().seats)

    def _seat(self, kept: WebSeat) -> GuestSeat:
        return GuestSeat(kept, self._folder / str(kept.number), self._table)

    def _save(self) -> None:
        write_private(self._folder / "seats.json", msgspec.json.encode([seat.kept for seat in self]), replace=True)

    async def stop(self) -> None:
        """End all clients."""
        await asyncio.gather(*(seat.stop() for seat in self))


def _read(path: Path) -> list[WebSeat]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[WebSeat])
    except (OSError, msgspec.DecodeError):
        return []


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode(errors="surrogateescape")).hexdigest()
