"""Heads that a host has signed, for tests of what clients tell each other."""

import hashlib

from citadels_lan.crypto.chain import Chain, entry_fields
from citadels_lan.crypto.delta import decode_delta
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
    head = head_of(n, story)
    return SignedHead(n, head, HOST.sign("entry", *entry_fields(GAME, n, head)))


def told(seat: int | None, n: int, story: str = "true") -> Heard:
    """What a seat, or a spectator, says."""
    return make(GAME, sealed(n, story), seat, None if seat is None else player(seat))


def datagram(seat: int | None, n: int, story: str = "true") -> bytes:
    """The same as bytes."""
    return encode(told(seat, n, story))


def statements(game: Game, seat: int | None = 1) -> list[Heard]:
    """What a seat would tell of each seal of a game."""
    chain, told = Chain(GAME, game.host_log.header.rules, game.host_log.header.fp), []
    for written, bodies in zip(game.host_log.written, game.bodies, strict=True):
        delta = decode_delta(bodies[None])
        chain.append(delta.public, delta.leaves)
        if isinstance(decode_entry(written.public), Seal | Close):
            signed = SignedHead(written.n, chain.head, delta.signature)
            told.append(make(GAME, signed, seat, None if seat is None else player(seat)))
    return told
