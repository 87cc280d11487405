"""Heads that a host has signed, for tests of what clients tell each other."""

import hashlib

from citadels_lan.crypto.chain import sign_entry
from citadels_lan.crypto.log import Close, Header, Seal
from citadels_lan.crypto.signed_head import Heard, SignedHead, encode, make
from tests.facts import first_game

from .table import GAME, HOST, Game, header, player

HEADER: Header = header(first_game(4))


def head_of(n: int, story: str = "true") -> bytes:
    """hash[n] in one of the host's stories."""
    return hashlib.sha256(f"{story} {n}".encode()).digest()


def sealed(n: int, story: str = "true") -> SignedHead:
    """What the host has signed with entry n."""
    head = head_of(n, story)
    return SignedHead(n, head, sign_entry(HOST, GAME, n, head))


def told(seat: int | None, n: int, story: str = "true") -> Heard:
    """What a seat, or a spectator, says."""
    return make(GAME, sealed(n, story), seat, None if seat is None else player(seat))


def datagram(seat: int | None, n: int, story: str = "true") -> bytes:
    """The same as bytes."""
    return encode(told(seat, n, story))


def statements(game: Game, seat: int | None = 1) -> list[Heard]:
    """What a seat would tell of each seal of a game, and of its end."""
    log = game.host_log
    seals = [n for n, entry in enumerate(log.entries(), 1) if isinstance(entry, (Seal, Close))]
    heads = [SignedHead(n, log.head_at(n), log.signature(n)) for n in seals]
    return [make(GAME, sealed, seat, None if seat is None else player(seat)) for sealed in heads]
