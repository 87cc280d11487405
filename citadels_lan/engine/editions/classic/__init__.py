"""The classic edition: the same eight characters in every game (nine for 8 players), and a deck of 65 to 68
cards."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace as with_facts

from citadels_lan.engine.cards import box
from citadels_lan.engine.characters.architect import Architect
from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.bishop import Bishop
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.characters.magician import Magician
from citadels_lan.engine.characters.merchant import Merchant
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.config import Value
from citadels_lan.engine.districts import passive
from citadels_lan.engine.districts.graveyard import GraveyardEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.edition import Changes, Edition, Scenario
from citadels_lan.engine.editions.casting import AlwaysTheSame
from citadels_lan.engine.flow.calling import EndRule
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.scoring import gold, highest_rank, most_points, scores_of_the_end, worth_of_districts
from citadels_lan.engine.turn.building import BuildRule, not_twice_in_a_city
from citadels_lan.engine.turn.gathering import GatherRule, KeepRule
from citadels_lan.engine.turn.piles import UnderTheDeck

PLAYERS = range(2, 8)

PIECES = (
    Assassin(), Thief(), Magician(), KingAtTheCall(heir=True), Bishop(), Merchant(gold=1), Architect(cards=2),
    Warlord(last=True),
)  # fmt: skip
ABILITIES = {piece.key: piece for piece in PIECES}


def _deck(
    without: tuple[str, ...], laboratory: LaboratoryEffect, smithy: SmithyEffect, observatory_cost: int = 5
) -> Changes:
    """Return the changes that turn the edition into one with another deck. `without` has the districts of the
    largest deck that this deck lacks. The other parameters are what differs between the decks."""
    districts = {key: card for key, card in box("classic").districts.items() if key not in without}
    districts["observatory"] = with_facts(districts["observatory"], cost=observatory_cost)
    pieces = (
        passive.DragonGate(points=2), GraveyardEffect(), passive.GreatWall(), passive.HauntedCity(),
        passive.ImperialTreasury(), passive.KeepEffect(), laboratory, passive.Library(most=2),
        passive.MapRoom(), passive.Observatory(cards=1), passive.SchoolOfMagic(), smithy,
        passive.University(points=2),
    )  # fmt: skip
    effects = {piece.key: piece for piece in pieces if piece.key not in without}
    # The only scenario has all characters and all unique districts.
    scenarios = {"first_game": Scenario(tuple(box("classic").characters), tuple(effects))}
    return {"districts": districts, "effects": effects, "scenarios": scenarios}


ONE_GOLD: Final = LaboratoryEffect(gold=1)
DECKS: Final[Mapping[Value, Changes]] = {
    65: _deck(("great_wall", "imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=3, draws=2)),
    66: _deck(("imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=2, draws=3)),
    67: _deck(("great_wall",), ONE_GOLD, SmithyEffect(pays=3, draws=3)),
    68: _deck((), LaboratoryEffect(gold=2), SmithyEffect(pays=2, draws=3), observatory_cost=4),
}
"""The changes for each deck, by its number of cards. The first one is the default (R338 to R341, R357, R358).
"""
TIE_BREAK: Final[Mapping[Value, Changes]] = {
    "districts": {},
    "districts_then_gold": {"winners": most_points(worth_of_districts, gold)},
    "rank": {"winners": most_points(highest_rank)},
}
"""The changes for each rule that decides between players with equal points (R363)."""

CLASSIC = Edition(
    key="classic",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    gold=2,
    characters=box("classic").characters,
    abilities=ABILITIES,
    rules=(GatherRule(), BuildRule(), EndRule()),
    steps={"keep": (KeepRule(),)},
    flow=Rounds(Draft()),
    piles=UnderTheDeck(),
    casting=AlwaysTheSame(),
    identical=not_twice_in_a_city,
    goal=lambda state: 8,
    scores=scores_of_the_end,
    winners=most_points(worth_of_districts),
    **DECKS[65],
    options={
        "deck": DECKS,
        # How many districts complete a city (R342).
        "districts_to_end": {8: {}, 7: {"goal": lambda state: 7}},
        "first_face_down": {"random": {}, "chosen": {"flow": Rounds(Draft(chosen=(2, 3)))}},
        # Whether a killed King takes the crown at the end of the round (R349).
        "killed_king": {"heir": {}, "stays": {"abilities": {**ABILITIES, "king": KingAtTheCall(heir=False)}}},
        "tie_break": TIE_BREAK,
    },
)
