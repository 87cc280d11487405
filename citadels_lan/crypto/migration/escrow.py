"""What the host knows of a move and others do not, sealed into its entry for whoever has the host's secret.

That is the mover's signature until the next seal, and what a hidden move says. All else follows from the secret
and the log. How long it is follows from what is public: how many commitments the move has, and of how many words.
"""

from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from citadels_lan.crypto.commitments import MAX_LINE, WIDTH, Opening
from citadels_lan.crypto.frames import digest, u64

SIGNATURE: Final = 64
TAG: Final = 16
WORD: Final = 18
"""Bytes of the longest word that a hidden line can have, `imperial_treasury`, with the space before it."""
STEP: Final = 128
"""A line takes so many bytes, or a multiple: what it would take if all its words were the longest."""
LONGEST: Final = SIGNATURE + TAG + WIDTH + MAX_LINE + 8 * STEP
"""Bytes of an escrow at most."""
ONCE: Final = bytes(12)


class Deposit(Struct, frozen=True):
    """What an escrow holds: the mover's signature, and the line and the nonce of each commitment of the move."""

    signature: bytes
    lines: tuple[tuple[str, bytes], ...]


def seal_deposit(
    game: bytes, secret: bytes, n: int, before: bytes, signature: bytes, openings: Sequence[Opening]
) -> bytes:
    """The escrow of the move in entry `n`; `before` is hash[n-1], `openings` are those of its commitments."""
    told = signature + b"".join(opening.nonce + _padded(opening.line.encode()) for opening in openings)
    return _cipher(game, secret, n, before).encrypt(ONCE, told, None)


def open_deposit(
    game: bytes, secret: bytes, n: int, before: bytes, escrow: bytes, commitments: int
) -> Deposit | None:
    """What an escrow holds of a move with so many commitments; None where it is none."""
    try:
        told = _cipher(game, secret, n, before).decrypt(ONCE, escrow, None)
        signature, rest = told[:SIGNATURE], told[SIGNATURE:]
        parts = _parts(rest, commitments)
        return Deposit(signature, tuple((part[WIDTH:].rstrip(b"\0").decode(), part[:WIDTH]) for part in parts))
    except (InvalidTag, ValueError):
        return None


def length_fits(escrow: bytes, commitments: int) -> bool:
    """Whether an escrow is as long as one of a move with so many commitments can be."""
    rest = len(escrow) - SIGNATURE - TAG - commitments * WIDTH
    return rest == 0 if not commitments else rest >= commitments * STEP and rest % (commitments * STEP) == 0


def _parts(rest: bytes, commitments: int) -> list[bytes]:
    """The parts of a move's commitments, which have one length; ValueError where they have not."""
    if not commitments:
        return []
    size, left = divmod(len(rest), commitments)
    if left or size <= WIDTH:
        raise ValueError("an escrow of another length")
    return [rest[at : at + size] for at in range(0, len(rest), size)]


def _padded(line: bytes) -> bytes:
    widest = max(WORD * len(line.split(b" ")), len(line))
    return line.ljust(-(-widest // STEP) * STEP, b"\0")


def _cipher(game: bytes, secret: bytes, n: int, before: bytes) -> ChaCha20Poly1305:
    """A key for this place in this history alone: no nonce is ever used twice."""
    return ChaCha20Poly1305(digest("escrow", game, secret, u64(n), before))
