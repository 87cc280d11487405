"""Rank 4, the Emperor who crowns somebody as soon as he is called: the one crowned chooses what to give him for it
(R387, R468)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.actions import Crown
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition_actions import Tribute
from citadels_lan.engine.events import Answered, Asked, CardsMoved, GoldMoved
from citadels_lan.engine.flow.rounds import close_round
from citadels_lan.engine.pieces import Character, Steps
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.crown import give_crown

from .crown import reveal_late
from .emperor import heirs, no_heir
from .income import INCOME


class AppointRule(Rule[Crown]):
    """Give the crown; in a turn for a tribute, at the end of the round, killed, for nothing (R469)."""

    action = Crown

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Crown(heir) for heir in heirs(state, seat)]

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        if action.taking is not None:
            return IllegalMove("heir_chooses")
        return no_heir(state, seat, action)

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        heir = action.seat
        assert heir is not None
        table.emit(Answered("crown", seat))
        give_crown(table, heir)
        if table.state.turn is None:
            close_round(table)
        else:
            _ask_for_tribute(table, heir, seat)


def _ask_for_tribute(table: Table, heir: int, emperor: int) -> None:
    """Ask for a tribute where there is a choice; otherwise it goes by itself."""
    player = table.state.players[heir]
    kinds = set(player.hand)
    if bool(player.gold) + len(kinds) > 1:
        table.emit(Asked("tribute", heir, other=emperor))
    elif player.gold:
        _give(table, heir, emperor, None)
    elif kinds:
        _give(table, heir, emperor, player.hand[0])


def _give(table: Table, heir: int, emperor: int, card: str | None) -> None:
    if card is None:
        table.emit(GoldMoved(heir, emperor, 1, "tribute"))
    else:
        table.emit(CardsMoved(heir, emperor, (card,), "tribute"))


class TributeRule(Rule[Tribute]):
    """A gold or any card of the hand."""

    action = Tribute

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        player = state.players[seat]
        gold = [Tribute()] if player.gold else []
        return [*gold, *(Tribute(card) for card in sorted(set(player.hand)))]

    def refusal(self, state: State, seat: int, action: Tribute) -> IllegalMove | None:
        player = state.players[seat]
        if action.card is None:
            return None if player.gold else IllegalMove("stash_empty")
        return None if action.card in player.hand else IllegalMove("not_in_hand", card=action.card)

    def perform(self, table: Table, seat: int, action: Tribute) -> None:
        emperor = table.state.steps[-1].other
        assert emperor is not None
        table.emit(Answered("tribute", seat))
        _give(table, seat, emperor, action.card)


class EmperorAtTheCall(Character):
    """Asked at once whom he crowns, wherever there is somebody (R499). Killed, he does so at the end of the round
    where the crown moves that `late` (R469)."""

    key = "emperor"
    steps: ClassVar[Steps] = {"crown": AppointRule(), "tribute": TributeRule()}

    def __init__(self, *, late: bool) -> None:
        self.rules = (INCOME,)
        self.shown_late = late

    def opening(self, table: Table, seat: int) -> None:
        if any(True for _ in heirs(table.state, seat)):
            table.emit(Asked("crown", seat))

    def round_ending(self, table: Table, seat: int) -> None:
        if self.shown_late:
            reveal_late(table, seat, self.key)
            table.emit(Asked("crown", seat))
