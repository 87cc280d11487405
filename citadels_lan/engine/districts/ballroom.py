"""The Ballroom: if its owner has the crown, each other player who is called must say thanks, or loses the
turn (R369)."""

from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import Thank
from citadels_lan.engine.events import Answered
from citadels_lan.engine.flow.calling import lose_turn, open_turn
from citadels_lan.engine.pieces import AnswerRule, Steps, Table, Unique


class ThankRule(AnswerRule):
    """Yes: say thanks, and continue the turn. No: lose the turn."""

    action = Thank

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        table.emit(Answered("thank", seat, "yes" if action.yes else "no"))
        if action.yes:
            open_turn(table)
        else:
            lose_turn(table)


class Ballroom(Unique):
    """The Ballroom of Dark City."""

    key = "ballroom"
    wants_thanks = True
    steps: ClassVar[Steps] = {"thank": (ThankRule(),)}
