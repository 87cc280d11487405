"""The words of a line of notation: seats by letter, cards, districts in cities. `Action.read` reads them."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from msgspec import Struct

from citadels_lan.engine.cards import CHARACTERS, DISTRICTS, in_order

SEATS: Final = "abcdefghi"
"""Letters of the seats, clockwise: the left neighbour of `a` is `b`. No edition has more players."""


def seat_name(seat: int) -> str:
    """Return the letter of a seat (0 is `a`)."""
    return SEATS[seat]


class Spot(Struct, frozen=True, order=True):
    """A district in a city: the `nth` of the name `key` from the left, counted from 1. `seat` is the owner of
    the city; None for the player who moves."""

    key: str
    seat: int | None = None
    nth: int = 1

    def __str__(self) -> str:
        place = "" if self.seat is None else f"{seat_name(self.seat)}."
        return f"{place}{self.key}" + (f"#{self.nth}" if self.nth > 1 else "")


S = TypeVar("S", bound=str)

SPOT: Final = re.compile(r"(?:([a-i])\.)?([a-z_]+)(?:#([1-9][0-9]?))?")


SHOWN: Final = 60
"""The number of characters after which an error message cuts a wrong word."""


class BadNotation(ValueError):
    """A line that is not a move of the notation. `code` and `details` select and fill the translated text.
    Long words in it are cut."""

    def __init__(self, code: str, word: str = "") -> None:
        super().__init__(f"{code}: {word}" if word else code)
        word = word if len(word) <= SHOWN else f"{word[:SHOWN]}…"
        self.code = code
        self.details: dict[str, str | int] = {"word": word}


class Words:
    """The words of a line, read from left to right. `mover` is the seat that moves; None if unknown. All
    methods that read a word raise BadNotation."""

    def __init__(self, words: list[str], mover: int | None) -> None:
        self.left = words
        self.mover = mover

    def next(self) -> str:
        """Read and return the next word."""
        if not self.left:
            raise BadNotation("line_too_short")
        return self.left.pop(0)

    def skip(self, *expected: str) -> bool:
        """If the next words are these, read them and return True. Otherwise read nothing and return False."""
        if tuple(self.left[: len(expected)]) != expected:
            return False
        del self.left[: len(expected)]
        return True

    def until(self, *stops: str) -> Iterable[str]:
        """Read all words before the first of `stops`, or to the end of the line. There must be at least one."""
        yield self.next()
        while self.left and self.left[0] not in stops:
            yield self.left.pop(0)

    def one_of(self, allowed: Sequence[S]) -> S:
        """Read one of the allowed words."""
        word = self.next()
        for choice in allowed:
            if word == choice:
                return choice
        raise BadNotation("unknown_word", word)

    def expect(self, word: str) -> None:
        """Read the next word. Raises BadNotation if it is not `word`."""
        self.one_of((word,))

    def seat(self) -> int:
        """Read the letter of a seat."""
        return seat_in(self.next())

    def card(self) -> str:
        """Read the name of a district."""
        return card_in(self.next())

    def character(self) -> str:
        """Read the name of a character."""
        return character_in(self.next())

    def cards(self, *stops: str) -> tuple[str, ...]:
        """Read district names up to the first of `stops`, or to the end of the line; at least one. Return
        them sorted by name."""
        return in_order(card_in(word) for word in self.until(*stops))

    def spot(self) -> Spot:
        """Read a district in a city."""
        word = self.next()
        match = SPOT.fullmatch(word)
        if match is None:
            raise BadNotation("no_district", word)
        place, key, nth = match.groups()
        owner = None if place is None or SEATS.index(place) == self.mover else SEATS.index(place)
        return Spot(card_in(key), owner, int(nth or 1))


def seat_in(word: str) -> int:
    """Return the seat that a word names. Raises BadNotation."""
    if len(word) != 1 or word not in SEATS:
        raise BadNotation("no_seat", word)
    return SEATS.index(word)


def card_in(word: str) -> str:
    """Return the district that a word names. Raises BadNotation."""
    if word not in DISTRICTS:
        raise BadNotation("no_district", word)
    return word


def character_in(word: str) -> str:
    """Return the character that a word names. Raises BadNotation."""
    if word not in CHARACTERS:
        raise BadNotation("no_character", word)
    return word
