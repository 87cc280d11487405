"""Asking the other clients of a game where its host is now, and telling them; without sockets (docs/protocol.md,
section 13).

Nobody signs anything here. What is heard is an address to try, and the host there has to prove its key and its
certificate; what is told is no secret, since the host itself tells it to whoever knows the game. A question is as
long as its answer, and few are answered, so that nothing can be made larger or more by asking.
"""

import ipaddress
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.log import GameId
from citadels_lan.crypto.packing import Malformed, pack, pad, typed, unpad
from citadels_lan.net.discovery.found import Address, number_elsewhere
from citadels_lan.net.wire.messages import AddressNumber, PortNumber
from citadels_lan.net.wire.ratelimit import Bucket, Buckets

MAGIC: Final = "citadels-where"
LENGTH: Final = 256
"""Bytes of a question, and of an answer."""
RATE: Final = 20
"""So many questions are answered, or answers read, in a second, and at once."""
BURST_OF_ONE: Final = 8
RATE_OF_ONE: Final = 4
"""Of those, so many of one address."""


class HostAsked(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where is the host of this game?"""

    magic: Literal["citadels-where"]
    version: Literal[1]
    kind: Literal["ask"]
    game: GameId


class HostTold(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The host is reached there; `number` is an address of 4 or 16 bytes."""

    magic: Literal["citadels-where"]
    version: Literal[1]
    kind: Literal["at"]
    game: GameId
    number: AddressNumber
    port: PortNumber

    def __post_init__(self) -> None:
        if len(self.number) not in (4, 16):
            raise ValueError("an address has 4 or 16 bytes")


def question(game: bytes) -> bytes:
    """The datagram that asks."""
    return pad(pack(HostAsked(MAGIC, 1, "ask", game)), LENGTH)


def answer(game: bytes, address: Address) -> bytes | None:
    """The datagram that tells an address; None where it means nothing on another machine."""
    number = number_elsewhere(address[0])
    return pad(pack(HostTold(MAGIC, 1, "at", game, number, address[1])), LENGTH) if number else None


def read(datagram: bytes) -> HostAsked | HostTold:
    """What a datagram says; Malformed for everything else."""
    if len(datagram) != LENGTH:
        raise Malformed("a datagram of another length")
    value = unpad(datagram)
    kind = value[2] if isinstance(value, list) and len(value) > 2 else None
    return typed(value, HostAsked) if kind == "ask" else typed(value, HostTold)


Hear: TypeAlias = Callable[[Address], None]


class Whereabouts:
    """What one client of a game tells of its host, and hears. `hear` is set while the host is looked for."""

    def __init__(self, game: bytes, here: Callable[[], Address | None]) -> None:
        """`here` says where the host is reached; None while it is not."""
        self.question = question(game)
        self.hear: Hear | None = None
        self._game = game
        self._here = here
        self._buckets = Buckets(Bucket(RATE, RATE), BURST_OF_ONE, RATE_OF_ONE)

    def take(self, datagram: bytes, source: str, now: float) -> bytes | None:
        """Look at a datagram that came from an address; the answer to it, if it has one. Nothing raises."""
        try:
            said = read(datagram)
        except Malformed:
            return None
        if said.game != self._game or not self._buckets.take(source, now):
            return None
        if isinstance(said, HostAsked):
            address = self._here()
            return answer(self._game, address) if address else None
        host = str(ipaddress.ip_address(said.number))
        if self.hear is not None and number_elsewhere(host):
            self.hear((host, said.port))
        return None
