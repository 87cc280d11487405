"""The unique districts, by the moment they matter; what stands on their cards is the edition's."""

from .armory import Armory
from .building import Factory, Framework, Monument, Necropolis, Quarry, SecretVault, Stables, ThievesDen
from .gathering import GoldMine, Library, Observatory
from .laboratory import Laboratory
from .museum import Museum
from .scoring import (
    Basilica,
    Capitol,
    DragonGate,
    HauntedQuarter,
    ImperialTreasury,
    IvoryTower,
    MapRoom,
    Statue,
    WishingWell,
)
from .smithy import Smithy
from .standing import GreatWall, Keep, SchoolOfMagic
from .theater import Theater
from .turn_end import Park, PoorHouse

__all__ = [
    "Armory",
    "Basilica",
    "Capitol",
    "DragonGate",
    "Factory",
    "Framework",
    "GoldMine",
    "GreatWall",
    "HauntedQuarter",
    "ImperialTreasury",
    "IvoryTower",
    "Keep",
    "Laboratory",
    "Library",
    "MapRoom",
    "Monument",
    "Museum",
    "Necropolis",
    "Observatory",
    "Park",
    "PoorHouse",
    "Quarry",
    "SchoolOfMagic",
    "SecretVault",
    "Smithy",
    "Stables",
    "Statue",
    "Theater",
    "ThievesDen",
    "WishingWell",
]
