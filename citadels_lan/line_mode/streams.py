"""The input and output of line mode: typed lines, and text for a terminal or a pipe."""

import asyncio
import contextlib
import shutil
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TextIO

from citadels_lan.platform.process import printable
from citadels_lan.presenter.log import Kind
from citadels_lan.presenter.symbols import suitable
from citadels_lan.texts import Message, Texts

from .lines import question_lines
from .page_messages import PageQuestion, Stage

UNREAD: Final = 64
"""Most lines that wait here to be read; more of them wait in the pipe."""


class InputLines:
    """Lines of a stream, read in a separate thread. `piped`: a program writes them. `heard` is called for each
    line and at the end."""

    piped = False

    def __init__(self, stream: TextIO) -> None:
        self.piped = not stream.isatty()
        self.heard: Callable[[], None] = lambda: None
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(UNREAD)
        # Reading a terminal blocks, and cancelling it is not possible on every system.
        arguments = (stream, asyncio.get_running_loop())
        threading.Thread(target=self._read, args=arguments, daemon=True).start()

    def _read(self, stream: TextIO, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # The game is over, and its loop is closed.
            with contextlib.suppress(OSError):  # The terminal is gone, so the input ends.
                for line in stream:
                    self._room.acquire()
                    loop.call_soon_threadsafe(self._arrive, line.rstrip("\n"))
            loop.call_soon_threadsafe(self._arrive, None)

    def _arrive(self, line: str | None) -> None:
        self._queue.put_nowait(line)
        self.heard()

    @property
    def ready(self) -> bool:
        """Whether the next line, or the end, is already there."""
        return not self._queue.empty()

    async def next(self) -> str | None:
        """Return the next line; None at the end."""
        line = await self._queue.get()
        self._room.release()
        return line


MARKS: Final[Mapping[str, str]] = {"round": "== ", "turn": "-- ", "mine": "!! ", "notice": "!! "}
"""The mark before a line of the log, by its kind."""
QuestionParts = Literal["whole", "brief", "choices"]
"""The parts of a question that line mode prints: status and choices, the status alone, or the choices alone."""


class Output:
    """The output for one player: lines of text, for people and scripts. Every method raises OSError if the reader
    has gone. `leave` is the label of the button that leaves; None if a word is typed instead."""

    leave: Message | None = None
    typed = True
    """Whether the player types, and reads the seats, the hand and the commands as lines."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.glyphs = suitable(encoding=getattr(out, "encoding", None))

    @property
    def columns(self) -> int | None:
        """The width of the terminal; None if a program reads the lines, which may then have any length."""
        return shutil.get_terminal_size().columns if self._out.isatty() else None

    def ring(self) -> None:
        """Ring the bell of a terminal."""
        if self._out.isatty():
            print("\a", end="", file=self._out, flush=True)

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        """Print lines of text; `kind` is that of a line of the log. A long link stays in one piece."""
        for line in (lines,) if isinstance(lines, str) else lines:
            marked, width, parts = f"{MARKS.get(kind, '')}{line}", self.columns, None
            if width is not None and len(marked) > width:
                parts = textwrap.wrap(marked, width, break_long_words=False, break_on_hyphens=False)
            for part in parts or [marked]:
                print(printable(part), file=self._out, flush=True)

    def notice(self, text: str) -> None:
        """Print a sentence about what the player has just done."""
        self.say(text)

    def ask(self, texts: Texts, question: PageQuestion, parts: QuestionParts) -> None:
        """Ask a question, which replaces the one before it. An empty line shows that all choices were printed."""
        if parts != "choices":
            self.say(f"? {question.status}")
        if parts != "brief":
            self.say(question_lines(texts, question))
        self.say("")

    def close(self, question: int) -> None:
        """Report that a question can no longer be answered. Only pages in a browser need this."""

    def since(self) -> None:
        """Report that a turn of the player is over. Only pages in a browser need this."""

    def stage(self, stage: Stage) -> None:
        """Report the stage of the table. Only pages in a browser need this."""
