"""Hidden and sealed moves: commitments to lines that others may not read (docs/protocol.md, section 8).

A hidden move is known to its owner and the host. Of a sealed one, a warrant or a threat, only the owner's client
knows which marker counts: the log has `warrant king bishop merchant sealed C`, where C commits to the same line
with its star. The owner breaks the seal with the opening, or lets it be; after the game all seals are opened.
"""

import re
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from .codec import digest, u8, u16

Seat = Annotated[int, Meta(ge=0, le=8)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
MAX_LINE = 1024
"""Characters; the Magician may redraw a whole deck."""
Line = Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]

WIDTH = 32
"""Bytes of a commitment."""

ALWAYS_HIDDEN = frozenset({"pick", "keep", "redraw", "give", "laboratory", "museum", "lighthouse", "tribute"})
"""Verbs whose lines always name a card or character that only the mover may know."""


class Opening(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The opening of a commitment. `slot` counts the hidden moves of the seat in the round from 0; `kind` is the
    verb of `line`, a line of notation."""

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
    """The first word of a line of notation: the kind of the move."""
    return line.split(" ", 1)[0]


def split(line: str) -> tuple[str, ...]:
    """The lines that are committed to one by one: two for a pick with a discard, else the line itself."""
    pick, found, laid = line.partition(" discarding ")
    # The pick is revealed when it is called, the discard only after the game.
    if found and line.startswith("pick "):
        return (pick, f"discard {laid}")
    return (line,)


def join(lines: tuple[str, ...]) -> str:
    """The line of notation that `split` took apart."""
    return " discarding ".join((lines[0], *(line.removeprefix("discard ") for line in lines[1:])))


def hidden(line: str) -> bool:
    """Whether a line of notation tells what others may not know, so that the move is published as a commitment.

    The words alone decide it (docs/protocol.md, section 8).
    """
    verb, *words = line.split(" ")
    if verb in ALWAYS_HIDDEN:
        return True
    if verb == "theater":
        return "giving" in words
    if verb == "take":
        return "building" not in words or "with" in words or "borrowing" in words
    return verb == "build" and ("with" in words or "borrowing" in words)


SEALED: Final = frozenset({"warrant", "threaten"})
"""Verbs whose lines not even the host may read."""
BREAKING: Final = {"confiscate yes": "warrant", "reveal yes": "threaten"}
"""The lines that break a seal, and the verb of what was sealed."""
VERBS: Final = {"warrant": "warrant", "threat": "threaten"}
"""The verb that places a kind of markers."""

_FORM: Final = re.compile(r"(warrant|threaten) ([a-z_ ]+) sealed ([0-9a-f]{64})")

Manner = Literal["open", "hidden", "sealed"]


class SealedMove(Struct, frozen=True):
    """A sealed move as all players see it: markers on `characters`, and the commitment to the one that counts."""

    verb: str
    characters: tuple[str, ...]
    commit: bytes

    @property
    def line(self) -> str:
        """The line without its star, as the host's engine plays it."""
        return " ".join((self.verb, *self.characters))


def manner(line: str) -> Manner:
    """How a line of notation is sent, by its words alone."""
    if verb_of(line) in SEALED:
        return "sealed"
    return "hidden" if hidden(line) else "open"


def seal(key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str) -> str:
    """What is signed and published of a sealed line in the entry after `head`, from the 32-byte key of the client
    for one game."""
    verb = verb_of(line)
    commit = commitment(game, verb, round_, seat, slot, line, nonce(key, game, head, verb, slot))
    return f"{line.replace('*', '')} sealed {commit.hex()}"


def read_sealed(what: str) -> SealedMove | None:
    """The sealed move that is written so; None for any other line."""
    found = _FORM.fullmatch(what)
    return SealedMove(found[1], tuple(found[2].split(" ")), bytes.fromhex(found[3])) if found else None


def plain(what: str) -> str:
    """The line that the host's engine plays for an open or a sealed move."""
    sealed = read_sealed(what)
    return what if sealed is None else sealed.line


def fits(opening: Opening, sealed: SealedMove) -> bool:
    """Whether an opening says this sealed move with exactly one star, after a whole word."""
    words = opening.line.split(" ")
    stars = [word for word in words[1:] if word.endswith("*")]
    return len(stars) == 1 and opening.line.count("*") == 1 and opening.line.replace("*", "") == sealed.line


def starred(opening: Opening) -> str:
    """The character that has the marker that counts."""
    return next(word[:-1] for word in opening.line.split(" ") if word.endswith("*"))


def recover(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, sealed: SealedMove
) -> Opening | None:
    """The owner's opening of a sealed move in the entry after `head`, found by the key and the commitment among
    a few candidates. It tries all of them, so that the time does not depend on the result."""
    verb, characters = sealed.verb, sealed.characters
    salt = nonce(key, game, head, verb, slot)
    found: Opening | None = None
    for at in range(len(characters)):
        line = " ".join((verb, *characters[:at], f"{characters[at]}*", *characters[at + 1 :]))
        if commitment(game, verb, round_, seat, slot, line, salt) == sealed.commit:
            found = Opening(round_, seat, slot, verb, line, salt)
    return found
