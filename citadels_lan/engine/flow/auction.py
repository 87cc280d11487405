"""Auctions: the player on turn offers a hand card to the others, and the highest bidder gets it (R398, R486).

| what | who is asked next |
|---|---|
| `offer` | clockwise from the seller, whoever has the gold for the floor |
| `bid` | clockwise from the bidder, whoever has more gold than that and has not passed |
| `pass` | the same; nobody is asked again who has passed |
| nobody is left | the highest bidder pays and gets the card, or it stays with the seller |

The card stays in the seller's hand until it is paid for, and nothing else happens before that (R487, R489).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Self

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.choices import Choice, Deal, Parts
from citadels_lan.engine.events import (
    Asked,
    AuctionBegan,
    AuctionEnded,
    BidMade,
    BidPassed,
    CardsMoved,
    GoldMoved,
)
from citadels_lan.engine.pieces import Steps
from citadels_lan.engine.reading import BadNotation, Words
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import Auction, State
from citadels_lan.engine.table import Table

MOST: Final = 999
"""The highest number that the notation has."""
NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")


def number_in(words: Words) -> int:
    """The amount of gold that a line goes on to say, 1 to 999."""
    word = words.next()
    if NUMBER.fullmatch(word) is None:
        raise BadNotation("unknown_word", word)
    return int(word)


class Offer(Action, frozen=True):
    """A hand card for whoever bids most; `floor` is the least that may be bid."""

    verb = "offer"
    card: str
    floor: int = 1

    def words(self) -> Iterator[str]:
        yield self.card
        if self.floor > 1:
            yield f"from {self.floor}"

    @classmethod
    def read(cls, words: Words) -> Self:
        card = words.card()
        return cls(card, number_in(words) if words.skip("from") else 1)


class Bid(Action, frozen=True):
    """So much gold for the card on offer."""

    verb = "bid"
    gold: int

    def words(self) -> Iterator[str]:
        yield str(self.gold)

    @classmethod
    def read(cls, words: Words) -> Self:
        return cls(number_in(words))


class PassBid(Action, frozen=True):
    """No bid, and no other one in this auction."""

    verb = "pass"


class Offers(Deal, frozen=True):
    """One of the cards, for any floor up to `most`; what is dealt without a floor has none."""

    most: int = 1

    def count(self) -> int:
        return len(self.pool) * self.most

    def actions(self) -> Iterator[Action]:
        return (Offer(card, floor) for card in self.pool for floor in range(1, self.most + 1))


def _without_floor(parts: Parts) -> Action:
    return Offer(parts[0][0])


def _most_gold(state: State, seat: int) -> int:
    """The most that anybody else could bid."""
    most = 0
    for other, player in enumerate(state.players):  # asked all the time
        if player.gold > most and other != seat:
            most = player.gold
    return min(MOST, most)


class OfferRule(Rule[Offer]):
    """Any hand card, at any moment of the own turn, that somebody could bid for and that nobody has disdained in
    this turn already (R485, R488)."""

    action = Offer
    bound = True

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        assert state.turn is not None
        most = _most_gold(state, seat)
        pool = tuple(sorted(set(state.players[seat].hand).difference(state.turn.unsold)))
        if not pool or not most:
            return ()
        return (Offers("offer", pool, ("cards",), ((1, 1),), _without_floor, most),)

    def refusal(self, state: State, seat: int, action: Offer) -> IllegalMove | None:
        assert state.turn is not None
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        if action.card in state.turn.unsold:
            return IllegalMove("unsold_already", card=action.card)
        if action.floor > _most_gold(state, seat):
            return IllegalMove("nobody_can_bid", gold=action.floor)
        return None

    def perform(self, table: Table, seat: int, action: Offer) -> None:
        table.emit(AuctionBegan(seat, action.card, action.floor))
        _ask_next(table, seat)


def _purse(state: State, seat: int) -> int:
    """The most that a seat could bid."""
    return min(MOST, state.players[seat].gold)


def _least(auction: Auction) -> int:
    """The least that may be bid now."""
    return auction.floor if auction.bidder is None else auction.bid + 1


def _ask_next(table: Table, last: int) -> None:
    """Ask the next player who can bid, clockwise from the last one asked; end the auction where there is none."""
    state = table.state
    auction = state.auction
    assert auction is not None
    out = (auction.seller, auction.bidder, *auction.passed)
    for seat in other_seats(len(state.players), last):
        if seat not in out and _purse(state, seat) >= _least(auction):
            table.emit(Asked("bid", seat, other=auction.seller, card=auction.card))
            return
    _end(table, auction)


def _end(table: Table, auction: Auction) -> None:
    if auction.bidder is not None:
        table.emit(GoldMoved(auction.bidder, auction.seller, auction.bid, "auction"))
        table.emit(CardsMoved(auction.seller, auction.bidder, (auction.card,), "auction"))
    table.emit(AuctionEnded())


class BidRule(Rule[Bid]):
    """More than the highest bid, at least the floor, at most the own gold."""

    action = Bid

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        assert state.auction is not None
        return [Bid(gold) for gold in range(_least(state.auction), _purse(state, seat) + 1)]

    def refusal(self, state: State, seat: int, action: Bid) -> IllegalMove | None:
        assert state.auction is not None
        least, own = _least(state.auction), state.players[seat].gold
        if action.gold < least:
            return IllegalMove("bid_more", least=least)
        return IllegalMove("gold_short", missing=action.gold - own) if action.gold > own else None

    def perform(self, table: Table, seat: int, action: Bid) -> None:
        table.emit(BidMade(seat, action.gold))
        _ask_next(table, seat)


class PassRule(Rule[PassBid]):
    """Bid no more."""

    action = PassBid

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return (PassBid(),)

    def refusal(self, state: State, seat: int, action: PassBid) -> IllegalMove | None:
        return None

    def perform(self, table: Table, seat: int, action: PassBid) -> None:
        table.emit(BidPassed(seat))
        _ask_next(table, seat)


AUCTION: Final[Steps] = {"bid": (BidRule(), PassRule())}
