"""District cards that leave the deck or return to it. The edition decides where discarded cards go.

Also what moves with hand cards share: the base class of their rules, and sales to the bank (R397).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar

from citadels_lan.engine.action import OfCard
from citadels_lan.engine.actions import Sell, other_seats
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import CardsGained, CardsReturned, Discarded, PutUnder, Restocked, Shuffled
from citadels_lan.engine.pieces import Choice, IllegalMove, Piles, Rule, State, Table


class UnderTheDeck(Piles):
    """Discarded cards go under the deck in an order that no one knows (R036, R048)."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        table.emit(PutUnder(*table.mixed(cards, what, table.seat)))


class FaceUp(Piles):
    """Discarded cards go on a face-up pile. When the deck has too few cards for a draw, the pile is shuffled
    and goes under it (R404, R491)."""

    def left(self, state: State) -> bool:
        return bool(state.deck or state.discards)

    def before_drawing(self, table: Table, count: int) -> None:
        state = table.state
        # A draw may need more cards than the deck has. Then the discard pile follows under them (R404).
        if len(state.deck) < count and state.discards:
            cards, draw = table.mixed(state.discards, "pile", None)
            # `mixed` has the top first, but a deck has its top at the end.
            table.emit(Restocked(cards[::-1], draw))

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        table.emit(Discarded(tuple(cards)))


def cards_left(state: State) -> bool:
    """Return whether a card can be drawn."""
    return edition_of(state).piles.left(state)


def top(table: Table, count: int) -> tuple[str, ...]:
    """Return the next `count` cards of the deck, top first. Fewer if there are not enough (R053). They stay
    in the deck."""
    # This may change the deck, so read the deck afterwards.
    edition_of(table.state).piles.before_drawing(table, count)
    deck = table.state.deck
    return tuple(deck[: -count - 1 : -1]) if count else ()


def gain_cards(table: Table, seat: int, count: int, why: str) -> None:
    """Give `seat` the top cards of the deck."""
    cards = top(table, count)
    # Without cards there is nothing to put away, and no draw.
    if cards:
        table.emit(CardsGained(seat, cards, why))


def shuffle_deck(table: Table, purpose: str) -> None:
    """Shuffle the deck. `purpose` is for the label of the random draw."""
    cards, draw = table.mixed(table.state.deck, purpose, table.seat)
    # `mixed` has the top first, but a deck has its top at the end.
    table.emit(Shuffled(cards[::-1], draw))


def discard(table: Table, cards: Sequence[str], what: str) -> None:
    """Put away cards that have just left a hand or a city, where the edition wants them. `what` is the
    purpose in the label of the random draw, if their order is drawn."""
    if cards:
        edition_of(table.state).piles.discard(table, cards, what)


# Hand cards


def others_with_cards(state: State, seat: int) -> list[int]:
    """Return the other seats that have hand cards, clockwise from `seat`."""
    return [other for other in other_seats(len(state.players), seat) if state.players[other].hand]


def empty_hand(state: State, seat: int, other: int) -> IllegalMove | None:
    """Return why `seat` cannot look at the hand of `other`, or None."""
    if other == seat or other >= len(state.players):
        return IllegalMove("no_such_seat")
    return None if state.players[other].hand else IllegalMove("hand_empty")


def not_in_hand(hand: Iterable[str], cards: Iterable[str]) -> IllegalMove | None:
    """Return why these cards cannot leave a hand (one of them is not in it), or None. Copies of a card count
    separately."""
    missing = Counter(cards) - Counter(hand)
    return IllegalMove("not_in_hand", card=next(iter(missing))) if missing else None


class HandCardRule(Rule[OfCard]):
    """Base of rules whose action names one hand card; any hand card is legal."""

    action: ClassVar[type[OfCard]]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        hand = state.players[seat].hand
        return list(map(self.action, sorted(set(hand)))) if hand else ()

    def refusal(self, state: State, seat: int, action: OfCard) -> IllegalMove | None:
        return not_in_hand(state.players[seat].hand, (action.card,))


def half(cost: int) -> int:
    """Return the bank's price for a card of this cost, in gold: half of it, rounded up (R399)."""
    return (cost + 1) // 2


class SellRule(HandCardRule):
    """Sell a hand card for half its cost, rounded up, at any moment of the player's turn and any number of
    times (R399, R485)."""

    action = Sell
    bound = True

    def perform(self, table: Table, seat: int, action: OfCard) -> None:
        table.emit(CardsReturned(seat, (action.card,), "sell"))
        discard(table, (action.card,), "sell")
        table.gain_gold(seat, half(edition_of(table.state).costs[action.card]), "sell")
