"""Auctions: the player on turn offers a hand card, and the highest bidder gets it (R398, R486).

| action | next player asked |
|---|---|
| `offer` | clockwise from the seller, the first player with enough gold for the floor |
| `bid` | clockwise from the bidder, the first with more gold who has not passed |
| `pass` | as after a bid; a player who has passed is not asked again |
| no player is left | the highest bidder pays and gets the card, or the seller keeps it |

The card stays in the seller's hand until it is paid for. No other move is possible during an auction (R487, R489).
"""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import MOST, Bid, Offer, Offers, PassBid, other_seats
from citadels_lan.engine.events import Asked, AuctionBegan, AuctionEnded, BidMade, BidPassed, CardsMoved, GoldMoved
from citadels_lan.engine.pieces import Choice, IllegalMove, Parts, Rule, State, Steps, Table
from citadels_lan.engine.state import Auction


def _without_floor(parts: Parts) -> Action:
    return Offer(parts[0][0])


def _most_gold(state: State, seat: int) -> int:
    """Return the highest bid that another player could make, in gold."""
    most = 0
    # A loop, because every list of choices needs this number.
    for other, player in enumerate(state.players):
        if player.gold > most and other != seat:
            most = player.gold
    return min(MOST, most)


class OfferRule(Rule[Offer]):
    """Offer any hand card, at any moment of the seller's turn. Another player must have gold to bid, and the
    card must not have been offered without a bid in this turn (R485, R488)."""

    action = Offer
    # Selling is possible even in a turn with gathering only (R485).
    bound = True

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        most, hand = _most_gold(state, seat), state.players[seat].hand
        # Without another player's gold no bid is possible, and the offer would be pointless.
        if not hand or not most:
            return ()
        unsold = state.current_turn.unsold
        pool = tuple(sorted(set(hand).difference(unsold) if unsold else set(hand)))
        if not pool:
            return ()
        return (Offers("offer", pool, ("cards",), ((1, 1),), _without_floor, most),)

    def refusal(self, state: State, seat: int, action: Offer) -> IllegalMove | None:
        if action.card not in state.players[seat].hand:
            return IllegalMove("not_in_hand", card=action.card)
        if action.card in state.current_turn.unsold:
            return IllegalMove("unsold_already", card=action.card)
        if action.floor > _most_gold(state, seat):
            return IllegalMove("nobody_can_bid", gold=action.floor)
        return None

    def perform(self, table: Table, seat: int, action: Offer) -> None:
        table.emit(AuctionBegan(seat, action.card, action.floor))
        _ask_next(table, seat)


def _purse(state: State, seat: int) -> int:
    """Return how much gold the seat has, the highest bid that it could make."""
    return min(MOST, state.players[seat].gold)


def _least(auction: Auction) -> int:
    """Return the lowest bid allowed now, in gold."""
    return auction.floor if auction.bidder is None else auction.bid + 1


def _ask_next(table: Table, last: int) -> None:
    """Ask the next player clockwise from `last` who can make a higher bid. If there is none, end the auction."""
    state = table.state
    auction = state.auction
    assert auction is not None
    # The highest bidder is not asked, because no one raises their own bid.
    out = (auction.seller, auction.bidder, *auction.passed)
    for seat in other_seats(len(state.players), last):
        if seat not in out and _purse(state, seat) >= _least(auction):
            table.emit(Asked("bid", seat, other=auction.seller, card=auction.card))
            return
    _end(table, auction)


def _end(table: Table, auction: Auction) -> None:
    if auction.bidder is not None:
        # The gold moves before the card, as at the table: the card is shown until it is paid.
        table.emit(GoldMoved(auction.bidder, auction.seller, auction.bid, "auction"))
        table.emit(CardsMoved(auction.seller, auction.bidder, (auction.card,), "auction"))
    table.emit(AuctionEnded())


class BidRule(Rule[Bid]):
    """Bid more than the highest bid, at least the floor, and at most the bidder's gold."""

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
    """Pass: make no more bids in this auction."""

    action = PassBid

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return (PassBid(),)

    def refusal(self, state: State, seat: int, action: PassBid) -> IllegalMove | None:
        return None

    def perform(self, table: Table, seat: int, action: PassBid) -> None:
        table.emit(BidPassed(seat))
        _ask_next(table, seat)


AUCTION: Final[Steps] = {"bid": (BidRule(), PassRule())}
