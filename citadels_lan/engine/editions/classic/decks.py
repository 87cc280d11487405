"""The four decks of the classic edition: which districts they have, and what is otherwise with some of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from msgspec import Struct
from msgspec.structs import replace as with_facts

from citadels_lan.engine.cards import DistrictCard, box
from citadels_lan.engine.districts.gathering import Library, Observatory
from citadels_lan.engine.districts.graveyard import GraveyardEffect
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.scoring import DragonGate, HauntedCity, ImperialTreasury, MapRoom, University
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.districts.standing import GreatWall, KeepEffect, SchoolOfMagic
from citadels_lan.engine.edition import Edition, Scenario
from citadels_lan.engine.pieces import Unique


class Deck(Struct, frozen=True):
    """What one deck has otherwise than another; `without` are the districts of the largest one that it lacks."""

    without: tuple[str, ...]
    laboratory: LaboratoryEffect
    smithy: SmithyEffect
    observatory_cost: int = 5

    @property
    def districts(self) -> dict[str, DistrictCard]:
        """The districts, with the costs on their cards."""
        districts = {key: card for key, card in box("classic").districts.items() if key not in self.without}
        observatory = with_facts(districts["observatory"], cost=self.observatory_cost)
        return districts | {"observatory": observatory}

    @property
    def effects(self) -> dict[str, Unique]:
        """What the unique ones do."""
        pieces = (
            DragonGate(points=2), GraveyardEffect(), GreatWall(), HauntedCity(), ImperialTreasury(), KeepEffect(),
            self.laboratory, Library(most=2), MapRoom(), Observatory(cards=1), SchoolOfMagic(), self.smithy,
            University(points=2),
        )  # fmt: skip
        return {piece.key: piece for piece in pieces if piece.key not in self.without}

    @property
    def scenarios(self) -> dict[str, Scenario]:
        """The one way to play with it: with all of it."""
        return {"first_game": Scenario(tuple(box("classic").characters), tuple(self.effects))}


ONE_GOLD: Final = LaboratoryEffect(gold=1)
DECKS: Final = {
    65: Deck(("great_wall", "imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=3, draws=2)),
    66: Deck(("imperial_treasury", "map_room"), ONE_GOLD, SmithyEffect(pays=2, draws=3)),
    67: Deck(("great_wall",), ONE_GOLD, SmithyEffect(pays=3, draws=3)),
    68: Deck((), LaboratoryEffect(gold=2), SmithyEffect(pays=2, draws=3), observatory_cost=4),
}
"""By the number of their cards; the first one is the default (R338 to R341, R357, R358)."""


def with_deck(number: int) -> Callable[[Edition], Edition]:
    """Plays with another deck."""
    deck = DECKS[number]
    return lambda edition: replace(
        edition, districts=deck.districts, effects=deck.effects, scenarios=deck.scenarios
    )
