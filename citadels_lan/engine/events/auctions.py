"""Auctions: a hand card for the highest bidder (R486)."""

from citadels_lan.engine.state import Auction, State

from .base import Event


class AuctionBegan(Event, frozen=True, array_like=True, tag=78):
    """`seller` shows a hand card; `floor` is the least that may be bid for it."""

    seller: int
    card: str
    floor: int

    def apply(self, state: State) -> None:
        state.auction = Auction(self.seller, self.card, self.floor)


class BidMade(Event, frozen=True, array_like=True, tag=79):
    """`seat` bids, more than anybody before."""

    seat: int
    gold: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(bid=self.gold, bidder=self.seat)


class BidPassed(Event, frozen=True, array_like=True, tag=80):
    """`seat` bids no more."""

    seat: int

    def apply(self, state: State) -> None:
        state.steps.pop()
        assert state.auction is not None
        state.auction = state.auction.but(passed=(*state.auction.passed, self.seat))


class AuctionEnded(Event, frozen=True, array_like=True, tag=81):
    """The auction is over. What the highest bidder pays and gets is told before; without one the card stays where
    it is and is not offered again in this turn (R488)."""

    def apply(self, state: State) -> None:
        assert state.auction is not None
        assert state.turn is not None
        if state.auction.bidder is None:
            state.turn.unsold.append(state.auction.card)
        state.auction = None
