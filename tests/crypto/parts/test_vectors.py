"""The vectors of docs/protocol.md, section 8: another implementation gets the same bytes.

Each is computed twice: by the program, and here from the text of the protocol with `hashlib` and `cryptography`
alone.
"""

import hashlib
import hmac
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from citadels_lan.crypto.audit.signed import Signed, agree_fields, move_fields, move_tag
from citadels_lan.crypto.beacons import Round, anchor, hashed, next_seed, sign_here
from citadels_lan.crypto.chain import entry_hash, genesis, leaf_hash, sign_entry
from citadels_lan.crypto.claims import claim, endorse
from citadels_lan.crypto.commitments import commitment
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.frames import frame, u8, u16
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.stand_ins import Stint, begin_fields, sign_back
from citadels_lan.crypto.words import WORDS, head_words
from citadels_lan.net.wire.chat import sign_line
from tests.effort import one_case

GAME: Final = bytes(range(16))
NONCE: Final = bytes(range(32))
ZERO: Final = bytes(32)
KEY: Final = Identity(NONCE)
PROTOCOL: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
VECTORS: Final = PROTOCOL.partition("## 8. ")[2].partition("## 9. ")[0]


def framed(tag: bytes, *fields: bytes) -> bytes:
    """Section 1."""
    name = b"citadels-lan/v2/" + tag
    return bytes([len(name)]) + name + b"".join(len(one).to_bytes(4, "big") + one for one in fields)


def hash_of(tag: bytes, *fields: bytes) -> bytes:
    return hashlib.sha256(framed(tag, *fields)).digest()


def signed(tag: bytes, *fields: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(NONCE).sign(framed(tag, *fields))


def number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "big")


PLACE: Final = (number(3, 2), b"\2", b"\0")
LINES = [
    ("pick", "pick king"),
    ("warrant", "warrant king bishop merchant*"),
    ("threaten", "threaten king* merchant"),
]


@pytest.mark.parametrize(("kind", "line"), LINES)
def test_commitment(kind: str, line: str) -> None:
    expected = hash_of(b"commit", GAME, kind.encode(), *PLACE, line.encode(), NONCE)
    assert commitment(GAME, kind, 3, 2, 0, line, NONCE) == expected
    assert f"| kind `{kind}`, line `{line}` | `{expected.hex()}` |" in VECTORS


def test_frame_in_full() -> None:
    expected = framed(b"commit", GAME, b"pick", *PLACE, b"pick king", NONCE)
    assert frame("commit", GAME, "pick", u16(3), u8(2), u8(0), "pick king", NONCE) == expected
    words = VECTORS.partition("The frame of the first, in full:")[2].split()
    told = "".join(word for word in words if set(word) <= set("0123456789abcdef"))
    assert bytes.fromhex(told) == expected


def test_chain() -> None:
    first = hash_of(b"genesis", GAME, b"rules", b"fp")
    leaf = hash_of(b"priv", GAME, number(1, 8), b"\2", NONCE, b"hand")
    head = hash_of(b"entry", first, number(1, 8), b"pub", b"\2" + leaf)
    assert genesis(GAME, "rules", b"fp") == first
    assert leaf_hash(GAME, 1, 2, NONCE, b"hand") == leaf
    assert entry_hash(first, 1, b"pub", b"\2" + leaf) == head
    assert all(value.hex() in VECTORS for value in (first, leaf, head))


def test_beacons() -> None:
    chain = [NONCE]
    for _ in range(256):
        chain.append(hash_of(b"beacon", GAME, b"\2", chain[-1]))
    seed = hash_of(b"seed-r", ZERO, number(3, 2), ZERO, number(0b101, 2), NONCE, NONCE)
    assert next_seed(ZERO, Round(3, ZERO, 0b101, (NONCE, NONCE))) == seed
    assert (hashed(GAME, 2, NONCE, 1), anchor(GAME, 2, NONCE)) == (chain[1], chain[256])
    assert all(value.hex() in VECTORS for value in (chain[1], chain[256], seed))


def test_words() -> None:
    links = (b"\1" * 32, b"\2" * 32)
    said = " ".join(WORDS[byte] for byte in hash_of(b"words", GAME, number(7, 8), NONCE, *links)[:4])
    assert " ".join(head_words(GAME, 7, NONCE, links)) == said
    assert f"`{said}`" in VECTORS


HOST: Final = bytes(range(32, 64))
STINT: Final = Stint(7, ZERO, 2, HOST, "random")
SIGNATURES = {
    "seat": (claim(KEY, GAME, ZERO, HOST, "Anna", False), (GAME, ZERO, HOST, b"Anna", b"\0")),
    "host-key": (endorse(KEY, GAME, ZERO, HOST).signature, (GAME, ZERO, HOST)),
    "agree": (KEY.sign("agree", *agree_fields(GAME, ZERO, 2, NONCE, HOST)), (GAME, ZERO, b"\2", NONCE, HOST)),
    "stand-in": (KEY.sign("stand-in", *begin_fields(GAME, STINT)), (GAME, number(7, 8), ZERO, b"\2", b"random")),
    "back": (
        sign_back(KEY, GAME, STINT, disputes=True).signature,
        (GAME, number(7, 8), ZERO, b"\2", HOST, b"\1"),
    ),
    "entry": (sign_entry(KEY, GAME, 7, ZERO), (GAME, number(7, 8), ZERO)),
    "here": (sign_here(KEY, GAME, 7, ZERO, 3, True), (GAME, number(7, 8), ZERO, number(3, 2), b"\1")),
    "say": (sign_line(KEY, GAME, ZERO, 7, "hello"), (GAME, ZERO, number(7, 8), b"hello")),
}


@one_case("tag", SIGNATURES)
def test_signature(tag: str) -> None:
    made, fields = SIGNATURES[tag]
    assert made == signed(tag.encode(), *fields)
    assert f"| sign `{tag}` |" in VECTORS
    assert made.hex() in VECTORS


@pytest.mark.parametrize(("tag", "what"), [("move", "end"), ("hidden", NONCE)])
def test_signature_of_a_move(tag: str, what: str | bytes) -> None:
    one = Signed(7, ZERO, 2, what)
    made = KEY.sign(move_tag(what), *move_fields(GAME, one))
    text = what.encode() if isinstance(what, str) else what
    assert made == signed(tag.encode(), GAME, number(7, 8), ZERO, b"\2", text)
    assert made.hex() in VECTORS


def shuffled(label: bytes, count: int) -> list[int]:
    """Section 5, with the zero seed: words from HMAC, and Fisher-Yates from the top."""
    blocks = (hmac.digest(ZERO, framed(b"drbg", label, number(at, 8)), "sha256") for at in range(10**6))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        below = 2**32 - 2**32 % (last + 1)
        at = next(word for word in words if word < below) % (last + 1)
        order[last], order[at] = order[at], order[last]
    return order


def test_shuffles() -> None:
    few, many = shuffled(b"chars/3", 9), shuffled(b"districts", 68)
    chance = SeededChance(ZERO)
    assert chance.shuffle("chars/3", range(9)) == few
    assert chance.shuffle("districts", range(68)) == many
    assert f"| {' '.join(map(str, few))} |" in VECTORS
    assert hashlib.sha256(bytes(many)).hexdigest() in VECTORS
