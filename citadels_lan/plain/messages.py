"""The messages between a page and line mode: JSON objects with a `type`, one on each line.

A page reacts to the type of a message, never to its text. An answer carries the number of its question.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from citadels_lan.texts import msg

OVER: Final = msg("That choice is over.")
"""The notice for a late answer."""
Stage = Literal["lobby", "game", "over"]
Number = Annotated[int, Meta(ge=0, le=2**31)]


class PageMessage(Struct, frozen=True, tag_field="type"):
    """One message."""


class PageText(PageMessage, frozen=True, tag="text"):
    """A line for the log. `kind` is that of a log line (`front.log.Kind`), or empty."""

    text: str
    kind: str = ""


class PageView(PageMessage, frozen=True, tag="view"):
    """The answer to PageShow."""

    what: str
    lines: tuple[str, ...]


class PageNotice(PageMessage, frozen=True, tag="notice"):
    """A sentence about what the guest has just done."""

    text: str


class PageChoice(Struct, frozen=True):
    """A choice of a question. `id` is 0 if it cannot be chosen; then `text` is the reason."""

    id: int
    text: str


class PageQuestion(PageMessage, frozen=True, tag="question"):
    """A question, which replaces the one before it. `before` and `after` are lines around the choices; between
    `least` and `most` of them are chosen. `end` is the label for the end of the turn, empty where it cannot end.
    `bids`: the choices are bids, which line mode types as amounts."""

    id: int
    status: str
    choices: tuple[PageChoice, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    ticking: bool = False
    bids: bool = False
    back: bool = False
    end: str = ""


class PageClosed(PageMessage, frozen=True, tag="closed"):
    """A question can no longer be answered."""

    question: int


class PageStage(PageMessage, frozen=True, tag="stage"):
    """The stage of the table."""

    stage: Stage


class PageAnswer(PageMessage, frozen=True, tag="answer"):
    """The choices of the guest. Without choices: the end of the turn, or with `back` one step back."""

    question: Number
    choices: Annotated[tuple[Number, ...], Meta(max_length=60)] = ()
    back: bool = False


class PageShow(PageMessage, frozen=True, tag="show"):
    """A request for something to be shown, at any time."""

    what: Literal["table", "hand", "who", "log", "help"]


class PageSay(PageMessage, frozen=True, tag="say"):
    """A line of chat."""

    text: str


class PageLine(PageMessage, frozen=True, tag="line"):
    """A typed command. `question` is the one that was shown when it was typed, 0 for none: a move answers it."""

    text: str
    question: Number = 0


class PageReady(PageMessage, frozen=True, tag="ready"):
    """The guest is ready for the game."""


class PageLeave(PageMessage, frozen=True, tag="leave"):
    """The guest leaves."""


ToPage = PageText | PageView | PageNotice | PageQuestion | PageClosed | PageStage
FromPage = PageAnswer | PageShow | PageSay | PageLine | PageReady | PageLeave
