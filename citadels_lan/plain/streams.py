"""The input and output of line mode: typed lines, text for a terminal, or messages for a page."""

import asyncio
import contextlib
import shutil
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TextIO

import msgspec

from citadels_lan.front.log import Kind
from citadels_lan.systems.process import printable
from citadels_lan.texts import Message, Texts, msg

from .lines import question_lines
from .messages import PageClosed, PageNotice, PageQuestion, PageStage, PageText, PageView, Stage, ToPage


def columns(out: TextIO) -> int | None:
    """Those of the terminal; None where a program reads, and lines may be as long as they like."""
    return shutil.get_terminal_size().columns if out.isatty() else None


def wrapped(line: str, out: TextIO) -> list[str]:
    """A line as it fits a terminal; whole where a program reads it. A long link stays in one piece."""
    width = columns(out)
    if width is None or len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)


UNREAD: Final = 64
"""Lines that wait to be read here; more of them wait in the pipe."""


class InputLines:
    """Lines of a stream, read in a separate thread. `piped`: a program writes them. `heard` is called for each
    line and at the end."""

    piped = False

    def __init__(self, stream: TextIO) -> None:
        self.piped = not stream.isatty()
        self.heard: Callable[[], None] = lambda: None
        self._stream = stream
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(UNREAD)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone: the input ends
            for line in self._stream:
                self._room.acquire()
                if not self._put(line.rstrip("\n")):
                    return
        self._put(None)

    def _put(self, line: str | None) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._arrive, line)
        except RuntimeError:  # the game is over and its loop closed
            return False
        return True

    def _arrive(self, line: str | None) -> None:
        self._queue.put_nowait(line)
        self.heard()

    @property
    def ready(self) -> bool:
        """Whether there is a line, or the end, that needs not be waited for."""
        return not self._queue.empty()

    async def next(self) -> str | None:
        """The next line; None at the end."""
        line = await self._queue.get()
        self._room.release()
        return line


MARKS: Final[Mapping[str, str]] = {"round": "== ", "turn": "-- ", "mine": "!! ", "notice": "!! "}
"""The mark before a line of the log, by its kind."""
Asking = Literal["whole", "brief", "choices"]
"""How line mode asks: with status and choices, with the status alone, or with the choices alone."""


class Output:
    """The output for one player: lines of text, for people and scripts. Every method raises OSError if the reader
    has gone. `leave` is the label of the button that leaves; None if a word is typed instead."""

    leave: Message | None = None

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        """Print lines of text; `kind` is that of a line of the log."""
        for line in (lines,) if isinstance(lines, str) else lines:
            for part in wrapped(f"{MARKS.get(kind, '')}{line}", self._out):
                print(printable(part), file=self._out, flush=True)

    def notice(self, text: str) -> None:
        """Print a sentence about what the player has just done."""
        self.say(text)

    def view(self, what: str, lines: Iterable[str]) -> None:
        """Answer a request of the player for `what`."""
        self.say(lines)

    def ask(self, texts: Texts, question: PageQuestion, how: Asking = "whole") -> None:
        """Ask a question, which replaces the one before it. An empty line shows that all choices were printed."""
        if how != "choices":
            self.say(f"? {question.status}")
        if how != "brief":
            self.say(question_lines(texts, question))
        self.say("")

    def close(self, question: int) -> None:
        """Show that a question can no longer be answered: lines do not need it."""

    def stage(self, stage: Stage) -> None:
        """Show the stage of the table: lines do not need it."""


class PageOutput(Output):
    """The same in messages, for a page."""

    leave: Message | None = msg("Leave")
    _stage = ""

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        for line in filter(None, (lines,) if isinstance(lines, str) else lines):
            self._send(PageText(line, kind))

    def notice(self, text: str) -> None:
        self._send(PageNotice(text))

    def view(self, what: str, lines: Iterable[str]) -> None:
        self._send(PageView(what, tuple(lines)))

    def ask(self, texts: Texts, question: PageQuestion, how: Asking = "whole") -> None:
        self._send(question)

    def close(self, question: int) -> None:
        self._send(PageClosed(question))

    def stage(self, stage: Stage) -> None:
        if stage != self._stage:
            self._stage = stage
            self._send(PageStage(stage))

    def _send(self, message: ToPage) -> None:
        print(msgspec.json.encode(message).decode(), file=self._out, flush=True)
