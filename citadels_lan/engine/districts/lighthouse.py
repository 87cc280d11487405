"""The Lighthouse: when it is built, its owner looks through the deck and takes a card (R373)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.actions import Lighthouse
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Answered, Asked, TakenFromDeck
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Steps, Table, Unique
from citadels_lan.engine.turn.piles import cards_left, shuffle_deck

KEY = "lighthouse"


class LighthouseRule(Rule[Lighthouse]):
    """Take any card of the deck, or none. The deck is then shuffled."""

    action = Lighthouse

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [*(Lighthouse(card) for card in sorted(set(state.steps[-1].cards))), Lighthouse()]

    def refusal(self, state: State, seat: int, action: Lighthouse) -> IllegalMove | None:
        if action.card is None or action.card in state.steps[-1].cards:
            return None
        return IllegalMove("not_in_deck", card=action.card)

    def perform(self, table: Table, seat: int, action: Lighthouse) -> None:
        table.emit(Answered(KEY, seat, "no" if action.card is None else "yes"))
        if action.card is not None:
            table.emit(TakenFromDeck(seat, action.card))
        # The owner has seen the order of the deck, so it is shuffled even if no card was taken.
        shuffle_deck(table, KEY)


class LighthouseEffect(Unique):
    """The Lighthouse of Dark City. It asks its owner for a card when it is built, but not when it moves to
    another city (R374).

    The question contains every card of the deck, with all copies. A list of different names would show the
    other players how many different cards are left.
    """

    key = KEY
    steps: ClassVar[Steps] = {KEY: (LighthouseRule(),)}

    def built(self, table: Table, seat: int) -> None:
        if cards_left(table.state):
            # In Città Comune the deck may be empty, but a discard pile can become the deck.
            edition_of(table.state).piles.before_drawing(table, 1)
            table.emit(Asked(KEY, seat, in_order(table.state.deck)))
