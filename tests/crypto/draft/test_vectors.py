"""The formats of sealed drafts: by the program, and once more by the text of docs/protocol.md with `hashlib`,
`hmac` and `cryptography`."""

import hashlib
import hmac
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from citadels_lan.crypto.draft.record import NOT_HELD, decode_message, encode_message
from citadels_lan.crypto.draft.secrets import (
    SEALED,
    DraftPlan,
    DraftSecret,
    DraftTable,
    SealedBox,
    later_link,
    public_key,
)
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed, pack, u8, u64
from citadels_lan.engine.flow.sealed import DraftStep
from tests.effort import one_case

GAME: Final = bytes(range(16))
LINK: Final = bytes(range(32))
THEIRS: Final = bytes(range(32, 64))
ZERO: Final = bytes(32)
CAST: Final = ("assassin", "thief", "magician", "king")
TABLE: Final = DraftTable(GAME, 3, DraftPlan(CAST, (DraftStep(2),)), ())
SECRET: Final = DraftSecret(TABLE, 2, LINK)


def framed(tag: str, *fields: bytes) -> bytes:
    """Section 1."""
    name = b"citadels-lan/v2/" + tag.encode()
    return bytes([len(name)]) + name + b"".join(len(one).to_bytes(4, "big") + one for one in fields)


def hashed(tag: str, *fields: bytes) -> bytes:
    return hashlib.sha256(framed(tag, *fields)).digest()


NONCE: Final = hashed("draft-nonce", GAME, LINK, ZERO, b"packet", b"\1")
COMMIT: Final = hashed("cards", GAME, b"packet", b"\0\3", b"\2", b"\1", b"\0\x0a", NONCE)


def test_links_nonces_and_commitments_are_those_of_the_text() -> None:
    assert later_link(GAME, 2, LINK, 2) == hashed("link", GAME, b"\2", hashed("link", GAME, b"\2", LINK))
    fixed = SECRET.fix("packet", 1, ZERO, 0b1010)
    assert SECRET.nonce(fixed) == NONCE
    assert fixed.commit == COMMIT
    assert SECRET.box == hashed("box-key", LINK)
    assert NONCE.hex() == "121315fb4f2fbb57216749f6ad645db4150719e4fed81bce749291834ee0820d"
    assert COMMIT.hex() == "f7e4e3e88e612de258dc4d5a60073c18951f07f60e352990e1e407ad40c5379f"


def test_deal_is_the_one_of_the_text() -> None:
    seed = hashed("deal", b"\0\3", LINK, THEIRS, LINK)
    keys = {
        name: hmac.digest(seed, framed("chance", b"chars/3/table/0", name.encode(), b"\0"), "sha256")
        for name in CAST
    }
    order = sorted(CAST, key=lambda name: keys[name])
    assert SECRET.layout((LINK, THEIRS)) == (b"", TABLE.plan.cards(order[0]), TABLE.plan.cards(*order[1:]))


def test_box_is_hpke_with_the_info_of_the_text() -> None:
    info = framed("box", GAME, b"packet", b"\0\3", b"\1", b"\2", b"\3", COMMIT)
    fixed = SECRET.fix("packet", 1, ZERO, 0b1010)
    sealed = SECRET.seal(fixed, 0b1010, 3, [b"", b"", b"", public_key(THEIRS)])
    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
    assert suite.decrypt(sealed, X25519PrivateKey.from_private_bytes(THEIRS), info) == b"\0\x0a" + NONCE
    assert len(sealed) == SEALED == 82
    theirs = X25519PrivateKey.from_private_bytes(THEIRS).public_key()
    box = SealedBox(7, fixed, 3, 2, suite.encrypt(b"\0\x0a" + NONCE, theirs, info))
    assert TABLE.open_box(box, THEIRS) == (0b1010, NONCE)


def test_chance_of_a_seat_is_the_one_of_the_text() -> None:
    def key(name: str) -> bytes:
        return hmac.digest(LINK, framed("chance", b"third/3/2/0", name.encode(), b"\0"), "sha256")

    lost = min(("assassin", "thief", "king"), key=key)
    assert SECRET.chance("third", 0, 0b1011) == TABLE.plan.cards(lost)


def test_reply_and_its_signature_are_those_of_the_text() -> None:
    reply = bytes.fromhex("9206c420") + ZERO
    assert encode_message(NOT_HELD) == reply
    assert decode_message(reply) == NOT_HELD
    fields = (GAME, (7).to_bytes(8, "big"), ZERO, b"\2", reply)
    signature = Ed25519PrivateKey.from_private_bytes(LINK).sign(framed("said", *fields))
    assert Identity(LINK).sign("said", GAME, u64(7), ZERO, u8(2), reply) == signature


@one_case(
    "message",
    [
        [0, ZERO],
        [0, ZERO, ZERO[:-1]],
        [1, bytes(9), None, ZERO],
        [1, b"", None, ZERO, None],
        [2, ZERO, None, ZERO, bytes(SEALED + 1)],
        [3, bytes(SEALED - 1)],
        [4, -1, ZERO],
        [4, 2**32, ZERO],
        [4, 1],
        [5, 9, ZERO, bytes(SEALED)],
        [6, ZERO[:-1]],
        [6, 0, ZERO],
        [7, 0],
    ],
)
def test_other_arrays_are_no_messages(message: list[object]) -> None:
    with pytest.raises(Malformed):
        decode_message(pack(message))
