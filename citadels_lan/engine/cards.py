"""The cards of the game as facts: names are keys, texts live with the translations."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final, Literal

from msgspec import Struct, convert

DistrictType = Literal["noble", "religious", "trade", "military", "unique"]
TYPES: Final[tuple[DistrictType, ...]] = ("noble", "religious", "trade", "military", "unique")

HIDDEN: Final = "?"
"""Stands for a card or a character that the viewer may not know."""


class DistrictCard(Struct, frozen=True):
    """A district card: `cost` in gold, `count` copies in the box."""

    type: DistrictType
    cost: int
    count: int


class CharacterCard(Struct, frozen=True):
    """A character card.

    `players` is the smallest and largest table it may be used at, `income` the district type it is paid for and
    `pays` what each such district yields.
    """

    rank: int
    players: tuple[int, int]
    income: DistrictType | None = None
    pays: Literal["gold", "cards", "gold_or_cards"] | None = None


def _load(folder: str) -> dict[str, Any]:
    text = files("citadels_lan.engine").joinpath(folder, "cards.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


DISTRICTS: Final[Mapping[str, DistrictCard]] = convert(_load("districts"), dict[str, DistrictCard])
CHARACTERS: Final[Mapping[str, CharacterCard]] = convert(_load("characters"), dict[str, CharacterCard])

COST: Final[Mapping[str, int]] = {key: card.cost for key, card in DISTRICTS.items()}
TYPE: Final[Mapping[str, DistrictType]] = {key: card.type for key, card in DISTRICTS.items()}
RANK: Final[Mapping[str, int]] = {key: card.rank for key, card in CHARACTERS.items()}

BASICS: Final[tuple[str, ...]] = tuple(
    key for key, card in DISTRICTS.items() if card.type != "unique" for _ in range(card.count)
)
"""The 54 basic districts, one entry per copy (rulebook p. 2)."""
UNIQUES: Final[tuple[str, ...]] = tuple(key for key, card in DISTRICTS.items() if card.type == "unique")
