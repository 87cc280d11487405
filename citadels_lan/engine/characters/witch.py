"""Rank 1, the Witch: gathers, names a character and pauses; later she goes on as that character while its holder
only gathers (R063 to R098)."""

from collections.abc import Sequence

from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.actions import Bewitch
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import TurnEnded, TurnPaused, TurnResumed
from citadels_lan.engine.flow.calling import open_turn
from citadels_lan.engine.pieces import Character, Marker
from citadels_lan.engine.rules import IllegalMove
from citadels_lan.engine.state import Mark, State
from citadels_lan.engine.table import Table

from .naming import NamingRule, Spares, nobody


class BewitchRule(NamingRule):
    """After gathering, name a character; the turn then pauses."""

    action = Bewitch
    once = "bewitch"
    kind = "bewitched"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        assert state.turn is not None
        return super().choices(state, seat) if state.turn.gathered else ()

    def refusal(self, state: State, seat: int, action: OfCharacter) -> IllegalMove | None:
        assert state.turn is not None
        if not state.turn.gathered:
            return IllegalMove("gather_first")
        return super().refusal(state, seat, action)

    def perform(self, table: Table, seat: int, action: OfCharacter) -> None:
        super().perform(table, seat, action)
        table.emit(TurnPaused(seat))


class Bewitched(Marker):
    """The holder only gathers, and the Witch goes on in its place."""

    kind = "bewitched"

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        return True

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        edition_of(table.state).abilities[mark.character].bewitched(table, seat)
        table.emit(TurnEnded(seat))
        self.lost(table, seat, mark)

    def lost(self, table: Table, seat: int, mark: Mark) -> None:
        """The Witch goes on (R370)."""
        table.emit(TurnResumed(mark.by, mark.character))
        open_turn(table)


class Witch(Character):
    key = "witch"
    bound = True

    def __init__(self, spares: Spares = nobody) -> None:
        self.spares = spares
        self.rules = (BewitchRule(spares),)
        self.markers = (Bewitched(),)

    def binds(self, state: State) -> bool:
        """Where nobody can be named, the turn is an ordinary one (R495)."""
        return any(other != self.key and self.spares(state, other) is None for other in state.cast)
