"""The classic edition: the eight characters that are always the same, and one of four decks."""

from citadels_lan.engine.cards import box
from citadels_lan.engine.characters.architect import Architect
from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.bishop import Bishop
from citadels_lan.engine.characters.king import King
from citadels_lan.engine.characters.magician import Magician
from citadels_lan.engine.characters.merchant import Merchant
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.districts.gathering import Library, Observatory
from citadels_lan.engine.districts.graveyard import Graveyard
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.scoring import DragonGate, HauntedCity, ImperialTreasury, MapRoom, University
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.districts.standing import GreatWall, KeepEffect, SchoolOfMagic
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.scoring import scores, winners
from citadels_lan.engine.turn.building import BuildRule, not_twice_in_a_city
from citadels_lan.engine.turn.ending import EndRule, character_ends, districts_end, last_districts_end
from citadels_lan.engine.turn.gathering import GatherRule, KeepRule
from citadels_lan.engine.turn.piles import UnderTheDeck

from .casting import AlwaysTheSame

PLAYERS = range(2, 8)
FACE_UP = {(4, 8): 2, (5, 8): 1}
BOX = box("classic")

ABILITIES = (
    Assassin(), Thief(), Magician(), King(), Bishop(), Merchant(gold=1), Architect(cards=2), Warlord(),
)  # fmt: skip
EFFECTS = (
    DragonGate(points=2), Graveyard(), GreatWall(), HauntedCity(), ImperialTreasury(), KeepEffect(),
    LaboratoryEffect(gold=1), Library(), MapRoom(), Observatory(cards=1), SchoolOfMagic(),
    SmithyEffect(pays=3, draws=2), University(points=2),
)  # fmt: skip
LARGEST_DECK_ONLY = ("great_wall", "imperial_treasury", "map_room")
DISTRICTS = {key: card for key, card in BOX.districts.items() if key not in LARGEST_DECK_ONLY}
CAST = tuple(BOX.characters)

CLASSIC = Edition(
    key="classic",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    gold=2,
    districts=DISTRICTS,
    characters=BOX.characters,
    abilities={piece.key: piece for piece in ABILITIES},
    effects={piece.key: piece for piece in EFFECTS if piece.key in DISTRICTS},
    rules=(GatherRule(gold=2, cards=2), BuildRule(), EndRule()),
    steps={"keep": KeepRule()},
    endings=(districts_end, character_ends, last_districts_end),
    flow=Rounds(Draft(FACE_UP)),
    piles=UnderTheDeck(),
    casting=AlwaysTheSame(),
    identical=not_twice_in_a_city,
    goal=lambda state: 8,
    scores=scores,
    winners=winners,
    scenarios={"first_game": Scenario(CAST, tuple(k for k, card in DISTRICTS.items() if card.type == "unique"))},
)
