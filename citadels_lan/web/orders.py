"""What the host tells its web server, in lines of JSON: first where to work, then how the table is, whenever that
changes. Of the answers there is one: where it listens, or why it cannot."""

import base64
import hashlib
import hmac

from msgspec import Struct


class WebStart(Struct, frozen=True):
    """`folder` is for the seats and nobody else's, `game` the first table's in hexadecimal digits, `port` the
    wanted one (0: any free one)."""

    folder: str
    game: str
    port: int


class TableNow(Struct, frozen=True):
    """The table as it is: its port on this machine, what lets in (`words` and `token`, both empty at an open
    table), its seats, and whether its game is over."""

    port: int
    words: tuple[str, ...]
    token: str
    seats: int
    over: bool = False

    def __repr__(self) -> str:
        return f"TableNow(port={self.port})"


class Listening(Struct, frozen=True):
    """The answer: a port, or the system's reason."""

    port: int = 0
    error: str = ""


def web_key(token: str) -> str:
    """What lets in behind a web link: 128 bits that follow from the table's token, written as it is, and do not
    tell it: who listens to a browser cannot come as a player of another kind. Empty at an open table."""
    if not token:
        return ""
    digest = hmac.digest(token.encode(), b"citadels-lan web door", hashlib.sha256)[:16]
    return base64.b32encode(digest).decode().rstrip("=").lower()


def web_link(host: str, port: int, token: str) -> str:
    """What a friend opens in a browser; IPv6 in brackets."""
    where = f"[{host}]" if ":" in host else host
    key = web_key(token)
    return f"http://{where}:{port}/" + (f"#{key}" if key else "")
