"""The output of line mode: text for a terminal, or messages for a page."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TextIO

import msgspec

from citadels_lan.front.told.entries import Kind
from citadels_lan.systems.process import printable
from citadels_lan.texts import Message, Texts, msg

from .lines import question_lines
from .messages import PageClosed, PageNotice, PageQuestion, PageStage, PageText, PageView, Stage, ToPage
from .terminal import wrapped

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
