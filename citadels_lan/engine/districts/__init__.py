"""The unique districts, by the moment they matter; what stands on their cards is the edition's."""

from .armory import ArmoryEffect
from .building import Factory, Framework, Monument, Necropolis, Quarry, SecretVault, Stables, ThievesDen
from .gathering import GoldMine, Library, Observatory
from .laboratory import LaboratoryEffect
from .museum import MuseumEffect
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
from .smithy import SmithyEffect
from .standing import GreatWall, KeepEffect, SchoolOfMagic
from .theater import TheaterEffect
from .turn_end import Park, PoorHouse

__all__ = [
    "ArmoryEffect",
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
    "KeepEffect",
    "LaboratoryEffect",
    "Library",
    "MapRoom",
    "Monument",
    "MuseumEffect",
    "Necropolis",
    "Observatory",
    "Park",
    "PoorHouse",
    "Quarry",
    "SchoolOfMagic",
    "SecretVault",
    "SmithyEffect",
    "Stables",
    "Statue",
    "TheaterEffect",
    "ThievesDen",
    "WishingWell",
]
