"""The Museum: once per turn its owner puts a hand card under it, worth a point at the end (R288 to R292)."""

from collections.abc import Mapping

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.actions import Museum as Action
from citadels_lan.engine.cards import DistrictType
from citadels_lan.engine.events import Slid
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import Player, Table, Unique
from citadels_lan.engine.turn.cities import find
from citadels_lan.engine.turn.piles import HandCardRule

ITSELF = Spot("museum")


class MuseumRule(HandCardRule):
    """Put one hand card under the Museum."""

    action = Action
    once = "museum"

    def perform(self, table: Table, seat: int, action: OfCard) -> None:
        _, index = find(table.state, seat, ITSELF)
        table.emit(Slid(seat, index, action.card))


class MuseumEffect(Unique):
    """The Museum of 2016 and Dark City."""

    key = "museum"

    def __init__(self) -> None:
        self.rules = (MuseumRule(),)

    def score(self, player: Player, types: Mapping[DistrictType, int], crowned: bool) -> int:
        return sum(len(district.under) for district in player.city if district.key == self.key)
