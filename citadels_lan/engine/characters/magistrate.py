"""Rank 1, the Magistrate: confiscates the first district that the player with the signed warrant pays for
(R099 to R119)."""

from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import Confiscate, Warrant
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.characters.naming import PlacingRule, ShowingRule
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Answered, Asked, Confiscated
from citadels_lan.engine.pieces import Character, IllegalMove, Mark, Marker, State, Steps, Table
from citadels_lan.engine.turn.building import finish, stands
from citadels_lan.engine.turn.cities import standing


class WarrantRule(PlacingRule):
    """Place the warrants face down. One of them is signed: it is the one that counts."""

    action = Warrant
    once = "warrant"
    kind = "warrant"


class Warranted(Marker):
    """The marker of a character with a warrant, signed or not. When its player pays for the first build of
    the turn, the Magistrate is asked whether to confiscate, unless the Magistrate's city cannot have that
    district (R104, R115, R117)."""

    kind = "warrant"

    def paid(self, table: Table, seat: int, mark: Mark) -> bool:
        state = table.state
        assert state.site is not None
        card = state.site.card
        city = state.players[mark.by]
        effect = edition_of(state).effect(card)
        # A Witch can play the Magistrate's victim. The Magistrate never confiscates from the own seat.
        if mark.by == seat or standing(city, card) or effect.unbuildable(city):
            return False
        table.emit(Asked("confiscate", mark.by, other=seat, card=card))
        return True


class ConfiscateRule(ShowingRule):
    """The Magistrate reveals the signed warrant and takes the district, or lets the player build it (R101,
    R102)."""

    action = Confiscate
    kind = "warrant"

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        signed = state.mark("signed")
        # At a sealed table the signed marker is hidden; the opening decides then.
        may_be = signed is not None and signed.character in (state.current_turn.character, HIDDEN)
        if action.yes and not may_be:
            return IllegalMove("not_signed", character=state.current_turn.character)
        return super().refusal(state, seat, action)

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        site, turn = table.state.site, table.state.current_turn
        assert site is not None
        table.emit(Answered("confiscate", seat, "yes" if action.yes else "no"))
        if not action.yes:
            finish(table, site.seat, site.card)
            return
        cost = edition_of(table.state).costs[site.card]
        table.emit(Confiscated(seat, site.seat, site.card, site.gold, turn.character, cost))
        # The district is built in the Magistrate's city, with all effects of a build there.
        stands(table, seat, site.card)


class Magistrate(Character):
    """The Magistrate. `warrants` is the number of warrants."""

    key = "magistrate"
    steps: ClassVar[Steps] = {"confiscate": (ConfiscateRule(),)}

    def __init__(self, warrants: int) -> None:
        self.markers = (Warranted(),)
        self.rules = (WarrantRule(warrants),)
