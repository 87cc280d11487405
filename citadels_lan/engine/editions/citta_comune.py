"""Città Comune: the cards of Dark City, one city that all players build, no draft and no rounds."""

from collections import Counter
from dataclasses import replace

from msgspec.structs import replace as with_facts

from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.diplomat import Diplomat
from citadels_lan.engine.characters.emperor import EmperorAtTheCall
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.characters.naming import already_named
from citadels_lan.engine.characters.queen import QueenOfTheCycle
from citadels_lan.engine.characters.tax_collector import TaxCollectorOfTurns
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.characters.witch import Witch
from citadels_lan.engine.districts.bell_tower import BellTowerToTurn
from citadels_lan.engine.districts.passive import HauntedCityOfCycles
from citadels_lan.engine.edition import Scenario, edition_of
from citadels_lan.engine.editions.casting import AlwaysTheSame
from citadels_lan.engine.editions.dark_city import DARK_CITY
from citadels_lan.engine.flow.auction import OfferRule
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.score import Score
from citadels_lan.engine.scoring import gold, most_points, worth_of_districts
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import uniques
from citadels_lan.engine.turn.piles import FaceUp, SellRule
from citadels_lan.engine.turn.shared_city import not_twice_in_all_cities


def scores(state: State) -> tuple[Score, ...]:
    """Return every seat's score: the points of the cycles, the total cost of its districts (R408), and the
    points of unique districts (R407)."""
    return tuple(_score(state, seat) for seat in range(len(state.players)))


def _score(state: State, seat: int) -> Score:
    player = state.players[seat]
    types = Counter(edition_of(state).types[district.key] for district in player.city)
    parts = [
        ("districts", sum(district.cost for district in player.city)),
        ("cycles", player.points),
        *((unique.key, unique.score(player, types, state.crown == seat)) for unique in uniques(state, seat)),
    ]
    return Score(tuple((reason, points) for reason, points in parts if points))


PLAYERS = range(2, 10)
HAND = {2: 8, 3: 8, 4: 8, 5: 6, 6: 6, 7: 6, 8: 4, 9: 4}
CHANGED = (
    Assassin(already_named), Witch(already_named), Thief(already_named), TaxCollectorOfTurns(at_once=False),
    KingAtTheCall(heir=False), EmperorAtTheCall(late=False), Warlord(), Diplomat(gives_all=True),
    QueenOfTheCycle(gold=3),
)  # fmt: skip
CHARACTERS = {key: with_facts(card, players=(2, 9)) for key, card in DARK_CITY.characters.items()}
EFFECTS = {piece.key: piece for piece in (BellTowerToTurn(), HauntedCityOfCycles())}


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
    flow=Cycles(),
    piles=FaceUp(),
    casting=AlwaysTheSame(),
    identical=not_twice_in_all_cities,
    goal=lambda state: None,
    scores=scores,
    winners=most_points(worth_of_districts, gold),
    scenarios={"first_game": Scenario(tuple(CHARACTERS), DARK_CITY.uniques)},
    options={"starting_gold": {0: {}, 2: {"gold": 2}}},
)
