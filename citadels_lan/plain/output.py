"""The output of line mode: text for a terminal, or messages for a page."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, Protocol, TextIO

import msgspec

from citadels_lan.front.told.entries import Kind
from citadels_lan.systems.process import printable
from citadels_lan.texts import Message, Texts, msg

from .lines import question_lines
from .messages import PageClosed, PageNotice, PageQuestion, PageStage, PageText, PageView, ToPage
from .terminal import wrapped

MARKS: Final[Mapping[str, str]] = {"round": "== ", "turn": "-- ", "mine": "!! ", "notice": "!! "}
"""What stands before a line of the log, by its kind."""
Asking = Literal["whole", "brief", "choices"]
"""How line mode asks: with the status and all choices, or with one of both alone."""


class Output(Protocol):
    """The output for one player. Every method raises OSError if the reader has gone. `leave` is the label of the
    button that leaves; None if a word is typed instead."""

    leave: Message | None

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        """Lines of text; `kind` is that of a line of the log."""

    def notice(self, text: str) -> None:
        """A sentence about what the player has just done."""

    def view(self, what: str, lines: Iterable[str]) -> None:
        """The answer to a request of the player."""

    def ask(self, texts: Texts, question: PageQuestion, how: Asking = "whole") -> None:
        """A question, which replaces the one before it."""

    def close(self, question: int) -> None:
        """A question can no longer be answered."""

    def stage(self, stage: Literal["lobby", "game", "over"]) -> None:
        """The stage of the table."""


class TextOutput:
    """Lines of text for people and scripts."""

    leave: Message | None = None

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        for line in (lines,) if isinstance(lines, str) else lines:
            for part in wrapped(f"{MARKS.get(kind, '')}{line}", self._out):
                print(printable(part), file=self._out, flush=True)

    def notice(self, text: str) -> None:
        self.say(text)

    def view(self, what: str, lines: Iterable[str]) -> None:
        self.say(lines)

    def ask(self, texts: Texts, question: PageQuestion, how: Asking = "whole") -> None:
        """An empty line shows that all choices were printed."""
        if how != "choices":
            self.say(f"? {question.status}")
        if how != "brief":
            self.say(question_lines(texts, question))
        self.say("")

    def close(self, question: int) -> None: ...

    def stage(self, stage: Literal["lobby", "game", "over"]) -> None: ...


class PageOutput:
    """Messages for a page."""

    leave: Message | None = msg("Leave")

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._stage = ""

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

    def stage(self, stage: Literal["lobby", "game", "over"]) -> None:
        if stage != self._stage:
            self._stage = stage
            self._send(PageStage(stage))

    def _send(self, message: ToPage) -> None:
        print(msgspec.json.encode(message).decode(), file=self._out, flush=True)
