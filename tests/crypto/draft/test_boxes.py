"""What a box proves, and what a key of an AEAD cipher does not: one ciphertext opens under two keys."""

import hashlib
import struct

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from citadels_lan.crypto.draft.secrets import SEALED, decrypt, public_key, usable

from .simulated import Simulated

PRIME, LIMIT = 2**130 - 5, 2**128
NONCE = bytes(12)


def stream(key: bytes, counter: int, size: int) -> bytes:
    cipher = Cipher(algorithms.ChaCha20(key, struct.pack("<I", counter) + NONCE), None)
    return cipher.encryptor().update(bytes(size))


def one_time_key(key: bytes) -> tuple[int, int]:
    """The two numbers of Poly1305 under a key of ChaCha20-Poly1305 (RFC 8439, 2.6)."""
    block = stream(key, 0, 32)
    return int.from_bytes(block[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, int.from_bytes(
        block[16:], "little"
    )


def collided(one: bytes, other: bytes, first: bytes) -> bytes | None:
    """A ciphertext that begins with the block `first` and opens under both keys, if there is one."""
    (r1, s1), (r2, s2) = one_time_key(one), one_time_key(other)
    length = int.from_bytes(struct.pack("<QQ", 0, 32) + b"\x01", "little")
    begins = int.from_bytes(first + b"\x01", "little")

    def known(r: int) -> int:
        return (begins * pow(r, 3, PRIME) + LIMIT * r * r + length * r) % PRIME

    for carry in range(-3, 4):
        right = (s2 - s1 + carry * LIMIT - (known(r1) - known(r2))) % PRIME
        block = right * pow((r1 * r1 - r2 * r2) % PRIME, PRIME - 2, PRIME) % PRIME
        if block < LIMIT:
            tags = [((known(r) + block * r * r) % PRIME + s) % LIMIT for r, s in ((r1, s1), (r2, s2))]
            if tags[0] == tags[1]:
                return first + block.to_bytes(16, "little") + tags[0].to_bytes(16, "little")
    return None


def test_one_ciphertext_opens_under_two_aead_keys() -> None:
    """So the log never takes a key that a sender shows as evidence: a box is judged by its receiver's key, which
    was fixed before, and by the commitment."""
    for number in range(1000):
        one, other = (hashlib.sha256(bytes([which]) + struct.pack("<I", number)).digest() for which in (1, 2))
        first = bytes(a ^ b for a, b in zip(b"warlord and bish", stream(one, 1, 16), strict=True))
        sealed = collided(one, other, first)
        if sealed is not None:
            break
    assert sealed is not None
    opened = [ChaCha20Poly1305(key).decrypt(NONCE, sealed, None) for key in (one, other)]
    assert opened[0].startswith(b"warlord and bish")
    assert opened[0] != opened[1]


def test_a_box_opens_at_its_own_place_alone() -> None:
    game = Simulated(6, 9).draft()
    box = game.record.boxes[0]
    table, secret = game.record.table, game.secrets[box.to].box
    assert len(box.sealed) == SEALED
    assert table.open_box(box, secret) is not None
    info = table.info(box.fixed, box.to)
    assert decrypt(secret, info[:-1] + bytes([info[-1] ^ 1]), box.sealed) is None
    assert decrypt(game.secrets[0].box, info, box.sealed) is None
    for at in (0, 31, 40, SEALED - 1):
        changed = box.sealed[:at] + bytes([box.sealed[at] ^ 1]) + box.sealed[at + 1 :]
        assert decrypt(secret, info, changed) is None
    assert decrypt(secret, info, bytes(32) + box.sealed[32:]) is None
    assert decrypt(secret, info, b"") is None


def test_two_boxes_with_the_same_content_differ() -> None:
    game = Simulated(6, 9)
    game.step()
    game.step()
    hand = game.hands[0]
    name = game.plan.names(hand.offered())[0]
    one, other = hand.pick(name, None, game.head), hand.pick(name, None, game.head)
    assert one.box != other.box
    assert (one.pick, one.packet) == (other.pick, other.packet)


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31)])
def test_a_key_of_small_order_is_not_usable(point: bytes) -> None:
    assert not usable(point)
    assert usable(public_key(bytes([1]) * 32))


def test_secrets_with_one_public_key_open_the_same() -> None:
    """Clamping gives several secrets one public key: a complaint with any of them is judged alike."""
    game = Simulated(6, 9).draft()
    box = game.record.boxes[0]
    secret = game.secrets[box.to].box
    other = bytes([secret[0] ^ 7, *secret[1:31], secret[31] ^ 128])
    assert X25519PrivateKey.from_private_bytes(other).public_key().public_bytes_raw() == public_key(secret)
    assert game.record.table.open_box(box, other) == game.record.table.open_box(box, secret)
