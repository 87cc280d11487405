"""Rank 1, the Magistrate: the first district that the holder of the signed warrant pays for may be built in the
Magistrate's city instead (R099 to R119)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.engine.actions import Confiscate, Warrant
from citadels_lan.engine.building import finish, tax
from citadels_lan.engine.cards import COST, HIDDEN
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.cities import standing
from citadels_lan.engine.events import Answered, Asked, Confiscated
from citadels_lan.engine.registry import EFFECTS, register_steps
from citadels_lan.engine.rules import NEITHER, Character, IllegalMove, Marker
from citadels_lan.engine.state import Mark, State

from .placing import PlacingRule, ShowingRule

if TYPE_CHECKING:
    from citadels_lan.engine.table import Table


class WarrantRule(PlacingRule):
    """Three warrants, one of them signed."""

    action = Warrant
    once = "warrant"
    kind = "warrant"
    count = 3


class Warranted(Marker):
    """The Magistrate is asked at the first paid build, with a signed warrant and with an unsigned one, as long
    as the district could stand in the Magistrate's city (R104, R115, R117)."""

    kind = "warrant"

    def paid(self, table: "Table", seat: int, mark: Mark) -> bool:
        state = table.state
        assert state.site is not None
        card = state.site.card
        city = state.players[mark.by]
        if mark.by == seat or standing(city, card) or EFFECTS.get(card, NEITHER).unbuildable(city):
            return False
        table.emit(Asked("confiscate", mark.by, other=seat, why=card))
        return True


class ConfiscateRule(ShowingRule[Confiscate]):
    """Show the signed warrant and take the district, or let it be (R101, R102)."""

    action = Confiscate
    kind = "warrant"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        answers = (Confiscate(True), Confiscate(False))
        return [answer for answer in answers if self.refusal(state, seat, answer) is None]

    def refusal(self, state: State, seat: int, action: Confiscate) -> IllegalMove | None:
        assert state.turn is not None
        signed = state.mark("signed")
        may_be = signed is not None and signed.character in (state.turn.character, HIDDEN)
        if action.yes and not may_be:
            return IllegalMove("not_signed", character=state.turn.character)
        return super().refusal(state, seat, action)

    def perform(self, table: "Table", seat: int, action: Confiscate) -> None:
        site, turn = table.state.site, table.state.turn
        assert site is not None
        assert turn is not None
        table.emit(Answered("confiscate", seat, "yes" if action.yes else "no"))
        if not action.yes:
            finish(table, site.seat, site.card)
            return
        table.emit(Confiscated(seat, site.seat, site.card, site.gold, turn.character, COST[site.card]))
        tax(table, seat)
        table.check_completed(seat)


class Magistrate(Character):
    key = "magistrate"
    rules = (WarrantRule(),)


register_steps(confiscate=ConfiscateRule())
