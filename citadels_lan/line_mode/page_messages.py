"""The messages between a page and line mode: JSON objects with a `type`, one on each line.

A page reacts to the type of a message, never to its text. An answer has the number of its question.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from citadels_lan.texts import msg

OVER: Final = msg("That choice is no longer possible.")
"""The notice for a late answer."""
Stage = Literal["lobby", "game", "over"]
Number = Annotated[int, Meta(ge=0, le=2**31)]


class PageMessage(Struct, frozen=True, tag_field="type"):
    """Base of all messages between a page and line mode."""


class PageText(PageMessage, frozen=True, tag="text"):
    """A line for the log. `kind` is that of a log line (`presenter.log.Kind`), or empty."""

    text: str
    kind: str = ""


class PageView(PageMessage, frozen=True, tag="view"):
    """The answer to PageShow and PageAbout."""

    what: str
    lines: tuple[str, ...]


class PageNotice(PageMessage, frozen=True, tag="notice"):
    """A sentence about what the guest has just done."""

    text: str


class PageSince(PageMessage, frozen=True, tag="since"):
    """A turn of the guest is over. The lines after this message are the events since then."""


class PageCard(Struct, frozen=True):
    """A card. `kind` is the type of a district, or `character`; then `cost` is the rank. `note` is what is special
    about this copy."""

    key: str
    name: str
    kind: str
    cost: int
    note: str = ""


class PageSeat(Struct, frozen=True):
    """A player. `you` is the guest, `now` a player who has to decide. `note` is what is known about the player:
    characters, a lost connection, in the lobby the state."""

    name: str
    note: str = ""
    you: bool = False
    now: bool = False
    crown: bool = False
    gold: int = 0
    cards: int = 0
    points: int = 0
    city: tuple[PageCard, ...] = ()


class PageBoard(PageMessage, frozen=True, tag="board"):
    """All public information of the table, and the guest's own `characters` and `hand`. `lines` are sentences
    about the round. `common`: all players build one city."""

    status: str
    lines: tuple[str, ...] = ()
    seats: tuple[PageSeat, ...] = ()
    characters: tuple[PageCard, ...] = ()
    hand: tuple[PageCard, ...] = ()
    common: bool = False


class PageChoice(Struct, frozen=True):
    """A choice of a question. `id` is 0 if it cannot be chosen; then `text` is the reason. `about` is the key of
    the card that explains it, and `kind` as in PageCard; both are empty if there is none."""

    id: int
    text: str
    about: str = ""
    kind: str = ""


class PageQuestion(PageMessage, frozen=True, tag="question"):
    """A question, which replaces the one before it. `before` and `after` are lines around the choices; between
    `least` and `most` of them are chosen. `end` is the label for the end of the turn, empty if the turn cannot
    end. `bids`: the choices are bids, which are typed as amounts in line mode."""

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
    """The browser asks for a list or a page, such as the log. It may ask while no question is open."""

    what: Literal["who", "log", "cast", "city", "pile", "keys", "help"]


class PageAbout(PageMessage, frozen=True, tag="about"):
    """A request for the explanation of a card."""

    key: Annotated[str, Meta(max_length=40)]


class PageSay(PageMessage, frozen=True, tag="say"):
    """A line of chat."""

    text: str


class PageLine(PageMessage, frozen=True, tag="line"):
    """A typed command. `question` is the one that was shown when it was typed, 0 for none. If the line is a
    move, it answers that question."""

    text: str
    question: Number = 0


class PageReady(PageMessage, frozen=True, tag="ready"):
    """The guest is ready for the game."""


class PageLeave(PageMessage, frozen=True, tag="leave"):
    """The guest leaves."""


ToPage = PageText | PageSince | PageBoard | PageView | PageNotice | PageQuestion | PageClosed | PageStage
FromPage = PageAnswer | PageShow | PageAbout | PageSay | PageLine | PageReady | PageLeave
