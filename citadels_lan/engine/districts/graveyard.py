"""The Graveyard: its owner may take back a district that the Warlord destroys (R352)."""

from citadels_lan.engine.pieces import Unique


class Graveyard(Unique):
    key = "graveyard"
