"""The characters, one module each; the facts of their cards stand in `cards.toml`."""

from citadels_lan.engine.registry import register_characters, register_markers

from .abbot import Abbot
from .alchemist import Alchemist
from .architect import Architect
from .artist import Artist
from .assassin import Assassin, Killed
from .bishop import Bishop
from .blackmailer import Blackmailer, Threatened
from .cardinal import Cardinal
from .diplomat import Diplomat
from .emperor import Emperor
from .king import King
from .magician import Magician
from .magistrate import Magistrate, Warranted
from .marshal import Marshal
from .merchant import Merchant
from .navigator import Navigator
from .patrician import Patrician
from .queen import Queen
from .scholar import Scholar
from .seer import Seer
from .spy import Spy
from .tax_collector import TaxCollector
from .thief import Robbed, Thief
from .trader import Trader
from .warlord import Warlord
from .witch import Bewitched, Witch
from .wizard import Wizard

register_characters(
    Assassin(), Witch(), Magistrate(), Thief(), Spy(), Blackmailer(), Magician(), Wizard(), Seer(), King(),
    Emperor(), Patrician(), Bishop(), Abbot(), Cardinal(), Merchant(), Alchemist(), Trader(), Architect(),
    Navigator(), Scholar(), Warlord(), Diplomat(), Marshal(), Queen(), Artist(), TaxCollector(),
)  # fmt: skip
register_markers(Killed(), Bewitched(), Warranted(), Robbed(), Threatened())
