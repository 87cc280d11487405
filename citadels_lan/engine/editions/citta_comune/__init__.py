"""Città Comune: the cards of Dark City, one city that everybody builds, no draft and no rounds."""

from dataclasses import replace

from msgspec.structs import replace as with_facts

from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.diplomat import Diplomat
from citadels_lan.engine.characters.emperor_at_the_call import EmperorAtTheCall
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.characters.naming import taken
from citadels_lan.engine.characters.queen import QueenOfTheCycle
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.characters.witch import Witch
from citadels_lan.engine.districts.bell_tower import BellTowerToTurn
from citadels_lan.engine.districts.scoring import HauntedCityOfCycles
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.editions.classic.casting import AlwaysTheSame
from citadels_lan.engine.editions.classic.options import as_it_is
from citadels_lan.engine.editions.dark_city import DARK_CITY
from citadels_lan.engine.flow.auction import OfferRule
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.scoring import gold, most_points, worth_of_districts
from citadels_lan.engine.turn.piles import FaceUp
from citadels_lan.engine.turn.selling import SellRule
from citadels_lan.engine.turn.shared_city import all_stand, not_twice_in_all_cities

from .points import CyclePoints, scores

PLAYERS = range(2, 10)
HAND = {2: 8, 3: 8, 4: 8, 5: 6, 6: 6, 7: 6, 8: 4, 9: 4}
CHANGED = (
    Assassin(taken), Witch(taken), Thief(taken), TaxCollectorOfTurns(at_once=False), KingAtTheCall(heir=False),
    EmperorAtTheCall(late=False), Warlord(), Diplomat(gives_all=True), QueenOfTheCycle(gold=3),
)  # fmt: skip
CHARACTERS = {key: with_facts(card, players=(2, 9)) for key, card in DARK_CITY.characters.items()}
EFFECTS = {piece.key: piece for piece in (BellTowerToTurn(), HauntedCityOfCycles())}


def _two_gold(edition: Edition) -> Edition:
    return replace(edition, gold=2)


CITTA_COMUNE = replace(
    DARK_CITY,
    key="citta_comune",
    players=PLAYERS,
    hand=HAND,
    gold=0,
    characters=CHARACTERS,
    abilities={**DARK_CITY.abilities, **{piece.key: piece for piece in CHANGED}},
    effects={**DARK_CITY.effects, **EFFECTS},
    rules=(*DARK_CITY.rules, SellRule(), OfferRule()),
    flow=Cycles(CyclePoints(all_types=3, most=2), all_stand),
    piles=FaceUp(),
    casting=AlwaysTheSame(),
    identical=not_twice_in_all_cities,
    goal=lambda state: None,
    scores=scores,
    winners=most_points(worth_of_districts, gold),
    scenarios={"first_game": Scenario(tuple(CHARACTERS), DARK_CITY.uniques)},
    options={"starting_gold": {0: as_it_is, 2: _two_gold}},
)
