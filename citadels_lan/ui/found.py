"""A table found on the network, in words."""

from citadels_lan.texts import Texts, msg

from .launcher import FoundTable


def playing(texts: Texts, table: FoundTable) -> str:
    """What can be done at a table whose game has begun."""
    return texts.say(msg("playing: back to your seat")) if table.mine else texts.say(msg("playing already: watch"))
