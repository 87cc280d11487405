"""Addresses of hosts: a host and a port, or a link, as people type them."""

import ipaddress
import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from citadels_lan.cli.console import Console, quoted
from citadels_lan.texts import msg

USUAL_PORT: Final = 47110
SCHEME: Final = "citadels"
HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_-]{1,63})*\.?")
ALMOST_NUMBER: Final = re.compile(r"(?=.*[oil])[0-9oil]{1,3}(\.[0-9oil]{1,3}){3}")
"""Matches an IPv4 address with letters in place of digits."""
DIGITS: Final = str.maketrans("oil", "011")
LINK: Final = re.compile(rf"{SCHEME}:(/|$)", re.IGNORECASE)
CUT_LINK: Final = msg("The link is incomplete. Copy it again, up to its last character.")
NO_ADDRESS: Final = msg(
    "Invalid address {word}. Write it like 192.168.1.20, 192.168.1.20:47110 or citadels://192.168.1.20:47110/."
)
NUMBERS_ONLY: Final = re.compile(r"[0-9.]+")


class Address(NamedTuple):
    """A host by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(console: Console, word: str) -> Address:
    """Return the address in `192.168.1.20`, `laptop.local:5000`, `[fe80::1%eth0]:47110` or a link
    `citadels://…`, with or without spaces around it. Raises Failure."""
    word = word.strip()
    wrong = console.failure(CUT_LINK if LINK.match(word) else NO_ADDRESS, word=quoted(word))
    if word.rstrip("/").lower() == f"{SCHEME}:":
        raise wrong
    try:
        link = word if "://" in word else f"{SCHEME}://{_bracketed(word)}"
        parts = urlsplit(link)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if (
        parts.scheme != SCHEME
        or not host
        or parts.username is not None
        or port == 0
        or parts.path not in ("", "/")
    ):
        raise wrong
    if ALMOST_NUMBER.fullmatch(host):
        number = host.translate(DIGITS)
        raise console.failure(
            msg("Invalid address {word}. Did you mean {number}?"), word=quoted(word), number=number
        )
    if not (_is_number(host) or (HOST_NAME.fullmatch(host) and not NUMBERS_ONLY.fullmatch(host))):
        raise wrong
    return Address(host, port or USUAL_PORT)


def _bracketed(word: str) -> str:
    """Put a bare IPv6 address in brackets, as a link requires."""
    return f"[{word}]" if word.count(":") > 1 and not word.startswith("[") else word


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
