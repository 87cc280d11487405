"""The client process of a guest, with screens or in lines, at the other end of three pipes.

Its output is read at once, even if no page wants it: otherwise the process and its seat would stop. Its input
is bounded; the rest waits in the browser. `ui.pipe_driver` is the other end of the packets of a client with
screens.
"""

import asyncio
import contextlib
import json
import os
import sys
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from citadels_lan.plain.messages import FromPage, PageClosed, PageQuestion, PageStage, PageText, PageView, ToPage
from citadels_lan.systems.system import limit_memory
from citadels_lan.web.limits import AHEAD, HISTORY, LINE, MEMORY, PATIENCE, clamped
from citadels_lan.web.pages import (
    STUCK,
    BadMessage,
    BrowserPage,
    PageClear,
    PageEnd,
    PageKeys,
    PagePaste,
    PageSize,
    Said,
)

MODES: Final = b"".join(
    b"\x1b[?%dh" % mode for mode in (1049, 1000, 1003, 1015, 1006, 2004)
) + b"\x1b[?25l"  # fmt: skip
"""What a terminal is told when the screens begin: a screen of its own, the mouse, pasting, no cursor."""
BEGINNING: Final = b"__GANGLION__\n"
PONG: Final = b'{"type": "pong"}'
LARGEST: Final = 16 * 1024 * 1024


class Unreadable(Exception):
    """What comes is no packet."""


