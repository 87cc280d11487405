"""Evidence checked with nothing of the program: `cryptography`, `hashlib`, `msgpack`, and the protocol's text."""

import hashlib
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships none
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TAG = b"citadels-lan/v1/"


def u(value: int, size: int) -> bytes:
    return value.to_bytes(size, "big")


def frame(tag: str, *fields: bytes) -> bytes:
    name = TAG + tag.encode()
    return u(len(name), 1) + name + b"".join(u(len(one), 4) + one for one in fields)


def digest(tag: str, *fields: bytes) -> bytes:
    return hashlib.sha256(frame(tag, *fields)).digest()


def unframe(data: bytes) -> tuple[str, list[bytes]]:
    """The tag and the fields of a frame."""
    end = 1 + data[0]
    tag, fields, at = data[1:end].removeprefix(TAG).decode(), [], end
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        fields.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    assert at == len(data)
    return tag, fields


def first(data: bytes) -> Any:
    """The value at the beginning of some bytes."""
    unpacker = msgpack.Unpacker(raw=False)
    unpacker.feed(data)
    return unpacker.unpack()


class File:
    """A transcript: its game, the public bytes by entry, and the hashes."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        at = data.index(b"\n") + 1
        self.public: dict[int, bytes] = {}
        self.heads: list[bytes] = []
        while at + 5 <= len(data):
            length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 5]
            body = data[at + 5 : at + 5 + length]
            at += 5 + length
            if kind == b"H":
                self.game, rules, fp, _, self.key = first(body)
                self.heads.append(digest("genesis", self.game, rules.encode(), fp))
            elif kind == b"E":
                n, check, public, leaves, _, _ = first(body)
                head = digest("entry", self.heads[-1], u(n, 8), public, leaves)
                if n != len(self.heads) or head[:4] != check:
                    break
                self.heads.append(head)
                self.public[n] = public

    @property
    def hostkey(self) -> bytes:
        """The key that the first entry names."""
        key: bytes = first(self.public[1])[1][8]
        return key


def signed_head(evidence: Any, hostkey: bytes) -> tuple[int, bytes, bytes, bytes]:
    """What the host has signed: game, n, hash[n], rest. Raises InvalidSignature."""
    assert evidence.key == hostkey
    Ed25519PublicKey.from_public_bytes(evidence.key).verify(evidence.signature, evidence.signed)
    tag, (game, n, head, rest) = unframe(evidence.signed)
    assert tag == "head"
    return int.from_bytes(n, "big"), head, rest, game


def proves_against_host(evidence: Any, path: Path) -> None:
    """The host has signed a history that ends with this head, and the contradicting entry is in it, or is the seal
    or close itself."""
    file = File(path)
    n, head, rest, game = signed_head(evidence, file.hostkey)
    assert game == file.game
    assert head == file.heads[n]
    assert 1 <= evidence.n <= n + 1
    assert file.public[evidence.n] == evidence.public
    fields = first(file.public[n + 1])
    assert hashlib.sha256(msgpack.packb(fields[:-1], use_bin_type=True)).digest() == rest
    assert fields[-1] == evidence.signature


def proves_two_histories(evidence: Any, paths: list[Path]) -> None:
    """The host has signed two heads, and no history holds both."""
    files = [File(path) for path in paths]
    one, other = (signed_head(each, files[0].hostkey) for each in evidence)
    assert one[3] == other[3] == files[0].game
    assert one[:3] != other[:3]
    for file in files:
        both = all(n < len(file.heads) and file.heads[n] == head for n, head, _, _ in (one, other))
        assert not both or one[0] == other[0]


def proves_against_owner(evidence: Any, path: Path) -> None:
    """Who has this file's key has signed exactly this file."""
    data = path.read_bytes()
    tag, (game, n, head, sha256) = unframe(evidence.signed)
    Ed25519PublicKey.from_public_bytes(evidence.key).verify(evidence.signature, evidence.signed)
    file = File(path)
    assert (tag, game, file.key) == ("transcript", file.game, evidence.key)
    assert int.from_bytes(n, "big") == len(file.heads) - 1
    assert head == file.heads[-1]
    assert any(hashlib.sha256(data[:at]).digest() == sha256 for at in range(len(data) - 160, len(data)))
