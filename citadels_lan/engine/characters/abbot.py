"""Rank 5, the Abbot: gold or cards for religious districts; a gold from the richest player (R176 to R180)."""

from collections.abc import Sequence

from citadels_lan.engine.actions import Income, Levy, other_seats
from citadels_lan.engine.characters.income import INCOME, districts
from citadels_lan.engine.events import GoldMoved
from citadels_lan.engine.pieces import Character, Choice, IllegalMove, Rule, State, Table
from citadels_lan.engine.turn.piles import cards_left, gain_cards


class SplitIncomeRule(Rule[Income]):
    """Take the income as any mix of gold and cards, chosen in advance (R176). If the deck has too few cards,
    the player gets the cards that are left (R053)."""

    action = Income
    once = "income"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        count = districts(state, seat)
        # With an empty deck the Abbot cannot choose cards, so gold is the only mixture.
        most = count if cards_left(state) else 0
        return [Income(count - cards, cards) for cards in range(most + 1)] if count else ()

    def refusal(self, state: State, seat: int, action: Income) -> IllegalMove | None:
        count = districts(state, seat)
        if not count:
            return IllegalMove("no_income")
        if action.gold + action.cards != count:
            return IllegalMove("split_income", count=count)
        return IllegalMove("deck_empty") if action.cards and not cards_left(state) else None

    def perform(self, table: Table, seat: int, action: Income) -> None:
        table.gain_gold(seat, action.gold, "income")
        gain_cards(table, seat, action.cards, "income")


class LevyRule(Rule[Levy]):
    """Take one gold from the player who has most, unless that is the Abbot. If several other players have
    most, the Abbot chooses one of them (R178); with `alone` he gets nothing instead (R388)."""

    action = Levy
    once = "levy"

    def __init__(self, *, alone: bool) -> None:
        self.alone = alone

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        gold = [player.gold for player in state.players]
        most = max(gold)
        # An Abbot who is among the richest takes nothing.
        if gold[seat] == most or (self.alone and gold.count(most) > 1):
            return ()
        return [Levy(other) for other in other_seats(len(gold), seat) if gold[other] == most]

    def refusal(self, state: State, seat: int, action: Levy) -> IllegalMove | None:
        if action.seat == seat or action.seat >= len(state.players):
            return IllegalMove("no_such_seat")
        most = max(player.gold for player in state.players)
        if state.players[seat].gold == most:
            return IllegalMove("richest_yourself")
        if self.alone and sum(player.gold == most for player in state.players) > 1:
            return IllegalMove("several_richest")
        return None if state.players[action.seat].gold == most else IllegalMove("not_richest")

    def perform(self, table: Table, seat: int, action: Levy) -> None:
        table.emit(GoldMoved(action.seat, seat, 1, "levy"))


class Abbot(Character):
    """The Abbot. If `splits`, he may take his income as a mix of gold and cards."""

    key = "abbot"

    def __init__(self, *, splits: bool = True, alone: bool = False) -> None:
        self.rules = (SplitIncomeRule() if splits else INCOME, LevyRule(alone=alone))
