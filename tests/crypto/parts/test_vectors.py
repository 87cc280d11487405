"""The vectors of docs/protocol.md, section 8: another implementation gets the same bytes."""

import hashlib
from pathlib import Path

import pytest

from citadels_lan.crypto.beacons import Round, anchor, hashed, next_seed
from citadels_lan.crypto.chain import entry_hash, genesis, leaf_hash
from citadels_lan.crypto.commitments import commitment
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.frames import frame, u8, u16

GAME = bytes(range(16))
NONCE = bytes(range(32))
SEED = bytes(32)
PROTOCOL = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")

COMMITMENTS = [
    ("pick", "pick king", "ea75ce344260fb85dd10479363ed7563df2cacc02c4a811e608ab83dca71fb72"),
    (
        "warrant",
        "warrant king bishop merchant*",
        "9530bb0e1b8bd3521d5f81b6de2a0121038ab9778723905e03d51384ce96440a",
    ),
    (
        "threaten",
        "threaten king* merchant",
        "a055002ad8f10cd97cf415824931d29f8b0a2eec82727e43dd30bff6c2ac68c9",
    ),
]


@pytest.mark.parametrize(("kind", "line", "expected"), COMMITMENTS)
def test_commitment(kind: str, line: str, expected: str) -> None:
    assert commitment(GAME, kind, 3, 2, 0, line, NONCE).hex() == expected
    assert expected in PROTOCOL


def test_frame_in_full() -> None:
    framed = frame("commit", GAME, "pick", u16(3), u8(2), u8(0), "pick king", NONCE)
    assert framed.hex() == (
        "166369746164656c732d6c616e2f76312f636f6d6d6974"
        "00000010000102030405060708090a0b0c0d0e0f"
        "000000047069636b"
        "000000020003"
        "0000000102"
        "0000000100"
        "000000097069636b206b696e67"
        "00000020000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    )


def test_chain() -> None:
    first = genesis(GAME, "rules", b"fp")
    leaf = leaf_hash(GAME, 1, 2, NONCE, b"hand")
    assert first.hex() == "c6b2455462461410c41c1b5b0b7861b03e483e27b5522a0573fabe98c78a5241"
    assert leaf.hex() == "587d69c9ceb92caf3387cc954bc4232f378357a80b91c2a78c186d7d13502c12"
    head = entry_hash(first, 1, b"pub", b"\x02" + leaf)
    assert head.hex() == "9ef811697e034c100120b3a5523377a22eb3418f118daf0acb56d501df15e8f2"
    assert all(value.hex() in PROTOCOL for value in (first, leaf, head))


def test_beacons() -> None:
    link = NONCE
    for _ in range(256):
        link = hashlib.sha256(frame("beacon", GAME, u8(2), link)).digest()
    seed = next_seed(SEED, Round(3, bytes(32), 0b101, (NONCE, NONCE)))
    assert anchor(GAME, 2, NONCE) == link
    assert seed == hashlib.sha256(frame("seed-r", SEED, u16(3), bytes(32), u16(5), NONCE, NONCE)).digest()
    assert all(value.hex() in PROTOCOL for value in (hashed(GAME, 2, NONCE, 1), link, seed))


def test_shuffles() -> None:
    chance = SeededChance(SEED)
    assert chance.shuffle("chars/3", range(9)) == [7, 0, 6, 4, 5, 8, 2, 3, 1]
    digest = hashlib.sha256(bytes(chance.shuffle("districts", range(68)))).hexdigest()
    assert digest == "bbfef4ebc1b203f02c9cfa3e940abaa3ba0c8808ad693647a4eb13095f78da99"
    assert digest in PROTOCOL
