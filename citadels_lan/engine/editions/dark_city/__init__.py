"""Dark City: the classic edition with its expansion. One of 18 characters for each rank, 25 purple districts."""

from dataclasses import replace

from citadels_lan.engine.cards import box, table_file
from citadels_lan.engine.characters.abbot import Abbot
from citadels_lan.engine.characters.alchemist import Alchemist
from citadels_lan.engine.characters.artist import Artist
from citadels_lan.engine.characters.diplomat import Diplomat
from citadels_lan.engine.characters.emperor import EmperorAtTheCall
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.characters.navigator import Navigator
from citadels_lan.engine.characters.queen import Queen
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.characters.witch import Witch
from citadels_lan.engine.characters.wizard import Wizard
from citadels_lan.engine.districts import passive
from citadels_lan.engine.districts.armory import ArmoryEffect
from citadels_lan.engine.districts.ballroom import Ballroom
from citadels_lan.engine.districts.bell_tower import FEWER, BellTowerEffect, rung
from citadels_lan.engine.districts.graveyard import GraveyardEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.lighthouse import LighthouseEffect
from citadels_lan.engine.districts.museum import MuseumEffect
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.edition import Scenario
from citadels_lan.engine.editions.casting import AnyPurples
from citadels_lan.engine.editions.classic import CLASSIC, TIE_BREAK
from citadels_lan.engine.state import State

PLAYERS = range(2, 9)
BOX = box("dark_city")

NEWCOMERS = (
    Witch(), TaxCollectorOfTurns(at_once=True), Wizard(), EmperorAtTheCall(late=True),
    Abbot(splits=False, alone=True), Alchemist(), Navigator(gold=4, cards=4),
    Diplomat(gives_all=True, last=True), Artist(most=2), Queen(gold=3),
)  # fmt: skip
EFFECTS = (
    ArmoryEffect(others=True), Ballroom(), BellTowerEffect(), passive.DragonGate(points=2),
    passive.Factory(), GraveyardEffect(), passive.GreatWall(), passive.HauntedCity(), passive.Hospital(),
    passive.ImperialTreasury(), passive.KeepEffect(), LaboratoryEffect(gold=1), passive.Library(most=2),
    LighthouseEffect(), passive.MapRoom(), MuseumEffect(), passive.Observatory(cards=1),
    passive.Park(cards=2), passive.PoorHouse(gold=1), passive.Quarry(one=True), passive.SchoolOfMagic(),
    SmithyEffect(pays=2, draws=3), passive.ThroneRoom(gold=1), passive.University(points=2),
    passive.WishingWell(other=True),
)  # fmt: skip
PURPLES = tuple(piece.key for piece in EFFECTS)
ABILITIES = {**CLASSIC.abilities, **{piece.key: piece for piece in NEWCOMERS}}
CROWN_STAYS = {"king": KingAtTheCall(heir=False), "emperor": EmperorAtTheCall(late=False)}
"""The King and the Emperor under the rule that a killed one of them does not move the crown (R349, R469)."""


def goal(state: State) -> int:
    """Return how many districts complete a city: 8, or 7 after a Bell Tower was turned (R371)."""
    return FEWER if rung(state) else 8


DARK_CITY = replace(
    CLASSIC,
    key="dark_city",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    districts=BOX.districts,
    characters=BOX.characters,
    abilities=ABILITIES,
    effects={piece.key: piece for piece in EFFECTS},
    casting=AnyPurples(),
    goal=goal,
    scenarios={
        key: Scenario(tuple(it["cast"]), PURPLES, it.get("rank_nine"))
        for key, it in table_file("dark_city", "scenarios.toml").items()
    },
    options={
        "districts_to_end": {8: {}, 7: {"goal": lambda state: FEWER}},
        "killed_king": {"heir": {}, "stays": {"abilities": {**ABILITIES, **CROWN_STAYS}}},
        "tie_break": TIE_BREAK,
    },
)
