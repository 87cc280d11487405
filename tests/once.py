"""A cache for signatures and encodings that many viewers compute from the same bytes. In a test, the host,
every viewer and every verifier of a game check the same signatures, and most of these were made in the same
process. They also decode the same entries, so the check that an entry is within the limits is made only
once."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any, Final
from unittest import mock

from msgspec.msgpack import decode

from citadels_lan.crypto import codec, identity
from citadels_lan.crypto.codec import Field

MOST: Final = 100_000

really_verify: Final = identity.verify
checked: Final[Callable[..., bool]] = lru_cache(MOST)(really_verify)
really_signed: Final = identity.Identity.sign
signatures: Final[dict[tuple[object, ...], bytes]] = {}
"""The signatures that were made in this process, by key and signed bytes. Ed25519 signatures are
deterministic (RFC 8032)."""
really_first: Final = codec._first
lengths: Final[dict[bytes, int]] = {}
"""For bytes whose first value is within the limits of the codec: the length of this value."""


def sign(who: identity.Identity, tag: str, *fields: Field) -> bytes:
    """Like `Identity.sign`, with a cache."""
    known = signatures.get((who.public, tag, *fields))
    if known is None:
        if len(signatures) > MOST:
            signatures.clear()
        known = signatures[who.public, tag, *fields] = really_signed(who, tag, *fields)
    return known


def verify(public: bytes, signature: bytes, *said: Field) -> bool:
    """Like `identity.verify`, with a cache."""
    return signatures.get((public, *said)) == signature or checked(public, signature, *said)


def first(data: bytes) -> tuple[Any, int]:
    """Like `codec._first`: return the first value in `data` and its length. The check of the limits is
    cached; the value is decoded each time."""
    length = lengths.get(data)
    if length is not None:
        return decode(memoryview(data)[:length]), length
    value, length = really_first(data)
    if len(lengths) > MOST:
        lengths.clear()
    lengths[bytes(data)] = length
    return value, length


def _checking() -> list[tuple[ModuleType, str]]:
    """Return the modules of the program that have imported `identity.verify`, each with the name that it has
    in them."""
    modules = [
        one for name, one in sys.modules.items() if name.startswith("citadels_lan.") and one is not identity
    ]
    return [(one, name) for one in modules for name, value in vars(one).items() if value is really_verify]


@contextlib.contextmanager
def once() -> Iterator[None]:
    """Context in which signatures, and the checks whether encodings are within the limits, are cached."""
    with contextlib.ExitStack() as stack:
        for module, name in _checking():
            stack.enter_context(mock.patch.object(module, name, verify))
        stack.enter_context(mock.patch.object(identity.Identity, "sign", sign))
        stack.enter_context(mock.patch.object(codec, "_first", first))
        yield
