"""The client process of a guest, with screens or for the touch page, at the other end of three pipes.

Its output is read at once, even without a page: otherwise the process and its seat would stop. Its input is
bounded; the rest waits in the browser. `ui.pipe_driver` is the other end of the packets of a client with screens.
"""

import asyncio
import contextlib
import json
import os
import sys
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from citadels_lan.line_mode.messages import (
    FromPage,
    PageBoard,
    PageClosed,
    PageQuestion,
    PageSince,
    PageStage,
    PageText,
    ToPage,
)
from citadels_lan.platform.system import limit_memory
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
"""Sent to the terminal of a page first: alternate screen, mouse, bracketed paste, hidden cursor."""
BEGINNING: Final = b"__GANGLION__\n"
PONG: Final = b'{"type": "pong"}'
LARGEST: Final = 16 * 1024 * 1024


def typed(keys: str) -> bytes:
    """Keys as a packet."""
    return _packet(b"D", keys.encode("utf-8", "replace"))


def resized(width: int, height: int) -> bytes:
    """A size in columns and rows as a packet."""
    return _packet(b"M", json.dumps({"type": "resize", "width": width, "height": height}).encode())


def _packet(kind: bytes, data: bytes) -> bytes:
    return kind + len(data).to_bytes(4, "big") + data


PING: Final = _packet(b"M", b'{"type": "ping"}')


GRACE: Final = 4.0
"""Seconds in which a client must end; then it is killed."""
REFUSED: Final = 2
"""The exit code of a client that could not join and has printed the reason."""

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
        self._process: asyncio.subprocess.Process
        self._running: asyncio.Task[None]

    async def start(self, code: str) -> None:
        """Start the process. The code goes to its input, where other users of this machine cannot see it. Raises
        OSError."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "citadels_lan", *self._command,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=LINE, env=environment(self._home, self.size),
        )  # fmt: skip
        limit_memory(self._process.pid, MEMORY)
        self._write(f"{code}\n".encode())
        # kept: ends with the process, whose end it tells
        self._running = asyncio.get_running_loop().create_task(self._run())

    @abstractmethod
    def show(self) -> None:
        """Send everything to the current page."""

    @abstractmethod
    async def read(self, output: asyncio.StreamReader) -> None:
        """Handle the output of the process until it ends. Raises IncompleteReadError at the end, and ValueError or
        LimitOverrunError if the output is malformed."""

    @abstractmethod
    async def take(self, message: Said) -> None:
        """Pass on a message of the guest; return when the client can take more. Raises BadMessage if the client
        does not take it in time."""

    def resize(self, size: Size) -> None:
        """Take on the size of another page."""
        self.size = size

    async def stop(self, *, keep: bool = False) -> None:
        """End the process; kill it if it does not end in time. `keep`: kill it at once, so that it keeps its seat
        in the lobby for the next client, as after a lost connection."""
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
        """Read until the process ends."""
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
        """Read standard error; returns its end."""
        assert self._process.stderr is not None
        words = b""
        while data := await self._process.stderr.read(LINE):
            words = (words + data)[-LINE:]
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

    def __init__(self, command: Sequence[str], home: Path, size: Size, ended: Ended) -> None:
        super().__init__(command, home, size, ended)
        self._room = asyncio.Event()

    def show(self) -> None:
        """A client draws everything again when its size changes."""
        if self.page is not None:
            self.page.put(MODES)
        width, height = self.size
        self._packet(resized(width, height - 1))
        self._packet(resized(width, height))

    async def read(self, output: asyncio.StreamReader) -> None:
        try:
            await output.readuntil(BEGINNING)
            while True:
                head = await output.readexactly(5)
                if (size := int.from_bytes(head[1:], "big")) > LARGEST:
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
            case PageSize(size) if clamped(*size) != self.size:
                self.resize(clamped(*size))

    def resize(self, size: Size) -> None:
        super().resize(size)
        self._packet(resized(*size))

    def _packet(self, data: bytes) -> None:
        self._ahead += 1
        self._write(data + PING)


class TouchClient(WebClient):
    """A client of the touch page. Its messages go to the page, and are kept for the next one."""

    kind = "touch"

    def __init__(self, command: Sequence[str], home: Path, size: Size, ended: Ended) -> None:
        super().__init__(command, home, size, ended)
        self._kept: deque[str] = deque()
        self._length = 0
        self._stage = self._board = ""
        self._question: tuple[int, str] = (0, "")

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
            case PageText() | PageSince():
                self._kept.append(line)
                self._length += len(line)
                while self._length > HISTORY:
                    self._length -= len(self._kept.popleft())
            case PageQuestion(number):
                self._question = (number, line)
            case PageClosed(number) if number == self._question[0]:
                self._question = (0, "")
            case PageStage():
                self._stage = line
            case PageBoard():
                self._board = line
        if self.page is not None:
            self.page.put(line)

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
    """A paste as a terminal sends it, without control characters."""
    printable = "".join(
        sign if sign.isprintable() or sign == "\n" else " "
        for sign in text.replace("\r\n", "\n").replace("\r", "\n")
    )
    return f"\x1b[200~{printable}\x1b[201~"


def environment(home: Path, size: Size) -> dict[str, str]:
    """The environment of a client: the terminal of a browser, and one folder for all its files."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CITADELS_ASCII")}
    width, height = map(str, size)
    return inherited | {
        "CITADELS_HOME": str(home), "COLUMNS": width, "ROWS": height, "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "truecolor", "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
    }  # fmt: skip
