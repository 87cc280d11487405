"""The classic edition: the same eight characters in every game (nine for 8 players), and a deck of 65 to 68
cards."""

from dataclasses import replace

from citadels_lan.engine.cards import box
from citadels_lan.engine.characters.architect import Architect
from citadels_lan.engine.characters.assassin import Assassin
from citadels_lan.engine.characters.bishop import Bishop
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.characters.magician import Magician
from citadels_lan.engine.characters.merchant import Merchant
from citadels_lan.engine.characters.thief import Thief
from citadels_lan.engine.characters.warlord import Warlord
from citadels_lan.engine.edition import Edition
from citadels_lan.engine.editions.casting import AlwaysTheSame
from citadels_lan.engine.editions.classic.options import (
    DECKS,
    DISTRICTS_TO_END,
    KILLED_KING,
    TIE_BREAK,
    as_it_is,
    with_deck,
)
from citadels_lan.engine.flow.draft import Draft
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.scoring import most_points, scores_of_the_end, worth_of_districts
from citadels_lan.engine.turn.building import BuildRule, not_twice_in_a_city
from citadels_lan.engine.turn.ending import EndRule
from citadels_lan.engine.turn.gathering import GatherRule, KeepRule
from citadels_lan.engine.turn.piles import UnderTheDeck

PLAYERS = range(2, 8)
FACE_UP = {(4, 8): 2, (5, 8): 1}
DECK, *OTHER_DECKS = DECKS

ABILITIES = (
    Assassin(), Thief(), Magician(), KingAtTheCall(heir=True), Bishop(), Merchant(gold=1), Architect(cards=2),
    Warlord(last=True),
)  # fmt: skip


def _chosen_face_down(edition: Edition) -> Edition:
    return replace(edition, flow=Rounds(Draft(FACE_UP, chosen=(2, 3))))


CLASSIC = Edition(
    key="classic",
    players=PLAYERS,
    hand=dict.fromkeys(PLAYERS, 4),
    gold=2,
    districts=DECKS[DECK].districts,
    characters=box("classic").characters,
    abilities={piece.key: piece for piece in ABILITIES},
    effects=DECKS[DECK].effects,
    rules=(GatherRule(gold=2, cards=2), BuildRule(), EndRule()),
    steps={"keep": KeepRule()},
    endings=(),  # No card of this edition has an effect at the end of a turn.
    flow=Rounds(Draft(FACE_UP)),
    piles=UnderTheDeck(),
    casting=AlwaysTheSame(),
    identical=not_twice_in_a_city,
    goal=lambda state: 8,
    scores=scores_of_the_end,
    winners=most_points(worth_of_districts),
    scenarios=DECKS[DECK].scenarios,
    options={
        "deck": {DECK: as_it_is, **{number: with_deck(number) for number in OTHER_DECKS}},
        "districts_to_end": DISTRICTS_TO_END,
        "first_face_down": {"random": as_it_is, "chosen": _chosen_face_down},
        "killed_king": KILLED_KING,
        "tie_break": TIE_BREAK,
    },
)
