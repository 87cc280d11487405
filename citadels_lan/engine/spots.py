"""Seats by letter, and a district where it stands: the places that a line of notation names."""

from typing import Final

from msgspec import Struct

SEATS: Final = "abcdefghi"
"""Seats by letter, clockwise: the left neighbour of `a` is `b`. No edition has more players."""


def seat_name(seat: int) -> str:
    """The letter of a seat (0 is `a`)."""
    return SEATS[seat]


class Spot(Struct, frozen=True, order=True):
    """A district standing in a city: the `nth` of that name from the left. `seat` is None for the mover's own."""

    key: str
    seat: int | None = None
    nth: int = 1

    def __str__(self) -> str:
        place = "" if self.seat is None else f"{seat_name(self.seat)}."
        return f"{place}{self.key}" + (f"#{self.nth}" if self.nth > 1 else "")
