"""Rank 3, the Seer: takes a random card from every other hand and gives one card back to each (R155 to R157)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Divine, Give
from citadels_lan.engine.choices import Choice, Deal, Parts
from citadels_lan.engine.events import Answered, Asked, CardsMoved
from citadels_lan.engine.pieces import Character, Steps
from citadels_lan.engine.rules import IllegalMove, Rule, SingleRule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.piles import not_in_hand, others_with_cards


class DivineRule(SingleRule[Divine]):
    """Take a random card from each other hand, if any of them has a card."""

    action = Divine
    once = "divine"

    def refusal(self, state: State, seat: int, action: Divine) -> IllegalMove | None:
        return None if others_with_cards(state, seat) else IllegalMove("hands_empty")

    def perform(self, table: Table, seat: int, action: Divine) -> None:
        state = table.state
        # The list is made before cards move, because an empty hand later would change it.
        victims = others_with_cards(state, seat)
        for victim in victims:
            card = table.chance.pick(table.label("seer", seat, victim), state.players[victim].hand)
            table.emit(CardsMoved(victim, seat, (card,), "divine"))
        table.emit(Asked("give", seat, others=tuple(sorted(victims))))


class GiveRule(Rule[Give]):
    """Give one hand card to each player from whom the Seer took a card (R156)."""

    action = Give

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        receivers = state.steps[-1].others

        def give(parts: Parts) -> Action:
            return Give(tuple((other, card) for other, (card,) in zip(receivers, parts, strict=True)))

        # The parts are named by seats; `texts.moves` turns them into players.
        names = tuple(str(other) for other in receivers)
        return (Deal("give", tuple(state.players[seat].hand), names, ((1, 1),) * len(names), give),)

    def refusal(self, state: State, seat: int, action: Give) -> IllegalMove | None:
        if tuple(other for other, _ in action.gifts) != state.steps[-1].others:
            return IllegalMove("a_card_for_each")
        return not_in_hand(state.players[seat].hand, [card for _, card in action.gifts])

    def perform(self, table: Table, seat: int, action: Give) -> None:
        table.emit(Answered("give", seat))
        for other, card in action.gifts:
            table.emit(CardsMoved(seat, other, (card,), "give"))


class Seer(Character):
    """The Seer of 2016."""

    key = "seer"
    steps: ClassVar[Steps] = {"give": (GiveRule(),)}
    limit = 2

    def __init__(self) -> None:
        self.rules = (DivineRule(),)
