"""The options of the classic edition, and of editions that are made of it; its decks are one of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace as with_facts

from citadels_lan.engine.cards import DistrictCard, box
from citadels_lan.engine.characters.king import KingAtTheCall
from citadels_lan.engine.config import Value
from citadels_lan.engine.districts.graveyard import GraveyardEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.passive import (
    DragonGate,
    GreatWall,
    HauntedCity,
    ImperialTreasury,
    KeepEffect,
    Library,
    MapRoom,
    Observatory,
    SchoolOfMagic,
    University,
)
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.pieces import Unique
from citadels_lan.engine.scoring import gold, highest_rank, most_points, worth_of_districts


class Deck(Struct, frozen=True):
    """The differences between decks. `without` are the districts of the largest deck that this one lacks."""

    without: tuple[str, ...]
    laboratory: LaboratoryEffect
    smithy: SmithyEffect
    observatory_cost: int = 5

    @property
    def districts(self) -> dict[str, DistrictCard]:
        """The districts with the costs on their cards."""
        districts = {key: card for key, card in box("classic").districts.items() if key not in self.without}
        observatory = with_facts(districts["observatory"], cost=self.observatory_cost)
        return districts | {"observatory": observatory}

    @property
    def effects(self) -> dict[str, Unique]:
        """The unique districts of the deck."""
        pieces = (
            DragonGate(points=2), GraveyardEffect(), GreatWall(), HauntedCity(), ImperialTreasury(), KeepEffect(),
            self.laboratory, Library(most=2), MapRoom(), Observatory(cards=1), SchoolOfMagic(), self.smithy,
            University(points=2),
        )  # fmt: skip
        return {piece.key: piece for piece in pieces if piece.key not in self.without}

    @property
    def scenarios(self) -> dict[str, Scenario]:
        """The only scenario: all characters and all unique districts."""
        return {"first_game": Scenario(tuple(box("classic").characters), tuple(self.effects))}


ONE_GOLD: Final = LaboratoryEffect(gold=1)
DECKS: Final = {
    65: Deck(("great_wall", "imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=3, draws=2)),
    66: Deck(("imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=2, draws=3)),
    67: Deck(("great_wall",), ONE_GOLD, SmithyEffect(pays=3, draws=3)),
    68: Deck((), LaboratoryEffect(gold=2), SmithyEffect(pays=2, draws=3), observatory_cost=4),
}
"""The decks by their number of cards. The first one is the default (R338 to R341, R357, R358)."""


def with_deck(number: int) -> Callable[[Edition], Edition]:
    """Return a function that gives an edition another deck."""
    deck = DECKS[number]
    return lambda edition: replace(
        edition, districts=deck.districts, effects=deck.effects, scenarios=deck.scenarios
    )


Option: TypeAlias = Mapping[Value, Callable[[Edition], Edition]]


def as_it_is(edition: Edition) -> Edition:
    """Return the edition unchanged, for the default of an option."""
    return edition


def _seven(edition: Edition) -> Edition:
    return replace(edition, goal=lambda state: 7)


def crown_stays(edition: Edition) -> Edition:
    """Return the edition in which a killed King does not take the crown."""
    return replace(edition, abilities={**edition.abilities, "king": KingAtTheCall(heir=False)})


def _gold_decides(edition: Edition) -> Edition:
    return replace(edition, winners=most_points(worth_of_districts, gold))


def _rank_decides(edition: Edition) -> Edition:
    return replace(edition, winners=most_points(highest_rank))


DISTRICTS_TO_END: Final[Option] = {8: as_it_is, 7: _seven}
"""How many districts complete a city (R342)."""
KILLED_KING: Final[Option] = {"heir": as_it_is, "stays": crown_stays}
"""Whether a killed King takes the crown at the end of the round (R349)."""
TIE_BREAK: Final[Option] = {"districts": as_it_is, "districts_then_gold": _gold_decides, "rank": _rank_decides}
"""What decides between players with equal points (R363)."""