class Packets:
    """Bytes in, packets out: a letter and what belongs to it."""

    def __init__(self) -> None:
        self._rest = b""
        self._begun = False

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The packets that are whole by now. Raises Unreadable."""
        self._rest += data
        if not self._begun:
            _, found, rest = self._rest.partition(BEGINNING)
            if not found:
                self._rest = self._rest[-len(BEGINNING) :]
                return
            self._begun, self._rest = True, rest
        while len(self._rest) >= 5:
            size = int.from_bytes(self._rest[1:5], "big")
            if size > LARGEST:
                raise Unreadable
            if len(self._rest) < 5 + size:
                return
            packet, self._rest = self._rest[: 5 + size], self._rest[5 + size :]
            yield packet[:1], packet[5:]


def typed(keys: str) -> bytes:
    """What somebody types, as a packet."""
    return _packet(b"D", keys.encode("utf-8", "replace"))


def resized(width: int, height: int) -> bytes:
    """Another size, in columns and rows, as a packet."""
    return _packet(b"M", json.dumps({"type": "resize", "width": width, "height": height}).encode())


def is_pong(kind: bytes, payload: bytes) -> bool:
    """Whether a packet answers a PING: the client has handled all that came before it."""
    return kind == b"M" and payload == PONG


def _packet(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data


PING: Final = _packet(b"M", b'{"type": "ping"}')


GRACE: Final = 4.0
"""Seconds that a client has to end before it is killed."""
REFUSED: Final = 2
"""The exit code of a client that has said why it cannot sit down."""
CHUNK: Final = 65536

Size = tuple[int, int]
TO_PAGE: Final = msgspec.json.Decoder(ToPage)


class WebClient:
    """A running client. When it ends, `ended` is called once, with the last message for the page."""

    kind = ""

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[["WebClient", PageEnd], None]) -> None:
        self.page: BrowserPage | None = None
        self._command = command
        self._home = home
        self._ended = ended
        self._process: asyncio.subprocess.Process
        self._running: asyncio.Task[None]

    async def start(self, code: str, size: Size) -> None:
        """Start it; the code goes to its input, where no other user of this machine sees it. Raises OSError."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "citadels_lan", *self._command,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=environment(self._home, size),
        )  # fmt: skip
        limit_memory(self._process.pid, MEMORY)
        self._write(f"{code}\n".encode())
        # kept: ends with the process, whose end it tells
        self._running = asyncio.get_running_loop().create_task(self._run())

    @abstractmethod
    def show(self) -> None:
        """All of it for the page that is there now."""

    @abstractmethod
    def heard(self, data: bytes) -> None:
        """Some of its output. Raises Unreadable."""

    @abstractmethod
    async def take(self, message: Said) -> None:
        """Pass on a message of the guest; return when the client can take more. Raises BadMessage after a wait."""

    def resize(self, size: Size) -> None:
        """The page has another size; lines have none."""

    async def stop(self) -> None:
        """End it: it may say good-bye, but not for long."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        await asyncio.wait((self._running,), timeout=GRACE)
        if not self._running.done():
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await asyncio.wait((self._running,))

    async def _run(self) -> None:
        """Read until the process ends."""
        said = asyncio.get_running_loop().create_task(self._last_words())  # kept: awaited below
        assert self._process.stdout is not None
        try:
            while data := await self._process.stdout.read(CHUNK):
                self.heard(data)
        except Unreadable:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        words = await said
        code = await self._process.wait()
        refused = PageEnd("left", words if code == REFUSED else "")
        self._ended(self, refused if code in (0, REFUSED) else PageEnd("crashed"))

    async def _last_words(self) -> str:
        """The end of what it says on standard error."""
        assert self._process.stderr is not None
        words = b""
        while data := await self._process.stderr.read(CHUNK):
            words = (words + data)[-LINE:]
        return words.decode(errors="replace").strip()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)


class ScreensClient(WebClient):
    """A client with screens. A page gets the bytes for its terminal."""

    kind = "screens"

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[[WebClient, PageEnd], None]) -> None:
        super().__init__(command, home, ended)
        self._packets = Packets()
        self._size: Size = (80, 24)
        self._ahead = 0
        self._room = asyncio.Event()

    async def start(self, code: str, size: Size) -> None:
        self._size = size
        await super().start(code, size)

    def show(self) -> None:
        """A client draws all of it again when its size changes."""
        if self.page is not None:
            self.page.draw(MODES)
        width, height = self._size
        self._packet(resized(width, height - 1))
        self._packet(resized(width, height))

    def heard(self, data: bytes) -> None:
        for kind, payload in self._packets.feed(data):
            if kind == b"D" and self.page is not None:
                self.page.draw(payload)
            elif is_pong(kind, payload):
                self._ahead -= 1
                self._room.set()

    async def take(self, message: Said) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while self._ahead >= AHEAD and self._process.returncode is None:
                    self._room.clear()
                    await self._room.wait()
        except TimeoutError:
            raise BadMessage(STUCK) from None
        match message:
            case PageKeys(keys):
                self._packet(typed(keys))
            case PagePaste(text):
                self._packet(typed(pasted(text)))
            case PageSize(size):
                self.resize(clamped(*size))

    def resize(self, size: Size) -> None:
        self._size = size
        self._packet(resized(*size))

    async def _run(self) -> None:
        try:
            await super()._run()
        finally:
            self._room.set()

    def _packet(self, data: bytes) -> None:
        self._ahead += 1
        self._write(data + PING)


class LinesClient(WebClient):
    """A client in lines. Its messages go to the page, and are kept for the next one."""

    kind = "lines"

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[[WebClient, PageEnd], None]) -> None:
        super().__init__(command, home, ended)
        self._kept: deque[str] = deque()
        self._size = 0
        self._stage = ""
        self._question: tuple[int, str] = (0, "")
        self._rest = b""

    def show(self) -> None:
        if self.page is not None:
            self.page.tell(PageClear())
            for message in (*self._kept, self._stage, self._question[1]):
                self.page.relay(message)

    def heard(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LINE:
            raise Unreadable
        for line in lines:
            with contextlib.suppress(msgspec.DecodeError, UnicodeError):
                self._hear(TO_PAGE.decode(line), line.decode())

    def _hear(self, message: ToPage, line: str) -> None:
        match message:
            case PageText() | PageView():
                self._keep(line)
            case PageQuestion(number):
                self._question = (number, line)
            case PageClosed(number) if number == self._question[0]:
                self._question = (0, "")
            case PageStage():
                self._stage = line
        if self.page is not None:
            self.page.relay(line)

    def _keep(self, line: str) -> None:
        self._kept.append(line)
        self._size += len(line)
        while self._size > HISTORY:
            self._size -= len(self._kept.popleft())

    async def take(self, message: Said) -> None:
        if not isinstance(message, FromPage):
            return
        self._write(msgspec.json.encode(message) + b"\n")
        assert self._process.stdin is not None
        try:
            async with asyncio.timeout(PATIENCE):
                with contextlib.suppress(ConnectionError):  # it has ended, and the page is sent that
                    await self._process.stdin.drain()
        except TimeoutError:
            raise BadMessage(STUCK) from None


def pasted(text: str) -> str:
    """A paste as a terminal sends it; nothing in it is a key."""
    shown = "".join(
        sign if sign.isprintable() or sign == "\n" else " "
        for sign in text.replace("\r\n", "\n").replace("\r", "\n")
    )
    return f"\x1b[200~{shown}\x1b[201~"


def environment(home: Path, size: Size) -> dict[str, str]:
    """What a client is told of its surroundings: a terminal as a browser's is, and a folder for everything."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CITADELS_ASCII")}
    width, height = map(str, size)
    return inherited | {
        "CITADELS_HOME": str(home), "COLUMNS": width, "ROWS": height, "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "truecolor", "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
    }  # fmt: skip
