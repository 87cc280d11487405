"""The facts on the cards of all editions, by key, and the order of cards in the notation."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct, convert

DistrictType = Literal["noble", "religious", "trade", "military", "unique"]
TYPES: Final[tuple[DistrictType, ...]] = ("noble", "religious", "trade", "military", "unique")

HIDDEN: Final = "?"
"""Replaces a card or character that the viewer may not know."""


class DistrictCard(Struct, frozen=True):
    """A district card. `cost` is in gold; `count` is the number of copies in the box."""

    key: str
    type: DistrictType
    cost: int
    count: int


class CharacterCard(Struct, frozen=True):
    """A character card.

    `players` is (least, most): the numbers of players at a table that may use it. `income` is the type of
    district that pays the character, and `pays` is what each such district pays.
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
    """Return the content of a TOML file in `editions/<folder>`."""
    return tomllib.loads((Path(__file__).parent / "editions" / folder / name).read_text(encoding="utf-8"))


@cache
def box(folder: str) -> Box:
    """Return the cards in `editions/<folder>/cards.toml`."""
    cards = table_file(folder, "cards.toml")
    keyed = {kind: {key: {"key": key, **facts} for key, facts in named.items()} for kind, named in cards.items()}
    return convert(keyed, Box)


BOXES: Final = ("e2016", "classic", "dark_city")
"""The folders in `editions` with their own cards."""
DISTRICTS: Final[tuple[str, ...]] = tuple(dict.fromkeys(key for folder in BOXES for key in box(folder).districts))
CHARACTERS: Final[tuple[str, ...]] = tuple(
    dict.fromkeys(key for folder in BOXES for key in box(folder).characters)
)
"""All characters by rank. If editions disagree about a rank, the first edition in BOXES decides."""
_PLACE: Final = {character: place for place, character in enumerate(CHARACTERS)}


def by_rank(characters: Iterable[str]) -> tuple[str, ...]:
    """Return `characters` sorted by rank, the order of the notation."""
    return tuple(sorted(characters, key=_PLACE.__getitem__))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return district cards sorted by name, the order of the notation."""
    return tuple(sorted(cards))
