"""Rank 3, the Wizard: looks at a hand and takes a card, which may be built immediately; may build identical
districts in this turn (R145 to R154)."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from citadels_lan.engine.actions import LookInto, Take
from citadels_lan.engine.events import Answered, Asked, CardsMoved
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Steps, Table
from citadels_lan.engine.turn.building import build, forbidden
from citadels_lan.engine.turn.payment import Builder, unpayable, ways
from citadels_lan.engine.turn.piles import empty_hand, others_with_cards


class LookRule(Rule[LookInto]):
    """Look at the hand of another player who has cards (R153)."""

    action = LookInto
    once = "look"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return list(map(LookInto, others_with_cards(state, seat)))

    def refusal(self, state: State, seat: int, action: LookInto) -> IllegalMove | None:
        return empty_hand(state, seat, action.seat)

    def perform(self, table: Table, seat: int, action: LookInto) -> None:
        # The step shows the hand to this seat only; other viewers see hidden cards.
        hand = tuple(table.state.players[action.seat].hand)
        table.emit(Asked("take", seat, hand, other=action.seat))


class TakeRule(Rule[Take]):
    """Take one card of the hand that the Wizard looked at, into the hand or built immediately. Building it
    does not use the building limit (R146, R148)."""

    action = Take

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        builder = Builder(state, seat)
        choices: list[Choice] = []
        for card in sorted(set(state.steps[-1].cards)):
            choices.append(Take(card))
            if forbidden(builder, card, outside_limit=True) is None:
                choices += ways(builder, card, partial(Take, card), in_hand=False)
        return choices

    def refusal(self, state: State, seat: int, action: Take) -> IllegalMove | None:
        if action.card not in state.steps[-1].cards:
            return IllegalMove("not_in_that_hand", card=action.card)
        if action.payment is None:
            return None
        builder = Builder(state, seat)
        return forbidden(builder, action.card, outside_limit=True) or unpayable(
            builder, action.card, action.payment, builder.player.hand
        )

    def perform(self, table: Table, seat: int, action: Take) -> None:
        victim = table.state.steps[-1].other
        assert victim is not None
        table.emit(Answered("take", seat))
        # The card passes through the hand, so that building works as with any other card.
        table.emit(CardsMoved(victim, seat, (action.card,), "take"))
        if action.payment is not None:
            build(table, Builder(table.state, seat), action.card, action.payment, counts=False)


class Wizard(Character):
    """The Wizard of all editions."""

    key = "wizard"
    steps: ClassVar[Steps] = {"take": (TakeRule(),)}
    duplicates = True

    def __init__(self) -> None:
        self.rules = (LookRule(),)
