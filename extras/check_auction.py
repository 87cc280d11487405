"""Auctions: what comes of an offer is what everybody has said, and signed."""

from typing import Any

from check_bytes import need

SAID = {"AuctionBegan": "offer", "BidMade": "bid", "BidPassed": "pass"}


class Auction:
    """The one that is going on, if there is one. Raises Bad."""

    def __init__(self) -> None:
        self.sale: list[Any] = []  # seller, card; and of the highest bid: whose, gold
        self.moved = {"GoldMoved": False, "CardsMoved": False}

    def move(self, seat: int, line: str, events: list[list[Any]]) -> None:
        """A move, and what comes of it."""
        for event in events:
            self.happen(seat, line, event)
        verb = line.split(" ", 1)[0]
        told = [SAID[event[0]] for event in events if event[0] in SAID]
        need(told == ([verb] if verb in SAID.values() else []), f"{line!r} is told otherwise")

    def happen(self, seat: int, line: str, event: list[Any]) -> None:
        match event:
            case ["AuctionBegan", seller, card, floor]:
                need((seat, line) == (seller, f"offer {card}" + f" from {floor}" * (floor > 1)), "another offer")
                self.sale, self.moved = [seller, card, None, 0], dict.fromkeys(self.moved, False)
            case ["BidMade", bidder, gold]:
                need(self.sale and gold > self.sale[3], "a bid that is not above the highest one")
                need((seat, line) == (bidder, f"bid {gold}"), "a bid that was not made")
                self.sale[2:] = [bidder, gold]
            case ["BidPassed", bidder]:
                need((seat, line) == (bidder, "pass"), "somebody passes who did not")
            case ["GoldMoved" | "CardsMoved" as kind, giver, taker, what, "auction"]:
                seller, card, bidder, gold = self.sale or [None] * 4
                due = [bidder, seller, gold] if kind == "GoldMoved" else [seller, bidder, [card]]
                told = what if kind == "GoldMoved" or what != ["?"] else [card]
                need([giver, taker, told] == due, "the card goes to another bidder, or for another price")
                self.moved[kind] = True
            case ["AuctionEnded"]:
                sold = self.sale and self.sale[2] is not None
                need({*self.moved.values()} == {sold}, "the highest bidder has not paid, or has not got the card")
                self.sale = []
