"""What many viewers compute from the same bytes is computed once: who signs or checks the same again gets the same
answer. Every viewer at a table in memory, the host, and whoever verifies a game check the same signatures, most of
which were made in the same process, and forgers sign the same games again and again. All of them read the same
entries: whether bytes are within the limits is found out once. In a sealed draft every seat, and every file, comes
to the same keys between two boxes.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any, Final
from unittest import mock

from msgspec.msgpack import decode

from citadels_lan.crypto import (
    beacons,
    chain,
    claims,
    host_log,
    identity,
    packing,
    signed_view,
    stand_ins,
    transcript,
)
from citadels_lan.crypto import owner as owners
from citadels_lan.crypto import signed_head as heard
from citadels_lan.crypto.audit import beginning, drafts, signed
from citadels_lan.crypto.draft import boxes
from citadels_lan.crypto.frames import Field
from citadels_lan.net.wire import chat

CHECKING: Final[tuple[tuple[ModuleType, str], ...]] = (
    (beacons, "verify"),
    (beginning, "verify"),
    (chain, "verify"),
    (chat, "verify"),
    (claims, "verify"),
    (heard, "verify"),
    (host_log, "verify"),
    (signed, "verify"),
    (signed_view, "verify"),
    (stand_ins, "verify"),
    (transcript, "verify_signature"),
)
MOST: Final = 100_000

checked: Final[Callable[..., bool]] = lru_cache(MOST)(identity.verify)
hashed: Final[Callable[..., bytes]] = lru_cache(MOST)(beacons.hashed)
really_signed: Final = identity.Identity.sign
signatures: Final[dict[tuple[object, ...], bytes]] = {}
"""Those that were made here, by key and what was signed: they are the only ones of their kind (RFC 8032)."""
really_first: Final = packing._first
lengths: Final[dict[bytes, int]] = {}
"""Of bytes that begin with a value within the limits: how long that is."""

really_between: Final = boxes.BoxKey._between
between_boxes: Final[dict[tuple[object, ...], bytes]] = {}
"""The keys between two boxes: whoever seals and whoever opens comes to the same one (RFC 7748)."""
own_box: Final[Callable[..., boxes.BoxKey]] = lru_cache(MOST)(boxes.own_box)


def sign(who: identity.Identity, tag: str, *fields: Field) -> bytes:
    """As `Identity.sign`."""
    known = signatures.get((who.public, tag, *fields))
    if known is None:
        if len(signatures) > MOST:
            signatures.clear()
        known = signatures[who.public, tag, *fields] = really_signed(who, tag, *fields)
    return known


def verify(public: bytes, signature: bytes, *said: Field) -> bool:
    """As `identity.verify`."""
    return signatures.get((public, *said)) == signature or checked(public, signature, *said)


def between(own: boxes.BoxKey, other: bytes, by: bytes, to: bytes, about: tuple[Field, ...]) -> bytes:
    """As `BoxKey._between`."""
    assert {own.public, other} == {by, to}
    known = between_boxes.get((by, to, *about))
    if known is None:
        if len(between_boxes) > MOST:
            between_boxes.clear()
        known = between_boxes[by, to, *about] = really_between(own, other, by, to, about)
    return known


def first(data: bytes) -> tuple[Any, int]:
    """As `packing._first`: a value of its own for each that asks."""
    length = lengths.get(data)
    if length is not None:
        return decode(memoryview(data)[:length]), length
    value, length = really_first(data)
    if len(lengths) > MOST:
        lengths.clear()
    lengths[bytes(data)] = length
    return value, length


@contextlib.contextmanager
def once() -> Iterator[None]:
    """Within this context signatures, links of beacons, keys of boxes, and what is well formed are remembered."""
    with contextlib.ExitStack() as stack:
        for module, name in CHECKING:
            stack.enter_context(mock.patch.object(module, name, verify))
        stack.enter_context(mock.patch.object(identity.Identity, "sign", sign))
        stack.enter_context(mock.patch.object(beacons, "hashed", hashed))
        stack.enter_context(mock.patch.object(packing, "_first", first))
        stack.enter_context(mock.patch.object(boxes.BoxKey, "_between", between))
        for room in (drafts, owners, boxes):
            stack.enter_context(mock.patch.object(room, "own_box", own_box))
        yield
