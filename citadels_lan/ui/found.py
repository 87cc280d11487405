"""Tables found on the network, in words."""

from typing import Final

from citadels_lan.texts import Texts, msg

from .launcher import FoundTable

UNFINDABLE: Final = msg("Tables cannot be looked for on this machine now: join by address or by link.")


def playing(texts: Texts, table: FoundTable) -> str:
    """What can be done at a table whose game has begun."""
    return texts.say(msg("playing: back to your seat")) if table.mine else texts.say(msg("playing already: watch"))
