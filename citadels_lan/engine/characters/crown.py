"""Moving the crown, and what the King and the Patrician have in common (R158 to R163).

The player of a bewitched King or Patrician still takes the crown. The Witch who then plays that character
does not (R076, R080).
"""

from citadels_lan.engine.actions import Crown
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.events import Crowned
from citadels_lan.engine.pieces import Character, IllegalMove, SingleRule, State, Table
from citadels_lan.engine.turn.cities import all_uniques


def give_crown(table: Table, seat: int) -> None:
    """Give the crown to `seat`, unless it has the crown already. Then every district that reacts to a moved
    crown takes effect, in all cities (R377)."""
    if table.state.crown == seat:
        return
    table.emit(Crowned(seat))
    for owner, unique in all_uniques(table.state):
        unique.crowned(table, owner)


class CrownRule(SingleRule[Crown]):
    """Take the crown, unless the player already has it (R159)."""

    action = Crown
    once = "crown"

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        if action != Crown():
            return IllegalMove("crown_yourself")
        # The bewitched player has already got the crown (R076, R080).
        if state.current_turn.resumed:
            return IllegalMove("crown_not_by_witch")
        return IllegalMove("crowned_already") if state.crown == seat else None

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        give_crown(table, seat)


class Monarch(Character):
    """A character with income for noble districts that must take the crown during its turn."""

    shown_late = True

    def __init__(self) -> None:
        self.rules = (INCOME, CrownRule())

    def bewitched(self, table: Table, seat: int) -> None:
        give_crown(table, seat)

    def ending(self, table: Table, seat: int) -> None:
        # A King who forgot the crown gets it now, because taking it is a duty.
        if not table.state.current_turn.resumed:
            give_crown(table, seat)

    def round_ending(self, table: Table, seat: int) -> None:
        give_crown(table, seat)
