"""The JSON messages between line mode and a web page: one object on each line, with a `type`.

A page reacts to the type of a message, never to its text. An answer contains the number of its question."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from citadels_lan.texts import msg

OVER: Final = msg("That choice is no longer possible.")
"""The notice about an answer that arrived after its question was closed."""
Stage = Literal["lobby", "game", "over"]
Number = Annotated[int, Meta(ge=0, le=2**31)]


class PageMessage(Struct, frozen=True, tag_field="type"):
    """Base of all messages between a page and line mode."""


class PageText(PageMessage, frozen=True, tag="text"):
    """A line for the log. `kind` is the kind of the log line (`presenter.log.Kind`), or "" for other text."""

    text: str
    kind: str = ""


class PageView(PageMessage, frozen=True, tag="view"):
    """The lines that the page requested with PageShow or PageAbout."""

    what: str
    lines: tuple[str, ...]


class PageNotice(PageMessage, frozen=True, tag="notice"):
    """A message about the guest's last action, for example why it was rejected."""

    text: str


class PageSince(PageMessage, frozen=True, tag="since"):
    """Marks the end of a turn of the guest: the log lines that follow are the events since then."""


class PageCard(Struct, frozen=True):
    """A card. `kind` is the type of a district, or `character`. `cost` is the cost of a district or the rank
    of a character. `note` describes the special state of a district in a city, for example "beautified"."""

    key: str
    name: str
    kind: str
    cost: int
    note: str = ""


class PageSeat(Struct, frozen=True):
    """A player. `you`: the player is the guest. `now`: the player must decide now. `note` is what is known
    about the player: characters, a lost connection, or in the lobby whether the player is ready."""

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
    about the round. `common`: all players build one common city."""

    status: str
    lines: tuple[str, ...] = ()
    seats: tuple[PageSeat, ...] = ()
    characters: tuple[PageCard, ...] = ()
    hand: tuple[PageCard, ...] = ()
    common: bool = False


class PageChoice(Struct, frozen=True):
    """A choice of a question. `id` is its number; if it is 0, the choice is not possible and `text` gives the
    reason. `about` is the key of the card that explains the choice, and `kind` the kind of that card as in
    PageCard; both are empty if there is no such card."""

    id: int
    text: str
    about: str = ""
    kind: str = ""


class PageQuestion(PageMessage, frozen=True, tag="question"):
    """A question; it replaces the previous one. `before` and `after` are lines above and below the choices.
    The player selects at least `least` and at most `most` choices. `end` is the label of the button that ends
    the turn, empty if the turn cannot end now. `bids`: the choices are bids, which are typed as amounts in
    line mode."""

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
    """The question with this number can no longer be answered."""

    question: int


class PageStage(PageMessage, frozen=True, tag="stage"):
    """The stage of the game: `lobby`, `game` or `over`."""

    stage: Stage


class PageAnswer(PageMessage, frozen=True, tag="answer"):
    """The numbers of the choices that the guest selected. Without choices: end the turn, or with `back`, go
    back one step in the question."""

    question: Number
    choices: Annotated[tuple[Number, ...], Meta(max_length=60)] = ()
    back: bool = False


class PageShow(PageMessage, frozen=True, tag="show"):
    """The page requests a list or text, such as the log. This is possible at any time, also without an open
    question."""

    what: Literal["who", "log", "cast", "city", "pile", "keys", "help"]


class PageAbout(PageMessage, frozen=True, tag="about"):
    """The page requests the explanation of a card."""

    key: Annotated[str, Meta(max_length=40)]


class PageSay(PageMessage, frozen=True, tag="say"):
    """A line of chat."""

    text: str


class PageLine(PageMessage, frozen=True, tag="line"):
    """A typed line: a command or a move. `question` is the number of the question on the page when the line
    was typed, 0 if there was none. A move answers that question."""

    text: str
    question: Number = 0


class PageReady(PageMessage, frozen=True, tag="ready"):
    """The guest is ready for the game to start."""


class PageLeave(PageMessage, frozen=True, tag="leave"):
    """The guest leaves the table."""


ToPage = PageText | PageSince | PageBoard | PageView | PageNotice | PageQuestion | PageClosed | PageStage
FromPage = PageAnswer | PageShow | PageAbout | PageSay | PageLine | PageReady | PageLeave
