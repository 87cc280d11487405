"""The 2016/2021 edition: one of 27 characters for each rank, 14 of 30 unique districts."""

from dataclasses import replace

from msgspec import convert

from citadels_lan.engine.cards import box, table_file
from citadels_lan.engine.characters.abbot import Abbot
from citadels_lan.engine.characters.alchemist import Alchemist
from citadels_lan.engine.characters.architect import Architect
from citadels_lan.engine.characters.artist import Artist
from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.bishop import Bishop
from citadels_lan.engine.characters.blackmailer import Blackmailer
from citadels_lan.engine.characters.cardinal import Cardinal
from citadels_lan.engine.characters.diplomat import Diplomat
from citadels_lan.engine.characters.emperor import Emperor
from citadels_lan.engine.characters.king import King
from citadels_lan.engine.characters.magician import Magician
from citadels_lan.engine.characters.magistrate import Magistrate
from citadels_lan.engine.characters.marshal import Marshal
from citadels_lan.engine.characters.merchant import Merchant
from citadels_lan.engine.characters.navigator import Navigator
from citadels_lan.engine.characters.patrician import Patrician
from citadels_lan.engine.characters.queen import Queen
from citadels_lan.engine.characters.scholar import Scholar
from citadels_lan.engine.characters.seer import Seer
from citadels_lan.engine.characters.spy import SpyAbility
from citadels_lan.engine.characters.tax_collector import TaxCollector
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.trader import Trader
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.characters.witch import Witch
from citadels_lan.engine.characters.wizard import Wizard
from citadels_lan.engine.districts import passive
from citadels_lan.engine.districts.armory import ArmoryEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.museum import MuseumEffect
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.districts.theater import TheaterEffect
from citadels_lan.engine.edition import Scenario
from citadels_lan.engine.editions.casting import OnePerRank
from citadels_lan.engine.editions.classic import CLASSIC
from citadels_lan.engine.scoring import highest_rank, most_points, scores
from citadels_lan.engine.state import State

PLAYERS = range(2, 9)


def goal(state: State) -> int:
    """Return how many districts complete a city: 7, or 8 with 2 or 3 players (R320, R321)."""
    return 8 if len(state.players) < 4 else 7


ABILITIES = (
    Assassin(), Witch(), Magistrate(warrants=3),
    Thief(), SpyAbility(), Blackmailer(threats=2),
    Magician(), Wizard(), Seer(),
    King(), Emperor(), Patrician(),
    Bishop(), Abbot(), Cardinal(),
    Merchant(gold=1), Alchemist(), Trader(),
    Architect(cards=2), Navigator(gold=4, cards=4), Scholar(cards=7),
    Warlord(), Diplomat(), Marshal(highest_cost=3),
    Queen(gold=3), Artist(most=2), TaxCollector(),
)  # fmt: skip
EFFECTS = (
    ArmoryEffect(), passive.Basilica(), passive.Capitol(points=3), passive.DragonGate(points=2),
    passive.Factory(), passive.Framework(), passive.GoldMine(gold=1), passive.GreatWall(),
    passive.HauntedQuarter(), passive.ImperialTreasury(), passive.IvoryTower(points=5),
    passive.KeepEffect(), LaboratoryEffect(gold=2), passive.Library(), passive.MapRoom(),
    passive.Monument(), MuseumEffect(), passive.Necropolis(), passive.Observatory(cards=1),
    passive.Park(cards=2), passive.PoorHouse(gold=1), passive.Quarry(), passive.SchoolOfMagic(),
    passive.SecretVault(points=3), SmithyEffect(pays=2, draws=3), passive.Stables(),
    passive.Statue(points=5), TheaterEffect(), passive.ThievesDen(), passive.WishingWell(),
)  # fmt: skip

E2016 = replace(
    CLASSIC,
    key="2016",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    districts=box("e2016").districts,
    characters=box("e2016").characters,
    abilities={piece.key: piece for piece in ABILITIES},
    effects={piece.key: piece for piece in EFFECTS},
    casting=OnePerRank(),
    goal=goal,
    scores=scores,
    winners=most_points(highest_rank),
    scenarios=convert(table_file("e2016", "scenarios.toml"), dict[str, Scenario]),
    options={},
)
