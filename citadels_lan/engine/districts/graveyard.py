"""The Graveyard: its owner may buy the district that the Warlord has destroyed in any city (R352)."""

from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import Graveyard as Action
from citadels_lan.engine.events import Answered, Asked, GoldPaid, Salvaged
from citadels_lan.engine.pieces import AnswerRule, Steps, Table, Unique
from citadels_lan.engine.turn.piles import discard

PRICE = 1


class GraveyardRule(AnswerRule):
    """Yes: pay the bank and take the destroyed district into the hand. No: it is discarded."""

    action = Action

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        card = table.state.steps[-1].card
        assert card is not None
        if action.yes:
            table.emit(GoldPaid(seat, PRICE, "graveyard"))
            table.emit(Salvaged(seat, card))
        else:
            table.emit(Answered("graveyard", seat, "no"))
            discard(table, (card,), "graveyard")


class GraveyardEffect(Unique):
    """The Graveyard. When the Warlord destroys a district, it asks its owner whether to buy the card. It does
    not ask an owner who plays the Warlord in this turn, as the Witch may, or who has revealed the bewitched
    Warlord (R352, R353, R449, R501)."""

    key = "graveyard"
    steps: ClassVar[Steps] = {"graveyard": (GraveyardRule(),)}

    def lost(self, table: Table, seat: int, card: str, why: str) -> bool:
        turn, player = table.state.turn, table.state.players[seat]
        if why != "destroy" or turn is None or player.gold < PRICE:
            return False
        # The second condition is the player of a bewitched Warlord, whose turn the Witch plays.
        if turn.seat == seat or turn.character in player.revealed:
            return False
        table.emit(Asked("graveyard", seat, card=card))
        return True
