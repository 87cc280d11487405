"""Sealed moves: warrants and threats of which only their owner's client knows the one that counts.

The log has `warrant king bishop merchant sealed C`, where C commits to the same line with its star. The owner
breaks the seal with the opening, or lets it be; after the game all seals are opened (docs/protocol.md, section 8).
"""

import re
from typing import Final, Literal

from msgspec import Struct

from .commitments import Opening, commitment, hidden, nonce, verb_of

SEALED: Final = frozenset({"warrant", "threaten"})
"""Verbs whose lines not even the host may read."""
BREAKING: Final = {"confiscate yes": "warrant", "reveal yes": "threaten"}
"""The lines that break a seal, and the verb of what was sealed."""
VERBS: Final = {"warrant": "warrant", "threat": "threaten"}
"""The verb that places a kind of markers."""

_FORM: Final = re.compile(r"(warrant|threaten) ([a-z_ ]+) sealed ([0-9a-f]{64})")

Manner = Literal["open", "hidden", "sealed"]


class SealedMove(Struct, frozen=True):
    """A sealed move as everybody has it: markers on `characters`, and the commitment to the one that counts."""

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
    """The owner's own opening of a sealed move in the entry after `head`, from key and commitment: there are only
    a few candidates. All of them are tried, whichever it is, so that it takes the same time."""
    verb, characters = sealed.verb, sealed.characters
    salt = nonce(key, game, head, verb, slot)
    found: Opening | None = None
    for at in range(len(characters)):
        line = " ".join((verb, *characters[:at], f"{characters[at]}*", *characters[at + 1 :]))
        if commitment(game, verb, round_, seat, slot, line, salt) == sealed.commit:
            found = Opening(round_, seat, slot, verb, line, salt)
    return found
