"""Rank 1, the Witch: gathers, names a character and pauses. When the character is called, its player only
gathers, and the Witch plays the rest of the turn as that character (R063 to R098)."""

from collections.abc import Sequence

from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.actions import Bewitch
from citadels_lan.engine.characters.naming import NamingRule, Unreachable, allow_all
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import TurnEnded, TurnPaused, TurnResumed
from citadels_lan.engine.flow.calling import open_turn
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Mark, Marker, State, Table


class BewitchRule(NamingRule):
    """Name a character after gathering. The turn then pauses."""

    action = Bewitch
    once = "bewitch"
    kind = "bewitched"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return super().choices(state, seat) if state.current_turn.gathered else ()

    def refusal(self, state: State, seat: int, action: OfCharacter) -> IllegalMove | None:
        if not state.current_turn.gathered:
            return IllegalMove("gather_first")
        return super().refusal(state, seat, action)

    def perform(self, table: Table, seat: int, action: OfCharacter) -> None:
        super().perform(table, seat, action)
        table.emit(TurnPaused(seat))


class Bewitched(Marker):
    """The marker of the bewitched character. Its player only gathers. Then the Witch resumes her turn and
    plays that character."""

    kind = "bewitched"

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        return True

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        # A bewitched King still takes the crown before the Witch continues (R076).
        edition_of(table.state).abilities[mark.character].bewitched(table, seat)
        table.emit(TurnEnded(seat))
        self.lost(table, seat, mark)

    def lost(self, table: Table, seat: int, mark: Mark) -> None:
        """Resume the Witch's turn, although the player of the bewitched character has lost the turn (R370)."""
        table.emit(TurnResumed(mark.by, mark.character))
        # A character of Dark City asks its question to the Witch, who plays it now (R392).
        open_turn(table)


class Witch(Character):
    """The Witch. `unreachable` returns why a character cannot be bewitched, or None."""

    key = "witch"
    bound = True

    def __init__(self, unreachable: Unreachable = allow_all) -> None:
        self.spares = unreachable  # The rules digest covers this name, so it must stay.
        self.rules = (BewitchRule(unreachable),)
        self.markers = (Bewitched(),)

    def binds(self, state: State) -> bool:
        """Return whether there is a character that she can name. If not, her turn is an ordinary one (R495)."""
        return any(other != self.key and self.spares(state, other) is None for other in state.cast)
