"""What the beacon says, in datagrams: who is there, and that a table is (docs/protocol.md, section 12).

A question is as long as the longest answer, so that nobody can have a host send more than was sent to it.
"""

import ipaddress
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.crypto.log import NAME, GameId
from citadels_lan.crypto.packing import Malformed, pack, pad, typed, unpad
from citadels_lan.net.wire.clean import clean_name

from .found import Address, Advert, AdvertisedTable, reachable

MAGIC: Final = "citadels-beacon"
LONGEST: Final = 512
"""Bytes of a question, and of an answer at most."""
ADDRESSES: Final = 8
"""So many addresses an answer has at most."""

Name = Annotated[str, Meta(max_length=NAME)]
Number = Annotated[bytes, Meta(min_length=4, max_length=16)]
Seats = Annotated[int, Meta(ge=0, le=99)]


class Ask(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Who is there? `game`: only whoever has this game; None: every table that is announced."""

    magic: Literal["citadels-beacon"]
    version: Literal[1]
    kind: Literal["ask"]
    game: GameId | None


class TableSaid(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table is there; the fields as in an announcement by mDNS. `numbers` are addresses, 4 or 16 bytes each."""

    magic: Literal["citadels-beacon"]
    version: Literal[1]
    kind: Literal["table"]
    speaks: Annotated[int, Meta(ge=0, le=65535)]
    game: GameId
    name: Name
    taken: Seats
    seats: Seats
    state: Literal["lobby", "playing", "over"]
    edition: Name
    fp: Annotated[bytes, Meta(min_length=32, max_length=32)]
    port: Annotated[int, Meta(ge=1, le=65535)]
    numbers: Annotated[list[Number], Meta(max_length=ADDRESSES)]

    def __post_init__(self) -> None:
        if any(len(number) not in (4, 16) for number in self.numbers):
            raise ValueError("an address has 4 or 16 bytes")


BeaconFrame: TypeAlias = Ask | TableSaid


def ask(game: bytes | None) -> bytes:
    """A question."""
    return pad(pack(Ask(MAGIC, 1, "ask", game)), LONGEST)


def say(advert: Advert, port: int, hosts: Sequence[str]) -> bytes:
    """An announcement of a table that listens on `port` at the addresses `hosts`."""
    name, edition, numbers = clean_name(advert.name), clean_name(advert.edition), _numbers(hosts)
    fields = (advert.version, advert.game_id, name, advert.taken, advert.seats, advert.state, edition, advert.fp)
    said = (MAGIC, 1, "table", *fields, port, numbers)
    return pad(pack(said))


def read(datagram: bytes) -> BeaconFrame:
    """What a datagram says; Malformed for everything else."""
    if len(datagram) > LONGEST:
        raise Malformed("a datagram that is too long")
    value = unpad(datagram)
    kind = value[2] if isinstance(value, list) and len(value) > 2 else None
    if kind == "ask" and len(datagram) != LONGEST:
        raise Malformed("a question that is shorter than its answers")
    return typed(value, Ask) if kind == "ask" else typed(value, TableSaid)


def table_of(said: TableSaid, source: str) -> AdvertisedTable:
    """The table that was announced from the address `source`, where it is tried first."""
    advert = Advert(
        said.game, clean_name(said.name), said.taken, said.seats, said.state, clean_name(said.edition), said.fp,
        said.speaks,
    )  # fmt: skip
    hosts = [str(ipaddress.ip_address(number)) for number in said.numbers]
    here: tuple[Address, ...] = ((source, said.port),)
    return AdvertisedTable(advert, tuple(dict.fromkeys((*here, *reachable(hosts, said.port)))))


def _numbers(hosts: Sequence[str]) -> list[bytes]:
    """The addresses that mean the same on every machine."""
    known = [ipaddress.ip_address(host) for host in hosts if "%" not in host]
    return [one.packed for one in known if not (one.version == 6 and one.is_link_local)][:ADDRESSES]
