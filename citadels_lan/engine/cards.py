"""What stands on the cards: names are keys, texts live with the translations."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from msgspec import Struct, convert

DistrictType = Literal["noble", "religious", "trade", "military", "unique"]
TYPES: Final[tuple[DistrictType, ...]] = ("noble", "religious", "trade", "military", "unique")

HIDDEN: Final = "?"
"""Stands for a card or a character that the viewer may not know."""


class DistrictCard(Struct, frozen=True):
    """A district card: `cost` in gold, `count` copies in the box."""

    key: str
    type: DistrictType
    cost: int
    count: int


class CharacterCard(Struct, frozen=True):
    """A character card.

    `players` is the smallest and largest table it may be used at, `income` the district type it is paid for and
    `pays` what each such district yields.
    """

    key: str
    rank: int
    players: tuple[int, int]
    income: DistrictType | None = None
    pays: Literal["gold", "cards", "gold_or_cards"] | None = None


class Box(Struct, frozen=True):
    """The cards of an edition, by key."""

    districts: Mapping[str, DistrictCard]
    characters: Mapping[str, CharacterCard]


def table_file(folder: str, name: str) -> dict[str, Any]:
    """A table of an edition, as it stands in `editions/<folder>`."""
    return tomllib.loads(
        files("citadels_lan.engine").joinpath("editions", folder, name).read_text(encoding="utf-8")
    )


@cache
def box(folder: str) -> Box:
    """The cards in `editions/<folder>/cards.toml`."""
    cards = table_file(folder, "cards.toml")
    keyed = {kind: {key: {"key": key, **facts} for key, facts in named.items()} for kind, named in cards.items()}
    return convert(keyed, Box)
