"""What a table plays, in one value: from the lobby to the header of a transcript."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from .spots import SEATS

DEFAULT: Final = "2016"
"""The edition that is played where nobody says which."""
RANDOM: Final = "random"
"""The scenario whose cast and unique districts the table's chance draws."""
Key = Annotated[str, Meta(min_length=1, max_length=32)]
Value: TypeAlias = Key | Annotated[int, Meta(ge=0, le=999)]
"""The value of an option."""
Options = Annotated[tuple[tuple[Key, Value], ...], Meta(max_length=16)]
"""The options that are not at their default, by name, in alphabetical order."""
Cast = Annotated[tuple[Key, ...], Meta(max_length=20)]
DraftKind = Literal["open", "sealed"]
"""`sealed`: until its rank is called, only its owner knows a character, and the host does not."""
Uniques = Annotated[tuple[Key, ...], Meta(max_length=40)]


class Unplayable(ValueError):
    """A table that the rules do not allow. `code` and `details` are for the translations."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.details.items())))


class TableConfig(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A table's players, edition, cast and unique districts. `cast` has one character per rank, in order; empty,
    the table's chance draws it, and so it does with `districts`, where the edition leaves a choice. The limits are
    those of any edition; whether its own allows a table is for `check`."""

    players: Annotated[int, Meta(ge=2, le=len(SEATS))]
    cast: Cast = ()
    districts: Uniques = ()
    edition: Key = DEFAULT
    options: Options = ()
    draft: DraftKind = "open"

    @property
    def named(self) -> str:
        """The edition with its options and a draft that is not open, as the command line would say them."""
        options = (*self.options, *((("draft", self.draft),) if self.draft != "open" else ()))
        return ", ".join((self.edition, *(f"{name}={value}" for name, value in options)))


class Scenario(Struct, frozen=True):
    """A cast by rank, its rank 9 character if it has one, and the unique districts."""

    cast: tuple[str, ...]
    districts: tuple[str, ...]
    rank_nine: str | None = None
