import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from citadels_lan.crypto.codec import frame
from citadels_lan.crypto.identity import BadKey, Identity, check_public_key, verify
from tests.effort import one_case

P = 2**255 - 19
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


def test_signature_is_valid_for_one_purpose_and_one_message() -> None:
    one, other = Identity.create(), Identity.create()
    signature = one.sign("move", b"a", b"b")
    assert verify(one.public, signature, "move", b"a", b"b")
    assert not verify(one.public, signature, "head", b"a", b"b")
    assert not verify(one.public, signature, "move", b"ab", b"")
    assert not verify(other.public, signature, "move", b"a", b"b")
    assert not verify(one.public, signature[:-1], "move", b"a", b"b")
    assert not verify(one.public, b"", "move", b"a", b"b")


@one_case("key", SMALL_ORDER)
def test_public_keys_of_small_order_are_rejected(key: str) -> None:
    with pytest.raises(BadKey):
        check_public_key(bytes.fromhex(key))


def test_no_signature_is_valid_for_a_key_of_small_order() -> None:
    key = bytes.fromhex(SMALL_ORDER[0])
    signature = key + bytes(32)
    Ed25519PublicKey.from_public_bytes(key).verify(signature, frame("any", b"message"))
    assert not verify(key, signature, "any", b"message")


@one_case(
    "key",
    [
        (P).to_bytes(32, "little"), (P + 1).to_bytes(32, "little"), (P + 3).to_bytes(32, "little"),
        (1 | 1 << 255).to_bytes(32, "little"), (2).to_bytes(32, "little"), b"\xff" * 32, b"", bytes(31),
        bytes(33),
    ],
)  # fmt: skip
def test_keys_that_are_not_canonical_points_are_rejected(key: bytes) -> None:
    with pytest.raises(BadKey):
        check_public_key(key)


def test_random_valid_keys_are_accepted() -> None:
    for _ in range(50):
        check_public_key(Identity.create().public)


def test_key_file_is_created_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "identity.key"
    first = Identity.load_or_create(path)
    assert Identity.load_or_create(path).public == first.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["identity.key"]


def test_invalid_key_file_is_rejected_without_showing_it(tmp_path: Path) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(b"secret")
    with pytest.raises(BadKey, match=r"identity\.key") as caught:
        Identity.load_or_create(path)
    assert "secret" not in str(caught.value)
    with pytest.raises(BadKey):
        Identity(b"secret")


def test_repr_shows_the_public_key_only() -> None:
    seed = b"s" * 32
    assert seed.hex()[:8] not in repr(Identity(seed))
