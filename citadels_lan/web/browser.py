"""A page in a guest's browser: its messages, its texts, its limits, and its output queue.

The messages are JSON objects with a `type`. The server never waits for a page. If a page does not read, its
output is dropped, and it gets a complete new picture when it reads again.
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
"""Smallest and largest number of rows of a screen; WIDTH has those of columns."""
LARGEST: Final = 4096
"""Largest message from a page, in bytes."""
MESSAGES: Final = (50, 50.0)
"""Rate limit for the messages of a page: the size of a burst, and messages per second. Messages beyond it
wait in the browser."""
KEYS: Final = (64, 200.0)
"""Limit for the key presses of a guest: the largest number in one message, and the number per second. Key
presses beyond it wait in the browser."""
PASTE: Final = 1000
"""Longest paste, in characters. For the rate limit, a paste or a new screen size counts as KEYS[0] key
presses, because everything is drawn again."""
AHEAD: Final = 2
"""At most this many packets are sent to a client with screens before it has handled them; further ones
wait."""
MEMORY: Final = 256 * 2**20
"""Largest memory for the process of one guest, in bytes (Linux)."""
SOCKETS: Final = 128
"""Largest number of connections at the same time."""
SOCKETS_EACH: Final = 24
"""Largest number of connections from one source at the same time."""
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
UNREAD: Final = 256 * 1024
"""Largest number of bytes that wait for a slow page. If there are more, they are dropped, and the page gets a
new picture."""
HEARTBEAT: Final = 20.0
"""Seconds between two checks whether a page is still connected."""
HISTORY: Final = 96 * 1024
"""Largest number of characters of past messages that are kept of a guest of the touch page, to be sent when
the page is reloaded."""
LINE: Final = 64 * 1024
"""Longest message to the touch page, and longest standard error of a client, in characters."""
TYPED: Final = 500
"""Longest line that a guest types, in characters."""
SITTING: Final = (10, 1 / 5)
"""Rate limit for requests for a seat from one address: the size of a burst, and requests per second."""
HEADERS_END: Final = b"\r\n\r\n"


def clamped(width: int, height: int) -> tuple[int, int]:
    """Return the width and height, each limited to WIDTH and HEIGHT."""
    return min(max(width, WIDTH[0]), WIDTH[1]), min(max(height, HEIGHT[0]), HEIGHT[1])


KEY: Final = re.compile(r"\x1b\[M...|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b.|.", re.DOTALL)
"""Matches one key press or mouse event, as a terminal sends it."""
UNREADABLE: Final = msg("The game cannot read this page's input. Reload the page.")
TOO_MANY: Final = msg("Too many keys at once. The limit is {count}. Paste longer text instead.")
TOO_LONG: Final = msg("The text is too long: at most {count} characters.")
STUCK: Final = msg("Your game does not answer. Your last input was dropped.")


class PageKeys(PageMessage, frozen=True, tag="keys"):
    """A message of the page: key presses at the screens, as a terminal sends them."""

    keys: str


class PagePaste(PageMessage, frozen=True, tag="paste"):
    """A message of the page: text pasted into it."""

    text: str


class PageSize(PageMessage, frozen=True, tag="size"):
    """A message of the page: the size of its screens in columns and rows."""

    size: tuple[int, int]


class PageOver(PageMessage, frozen=True, tag="over"):
    """A message that tells the page whether the game is over."""

    over: bool


class PageEnd(PageMessage, frozen=True, tag="end"):
    """A message that tells the page to stop, with the reason: another page took the seat, the table is
    closed, or the client has ended. If the client could not join, `text` is the reason for that."""

    why: Literal["taken", "closed", "left", "crashed"]
    text: str = ""


class PageAway(PageMessage, frozen=True, tag="away"):
    """A message that tells the page that the host closed the table before the end of the game. The page waits
    until the host resumes the game."""


class PageClear(PageMessage, frozen=True, tag="clear"):
    """A message that tells the page to remove its lines, because the server then sends all of them again."""


class SitDown(Struct, frozen=True):
    """A request of the page for a seat. `code` is the key of the link, or the words of the join code."""

    name: str = ""
    code: str = ""
    dark: bool = True


Said = PageKeys | PagePaste | PageSize | FromPage
DECODER: Final = msgspec.json.Decoder(PageKeys | PagePaste | PageSize | FromPage)


class BadMessage(Exception):
    """Raised for a message of a page that is dropped. `text` is the reason for the guest, and `count` the
    number in it."""

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
    """Return as how many key presses a message counts for the rate limit."""
    if isinstance(message, PageKeys):
        return len(KEY.findall(message.keys))
    return KEYS[0] if isinstance(message, PagePaste | PageSize) else 0


def language_of(accepted: str) -> str:
    """Return the first language of this program in an Accept-Language header (which browsers sort by
    preference); English if there is none."""
    codes = (part.partition(";")[0].strip().lower().partition("-")[0] for part in accepted.split(","))
    return next((code for code in codes if code in LANGUAGES), next(iter(LANGUAGES)))


def page_texts(texts: Texts) -> dict[str, str]:
    """Return the texts that the page shows, by key, in the language of `texts`."""
    letters = {kind: texts.letter(kind) for kind in TYPES}
    said = {word: texts.say(text) for word, text in sentences(__package__, "browser.toml")["page"].items()}
    return said | letters | {"long": texts.say(TOO_LONG, count=PASTE)}


class Socket(Protocol):
    """The methods of a websocket that a page uses. Both wait while the page does not read. They raise
    ConnectionError if the page is gone."""

    async def send_bytes(self, data: bytes) -> None: ...

    async def send_str(self, data: str) -> None: ...


class BrowserPage:
    """The output queue of a page. If the queue got too long and output was dropped, `missed` is called as
    soon as the page reads again."""

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
        """Queue the last message. Messages after it are dropped."""
        self._behind, self._size = False, 0
        self.tell(message)
        self._last = True

    def put(self, data: bytes | str) -> None:
        """Queue bytes for the terminal of the page, or an encoded message."""
        if self._last or self._behind:
            return
        self._waiting.append(data)
        self._size += len(data)
        if self._size > UNREAD:
            self._waiting.clear()
            self._size, self._behind = 0, True
        self._arrived.set()

    async def send(self) -> None:
        """Send what is in the queue, and what is added, until the last message is sent. Raises
        ConnectionError if the page is gone."""
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
