"""Hidden and sealed moves: commitments to lines that other players may not read (docs/protocol.md, section 8).

The owner and the host know a hidden move. In a sealed move (a warrant or a threat) only the owner's client knows
which marker counts. The log has `warrant king bishop merchant sealed C`, where C commits to the same line with a
star at that marker. The owner can break the seal with the opening. After the game all seals are opened.
"""

import re
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from .codec import digest, u8, u16

Seat = Annotated[int, Meta(ge=0, le=8)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
MAX_LINE = 1024
"""Longest line, in characters. The Magician may redraw a whole deck."""
Line = Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]

WIDTH = 32
"""Length of a commitment, in bytes."""

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


def nonce(key: bytes, game: bytes, head: bytes, kind: str, slot: int) -> bytes:
    """Return the nonce of a commitment in the entry after `head`, from a client's 32-byte key for one game. It
    depends on the whole history, so a move that is prepared again after another entry gets another nonce."""
    return digest("nonce", key, game, head, kind, u8(slot))


def committed(game: bytes, opening: Opening) -> bytes:
    """The commitment that an opening opens: 32 bytes that do not reveal its line."""
    place = (opening.kind, u16(opening.round), u8(opening.seat), u8(opening.slot))
    return digest("commit", game, *place, opening.line, opening.nonce)


def check(game: bytes, commit: bytes, opening: Opening) -> bool:
    """Whether `opening` opens `commit`, and its kind is the verb of its line."""
    return committed(game, opening) == commit and opening.kind == verb_of(opening.line)


def conceal(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, line: str
) -> tuple[bytes, tuple[Opening, ...]]:
    """Prepare a hidden move for the entry after `head`. Return the `what` that is published, and the openings for
    the host alone.

    A pick with a discarded character has a commitment for each of the two, because they are opened at different
    times.
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
    """Return the lines that have separate commitments: two for a pick with a discard, otherwise the line
    itself."""
    pick, found, laid = line.partition(" discarding ")
    # The pick is revealed when it is called, the discard only after the game.
    if found and line.startswith("pick "):
        return (pick, f"discard {laid}")
    return (line,)


def join(lines: tuple[str, ...]) -> str:
    """Return the line of notation that `split` has divided."""
    return " discarding ".join((lines[0], *(line.removeprefix("discard ") for line in lines[1:])))


SEALED: Final = frozenset({"warrant", "threaten"})
"""Verbs of the lines that the host may not read either."""
BREAKING: Final = {"confiscate yes": "warrant", "reveal yes": "threaten"}
"""The verbs that break a seal, each with the verb of the sealed move."""
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
    """Return how a line of notation is sent: open, hidden or sealed. It is hidden if it contains what other
    players may not know; then a commitment is published instead. Only its words decide it (docs/protocol.md,
    section 8)."""
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
    """Return what is signed and published of a sealed line in the entry after `head`; `key` is the client's
    32-byte key for the game."""
    commit, _ = conceal(key, game, head, round_, seat, slot, line)
    return f"{line.replace('*', '')} sealed {commit.hex()}"


def read_sealed(what: str) -> SealedMove | None:
    """Parse the published form of a sealed move; None for any other line."""
    found = _FORM.fullmatch(what)
    return SealedMove(found[1], tuple(found[2].split(" ")), bytes.fromhex(found[3])) if found else None


def plain(what: str) -> str:
    """Return the line that the host's engine plays for an open or a sealed move."""
    sealed = read_sealed(what)
    return what if sealed is None else sealed.line


def fits(opening: Opening, sealed: SealedMove) -> bool:
    """Whether an opening contains the line of this sealed move with exactly one star, after a whole word."""
    words = opening.line.split(" ")
    stars = [word for word in words[1:] if word.endswith("*")]
    return len(stars) == 1 and opening.line.count("*") == 1 and opening.line.replace("*", "") == sealed.line


def starred(opening: Opening) -> str:
    """Return the character with the star: the marker that counts."""
    return next(word[:-1] for word in opening.line.split(" ") if word.endswith("*"))


def recover(
    key: bytes, game: bytes, head: bytes, round_: int, seat: int, slot: int, sealed: SealedMove
) -> Opening | None:
    """Return the owner's opening of a sealed move in the entry after `head`. It compares the commitment with
    each of a few candidates, and always tries all of them, so that the time does not depend on the result."""
    names, own = sealed.characters, None
    for at, name in enumerate(names):
        line = " ".join((sealed.verb, *names[:at], f"{name}*", *names[at + 1 :]))
        commit, (opening,) = conceal(key, game, head, round_, seat, slot, line)
        own = opening if commit == sealed.commit else own
    return own
