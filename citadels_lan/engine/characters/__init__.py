"""The characters, one module each; the facts of their cards stand in `cards.toml`."""

from citadels_lan.engine.registry import register_characters

from .architect import Architect
from .assassin import Assassin
from .bishop import Bishop
from .king import King
from .magician import Magician
from .merchant import Merchant
from .thief import Thief
from .warlord import Warlord

register_characters(Assassin(), Thief(), Magician(), King(), Bishop(), Merchant(), Architect(), Warlord())
