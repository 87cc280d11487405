"""The names of the types and of the ready-made casts; those of the cards stand in `cards`."""

from collections.abc import Mapping
from typing import Final

from .marks import InContext, msg_in

TYPES: Final[Mapping[str, InContext]] = {
    "noble": msg_in("district type", "noble"),
    "religious": msg_in("district type", "religious"),
    "trade": msg_in("district type", "trade"),
    "military": msg_in("district type", "military"),
    "unique": msg_in("district type", "unique"),
}

LETTERS: Final[Mapping[str, InContext]] = {
    "noble": msg_in("letter of a district type", "N"),
    "religious": msg_in("letter of a district type", "R"),
    "trade": msg_in("letter of a district type", "T"),
    "military": msg_in("letter of a district type", "M"),
    "unique": msg_in("letter of a district type", "U"),
}

SCENARIOS: Final[Mapping[str, InContext]] = {
    "first_game": msg_in("scenario", "The First Game"),
    "devious_dignitaries": msg_in("scenario", "Devious Dignitaries"),
    "illustrious_emissaries": msg_in("scenario", "Illustrious Emissaries"),
    "vicious_nobles": msg_in("scenario", "Vicious Nobles"),
    "ambitious_aristocrats": msg_in("scenario", "Ambitious Aristocrats"),
    "cunning_agents": msg_in("scenario", "Cunning Agents"),
    "tenacious_delegates": msg_in("scenario", "Tenacious Delegates"),
    "dark_nobles": msg_in("scenario", "Dark Nobles"),
    "random": msg_in("scenario", "Random"),
}
"""Ready-made casts."""
