"""The configuration of a table as one value. The lobby shows it, and the header of a transcript contains it."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from citadels_lan.engine.notation import SEATS

DEFAULT: Final = "2016"
"""The edition used if the user names none."""
RANDOM: Final = "random"
"""The scenario in which chance draws the cast and the unique districts."""
Key = Annotated[str, Meta(min_length=1, max_length=32)]
Value: TypeAlias = Key | Annotated[int, Meta(ge=0, le=999)]
"""The value of an option."""
Options = Annotated[tuple[tuple[Key, Value], ...], Meta(max_length=16)]
"""The options that differ from their default, as (name, value), in alphabetical order."""
Cast = Annotated[tuple[Key, ...], Meta(max_length=20)]
DraftKind = Literal["open", "sealed"]
"""`open`: the host knows all characters. `sealed`: only its owner knows a character until its rank is called.
"""
Uniques = Annotated[tuple[Key, ...], Meta(max_length=40)]


class Unplayable(ValueError):
    """The rules do not allow this table. `code` and `details` select and fill the translated text."""

    def __init__(self, code: str, **details: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.details.items())))


class TableConfig(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The number of players, edition, options, draft, cast and unique districts of a table.

    `cast` has one character per rank, in order. If it is empty, chance draws it. If `districts` is empty and
    the edition lets players choose unique districts, chance draws them, too. The limits of the fields suit
    every edition; `check` applies the narrower ones of this edition.
    """

    players: Annotated[int, Meta(ge=2, le=len(SEATS))]
    cast: Cast = ()
    districts: Uniques = ()
    edition: Key = DEFAULT
    options: Options = ()
    draft: DraftKind = "open"

    @property
    def named(self) -> str:
        """The edition, its options, and the draft if it is not open, written as on the command line."""
        options = (*self.options, *((("draft", self.draft),) if self.draft != "open" else ()))
        return ", ".join((self.edition, *(f"{name}={value}" for name, value in options)))


class Scenario(Struct, frozen=True):
    """A cast of ranks 1 to 8 in order, the rank 9 character that goes with it (None if there is none), and
    the unique districts."""

    cast: tuple[str, ...]
    districts: tuple[str, ...]
    rank_nine: str | None = None
