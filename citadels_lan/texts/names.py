"""The names of the cards and types. `Texts` is how they are asked for."""

from collections.abc import Mapping
from typing import Final

from .marks import InContext, msg_in

SHORT_CELLS: Final = 10
"""How wide a short name is at most."""

DISTRICTS: Final[Mapping[str, InContext]] = {
    "manor": msg_in("district", "Manor"),
    "castle": msg_in("district", "Castle"),
    "palace": msg_in("district", "Palace"),
    "temple": msg_in("district", "Temple"),
    "church": msg_in("district", "Church"),
    "monastery": msg_in("district", "Monastery"),
    "cathedral": msg_in("district", "Cathedral"),
    "tavern": msg_in("district", "Tavern"),
    "market": msg_in("district", "Market"),
    "trading_post": msg_in("district", "Trading Post"),
    "docks": msg_in("district", "Docks"),
    "harbor": msg_in("district", "Harbor"),
    "town_hall": msg_in("district", "Town Hall"),
    "watchtower": msg_in("district", "Watchtower"),
    "prison": msg_in("district", "Prison"),
    "barracks": msg_in("district", "Barracks"),
    "fortress": msg_in("district", "Fortress"),
    "armory": msg_in("district", "Armory"),
    "basilica": msg_in("district", "Basilica"),
    "capitol": msg_in("district", "Capitol"),
    "dragon_gate": msg_in("district", "Dragon Gate"),
    "factory": msg_in("district", "Factory"),
    "framework": msg_in("district", "Framework"),
    "gold_mine": msg_in("district", "Gold Mine"),
    "great_wall": msg_in("district", "Great Wall"),
    "haunted_quarter": msg_in("district", "Haunted Quarter"),
    "imperial_treasury": msg_in("district", "Imperial Treasury"),
    "ivory_tower": msg_in("district", "Ivory Tower"),
    "keep": msg_in("district", "Keep"),
    "laboratory": msg_in("district", "Laboratory"),
    "library": msg_in("district", "Library"),
    "map_room": msg_in("district", "Map Room"),
    "monument": msg_in("district", "Monument"),
    "museum": msg_in("district", "Museum"),
    "necropolis": msg_in("district", "Necropolis"),
    "observatory": msg_in("district", "Observatory"),
    "park": msg_in("district", "Park"),
    "poor_house": msg_in("district", "Poor House"),
    "quarry": msg_in("district", "Quarry"),
    "school_of_magic": msg_in("district", "School of Magic"),
    "secret_vault": msg_in("district", "Secret Vault"),
    "smithy": msg_in("district", "Smithy"),
    "stables": msg_in("district", "Stables"),
    "statue": msg_in("district", "Statue"),
    "theater": msg_in("district", "Theater"),
    "thieves_den": msg_in("district", "Thieves' Den"),
    "wishing_well": msg_in("district", "Wishing Well"),
}

SHORT_DISTRICTS: Final[Mapping[str, InContext]] = {
    "trading_post": msg_in("short district", "Trading P."),
    "watchtower": msg_in("short district", "Watchtower"),
    "dragon_gate": msg_in("short district", "Dragons"),
    "gold_mine": msg_in("short district", "Gold Mine"),
    "great_wall": msg_in("short district", "Great Wall"),
    "haunted_quarter": msg_in("short district", "Haunted Q."),
    "imperial_treasury": msg_in("short district", "Treasury"),
    "ivory_tower": msg_in("short district", "Ivory T."),
    "laboratory": msg_in("short district", "Laboratory"),
    "observatory": msg_in("short district", "Observat."),
    "school_of_magic": msg_in("short district", "Magic Sch."),
    "secret_vault": msg_in("short district", "Vault"),
    "thieves_den": msg_in("short district", "Thieves D."),
    "wishing_well": msg_in("short district", "Wish. Well"),
    "map_room": msg_in("short district", "Map Room"),
    "poor_house": msg_in("short district", "Poor House"),
    "framework": msg_in("short district", "Framework"),
}
"""Only where the full name is too wide in one of the languages."""

CHARACTERS: Final[Mapping[str, InContext]] = {
    "assassin": msg_in("character", "Assassin"),
    "witch": msg_in("character", "Witch"),
    "magistrate": msg_in("character", "Magistrate"),
    "thief": msg_in("character", "Thief"),
    "spy": msg_in("character", "Spy"),
    "blackmailer": msg_in("character", "Blackmailer"),
    "magician": msg_in("character", "Magician"),
    "wizard": msg_in("character", "Wizard"),
    "seer": msg_in("character", "Seer"),
    "king": msg_in("character", "King"),
    "emperor": msg_in("character", "Emperor"),
    "patrician": msg_in("character", "Patrician"),
    "bishop": msg_in("character", "Bishop"),
    "abbot": msg_in("character", "Abbot"),
    "cardinal": msg_in("character", "Cardinal"),
    "merchant": msg_in("character", "Merchant"),
    "alchemist": msg_in("character", "Alchemist"),
    "trader": msg_in("character", "Trader"),
    "architect": msg_in("character", "Architect"),
    "navigator": msg_in("character", "Navigator"),
    "scholar": msg_in("character", "Scholar"),
    "warlord": msg_in("character", "Warlord"),
    "diplomat": msg_in("character", "Diplomat"),
    "marshal": msg_in("character", "Marshal"),
    "queen": msg_in("character", "Queen"),
    "artist": msg_in("character", "Artist"),
    "tax_collector": msg_in("character", "Tax Collector"),
}

SHORT_CHARACTERS: Final[Mapping[str, InContext]] = {
    "blackmailer": msg_in("short character", "Blackmail."),
    "tax_collector": msg_in("short character", "Tax Coll."),
    "magician": msg_in("short character", "Magician"),
    "navigator": msg_in("short character", "Navigator"),
    "diplomat": msg_in("short character", "Diplomat"),
    "warlord": msg_in("short character", "Warlord"),
}

THE: Final[Mapping[str, InContext]] = {
    "assassin": msg_in("character", "the Assassin"),
    "witch": msg_in("character", "the Witch"),
    "magistrate": msg_in("character", "the Magistrate"),
    "thief": msg_in("character", "the Thief"),
    "spy": msg_in("character", "the Spy"),
    "blackmailer": msg_in("character", "the Blackmailer"),
    "magician": msg_in("character", "the Magician"),
    "wizard": msg_in("character", "the Wizard"),
    "seer": msg_in("character", "the Seer"),
    "king": msg_in("character", "the King"),
    "emperor": msg_in("character", "the Emperor"),
    "patrician": msg_in("character", "the Patrician"),
    "bishop": msg_in("character", "the Bishop"),
    "abbot": msg_in("character", "the Abbot"),
    "cardinal": msg_in("character", "the Cardinal"),
    "merchant": msg_in("character", "the Merchant"),
    "alchemist": msg_in("character", "the Alchemist"),
    "trader": msg_in("character", "the Trader"),
    "architect": msg_in("character", "the Architect"),
    "navigator": msg_in("character", "the Navigator"),
    "scholar": msg_in("character", "the Scholar"),
    "warlord": msg_in("character", "the Warlord"),
    "diplomat": msg_in("character", "the Diplomat"),
    "marshal": msg_in("character", "the Marshal"),
    "queen": msg_in("character", "the Queen"),
    "artist": msg_in("character", "the Artist"),
    "tax_collector": msg_in("character", "the Tax Collector"),
}
"""Characters with their article."""

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
    "random": msg_in("scenario", "Random"),
}
"""Ready-made casts."""
