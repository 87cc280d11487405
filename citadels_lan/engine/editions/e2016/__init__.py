"""The 2016/2021 edition: one of 27 characters for each rank, 14 of 30 unique districts."""

from msgspec import convert

from citadels_lan.engine import characters as who
from citadels_lan.engine import districts as what
from citadels_lan.engine.cards import box, table_file
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.scoring import scores, winners
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.building import BuildRule, not_twice_in_a_city
from citadels_lan.engine.turn.ending import EndRule, character_ends, districts_end, last_districts_end
from citadels_lan.engine.turn.gathering import GatherRule, KeepRule
from citadels_lan.engine.turn.piles import UnderTheDeck

from .casting import OnePerRank

PLAYERS = range(2, 9)
FACE_UP = {
    (4, 8): 2, (5, 8): 1, (6, 8): 0, (7, 8): 0,
    (4, 9): 3, (5, 9): 2, (6, 9): 1, (7, 9): 0, (8, 9): 0,
}  # fmt: skip


def goal(state: State) -> int:
    """7 districts complete a city, with 2 or 3 players 8 (R320, R321)."""
    return 8 if len(state.players) < 4 else 7


ABILITIES = (
    who.Assassin(), who.Witch(), who.Magistrate(warrants=3),
    who.Thief(), who.SpyAbility(), who.Blackmailer(threats=2),
    who.Magician(), who.Wizard(), who.Seer(),
    who.King(), who.Emperor(), who.Patrician(),
    who.Bishop(), who.Abbot(), who.Cardinal(),
    who.Merchant(gold=1), who.Alchemist(), who.Trader(),
    who.Architect(cards=2), who.Navigator(gold=4, cards=4), who.Scholar(cards=7),
    who.Warlord(), who.Diplomat(), who.Marshal(highest_cost=3),
    who.Queen(gold=3), who.Artist(most=2), who.TaxCollector(),
)  # fmt: skip
EFFECTS = (
    what.ArmoryEffect(), what.Basilica(), what.Capitol(points=3), what.DragonGate(points=2), what.Factory(),
    what.Framework(), what.GoldMine(gold=1), what.GreatWall(), what.HauntedQuarter(), what.ImperialTreasury(),
    what.IvoryTower(points=5), what.KeepEffect(), what.LaboratoryEffect(gold=2), what.Library(), what.MapRoom(),
    what.Monument(), what.MuseumEffect(), what.Necropolis(), what.Observatory(cards=1), what.Park(cards=2),
    what.PoorHouse(gold=1), what.Quarry(), what.SchoolOfMagic(), what.SecretVault(points=3),
    what.SmithyEffect(pays=2, draws=3), what.Stables(), what.Statue(points=5), what.TheaterEffect(),
    what.ThievesDen(), what.WishingWell(),
)  # fmt: skip

E2016 = Edition(
    key="2016",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    gold=2,
    districts=box("e2016").districts,
    characters=box("e2016").characters,
    abilities={piece.key: piece for piece in ABILITIES},
    effects={piece.key: piece for piece in EFFECTS},
    rules=(GatherRule(gold=2, cards=2), BuildRule(), EndRule()),
    steps={"keep": KeepRule()},
    endings=(districts_end, character_ends, last_districts_end),
    flow=Rounds(Draft(FACE_UP)),
    piles=UnderTheDeck(),
    casting=OnePerRank(),
    identical=not_twice_in_a_city,
    goal=goal,
    scores=scores,
    winners=winners,
    scenarios=convert(table_file("e2016", "scenarios.toml"), dict[str, Scenario]),
)
