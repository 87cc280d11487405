"""The vectors of docs/protocol.md, section 17: by the program, and by the text with `hashlib` and
`cryptography`."""

import hashlib
import hmac
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from citadels_lan.crypto.beacons import Round
from citadels_lan.crypto.draft.boxes import SEALED, BoxContent, BoxKey, fill, usable
from citadels_lan.crypto.draft.messages import NOT_HELD, decode_message, draft_signed, encode_message, sign_draft
from citadels_lan.crypto.draft.plan import DraftPlan
from citadels_lan.crypto.draft.secrets import DraftSecret, DraftTable, token_commitment
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed, pack
from tests.effort import one_case

GAME: Final = bytes(range(16))
LINK: Final = bytes(range(32))
THEIRS: Final = bytes(range(32, 64))
ZERO: Final = bytes(32)
TEXT: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
SECTION: Final = TEXT.partition("## 17. ")[2]
TABLE: Final = DraftTable(
    GAME,
    Round(3, ZERO, 0b101, (LINK, LINK)),
    7,
    DraftPlan(("assassin", "thief", "magician", "king"), ()),
    (),
    (b"", b"", b"", BoxKey(THEIRS).public),
    0,
)
SECRET: Final = DraftSecret(TABLE, 2, LINK)


def framed(tag: str, *fields: bytes) -> bytes:
    """Section 1."""
    name = b"citadels-lan/v2/" + tag.encode()
    return bytes([len(name)]) + name + b"".join(len(one).to_bytes(4, "big") + one for one in fields)


def hashed(tag: str, *fields: bytes) -> bytes:
    return hashlib.sha256(framed(tag, *fields)).digest()


def test_hashes() -> None:
    seed = hashed("draft", GAME, b"\0\3", ZERO, b"\0\5", LINK, LINK, b"\2", LINK)
    nonce = hashed("draft-nonce", GAME, LINK, b"packet", b"\1")
    token = hashed("draft-token", GAME, LINK)
    commit = hashed("cards", GAME, b"packet", b"\0\3", b"\2", b"\1", b"\0\x0a", nonce)
    made = [
        (SECRET.seed, seed),
        (SECRET.nonce("packet", 1), nonce),
        (SECRET.token, token),
        (token_commitment(TABLE, token), hashed("token", GAME, b"\0\3", token)),
        (SECRET.cards_commitment("packet", 1, 0b1010), commit),
    ]
    for program, text in made:
        assert program == text
        assert f"`{text.hex()}`" in SECTION


def test_a_box() -> None:
    nonce = SECRET.nonce("packet", 1)
    commit = SECRET.cards_commitment("packet", 1, 0b1010)
    mine = X25519PrivateKey.from_private_bytes(hashed("draft-key", GAME, LINK, b"packet", b"\1", b"\3", commit))
    theirs = X25519PrivateKey.from_private_bytes(THEIRS).public_key().public_bytes_raw()
    public = mine.public_key().public_bytes_raw()
    shared = mine.exchange(X25519PublicKey.from_public_bytes(theirs))
    about = (GAME, b"packet", b"\0\3", b"\1", b"\2", b"\3", commit, ZERO)
    key = hashed("box", shared, public, theirs, *about)
    box = public + ChaCha20Poly1305(key).encrypt(bytes(12), b"\0\x0a" + nonce + ZERO, None)
    assert fill(SECRET, "packet", 1, 3, BoxContent(0b1010, nonce)).sealed == box
    assert len(box) == SEALED == 114
    assert f"begins `{box[:8].hex()}`, ends `{box[-7:].hex()}`" in SECTION


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31)])
def test_a_key_of_small_order_is_refused(point: bytes) -> None:
    assert not usable(point)
    assert BoxKey(LINK).open(point, bytes(49)) is None
    assert usable(BoxKey(THEIRS).public)


def test_chance() -> None:
    seed = hashed("draft-chance", GAME, LINK)
    block = hmac.digest(seed, framed("drbg", b"third/2", bytes(8)), hashlib.sha256)
    word = int.from_bytes(block[:4], "big")
    assert word < 2**32 - 2**32 % 3
    assert SECRET.chance("third", 2, 0b1011) == (0b1, 0b10, 0b1000)[word % 3]


def test_a_reply_and_its_signature() -> None:
    reply = bytes.fromhex("930600c420") + ZERO
    assert encode_message(NOT_HELD) == reply
    assert decode_message(reply) == NOT_HELD
    fields = (GAME, (7).to_bytes(8, "big"), ZERO, b"\2", reply)
    signature = Ed25519PrivateKey.from_private_bytes(LINK).sign(framed("draft-said", *fields))
    identity = Identity(LINK)
    assert sign_draft(identity, GAME, 7, ZERO, 2, reply) == signature
    assert draft_signed(identity.public, signature, GAME, 7, ZERO, 2, reply)
    assert not draft_signed(identity.public, signature, GAME, 8, ZERO, 2, reply)
    assert f"`{signature.hex()}`" in SECTION


@one_case(
    "message",
    [
        [3, 128],
        [6, 128, ZERO],
        [6, 0, ZERO[:-1]],
        [2, bytes(SEALED - 1)],
        [1, ZERO, None, ZERO, bytes(SEALED + 1)],
        [0, bytes(9), None, ZERO, None, None],
        [7, 0],
        [3, 1, 1],
    ],
)
def test_what_no_message_says(message: list[object]) -> None:
    with pytest.raises(Malformed):
        decode_message(pack(message))
