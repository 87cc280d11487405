"""The test vectors of docs/protocol.md, computed from its text. `python -m tests.extras.vectors` prints them.

In their names, A stands for the bytes 00…1f, B for 20…3f, and G (the game_id) for 00…0f."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from .outsider import GAME, HPKE, Key, frame, hashed, link_after, shuffled, u

PROTOCOL: Final = Path(__file__).parents[2] / "docs" / "protocol.md"
LIST: Final = Path(__file__).parents[2] / "citadels_lan" / "crypto" / "words.txt"
A: Final = bytes(range(32))
B: Final = bytes(range(32, 64))
GIVEN: Final = {"G": GAME, "A": A, "B": B}
KEY: Final = Key(A)
BOX: Final = (
    "3d7cff4dfa07a86669fe2b1867c436a6f8c9e723d5d3dc14ce10ab3cf05de16d3ccf06704ff68c39b1"
    "7144954898993094c76b7d368e7ca48a04bb50cf719a9732bddd2d4dab301fb9b176443f4a48b89c49"
)
"""A box contains random bytes, so this one is fixed. `sealed` has made it."""

HASHES: Final = (
    "commit(G,'pick',u16:3,u8:2,u8:0,'pick king',A)", "nonce(A,G,B,'pick',u8:0)", "bot(A,u8:2)",
    "genesis(G,B,A)", "priv(G,u64:7,u8:2,A,'hand')", "entry(B,u64:7,'public','leaves')", "salt(A,u64:7,u8:2)",
    "seed-host(G,A)", "part(B,u8:2,A)", "seed(B,A,A,B)", "word(G,u64:7,u8:2,A)", "words(G,u64:7,B,A,B)",
    "key-words(A)", "pake(A,G,'hello','table')", "rules('2016',A,'classic',B)", "link(G,u8:2,A)", "box-key(A)",
    "deal(u16:3,A,B,A)", "draft-nonce(G,A,B,'packet',u8:1)", "cards(G,'packet',u16:3,u8:2,u8:1,u16:10,A)",
)  # fmt: skip
"""The vectors of hashes: one for each tag."""

SIGNATURES: Final = (
    "entry(G,u64:7,B)", "host-key(G,A,B)", "seat(G,A,B,'Anna',u8:2)", "agree(B,u8:2,A)",
    "move(G,u64:7,B,u8:2,'end')", "hidden(G,u64:7,B,u8:2,A)", "signed(G,u64:7,B,u8:2,A,u8:1)",
    "back(G,u64:7,B,u8:2)", "accept(G,u64:7,B,B,A)", "said(G,u64:7,B,u8:2,'message')", "end(G,u64:7,B)",
    "transcript(G,u64:7,B,A)", "snapshot(G,u64:7,B,u8:2,A)", "host(A,G,'hello','table')",
    "join(A,G,'hello','table',u64:7,B)", "say(G,A,u64:7,'hello')",
)  # fmt: skip
"""The vectors of signatures: one for each tag, by the key with the secret A."""


def field(text: str) -> bytes:
    """Return the bytes of a field, such as `u16:3`, in the notation of the vectors."""
    if text.startswith("u"):
        size, number = text[1:].split(":")
        return u(int(number), int(size) // 8)
    return GIVEN[text] if text in GIVEN else text.strip("'").encode()


def fields(call: str) -> tuple[str, list[bytes]]:
    """Return the tag and the fields of a vector, such as `commit(G,'pick')`."""
    tag, inside = call.removesuffix(")").split("(")
    return tag, [field(text) for text in inside.split(",")]


def vectors() -> Iterator[tuple[str, str]]:
    """Yield the name of each vector and its value."""
    tag, some = fields(HASHES[0])
    yield f"frame-{HASHES[0]}", frame(tag, *some).hex()
    for call in HASHES:
        tag, some = fields(call)
        yield f"H-{call}", hashed(tag, *some).hex()
    for call in SIGNATURES:
        tag, some = fields(call)
        yield f"sign-{call}", KEY.sign(tag, *some).hex()
    tag, some = fields("words(G,u64:7,B,A,B)")
    names = LIST.read_text("ascii").split()
    yield "four-words", "-".join(names[byte] for byte in hashed(tag, *some)[:4])
    yield "six-words", "-".join(names[byte] for byte in hashed("key-words", A)[:6])
    yield "shuffle-chars/3/table/0(A,0…8)", "-".join(shuffled(A, "chars/3/table/0", range(9)))
    yield (
        "shuffle-kept/3/2/0(A,tavern,manor,tavern)",
        "-".join(shuffled(A, "kept/3/2/0", ["tavern", "manor", "tavern"])),
    )
    yield "anchor(G,u8:2,A)", link_after(2, A, 256).hex()
    yield "box", BOX


def box_info() -> bytes:
    """Return the HPKE `info` of the box in the vectors: from seat 2 to seat 3, the packet for step 1 of round
    3, with B as its commitment."""
    return frame("box", GAME, "packet", u(3, 2), u(1, 1), u(2, 1), u(3, 1), B)


def opened() -> bytes:
    """Decrypt the box of the vectors with the secret B. Return its content."""
    told: bytes = HPKE.decrypt(bytes.fromhex(BOX), X25519PrivateKey.from_private_bytes(B), box_info())
    return told


def sealed() -> str:
    """Return a new box with the bitmap 10 of characters and the nonce A, in hexadecimal."""
    made: bytes = HPKE.encrypt(u(10, 2) + A, X25519PrivateKey.from_private_bytes(B).public_key(), box_info())
    return made.hex()


def lines() -> list[str]:
    """Return the vectors as lines of docs/protocol.md."""
    return [f"    {call} {value}" for call, value in vectors()]


if __name__ == "__main__":
    print("\n".join(lines()))
