"""Transcripts as lists of records, and what can be edited in them."""

import hashlib
from collections.abc import Iterator
from typing import Any

from citadels_lan.crypto.codec import pack, pad, unpack, unpad
from citadels_lan.crypto.transcript import MAGIC, footer_fields
from tests.crypto.table import Game, player

Place = tuple[int, ...]
Record = tuple[bytes, bytes]
"""One record of a transcript: its kind and its body."""


# Places


def edits(value: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield every place in a decoded value, with the name of each edit that is possible there."""
    if isinstance(value, list):
        if value:
            yield place, "drop"
            yield place, "double"
        for index, item in enumerate(value):
            yield from edits(item, (*place, index))
    elif isinstance(value, bytes):
        yield place, "flip"
    elif value is None:
        yield place, "fill"
    else:
        yield place, "change"


def edited(value: Any, place: Place, what: str) -> Any:
    """Return `value` with the edit `what` at `place`."""
    if place:
        return [edited(item, place[1:], what) if at == place[0] else item for at, item in enumerate(value)]
    if what == "drop":
        return value[:-1]
    if what == "double":
        return [*value, value[-1]]
    if what == "fill":
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        middle = len(value) // 2
        return value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :] if value else b"x"
    return f"{value}x" if value != "?" else "king"


# Records


def records(game: Game, viewer: int = 0, *, alarm: bool = False) -> list[Record]:
    """Return the records of a viewer's transcript, with all kinds except the footer. `alarm`: it contains a
    false alarm."""
    openings = list(game.host_log.audit.concealed.opened.values())[:2]
    more = [(b"O", pack(tuple(openings)))]
    if alarm:
        more.append((b"A", pack([game.host_log.chain.n, "impossible_event"])))
    return [*taken_apart(game.transcript(viewer, finish=False)), *more]


def taken_apart(data: bytes) -> list[Record]:
    """Return the records in the bytes of a transcript."""
    found, at = [], len(MAGIC)
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        found.append((data[at + 4 : at + 5], data[at + 5 : at + 5 + length]))
        at += 5 + length
    return found


def joined(some: list[Record]) -> bytes:
    """Return the bytes of a transcript with these records."""
    return MAGIC + b"".join(len(body).to_bytes(4, "big") + kind + body for kind, body in some)


def finished(some: list[Record], game: Game, viewer: int = 0) -> list[Record]:
    """Return the records followed by a footer that the owner signs."""
    sha256 = hashlib.sha256(joined(some)).digest()
    fields = footer_fields(game.host_log.header.game_id, game.host_log.chain, sha256)
    return [*some, (b"F", pack([sha256, player(viewer).sign("transcript", *fields)]))]


def inside(kind: bytes, body: bytes) -> Any:
    """Decode the body of a record; in an entry, also the public and private bytes."""
    if kind != b"E":
        return unpack(body)
    n, signature, public, leaves, salt, private = unpad(body)
    return [n, signature, unpack(public), leaves, salt, unpack(private) if private is not None else None]


def outside(kind: bytes, value: Any) -> bytes:
    """Encode a value that `inside` has decoded."""
    if kind != b"E" or not isinstance(value, list) or len(value) != 6:
        return pad(pack(value)) if kind == b"E" else pack(value)
    n, signature, public, leaves, salt, private = value
    private = pack(private) if isinstance(private, list) else private
    return pad(pack([n, signature, pack(public) if isinstance(public, list) else public, leaves, salt, private]))
