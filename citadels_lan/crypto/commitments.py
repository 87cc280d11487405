"""Commitments: a move that everybody holds before anybody but its owner, and the host, can read it."""

from typing import Annotated

from msgspec import Meta, Struct

from .frames import digest, u8, u16

Seat = Annotated[int, Meta(ge=0, le=8)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
MAX_LINE = 1024
"""Characters; the Magician may redraw a whole deck."""
Line = Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]

WIDTH = 32
"""Bytes of a commitment."""

ALWAYS_HIDDEN = frozenset({"pick", "keep", "redraw", "give", "laboratory", "museum", "lighthouse", "tribute"})
"""Verbs whose lines always name something that only the mover may know."""


class Opening(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a commitment hid. `slot` counts the hidden moves of the seat in the round from 0; `kind` is the verb of
    `line`, a line of notation."""

    round: Annotated[int, Meta(ge=0, le=65535)]
    seat: Seat
    slot: Annotated[int, Meta(ge=0, le=255)]
    kind: Annotated[str, Meta(min_length=1, max_length=32)]
    line: Line
    nonce: Hash


def commitment(game: bytes, kind: str, round_: int, seat: int, slot: int, line: str, nonce: bytes) -> bytes:
    """The 32 bytes that fix `line` without telling it."""
    return digest("commit", game, kind, u16(round_), u8(seat), u8(slot), line, nonce)


def nonce(key: bytes, game: bytes, head: bytes, kind: str, slot: int) -> bytes:
    """The nonce of a commitment in the entry after `head`, from the 32-byte key of a client for one game. It
    depends on all history, so a move that is prepared again after another history has another nonce."""
    return digest("nonce", key, game, head, kind, u8(slot))


def committed(game: bytes, opening: Opening) -> bytes:
    """The commitment that an opening opens."""
    return commitment(game, opening.kind, opening.round, opening.seat, opening.slot, opening.line, opening.nonce)


def check(game: bytes, commit: bytes, opening: Opening) -> bool:
    """Whether `opening` opens `commit`, and its kind is the verb of its line."""
    return committed(game, opening) == commit and opening.kind == verb_of(opening.line)


def conceal(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str
) -> tuple[bytes, tuple[Opening, ...]]:
    """A hidden move for the entry after `head`: the `what` that is published, and the openings for the host alone.

    A pick that lays a character aside has a commitment for each, because one is shown and the other is not.
    """
    openings = tuple(
        Opening(round_, seat, slot, kind, part, nonce(key, game, head, kind, slot))
        for part in split(line)
        for kind in (verb_of(part),)
    )
    return b"".join(committed(game, opening) for opening in openings), openings


def verb_of(line: str) -> str:
    """The first word of a line of notation, which says what kind of move it is."""
    return line.split(" ", 1)[0]


def split(line: str) -> tuple[str, ...]:
    """The lines that are committed to one by one: two for a pick with a discard, else the line itself."""
    pick, found, laid = line.partition(" discarding ")
    if found and line.startswith("pick "):
        return (pick, f"discard {laid}")
    return (line,)


def join(lines: tuple[str, ...]) -> str:
    """The line of notation that `split` took apart."""
    return " discarding ".join((lines[0], *(line.removeprefix("discard ") for line in lines[1:])))


def hidden(line: str) -> bool:
    """Whether a line of notation tells what others may not know, so that the move is published as a commitment.

    It is decided by the words alone, for everybody alike (docs/protocol.md, section 8).
    """
    verb, *words = line.split(" ")
    if verb in ALWAYS_HIDDEN:
        return True
    if verb == "theater":
        return "giving" in words
    if verb == "take":
        return "building" not in words or "with" in words or "borrowing" in words
    return verb == "build" and ("with" in words or "borrowing" in words)
