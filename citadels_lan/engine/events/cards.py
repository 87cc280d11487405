"""District cards that move between deck, hands and the pile of discarded districts."""

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.events.base import Cards, Event, hide, note_draw, take, take_all
from citadels_lan.engine.state import State, Step


class Drawn(Event, frozen=True, array_like=True, tag=21):
    """`seat` looks at the top cards of the deck and must choose which to keep. `why` is gather or study."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.steps.append(Step("keep", self.seat, self.cards, why=self.why))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Drawn(self.seat, hide(self.cards), self.why)


class Kept(Event, frozen=True, array_like=True, tag=22):
    """`seat` keeps some of the cards drawn and returns the others. The next event puts those away."""

    seat: int
    kept: Cards
    returned: Cards

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.players[self.seat].hand.extend(self.kept)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else Kept(self.seat, hide(self.kept), hide(self.returned))


class CardsGained(Event, frozen=True, array_like=True, tag=23):
    """`seat` gains the top cards of the deck."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        del state.deck[len(state.deck) - len(self.cards) :]
        state.players[self.seat].hand.extend(self.cards)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else CardsGained(self.seat, hide(self.cards), self.why)


class TakenFromDeck(Event, frozen=True, array_like=True, tag=66):
    """`seat` takes a card from anywhere in the deck (R373). The next event shuffles the deck."""

    seat: int
    card: str

    def apply(self, state: State) -> None:
        take(state.deck, self.card)
        state.players[self.seat].hand.append(self.card)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else TakenFromDeck(self.seat, HIDDEN)


class CardsReturned(Event, frozen=True, array_like=True, tag=24):
    """`seat` discards hand cards. The next event puts them away."""

    seat: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.seat].hand, self.cards)

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.seat else CardsReturned(self.seat, hide(self.cards), self.why)


class PutUnder(Event, frozen=True, array_like=True, tag=58):
    """Cards that have just left a hand or a city go under the deck, the first one first.

    Players who saw them leave know the cards, but no one knows their order (R036). `draw` is the label of that
    order. It is empty if no order was drawn.
    """

    cards: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck[:0] = reversed(self.cards)
        note_draw(state, self.draw)

    def redact(self, viewer: int | None) -> Event:
        return PutUnder(hide(self.cards), self.draw)


class Salvaged(Event, frozen=True, array_like=True, tag=59):
    """`seat` takes the district just destroyed into the hand (R352). All players have seen it."""

    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.steps.pop()
        state.players[self.seat].hand.append(self.card if state.knows(self.seat) else HIDDEN)


class CardsMoved(Event, frozen=True, array_like=True, tag=44):
    """Cards move from one hand to another. Only these two seats see them."""

    giver: int
    taker: int
    cards: Cards
    why: str

    def apply(self, state: State) -> None:
        take_all(state.players[self.giver].hand, self.cards)
        state.players[self.taker].hand.extend(self.cards if state.knows(self.taker) else hide(self.cards))

    def redact(self, viewer: int | None) -> Event:
        if viewer in (self.giver, self.taker):
            return self
        return CardsMoved(self.giver, self.taker, hide(self.cards), self.why)


class HandsSwapped(Event, frozen=True, array_like=True, tag=25):
    """`seat` and `other` exchange hands. Each sees the hand that it receives."""

    seat: int
    other: int
    to_seat: Cards
    to_other: Cards

    def apply(self, state: State) -> None:
        state.players[self.seat].hand = list(self.to_seat)
        state.players[self.other].hand = list(self.to_other)

    def redact(self, viewer: int | None) -> Event:
        return HandsSwapped(
            self.seat,
            self.other,
            self.to_seat if viewer == self.seat else hide(self.to_seat),
            self.to_other if viewer == self.other else hide(self.to_other),
        )


class Spied(Event, frozen=True, array_like=True, tag=45):
    """`seat` looks at the hand of `other` and finds `matches` cards of a type."""

    seat: int
    other: int
    type: str
    matches: int
    hand: Cards

    def apply(self, state: State) -> None:
        """Change nothing."""

    def redact(self, viewer: int | None) -> Event:
        if viewer == self.seat:
            return self
        return Spied(self.seat, self.other, self.type, self.matches, hide(self.hand))


class Discarded(Event, frozen=True, array_like=True, tag=70):
    """Cards that have just left a hand or a city go face up on the pile, the last one on top (R491)."""

    cards: Cards

    def apply(self, state: State) -> None:
        state.discards.extend(self.cards)


class Restocked(Event, frozen=True, array_like=True, tag=71):
    """The shuffled pile goes under the rest of the deck (R404). `cards` has the top at the end; no one knows
    the order. `draw` is the label of that order. It is empty if no order was drawn."""

    cards: Cards
    draw: str = ""

    def apply(self, state: State) -> None:
        state.deck[:0] = self.cards
        state.discards = []
        note_draw(state, self.draw)

    def redact(self, viewer: int | None) -> Event:
        return Restocked(hide(self.cards), self.draw)
