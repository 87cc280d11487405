"""District cards that leave the deck or return to it. The edition decides where discarded cards go."""

from collections.abc import Sequence

from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import CardsGained, Discarded, PutUnder, Restocked, Shuffled
from citadels_lan.engine.pieces import Piles
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table


class UnderTheDeck(Piles):
    """Discarded cards go under the deck in an order that no one knows (R036, R048)."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        table.emit(PutUnder(*table.mixed(cards, what, table.seat)))


class FaceUp(Piles):
    """Discarded cards go on a face-up pile. It becomes the deck when that is empty, even during a draw (R404,
    R491)."""

    def left(self, state: State) -> bool:
        return bool(state.deck or state.discards)

    def before_drawing(self, table: Table, count: int) -> None:
        state = table.state
        if len(state.deck) < count and state.discards:
            cards, draw = table.mixed(state.discards, "pile", None)
            table.emit(Restocked(cards[::-1], draw))

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        table.emit(Discarded(tuple(cards)))


def cards_left(state: State) -> bool:
    """Return whether a card can be drawn."""
    return edition_of(state).piles.left(state)


def top(table: Table, count: int) -> tuple[str, ...]:
    """Return the next cards of the deck, top first. Fewer if there are not enough (R053)."""
    edition_of(table.state).piles.before_drawing(table, count)
    deck = table.state.deck
    return tuple(deck[: -count - 1 : -1]) if count else ()


def gain_cards(table: Table, seat: int, count: int, why: str) -> None:
    """Give `seat` the top cards of the deck."""
    cards = top(table, count)
    if cards:
        table.emit(CardsGained(seat, cards, why))


def shuffle_deck(table: Table, purpose: str) -> None:
    """Give the deck a new order."""
    cards, draw = table.mixed(table.state.deck, purpose, table.seat)
    table.emit(Shuffled(cards[::-1], draw))


def discard(table: Table, cards: Sequence[str], what: str) -> None:
    """Put away cards that have just left a hand or a city."""
    if cards:
        edition_of(table.state).piles.discard(table, cards, what)
