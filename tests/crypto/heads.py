"""Heads that a host has signed, for tests of what clients tell each other."""

import hashlib

from citadels_lan.crypto.frames import u64
from citadels_lan.crypto.heard import Heard, Sealed, encode, make
from citadels_lan.crypto.log import Header

from .table import GAME, HOST, header, player, setup_for

HEADER: Header = header(setup_for(4))


def head_of(n: int, story: str = "true") -> bytes:
    """hash[n] in one of the host's stories."""
    return hashlib.sha256(f"{story} {n}".encode()).digest()


def sealed(n: int, story: str = "true") -> Sealed:
    """What the host has signed after entry n."""
    head, rest = head_of(n, story), hashlib.sha256(f"seal {story} {n}".encode()).digest()
    return Sealed(n, head, rest, HOST.sign("head", GAME, u64(n), head, rest))


def told(seat: int | None, n: int, story: str = "true") -> Heard:
    """What a seat, or a spectator, says."""
    return make(GAME, sealed(n, story), seat, None if seat is None else player(seat))


def datagram(seat: int | None, n: int, story: str = "true") -> bytes:
    """The same as bytes."""
    return encode(told(seat, n, story))
