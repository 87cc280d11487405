"""Where a table is: an address or a link that somebody typed."""

import ipaddress
import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from citadels_lan.cli.console import Console, quoted
from citadels_lan.texts import msg

USUAL_PORT: Final = 47110
SCHEME: Final = "citadels"
HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_-]{1,63})*\.?")
NUMBERS_ONLY: Final = re.compile(r"[0-9.]+")


class Address(NamedTuple):
    """A host by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(console: Console, word: str) -> Address:
    """The address that a person means by `192.168.1.20`, `laptop.local:5000`, `[fe80::1%eth0]:47110` or a link
    `citadels://…`."""
    wrong = console.wrong(
        msg(
            "{word} is no address: write it like 192.168.1.20, 192.168.1.20:47110 or citadels://192.168.1.20:47110/."
        ),
        word=quoted(word),
    )
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
    if not (_is_number(host) or (HOST_NAME.fullmatch(host) and not NUMBERS_ONLY.fullmatch(host))):
        raise wrong
    return Address(host, port or USUAL_PORT)


def _bracketed(word: str) -> str:
    """A bare IPv6 address gets the brackets that a link wants."""
    return f"[{word}]" if word.count(":") > 1 and not word.startswith("[") else word


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
