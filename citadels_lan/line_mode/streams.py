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
"""How many lines the program reads ahead at most; further lines stay in the pipe."""


class InputLines:
    """Lines of a stream, read in a separate thread. `piped`: the input is a pipe or file, not a terminal.
    `heard` is called for each line, and at the end of the input."""

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
        """Whether `next` would return without waiting: a line was read, or the input has ended."""
        return not self._queue.empty()

    async def next(self) -> str | None:
        """Wait for the next line and return it; None at the end of the input."""
        line = await self._queue.get()
        self._room.release()
        return line


MARKS: Final[Mapping[str, str]] = {"round": "== ", "turn": "-- ", "mine": "!! ", "notice": "!! "}
"""The mark before a line of the log, by its kind."""
QuestionParts = Literal["whole", "brief", "choices"]
"""Which parts of a question line mode prints: `whole` (status and choices), `brief` (the status alone), or
`choices` (the choices alone)."""


class Output:
    """Prints for one player, as lines of text. Every method raises OSError if the reader of the output is
    gone. `leave` is the label of the page's button for leaving; None if the player types a word to leave."""

    leave: Message | None = None
    typed = True
    """Whether the player types commands. If so, seats, hand and commands are printed as lines; a web page
    shows them itself."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.glyphs = suitable(encoding=getattr(out, "encoding", None))

    @property
    def columns(self) -> int | None:
        """The width of the terminal; None if the output is not a terminal, so that lines may have any
        length."""
        return shutil.get_terminal_size().columns if self._out.isatty() else None

    def ring(self) -> None:
        """Ring the bell of a terminal."""
        if self._out.isatty():
            print("\a", end="", file=self._out, flush=True)

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        """Print lines of text. `kind` is the kind of a log line, "" for other text. A long link is not broken
        into lines."""
        for line in (lines,) if isinstance(lines, str) else lines:
            marked, width, parts = f"{MARKS.get(kind, '')}{line}", self.columns, None
            if width is not None and len(marked) > width:
                parts = textwrap.wrap(marked, width, break_long_words=False, break_on_hyphens=False)
            for part in parts or [marked]:
                print(printable(part), file=self._out, flush=True)

    def notice(self, text: str) -> None:
        """Print a message about the player's last action, for example why it was rejected."""
        self.say(text)

    def ask(self, texts: Texts, question: PageQuestion, parts: QuestionParts) -> None:
        """Print a question, which replaces the previous one. If all choices are printed, an empty line
        follows."""
        if parts != "choices":
            self.say(f"? {question.status}")
        if parts != "brief":
            self.say(question_lines(texts, question))
        self.say("")

    def close(self, question: int) -> None:
        """Tell a web page that this question can no longer be answered. Does nothing for text."""

    def since(self) -> None:
        """Tell a web page that a turn of the player is over. Does nothing for text."""

    def stage(self, stage: Stage) -> None:
        """Tell a web page the stage of the game. Does nothing for text."""
