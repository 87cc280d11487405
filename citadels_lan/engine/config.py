"""What a table plays, in one value: from the lobby to the header of a transcript."""

from typing import Final, TypeAlias

from msgspec import Struct

DEFAULT: Final = "2016"
"""The edition that is played where nobody says which."""
Value: TypeAlias = str | int
"""The value of an option."""
Options: TypeAlias = tuple[tuple[str, Value], ...]
"""The options that are not at their default, by name, in alphabetical order."""


class Unplayable(ValueError):
    """A table that the rules do not allow. `code` and `details` are for the translations."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.details.items())))


class TableConfig(Struct, frozen=True):
    """A table's players, edition, cast and unique districts. `cast` has one character per rank, in order; empty,
    the table's chance draws it, and so it does with `districts`, where the edition leaves a choice."""

    players: int
    cast: tuple[str, ...] = ()
    districts: tuple[str, ...] = ()
    edition: str = DEFAULT
    options: Options = ()
