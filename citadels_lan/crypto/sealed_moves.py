"""Sealed moves: warrants and threats of which only their owner's client knows the one that counts.

The log has `warrant king bishop merchant sealed C`, where C commits to the same line with its star. The owner
breaks the seal with the opening, or lets it be; after the game all seals are opened (docs/protocol.md, section 4).
"""

import re
from typing import Final, Literal

from .commitments import Opening, commitment, hidden, nonce

SEALED: Final = frozenset({"warrant", "threaten"})
"""Verbs whose lines not even the host may read."""
BREAKING: Final = {"confiscate yes": "warrant", "reveal yes": "threaten"}
"""The lines that break a seal, and the verb of what was sealed."""
VERBS: Final = {"warrant": "warrant", "threat": "threaten"}
"""The verb that places a kind of markers."""

_FORM: Final = re.compile(r"((?:warrant|threaten) [a-z_ ]+) sealed ([0-9a-f]{64})")

Manner = Literal["open", "hidden", "sealed"]


def manner(line: str) -> Manner:
    """How a line of notation is sent, by its words alone."""
    if line.split(" ", 1)[0] in SEALED:
        return "sealed"
    return "hidden" if hidden(line) else "open"


def seal(key: bytes, game: bytes, round_: int, seat: int, slot: int, line: str) -> str:
    """What is signed and published of a sealed line, from the 32-byte key of the client for one game."""
    verb = line.split(" ", 1)[0]
    commit = commitment(game, verb, round_, seat, slot, line, nonce(key, game, verb, round_, seat, slot))
    return f"{line.replace('*', '')} sealed {commit.hex()}"


def unsealed_part(what: str) -> tuple[str, bytes] | None:
    """The line without its star and the commitment, of a sealed move; None for any other."""
    found = _FORM.fullmatch(what)
    return (found[1], bytes.fromhex(found[2])) if found else None


def plain(what: str) -> str:
    """The line that the host's engine plays for an open or a sealed move."""
    parts = unsealed_part(what)
    return parts[0] if parts else what


def fits(opening: Opening, line: str) -> bool:
    """Whether an opening says a sealed `line` with exactly one star, after a whole word."""
    words = opening.line.split(" ")
    stars = [word for word in words[1:] if word.endswith("*")]
    return len(stars) == 1 and opening.line.count("*") == 1 and opening.line.replace("*", "") == line


def starred(opening: Opening) -> str:
    """The character that has the marker that counts."""
    return next(word[:-1] for word in opening.line.split(" ") if word.endswith("*"))


def recover(
    key: bytes, game: bytes, round_: int, seat: int, slot: int, line: str, commit: bytes
) -> Opening | None:
    """The owner's own opening of a sealed `line`, from key and commitment: there are only a few candidates. All of
    them are tried, whichever it is, so that it takes the same time."""
    verb, *characters = line.split(" ")
    salt = nonce(key, game, verb, round_, seat, slot)
    found: Opening | None = None
    for at in range(len(characters)):
        words = [*characters[:at], f"{characters[at]}*", *characters[at + 1 :]]
        said = " ".join((verb, *words))
        if commitment(game, verb, round_, seat, slot, said, salt) == commit:
            found = Opening(round_, seat, slot, verb, said, salt)
    return found
