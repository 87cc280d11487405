"""Hidden and sealed moves: commitments to lines of notation that other players may not read
(docs/protocol.md, section 8).

The owner and the host know a hidden move. In a sealed move (warrants or threats on several characters) only
the owner's client knows which marker is the signed one. The log contains `warrant king bishop merchant sealed
C`. C is a commitment to the line with a star after the character of the signed marker. The owner can open the
commitment during the round. After the game all sealed moves are opened."""

import re
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from .codec import digest, u8, u16

Seat = Annotated[int, Meta(ge=0, le=8)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
MAX_LINE = 1024
"""Longest line in an opening, in characters. It must have room for a Magician who redraws a whole deck of
cards."""
Line = Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]

WIDTH = 32
"""Length of a commitment, in bytes."""

ALWAYS_HIDDEN = frozenset({"pick", "keep", "redraw", "give", "laboratory", "museum", "lighthouse", "tribute"})
"""Verbs whose lines always name a card or character that only the seat that moves may know."""


class Opening(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The opening of a commitment. `slot` is the number of hidden and sealed moves that the seat made before
    in the round. `line` is the hidden line of notation, and `kind` its first word."""

    round: Annotated[int, Meta(ge=0, le=65535)]
    seat: Seat
    slot: Annotated[int, Meta(ge=0, le=255)]
    kind: Annotated[str, Meta(min_length=1, max_length=32)]
    line: Line
    nonce: Hash


def nonce(key: bytes, game: bytes, head: bytes, kind: str, slot: int) -> bytes:
    """Return the nonce of a commitment in the entry after `head`. `key` is the client's 32-byte secret for
    one game. The nonce depends on the whole history: if another entry comes first, the move is prepared again
    with another nonce."""
    return digest("nonce", key, game, head, kind, u8(slot))


def committed(game: bytes, opening: Opening) -> bytes:
    """Return the 32-byte commitment that `opening` opens. It does not reveal the line in the opening."""
    place = (opening.kind, u16(opening.round), u8(opening.seat), u8(opening.slot))
    return digest("commit", game, *place, opening.line, opening.nonce)


def check(game: bytes, commit: bytes, opening: Opening) -> bool:
    """Return whether `opening` opens `commit`, and its `kind` is the first word of its line."""
    return committed(game, opening) == commit and opening.kind == verb_of(opening.line)


def conceal(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str
) -> tuple[bytes, tuple[Opening, ...]]:
    """Prepare `line` as a hidden move in the entry after `head`. Return the commitments to publish, and the
    openings for the host alone.

    A pick with a discarded character has two commitments, because the pick is opened before the discard."""
    openings = tuple(
        Opening(round_, seat, slot, kind, part, nonce(key, game, head, kind, slot))
        for part in split(line)
        for kind in (verb_of(part),)
    )
    return b"".join(committed(game, opening) for opening in openings), openings


def verb_of(line: str) -> str:
    """Return the first word of a line of notation, such as `pick`."""
    return line.split(" ", 1)[0]


def split(line: str) -> tuple[str, ...]:
    """Return the lines that get separate commitments. For `pick A discarding B`: (`pick A`, `discard B`).
    Otherwise: `line` alone."""
    pick, found, laid = line.partition(" discarding ")
    # The pick is revealed when it is called, the discard only after the game.
    if found and line.startswith("pick "):
        return (pick, f"discard {laid}")
    return (line,)


def join(lines: tuple[str, ...]) -> str:
    """Return the line of notation from which `split` made `lines`."""
    return " discarding ".join((lines[0], *(line.removeprefix("discard ") for line in lines[1:])))


SEALED: Final = frozenset({"warrant", "threaten"})
"""Verbs of lines that are sealed, so that the host cannot read which marker is signed."""
BREAKING: Final = {"confiscate yes": "warrant", "reveal yes": "threaten"}
"""The open lines that reveal a sealed marker, each with the verb of the sealed move."""
VERBS: Final = {"warrant": "warrant", "threat": "threaten"}
"""The verb of the sealed move, by kind of marker."""

_FORM: Final = re.compile(r"(warrant|threaten) ([a-z_ ]+) sealed ([0-9a-f]{64})")

Manner = Literal["open", "hidden", "sealed"]


class SealedMove(Struct, frozen=True):
    """A sealed move as all players see it: the verb, the `characters` with markers, and the commitment
    `commit` to the one with the signed marker."""

    verb: str
    characters: tuple[str, ...]
    commit: bytes

    @property
    def line(self) -> str:
        """The line of notation without a star, which the host's engine plays."""
        return " ".join((self.verb, *self.characters))


def manner(line: str) -> Manner:
    """Return how `line` is sent: "open", "hidden" or "sealed". A line that contains what other players may
    not know is hidden: a commitment is published instead. The words of the line alone decide this
    (docs/protocol.md, section 8)."""
    verb, *words = line.split(" ")
    if verb in SEALED:
        return "sealed"
    with_cards = "with" in words or "borrowing" in words
    shows = {
        "theater": "giving" not in words,
        "take": "building" in words and not with_cards,
        "build": not with_cards,
    }
    return "hidden" if verb in ALWAYS_HIDDEN or not shows.get(verb, True) else "open"


def seal(key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str) -> str:
    """Return the published form of a sealed move in the entry after `head`. `line` has a star at the signed
    marker, and `key` is the client's 32-byte secret for the game."""
    commit, _ = conceal(key, game, head, round_, seat, slot, line)
    return f"{line.replace('*', '')} sealed {commit.hex()}"


def read_sealed(what: str) -> SealedMove | None:
    """Parse the published form of a sealed move; None for any other line."""
    found = _FORM.fullmatch(what)
    return SealedMove(found[1], tuple(found[2].split(" ")), bytes.fromhex(found[3])) if found else None


def plain(what: str) -> str:
    """Return the line that the host's engine plays. For the published form of a sealed move: its line without
    commitment and star. Otherwise: `what`."""
    sealed = read_sealed(what)
    return what if sealed is None else sealed.line


def fits(opening: Opening, sealed: SealedMove) -> bool:
    """Return whether the line in `opening` is that of the sealed move with one star, at the end of a word
    after the verb."""
    words = opening.line.split(" ")
    stars = [word for word in words[1:] if word.endswith("*")]
    return len(stars) == 1 and opening.line.count("*") == 1 and opening.line.replace("*", "") == sealed.line


def starred(opening: Opening) -> str:
    """Return the character with the star: the one with the signed marker."""
    return next(word[:-1] for word in opening.line.split(" ") if word.endswith("*"))


def recover(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, sealed: SealedMove
) -> Opening | None:
    """Compute the owner's opening of `sealed`, a sealed move in the entry after `head`. None: `key` did not
    make it. All characters are tried in any case, so the time does not reveal the right one."""
    names, own = sealed.characters, None
    for at, name in enumerate(names):
        line = " ".join((sealed.verb, *names[:at], f"{name}*", *names[at + 1 :]))
        commit, (opening,) = conceal(key, game, head, round_, seat, slot, line)
        own = opening if commit == sealed.commit else own
    return own
