"""The host's secret in shares: each is sealed to one seat, and committed to, so that a wrong one is told apart.

The coefficients and the key that seals follow from the secret. So whoever knows it in the end can see whether
every share was what it should have been.
"""

from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from citadels_lan.crypto.frames import Field, digest, u8
from citadels_lan.crypto.log import Header, SharedOut
from citadels_lan.crypto.seed import host_commitment

from .agreement import trustees
from .shamir import PRIME, WIDTH, value_at, value_at_0

ONCE: Final = bytes(12)
"""The nonce of a key that seals one message only."""


class BoxKey:
    """A key that shares, and characters of a sealed draft, are sealed to. `public` are its 32 bytes."""

    def __init__(self, secret: bytes) -> None:
        """From 32 secret bytes."""
        self._key = X25519PrivateKey.from_private_bytes(secret)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"BoxKey({self.public.hex()[:16]})"

    def seal(self, to: bytes, what: bytes, *about: Field) -> bytes:
        """Seal something for the key `to`, once for these fields."""
        return ChaCha20Poly1305(self._between(to, self.public, to, about)).encrypt(ONCE, what, None)

    def open(self, by: bytes, sealed: bytes, *about: Field) -> bytes | None:
        """What the key `by` has sealed for this one; None where it is not that."""
        try:
            return ChaCha20Poly1305(self._between(by, by, self.public, about)).decrypt(ONCE, sealed, None)
        except (InvalidTag, ValueError):
            return None

    def reopen(self, to: bytes, sealed: bytes, *about: Field) -> bytes | None:
        """What this key itself has sealed for the key `to`; None where it is not that."""
        try:
            return ChaCha20Poly1305(self._between(to, self.public, to, about)).decrypt(ONCE, sealed, None)
        except (InvalidTag, ValueError):
            return None

    def _between(self, other: bytes, by: bytes, to: bytes, about: tuple[Field, ...]) -> bytes:
        shared = self._key.exchange(X25519PublicKey.from_public_bytes(other))
        return digest("box", shared, by, to, *about)


def own_box(key: bytes, game: bytes) -> BoxKey:
    """The box of a client, from its 32-byte key for one game."""
    return BoxKey(digest("own-box", key, game))


def usable(box: bytes) -> bool:
    """Whether anything that is sealed to a box stays secret: with a point of small order it does not."""
    try:
        X25519PrivateKey.from_private_bytes(bytes(32)).exchange(X25519PublicKey.from_public_bytes(box))
    except ValueError:
        return False
    return True


def share_of(game: bytes, secret: bytes, threshold: int, seat: int) -> bytes:
    """A seat's share of the host's secret, of which `threshold` together give it."""
    derived = (digest("share-coefficient", game, secret, u8(power)) for power in range(1, threshold))
    polynomial = [int.from_bytes(number, "big") for number in (secret, *derived)]
    return value_at(polynomial, seat + 1).to_bytes(WIDTH, "big")


def share_commitment(game: bytes, seat: int, share: bytes) -> bytes:
    """What everybody holds of a share that only its seat may read."""
    return digest("share", game, u8(seat), share)


def share_out(header: Header, boxes: tuple[bytes, ...], secret: bytes) -> SharedOut:
    """The entry with all shares; `boxes` are those of the seats."""
    game, threshold = header.game_id, header.migrate or 0
    box = BoxKey(digest("share-key", game, secret))
    given = {seat: share_of(game, secret, threshold, seat) for seat in trustees(header)}
    return SharedOut(
        box.public,
        tuple(share_commitment(game, seat, share) for seat, share in given.items()),
        tuple(box.seal(boxes[seat], share, game, u8(seat)) for seat, share in given.items()),
    )


def own_share(header: Header, entry: SharedOut, seat: int, box: BoxKey) -> bytes | None:
    """The share that a seat was given; None where it is not the one committed to."""
    at = trustees(header).index(seat)
    share = box.open(entry.box, entry.shares[at], header.game_id, u8(seat))
    right = share is not None and fits(header, entry, seat, share)
    return share if right else None


def fits(header: Header, entry: SharedOut, seat: int, share: bytes) -> bool:
    """Whether this is the share of a seat."""
    seats = trustees(header)
    return seat in seats and share_commitment(header.game_id, seat, share) == entry.commits[seats.index(seat)]


def secret_from(header: Header, shares: Mapping[int, bytes]) -> bytes | None:
    """The host's secret from the shares of some seats; None where they do not give the one in the header."""
    points = {seat + 1: int.from_bytes(share, "big") for seat, share in shares.items()}
    found = value_at_0(points)
    if found >= 2**256 or any(value >= PRIME for value in points.values()):
        return None
    secret = found.to_bytes(32, "big")
    return secret if host_commitment(header.game_id, secret) == header.hostcommit else None
