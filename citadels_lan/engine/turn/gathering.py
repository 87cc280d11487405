"""Gathering: gold, or cards (rulebook p. 4)."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from citadels_lan.engine.actions import Gather, Keep
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.edition import markers_on
from citadels_lan.engine.events import CardsGained, Drawn, Gathered, Kept, PutUnder, take_all
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Table

from .cities import uniques
from .piles import cards_left, discard, shuffle_deck, top

ONLY_GOLD: Final = (Gather("gold"),)
GOLD_OR_CARDS: Final = (Gather("gold"), Gather("cards"))


class GatherRule(Rule[Gather]):
    """Take `gold` gold, or draw `cards` cards and keep one; unique districts may change these numbers. The
    player must gather once in each turn (R034)."""

    action = Gather
    bound = True
    # After gathering this rule has no choices, so listing skips it.
    late = False
    gold = 2
    cards = 2

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        if state.turn is None or state.turn.gathered:
            return ()
        return GOLD_OR_CARDS if cards_left(state) else ONLY_GOLD

    def refusal(self, state: State, seat: int, action: Gather) -> IllegalMove | None:
        if state.turn is None or state.turn.gathered:
            return IllegalMove("gathered_already")
        if action.what == "cards" and not cards_left(state):
            return IllegalMove("deck_empty")
        return None

    def perform(self, table: Table, seat: int, action: Gather) -> None:
        effects = uniques(table.state, seat)
        if action.what == "gold":
            table.emit(Gathered(seat, self.gold + sum([unique.more_gold for unique in effects])))
            has_gathered(table, seat)
            return
        # The event with 0 gold marks the turn as gathered; the cards follow in the next event.
        table.emit(Gathered(seat, 0))
        cards = top(table, self.cards + sum([unique.more_cards for unique in effects]))
        # With a single card there is nothing to choose (R053).
        if len(cards) == 1:
            table.emit(CardsGained(seat, cards, "gather"))
            has_gathered(table, seat)
        else:
            table.emit(Drawn(seat, cards, "gather"))


def has_gathered(table: Table, seat: int) -> None:
    """Apply the effects that markers on the character of the turn have when its player has gathered."""
    turn = table.state.current_turn
    for marker, mark in markers_on(table.state, turn.character):
        marker.gathered(table, seat, mark)


class KeepRule(Rule[Keep]):
    """Keep one of the cards drawn. With the Library, when gathering: keep one, or the Library's full number
    (R281). The other cards are discarded (R035). After the Scholar's study they are shuffled into the deck
    (R201)."""

    action = Keep

    def _most(self, state: State, seat: int) -> int:
        """Return the largest number of the drawn cards that the player may keep."""
        step = state.steps[-1]
        # The Library only concerns cards drawn when gathering (R281).
        if step.why != "gather":
            return 1
        return max([unique.kept(len(step.cards)) for unique in uniques(state, seat)], default=1)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        cards = state.steps[-1].cards
        # Copies of a card are the same choice. Sorting makes the list independent of the draw.
        kept = [Keep((card,)) for card in sorted(set(cards))]
        most = self._most(state, seat)
        if most > 1:
            kept += sorted({Keep(in_order(chosen)) for chosen in combinations(cards, most)}, key=str)
        return kept

    def refusal(self, state: State, seat: int, action: Keep) -> IllegalMove | None:
        missing = Counter(action.cards) - Counter(state.steps[-1].cards)
        if missing:
            return IllegalMove("not_drawn", card=next(iter(missing)))
        most = self._most(state, seat)
        return None if len(action.cards) in (1, most) else IllegalMove("keep_how_many", count=most)

    def perform(self, table: Table, seat: int, action: Keep) -> None:
        step = table.state.steps[-1]
        returned = list(step.cards)
        take_all(returned, action.cards)
        table.emit(Kept(seat, action.cards, in_order(returned)))
        if step.why == "gather":
            # Gathering is complete only when the other cards are put away; then markers may act.
            discard(table, returned, "kept")
            has_gathered(table, seat)
        else:
            table.emit(PutUnder(tuple(returned)))
            shuffle_deck(table, "study")
