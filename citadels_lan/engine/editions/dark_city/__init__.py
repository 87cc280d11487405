"""Dark City: the classic edition with its expansion. One of 18 characters for each rank, 25 purple districts."""

from dataclasses import replace

from citadels_lan.engine.cards import box, table_file
from citadels_lan.engine.characters.abbot import Abbot
from citadels_lan.engine.characters.alchemist import Alchemist
from citadels_lan.engine.characters.artist import Artist
from citadels_lan.engine.characters.diplomat import Diplomat
from citadels_lan.engine.characters.emperor import EmperorAtTheCall
from citadels_lan.engine.characters.navigator import Navigator
from citadels_lan.engine.characters.queen import Queen
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.characters.witch import Witch
from citadels_lan.engine.characters.wizard import Wizard
from citadels_lan.engine.districts.armory import ArmoryEffect
from citadels_lan.engine.districts.ballroom import Ballroom
from citadels_lan.engine.districts.bell_tower import FEWER, BellTowerEffect, rung
from citadels_lan.engine.districts.graveyard import GraveyardEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.lighthouse import LighthouseEffect
from citadels_lan.engine.districts.museum import MuseumEffect
from citadels_lan.engine.districts.passive import (
    DragonGate,
    Factory,
    GreatWall,
    HauntedCity,
    Hospital,
    ImperialTreasury,
    KeepEffect,
    Library,
    MapRoom,
    Observatory,
    Park,
    PoorHouse,
    Quarry,
    SchoolOfMagic,
    ThroneRoom,
    University,
    WishingWell,
)
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.editions.casting import AnyPurples
from citadels_lan.engine.editions.classic import CLASSIC
from citadels_lan.engine.editions.classic.options import TIE_BREAK, as_it_is, crown_stays
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.ending import character_ends, districts_end, last_districts_end, revealed_end

PLAYERS = range(2, 9)
FACE_UP = {(4, 8): 2, (5, 8): 1, (4, 9): 3, (5, 9): 2, (6, 9): 1}
BOX = box("dark_city")

NEWCOMERS = (
    Witch(), TaxCollectorOfTurns(at_once=True), Wizard(), EmperorAtTheCall(late=True),
    Abbot(splits=False, alone=True), Alchemist(), Navigator(gold=4, cards=4),
    Diplomat(gives_all=True, last=True), Artist(most=2), Queen(gold=3),
)  # fmt: skip
EFFECTS = (
    ArmoryEffect(others=True), Ballroom(), BellTowerEffect(), DragonGate(points=2), Factory(), GraveyardEffect(),
    GreatWall(), HauntedCity(), Hospital(), ImperialTreasury(), KeepEffect(), LaboratoryEffect(gold=1),
    Library(most=2), LighthouseEffect(), MapRoom(), MuseumEffect(), Observatory(cards=1), Park(cards=2),
    PoorHouse(gold=1), Quarry(one=True), SchoolOfMagic(), SmithyEffect(pays=2, draws=3), ThroneRoom(gold=1),
    University(points=2), WishingWell(other=True),
)  # fmt: skip
PURPLES = tuple(piece.key for piece in EFFECTS)


def goal(state: State) -> int:
    """Return how many districts complete a city: 8, or 7 after a Bell Tower was turned (R371)."""
    return FEWER if rung(state) else 8


def _seven(edition: Edition) -> Edition:
    return replace(edition, goal=lambda state: FEWER)


def _crown_stays(edition: Edition) -> Edition:
    """Also leave the crown of a killed Emperor where it is (R469)."""
    stays = crown_stays(edition)
    return replace(stays, abilities={**stays.abilities, "emperor": EmperorAtTheCall(late=False)})


def _scenarios() -> dict[str, Scenario]:
    named = table_file("dark_city", "scenarios.toml")
    return {key: Scenario(tuple(it["cast"]), PURPLES, it.get("rank_nine")) for key, it in named.items()}


DARK_CITY = replace(
    CLASSIC,
    key="dark_city",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    districts=BOX.districts,
    characters=BOX.characters,
    abilities={**CLASSIC.abilities, **{piece.key: piece for piece in NEWCOMERS}},
    effects={piece.key: piece for piece in EFFECTS},
    endings=(revealed_end, districts_end, character_ends, last_districts_end),
    flow=Rounds(Draft(FACE_UP)),
    casting=AnyPurples(),
    goal=goal,
    scenarios=_scenarios(),
    options={
        "districts_to_end": {8: as_it_is, 7: _seven},
        "killed_king": {"heir": as_it_is, "stays": _crown_stays},
        "tie_break": TIE_BREAK,
    },
)
