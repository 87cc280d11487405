"""Ed25519 identities: a key in a file, signatures for a purpose, and rejection of unsafe public keys."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from citadels_lan.platform.files import write_private

from .codec import Field, frame

SEED_BYTES: Final = 32
_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""The y coordinates of all eight points of small order. Two points with the same y differ only in the sign of
x."""


class BadKey(ValueError):
    """A key that cannot be used. The message gives the reason, and no part of a private key."""


class Identity:
    """A private Ed25519 key. `public` is its 32-byte public key."""

    def __init__(self, seed: bytes) -> None:
        """Create the identity whose private key is `seed`, 32 secret bytes."""
        if len(seed) != SEED_BYTES:
            raise BadKey("A private key has 32 bytes.")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"Identity({self.public.hex()[:16]})"

    @classmethod
    def create(cls) -> "Identity":
        """Return an identity with a random key, which is not stored in a file."""
        return cls(os.urandom(SEED_BYTES))

    @classmethod
    def load(cls, path: Path) -> "Identity":
        """Read the key from a file. Raises BadKey if the file does not contain a key, OSError if it cannot be
        read."""
        with path.open("rb") as file:
            seed = file.read(SEED_BYTES + 1)
        if len(seed) != SEED_BYTES:
            raise BadKey(f"{path} is not a key file of this program.")
        return cls(seed)

    @classmethod
    def load_or_create(cls, path: Path) -> "Identity":
        """Read the key from a file. If there is no file, create one with a new key, which only its owner may
        read (0600). Raises BadKey, OSError."""
        try:
            return cls.load(path)
        except FileNotFoundError:
            write_private(path, os.urandom(SEED_BYTES))
            return cls.load(path)

    def sign(self, tag: str, *fields: Field) -> bytes:
        """Return the 64-byte signature of `frame(tag, *fields)` by this key."""
        return self._key.sign(frame(tag, *fields))


def verify(public: bytes, signature: bytes, tag: str, *fields: Field) -> bool:
    """Return whether the key `public` has signed `frame(tag, *fields)`. False for a key that
    `check_public_key` rejects."""
    return _signed(public, signature, frame(tag, *fields))


@lru_cache(maxsize=256)
def _signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether `signature` is a valid signature of `message`. Cached, because one process checks the
    same signature several times: as the host, and for each of its own seats."""
    try:
        check_public_key(public).verify(signature, message)
    except (BadKey, InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=256)
def check_public_key(public: bytes) -> Ed25519PublicKey:
    """Return the key with these 32 bytes. Raises BadKey if they are not the only valid form of a point, or
    the point is of small order.

    The library `cryptography` accepts both kinds of bad keys. For some keys of small order one signature is
    valid for every message."""
    if len(public) != 32:
        raise BadKey("A public key has 32 bytes.")
    y = int.from_bytes(public, "little") % 2**255
    if y >= _P:
        raise BadKey("The public key is not in canonical form.")
    # Some keys of small order verify one signature for every message.
    if y in _SMALL_ORDER:
        raise BadKey("The public key has small order.")
    # A point has an x with -x² + y² = 1 + d x² y² (RFC 8032, 5.1.3). This is the square of x.
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P)
    if pow(square, _P // 2, _P) != 1:
        raise BadKey("The public key is no point of the curve.")
    return Ed25519PublicKey.from_public_bytes(public)
