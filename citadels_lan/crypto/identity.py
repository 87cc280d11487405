"""Ed25519 identities: a key in a file, signatures with a purpose, and refusal of keys that prove nothing."""

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


class BadKey(ValueError):
    """A key that cannot be used. The message gives the reason, and no part of a private key."""


class Identity:
    """A private Ed25519 key. `public` are its 32 bytes that name it."""

    def __init__(self, seed: bytes) -> None:
        """From the 32 secret bytes of the key."""
        if len(seed) != SEED_BYTES:
            raise BadKey("A private key has 32 bytes.")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"Identity({self.public.hex()[:16]})"

    @classmethod
    def create(cls) -> "Identity":
        """A new one that lives in memory only."""
        return cls(os.urandom(SEED_BYTES))

    @classmethod
    def load(cls, path: Path) -> "Identity":
        """Read a key file; BadKey if it holds anything else, OSError if it cannot be read."""
        with path.open("rb") as file:
            seed = file.read(SEED_BYTES + 1)
        if len(seed) != SEED_BYTES:
            raise BadKey(f"{path} is not a key file of this program.")
        return cls(seed)

    @classmethod
    def load_or_create(cls, path: Path) -> "Identity":
        """Read the key file, or make one that only its owner may read (0600)."""
        try:
            return cls.load(path)
        except FileNotFoundError:
            write_private(path, os.urandom(SEED_BYTES))
            return cls.load(path)

    def sign(self, tag: str, *fields: Field) -> bytes:
        """64 bytes over the frame of `tag` and `fields`."""
        return self._key.sign(frame(tag, *fields))


def verify(public: bytes, signature: bytes, tag: str, *fields: Field) -> bool:
    """Whether `signature` is that of the key `public`; a key that `check_public_key` refuses signs nothing."""
    return _signed(public, signature, frame(tag, *fields))


@lru_cache(maxsize=256)
def _signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """A host meets the signature of a move again in its seal, and seats in one process all get the same ones."""
    try:
        _usable(public).verify(signature, message)
    except (BadKey, InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=256)
def _usable(public: bytes) -> Ed25519PublicKey:
    """A key that `check_public_key` does not refuse. Raises BadKey, or ValueError."""
    check_public_key(public)
    return Ed25519PublicKey.from_public_bytes(public)


@lru_cache(maxsize=256)
def check_public_key(public: bytes) -> None:
    """BadKey unless these are the 32 canonical bytes of a point that is not of small order.

    `cryptography` accepts both kinds, and some keys of small order verify one signature for every message.
    """
    if len(public) != 32:
        raise BadKey("A public key has 32 bytes.")
    number = int.from_bytes(public, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        raise BadKey("The public key is not in canonical form.")
    x = _x_of(y)
    if x is None or (x == 0 and sign):
        raise BadKey("The public key is no point of the curve.")
    # Some keys of small order verify one signature for every message.
    if _small_order(x, y):
        raise BadKey("The public key has small order.")


def _x_of(y: int) -> int | None:
    """One of the two x of -x² + y² = 1 + d x² y² (RFC 8032, 5.1.3)."""
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    square = u * pow(v, -1, _P) % _P
    root = pow(square, (_P + 3) // 8, _P)
    if root * root % _P == square:
        return root
    root = root * pow(2, (_P - 1) // 4, _P) % _P
    return root if root * root % _P == square else None


def _small_order(x: int, y: int) -> bool:
    """Whether doubling the point three times gives the neutral element (0, 1)."""
    for _ in range(3):
        product = _D * x * x % _P * y % _P * y % _P
        x, y = (2 * x * y * pow(1 + product, -1, _P) % _P, (y * y + x * x) * pow(1 - product, -1, _P) % _P)
    return (x, y) == (0, 1)
