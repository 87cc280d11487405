"""Heads that a host has signed, for tests of what clients tell each other."""

import hashlib

from citadels_lan.crypto.audit import rest_of
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.frames import u64
from citadels_lan.crypto.log import Close, Header, Seal, decode_entry
from citadels_lan.crypto.signed_head import Heard, SignedHead, encode, make
from tests.facts import first_game

from .table import GAME, HOST, Game, header, player

HEADER: Header = header(first_game(4))


def head_of(n: int, story: str = "true") -> bytes:
    """hash[n] in one of the host's stories."""
    return hashlib.sha256(f"{story} {n}".encode()).digest()


def sealed(n: int, story: str = "true") -> SignedHead:
    """What the host has signed after entry n."""
    head, rest = head_of(n, story), hashlib.sha256(f"seal {story} {n}".encode()).digest()
    return SignedHead(n, head, rest, HOST.sign("head", GAME, u64(n), head, rest))


def told(seat: int | None, n: int, story: str = "true") -> Heard:
    """What a seat, or a spectator, says."""
    return make(GAME, sealed(n, story), seat, None if seat is None else player(seat))


def datagram(seat: int | None, n: int, story: str = "true") -> bytes:
    """The same as bytes."""
    return encode(told(seat, n, story))


def statements(game: Game, seat: int | None = 1) -> list[Heard]:
    """What a seat would tell of each seal of a game."""
    told = []
    for written in game.host_log.written:
        entry = decode_entry(written.public)
        if isinstance(entry, Seal | Close):
            sealed = SignedHead(written.n - 1, head_before(game, written.n), rest_of(entry), entry.host)
            told.append(make(GAME, sealed, seat, None if seat is None else player(seat)))
    return told


def head_before(game: Game, n: int) -> bytes:
    """hash[n-1] of a game."""
    chain = Chain(GAME, game.host_log.header.rules, game.host_log.header.fp)
    for bodies in game.bodies[: n - 1]:
        delta = decode_delta(bodies[None])
        chain.append(delta.public, delta.leaves)
    return chain.head
