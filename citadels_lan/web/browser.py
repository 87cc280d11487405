"""A page in a guest's browser: its messages, its texts, its limits, and its output queue.

The messages are JSON objects with a `type`. Nothing waits for a page: if it does not read, it loses output, and
gets a complete new picture when it reads again.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Final, Literal, Protocol

import msgspec
from msgspec import Struct

from citadels_lan.engine.cards import TYPES
from citadels_lan.line_mode.page_messages import FromPage, PageLine, PageMessage, PageSay
from citadels_lan.texts import LANGUAGES, Message, Texts, msg
from citadels_lan.texts.tables import sentences

WIDTH: Final = (20, 300)
HEIGHT: Final = (10, 120)
"""Smallest and largest number of columns and rows of a screen."""
LARGEST: Final = 4096
"""Longest message from a page, in bytes."""
MESSAGES: Final = (50, 50.0)
"""Most messages of a page in one burst, and then in a second; the rest waits in the browser."""
KEYS: Final = (64, 200.0)
"""Most keys of a guest in one message, and in a second; the rest waits in the browser."""
PASTE: Final = 1000
"""Longest paste, in characters. A paste costs as much as a full message of keys, and so does a new size,
because everything is drawn again."""
AHEAD: Final = 2
"""Most packets that a client with screens has not handled yet. Further ones wait."""
MEMORY: Final = 256 * 2**20
"""Largest memory for the process of one guest, in bytes (Linux)."""
SOCKETS: Final = 128
"""Most connections at the same time."""
SOCKETS_EACH: Final = 24
"""Most connections of one source at the same time."""
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
UNREAD: Final = 256 * 1024
"""Most bytes that wait for a slow page. If there are more, the page gets a new picture instead."""
HEARTBEAT: Final = 20.0
"""Seconds between two checks whether a page is still connected."""
HISTORY: Final = 96 * 1024
"""Most characters of messages that are kept for the next page of a guest of the touch page."""
LINE: Final = 64 * 1024
"""Longest such message, and longest standard error of a client, in characters."""
TYPED: Final = 500
"""Longest typed line, in characters."""
SITTING: Final = (10, 1 / 5)
"""Most requests for a seat from one address in one burst, and then in a second."""
HEADERS_END: Final = b"\r\n\r\n"


def clamped(width: int, height: int) -> tuple[int, int]:
    """Return the nearest size within the limits."""
    return min(max(width, WIDTH[0]), WIDTH[1]), min(max(height, HEIGHT[0]), HEIGHT[1])


KEY: Final = re.compile(r"\x1b\[M...|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b.|.", re.DOTALL)
"""Matches a key or a mouse event, as a terminal sends it."""
UNREADABLE: Final = msg("The game cannot read the input of the page. Load the page again.")
TOO_MANY: Final = msg("Too many keys at once. The limit is {count}. Paste longer text instead.")
TOO_LONG: Final = msg("The text is too long: at most {count} characters.")
STUCK: Final = msg("Your game does not answer. Your last input was dropped.")


class PageKeys(PageMessage, frozen=True, tag="keys"):
    """Keys typed at the screens, as a terminal sends them."""

    keys: str


class PagePaste(PageMessage, frozen=True, tag="paste"):
    """A message of the page: text pasted into it."""

    text: str


class PageSize(PageMessage, frozen=True, tag="size"):
    """The size of the screens in columns and rows."""

    size: tuple[int, int]


class PageOver(PageMessage, frozen=True, tag="over"):
    """A message that tells the page whether the game is over."""

    over: bool


class PageEnd(PageMessage, frozen=True, tag="end"):
    """A message that the page has to stop, and why: another page took the seat, the table is closed, or the
    client has ended. If the client could not join, `text` is the reason."""

    why: Literal["taken", "closed", "left", "crashed"]
    text: str = ""


class PageAway(PageMessage, frozen=True, tag="away"):
    """The host closed the table before the end of the game: the page waits until the host resumes it."""


class PageClear(PageMessage, frozen=True, tag="clear"):
    """A message that tells the page to clear its lines. All lines follow from the beginning."""


class SitDown(Struct, frozen=True):
    """A request of the page to sit down. `code` is the key of the link, or the words."""

    name: str = ""
    code: str = ""
    dark: bool = True


Said = PageKeys | PagePaste | PageSize | FromPage
DECODER: Final = msgspec.json.Decoder(PageKeys | PagePaste | PageSize | FromPage)


class BadMessage(Exception):
    """A message that is dropped. `text` is the reason for the guest, and `count` a number in it."""

    def __init__(self, text: Message, count: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.count = count


def read_message(text: str) -> Said:
    """Decode a message of a page. Raises BadMessage if it is malformed or too large."""
    try:
        message: Said = DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadMessage(UNREADABLE) from None
    if isinstance(message, PageKeys) and cost(message) > KEYS[0]:
        raise BadMessage(TOO_MANY, KEYS[0])
    if isinstance(message, PagePaste) and len(message.text) > PASTE:
        raise BadMessage(TOO_LONG, PASTE)
    if isinstance(message, PageSay | PageLine) and len(message.text) > TYPED:
        raise BadMessage(TOO_LONG, TYPED)
    return message


def cost(message: Said) -> int:
    """Return the number of keys that a message counts as."""
    if isinstance(message, PageKeys):
        return len(KEY.findall(message.keys))
    return KEYS[0] if isinstance(message, PagePaste | PageSize) else 0


def language_of(accepted: str) -> str:
    """Return the first of our languages in an Accept-Language header, which browsers sort by preference; else
    English."""
    codes = (part.partition(";")[0].strip().lower().partition("-")[0] for part in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), next(iter(LANGUAGES)))


def page_texts(texts: Texts) -> dict[str, str]:
    """Return the texts that the page shows, by key, in the language of `texts`."""
    letters = {kind: texts.letter(kind) for kind in TYPES}
    said = {word: texts.say(text) for word, text in sentences(__package__, "browser.toml")["page"].items()}
    return said | letters | {"long": texts.say(TOO_LONG, count=PASTE)}


class Socket(Protocol):
    """The methods of a websocket that a page uses. Both wait until the page reads, and raise ConnectionError."""

    async def send_bytes(self, data: bytes) -> None: ...

    async def send_str(self, data: str) -> None: ...


class BrowserPage:
    """The output queue of a page. `missed` is called when the page reads again after it has lost output."""

    def __init__(self, socket: Socket) -> None:
        self.missed: Callable[[], None] = lambda: None
        self._socket = socket
        self._waiting: list[bytes | str] = []
        self._size = 0
        self._behind = False
        self._last = False
        self._arrived = asyncio.Event()

    def tell(self, message: PageMessage) -> None:
        """Send a message to the page."""
        self.put(msgspec.json.encode(message).decode())

    def finish(self, message: PageMessage) -> None:
        """Send the last message, after those in the queue."""
        self._behind, self._size = False, 0
        self.tell(message)
        self._last = True

    def put(self, data: bytes | str) -> None:
        """Send bytes for the terminal of the page, or an encoded message."""
        if self._last or self._behind:
            return
        self._waiting.append(data)
        self._size += len(data)
        if self._size > UNREAD:
            self._waiting.clear()
            self._size, self._behind = 0, True
        self._arrived.set()

    async def send(self) -> None:
        """Send the queue until the last message. Raises ConnectionError if the page is gone."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            waiting, self._waiting, self._size = self._waiting, [], 0
            for data in waiting:
                await (self._socket.send_bytes(data) if isinstance(data, bytes) else self._socket.send_str(data))
            if self._last and not self._waiting:
                return
            if self._behind:
                self._behind = False
                self.missed()
