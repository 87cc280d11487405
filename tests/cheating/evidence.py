"""Checks evidence without the program: only with `cryptography`, `msgpack`, and `tests/extras/outsider`,
which is written from the text of the protocol."""

from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships none
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.extras.outsider import hashed, u

TAG = b"citadels-lan/v2/"


def unframe(data: bytes) -> tuple[str, list[bytes]]:
    """Return the tag and the fields of the signed bytes `data`."""
    end = 1 + data[0]
    tag, fields, at = data[1:end].removeprefix(TAG).decode(), [], end
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        fields.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    assert at == len(data)
    return tag, fields


def first(data: bytes) -> Any:
    """Decode the value at the beginning of `data`, whatever follows it."""
    unpacker = msgpack.Unpacker(raw=False)
    unpacker.feed(data)
    return unpacker.unpack()


class File:
    """A transcript: the game, the public bytes of each entry, and the hashes."""

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
                self.game, rules, fp, self.host, _, self.key = first(body)
                self.heads.append(hashed("genesis", self.game, rules, fp))
            elif kind == b"E":
                n, _, public, leaves, _, _ = first(body)
                if n != len(self.heads):
                    break
                self.heads.append(hashed("entry", self.heads[-1], u(n, 8), public, leaves))
                self.public[n] = public


def signed_entry(evidence: Any, host: bytes) -> tuple[bytes, int, bytes]:
    """Return what the host has signed: game, n, hash[n]. Raises InvalidSignature."""
    assert evidence.key == host
    Ed25519PublicKey.from_public_bytes(evidence.key).verify(evidence.signature, evidence.signed)
    tag, (game, n, head) = unframe(evidence.signed)
    assert tag == "entry"
    return game, int.from_bytes(n, "big"), head


def proves_against_host(evidence: Any, path: Path) -> None:
    """Check that the evidence has the host's signature of the history in this file, up to the entry with the
    contradiction."""
    file = File(path)
    assert signed_entry(evidence, file.host) == (file.game, evidence.n, file.heads[evidence.n])
    assert file.public[evidence.n] == evidence.public


def proves_two_histories(evidence: Any, paths: list[Path]) -> None:
    """Check that the evidence has the host's signatures of two different hashes for one entry. If there are
    files, each hash must be in one of them."""
    files = [File(path) for path in paths]
    one, other = (signed_entry(each, files[0].host) for each in evidence)
    assert one[0] == other[0] == files[0].game
    assert one[1] == other[1]
    assert one[2] != other[2]
    assert one[2] in files[0].heads or other[2] in files[0].heads


def proves_false_snapshot(evidence: Any, path: Path) -> None:
    """Check that the evidence has the host's signatures of an entry in this file, and of a snapshot with the
    same hash."""
    entry, snapshot = evidence
    proves_against_host(entry, path)
    Ed25519PublicKey.from_public_bytes(File(path).host).verify(snapshot.signature, snapshot.signed)
    tag, (game, n, head, *_) = unframe(snapshot.signed)
    assert (tag, game, int.from_bytes(n, "big"), head) == ("snapshot", *signed_entry(entry, entry.key))
