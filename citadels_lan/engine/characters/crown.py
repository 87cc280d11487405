"""Taking the crown: what the King and the Patrician have in common (R158 to R163). Bewitched, they still take it;
the Witch who goes on as one of them does not (R076, R080)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Crown
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Revealed
from citadels_lan.engine.pieces import Character
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.crown import give_crown

from .income import INCOME


class CrownRule(Rule[Crown]):
    """Take the crown, unless it is there already (R159)."""

    action = Crown
    once = "crown"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self.refusal(state, seat, Crown()) else (Crown(),)

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        assert state.turn is not None
        if action != Crown():
            return IllegalMove("crown_yourself")
        if state.turn.resumed:
            return IllegalMove("crown_not_by_witch")
        return IllegalMove("crowned_already") if state.crown == seat else None

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        give_crown(table, seat)


def reveal_late(table: Table, seat: int, character: str) -> None:
    """`seat` shows a character that was killed, unless it has answered the call (R376)."""
    if character in table.state.players[seat].concealed:
        table.emit(Revealed(seat, character))


class Monarch(Character):
    """A character with noble income that must take the crown."""

    shown_late = True

    def __init__(self) -> None:
        self.rules = (INCOME, CrownRule())

    def bewitched(self, table: Table, seat: int) -> None:
        give_crown(table, seat)

    def ending(self, table: Table, seat: int) -> None:
        assert table.state.turn is not None
        if not table.state.turn.resumed:
            give_crown(table, seat)

    def round_ending(self, table: Table, seat: int) -> None:
        reveal_late(table, seat, self.key)
        give_crown(table, seat)
