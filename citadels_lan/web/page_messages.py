"""The messages between a page and the server that line mode does not have: JSON objects with a `type`."""

import re
from typing import Final, Literal

import msgspec
from msgspec import Struct

from citadels_lan.plain.messages import FromPage, PageLine, PageMessage, PageSay
from citadels_lan.texts import Message, Texts, msg

from .limits import KEYS, PASTE, TYPED

KEY: Final = re.compile(r"\x1b\[M...|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b.|.", re.DOTALL)
"""A key, or a move of the mouse, as a terminal sends it."""
UNREADABLE: Final = msg("The game cannot read what the page sent. Load the page again.")
TOO_MANY: Final = msg("Too many keys at once. The limit is {count}. Paste longer text instead.")
TOO_LONG: Final = msg("That text is too long: at most {count} characters.")
STUCK: Final = msg("Your game does not answer. Your last input was dropped.")


class PageKeys(PageMessage, frozen=True, tag="keys"):
    """Keys typed at the screens, as a terminal sends them."""

    keys: str


class PagePaste(PageMessage, frozen=True, tag="paste"):
    """Text pasted into the screens."""

    text: str


class PageSize(PageMessage, frozen=True, tag="size"):
    """The size of the screens in columns and rows."""

    size: tuple[int, int]


class PageOver(PageMessage, frozen=True, tag="over"):
    """Whether the game is over."""

    over: bool


class PageEnd(PageMessage, frozen=True, tag="end"):
    """Why the page stops: another page has the seat, the table is closed, or the client has ended, by a crash or
    for the reason in `text` where there is one."""

    why: Literal["taken", "closed", "left", "crashed"]
    text: str = ""


class PageAway(PageMessage, frozen=True, tag="away"):
    """The host closed the table before the end of the game: the page waits until the host resumes it."""


class PageClear(PageMessage, frozen=True, tag="clear"):
    """All lines follow from the beginning."""


class SitDown(Struct, frozen=True):
    """A request to sit down. `code` is the key of the link, or the words."""

    name: str = ""
    code: str = ""
    dark: bool = True


Said = PageKeys | PagePaste | PageSize | FromPage
DECODER: Final = msgspec.json.Decoder(PageKeys | PagePaste | PageSize | FromPage)


class BadMessage(Exception):
    """A message that is dropped. `sentence` is for the guest; it contains the values."""

    def __init__(self, text: Message, **values: object) -> None:
        super().__init__(text)
        self._text = text
        self._values = values

    def sentence(self, texts: Texts) -> str:
        """The reason for the guest."""
        return texts.say(self._text, **self._values)


def read_message(text: str) -> Said:
    """Decode a message of a page. Raises BadMessage if it is malformed or too large."""
    try:
        message: Said = DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadMessage(UNREADABLE) from None
    if isinstance(message, PageKeys) and cost(message) > KEYS[0]:
        raise BadMessage(TOO_MANY, count=KEYS[0])
    if isinstance(message, PagePaste) and len(message.text) > PASTE:
        raise BadMessage(TOO_LONG, count=PASTE)
    if isinstance(message, PageSay | PageLine) and len(message.text) > TYPED:
        raise BadMessage(TOO_LONG, count=TYPED)
    return message


def cost(message: Said) -> int:
    """How many keys a message is worth."""
    if isinstance(message, PageKeys):
        return len(KEY.findall(message.keys))
    return KEYS[0] if isinstance(message, PagePaste) else 0
