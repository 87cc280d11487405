"""The client of a guest: a process of its own at this end of three pipes, with screens or in lines.

Its output is read at once, whether a page wants it or not: a client that nobody reads stands still, and with it
its seat."""

import asyncio
import codecs
import contextlib
import os
import sys
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from .browser_page import BrowserPage
from .limits import LINE, LINES, TYPED
from .packets import MODES, Packets, Unreadable, resized, typed

GRACE: Final = 4.0
"""Seconds that a client has to end before it is killed."""
REFUSED: Final = 2
"""The exit code of a client that has said why it cannot sit down."""
CHUNK: Final = 65536

Size = tuple[int, int]


class WebClient:
    """A running client. `ended` is called once, with the sentence that it has said for the guest, or with none."""

    kind = ""

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[["WebClient", str], None]) -> None:
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
    async def type(self, keys: str) -> None:
        """What somebody types; returns when the client reads on."""

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
        self._ended(self, words if code == REFUSED else "")

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

    async def _drain(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):  # it has ended; that is told
            await self._process.stdin.drain()


class ScreensClient(WebClient):
    """A client with screens. A page gets the bytes for its terminal."""

    kind = "screens"

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[[WebClient, str], None]) -> None:
        super().__init__(command, home, ended)
        self._packets = Packets()
        self._size: Size = (80, 24)

    async def start(self, code: str, size: Size) -> None:
        self._size = size
        await super().start(code, size)

    def show(self) -> None:
        """A client draws all of it again when its size changes."""
        if self.page is not None:
            self.page.draw(MODES)
        width, height = self._size
        self._write(resized(width, height - 1))
        self._write(resized(width, height))

    def heard(self, data: bytes) -> None:
        for kind, payload in self._packets.feed(data):
            if kind == b"D" and self.page is not None:
                self.page.draw(payload)

    async def type(self, keys: str) -> None:
        self._write(typed(keys))
        await self._drain()

    def resize(self, size: Size) -> None:
        self._size = size
        self._write(resized(*size))


class LinesClient(WebClient):
    """A client in lines, which are kept for the next page."""

    kind = "lines"

    def __init__(self, command: Sequence[str], home: Path, ended: Callable[[WebClient, str], None]) -> None:
        super().__init__(command, home, ended)
        self._lines: deque[str] = deque(maxlen=LINES)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""

    def show(self) -> None:
        if self.page is not None:
            self.page.tell(lines=list(self._lines), anew=True)

    def heard(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + self._decode(data)).split("\n")
        self._rest = self._rest[-LINE:]
        lines = [line.rstrip("\r")[:LINE] for line in lines]
        self._lines.extend(lines)
        if self.page is not None and lines:
            self.page.tell(lines=lines)

    async def type(self, keys: str) -> None:
        line = "".join(sign for sign in keys if sign.isprintable())[:TYPED]
        self._write(f"{line}\n".encode("utf-8", "replace"))
        await self._drain()


def environment(home: Path, size: Size) -> dict[str, str]:
    """What a client is told of its surroundings: a terminal as a browser's is, and a folder for everything."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CITADELS_ASCII")}
    width, height = map(str, size)
    return inherited | {
        "CITADELS_HOME": str(home), "COLUMNS": width, "ROWS": height, "TERM": "xterm-256color",
        "COLORTERM": "truecolor", "TEXTUAL_COLOR_SYSTEM": "truecolor", "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
    }  # fmt: skip
