"""Boxes: characters that one seat tells another, in front of everybody. They all have one length."""

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from citadels_lan.crypto.frames import Field, digest, u8, u16

from .secrets import DraftSecret, DraftTable

KEY: Final = 32
CONTENT: Final = 2 + 32 + 32
TAG: Final = 16
SEALED: Final = KEY + CONTENT + TAG
"""Bytes of a box: the public key that has sealed it, once, and what is sealed."""
NO_TOKEN: Final = bytes(32)
ONCE: Final = bytes(12)
"""The nonce of a key that seals one message only."""


class BoxKey:
    """A key that characters are sealed to. `public` are its 32 bytes."""

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


class BoxContent(Struct, frozen=True):
    """What is in a box: characters, the nonce of the commitment to them, and the token that goes along with a
    packet, zeros elsewhere."""

    cards: int
    nonce: bytes
    token: bytes = NO_TOKEN

    def __repr__(self) -> str:
        return "BoxContent(…)"


class SealedBox(Struct, frozen=True):
    """A box as everybody has it: of what `kind`, where, from and to which seat, and the commitment to what is in
    it."""

    kind: str
    index: int
    by: int
    to: int
    commit: bytes
    sealed: bytes

    def about(self, table: DraftTable, token: bytes) -> tuple[Field, ...]:
        """What the key of the box is bound to. A box with the face-down character opens with the token only."""
        place = (u16(table.number), u8(self.index), u8(self.by), u8(self.to))
        return (table.game, self.kind, *place, self.commit, token)


def fill(
    secret: DraftSecret, kind: str, index: int, to: int, content: BoxContent, token: bytes = NO_TOKEN
) -> SealedBox:
    """A box by the seat of `secret` with characters that it has committed to."""
    table = secret.table
    commit = secret.cards_commitment(kind, index, content.cards)
    box = SealedBox(kind, index, secret.seat, to, commit, b"")
    return seal_again(table, box, BoxKey(secret.key(kind, index, to, commit)), content, token)


def seal_again(table: DraftTable, box: SealedBox, key: BoxKey, content: BoxContent, token: bytes) -> SealedBox:
    """The box that a key makes of this content."""
    told = u16(content.cards) + content.nonce + content.token
    sealed = key.seal(table.boxes[box.to], told, *box.about(table, token))
    return SealedBox(box.kind, box.index, box.by, box.to, box.commit, key.public + sealed)


def open_box(table: DraftTable, box: SealedBox, own: BoxKey, token: bytes = NO_TOKEN) -> BoxContent | None:
    """What is in a box for the key `own`; None where it does not open."""
    return _content(own.open(box.sealed[:KEY], box.sealed[KEY:], *box.about(table, token)))


def reopen(table: DraftTable, box: SealedBox, key: BoxKey, token: bytes = NO_TOKEN) -> BoxContent | None:
    """What is in a box, with the key that has sealed it; None where it is another key, or does not open."""
    if key.public != box.sealed[:KEY]:
        return None
    return _content(key.reopen(table.boxes[box.to], box.sealed[KEY:], *box.about(table, token)))


def _content(told: bytes | None) -> BoxContent | None:
    if told is None or len(told) != CONTENT:
        return None
    return BoxContent(int.from_bytes(told[:2], "big"), told[2:34], told[34:])
