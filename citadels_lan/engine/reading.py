"""Reading a line of notation word by word: the words that moves are made of. Which of them a move expects, is for
its action to say (`Action.read`)."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeVar

from .cards import CHARACTERS, DISTRICTS, TYPES, DistrictType, in_order
from .spots import SEATS, Spot

S = TypeVar("S", bound=str)

SPOT: Final = re.compile(r"(?:([a-i])\.)?([a-z_]+)(?:#([1-9][0-9]?))?")


SHOWN: Final = 60
"""Characters of a wrong word that are shown."""


class BadNotation(ValueError):
    """A line that is no move of the notation. `code` and `details` are for the translations; long words are
    cut."""

    def __init__(self, code: str, word: str = "") -> None:
        super().__init__(f"{code}: {word}" if word else code)
        word = word if len(word) <= SHOWN else f"{word[:SHOWN]}…"
        self.code = code
        self.details: dict[str, str | int] = {"word": word}


class Words:
    """The words of a line, read from the left. `mover` is the seat that says it, if known."""

    def __init__(self, words: list[str], mover: int | None) -> None:
        self.left = words
        self.mover = mover

    def next(self) -> str:
        if not self.left:
            raise BadNotation("line_too_short")
        return self.left.pop(0)

    def skip(self, *expected: str) -> bool:
        """Whether the line goes on with these words, which are then read."""
        if tuple(self.left[: len(expected)]) != expected:
            return False
        del self.left[: len(expected)]
        return True

    def until(self, *stops: str) -> Iterable[str]:
        """The words before any of `stops`, at least one."""
        yield self.next()
        while self.left and self.left[0] not in stops:
            yield self.left.pop(0)

    def one_of(self, allowed: Sequence[S]) -> S:
        word = self.next()
        for known in allowed:
            if word == known:
                return known
        raise BadNotation("unknown_word", word)

    def expect(self, word: str) -> None:
        """Read a word that can be no other."""
        self.one_of((word,))

    def seat(self) -> int:
        return seat_in(self.next())

    def card(self) -> str:
        return card_in(self.next())

    def character(self) -> str:
        return character_in(self.next())

    def cards(self, *stops: str) -> tuple[str, ...]:
        return in_order(card_in(word) for word in self.until(*stops))

    def spot(self) -> Spot:
        word = self.next()
        match = SPOT.fullmatch(word)
        if match is None:
            raise BadNotation("no_district", word)
        place, key, nth = match.groups()
        owner = None if place is None or SEATS.index(place) == self.mover else SEATS.index(place)
        return Spot(card_in(key), owner, int(nth or 1))

    def district_type(self) -> DistrictType:
        return self.one_of(TYPES)

    def resource(self) -> Literal["gold", "cards"]:
        return self.one_of(RESOURCES)

    def answer(self) -> bool:
        return self.one_of(("yes", "no")) == "yes"


RESOURCES: Final[tuple[Literal["gold", "cards"], ...]] = ("gold", "cards")


def seat_in(word: str) -> int:
    """The seat that a word names."""
    if len(word) != 1 or word not in SEATS:
        raise BadNotation("no_seat", word)
    return SEATS.index(word)


def card_in(word: str) -> str:
    """The district that a word names."""
    if word not in DISTRICTS:
        raise BadNotation("no_district", word)
    return word


def character_in(word: str) -> str:
    """The character that a word names."""
    if word not in CHARACTERS:
        raise BadNotation("no_character", word)
    return word
