"""Selling and auctions in words: the verbs, the labels, the question of a bid."""

from typing import Final

from citadels_lan.engine.choices import Deal
from citadels_lan.engine.edition_actions import Bid, Offer, PassBid, Sell
from citadels_lan.engine.state import Auction
from citadels_lan.engine.turn.selling import half
from citadels_lan.texts.card import Verb
from citadels_lan.texts.marks import msg, msg_in

from .labels import Labeller


def _sell(labeller: Labeller, action: Sell) -> str:
    gold = labeller.gold(half(labeller.edition.costs[action.card]))
    return labeller.texts.say(msg("Sell {card} for {gold}"), card=labeller.texts.district(action.card), gold=gold)


def _offer(labeller: Labeller, action: Offer) -> str:
    card = labeller.texts.district(action.card)
    if action.floor == 1:
        return labeller.texts.say(msg("Auction {card}"), card=card)
    return labeller.texts.say(msg("Auction {card}, from {gold}"), card=card, gold=labeller.gold(action.floor))


def _offer_deal(labeller: Labeller, deal: Deal, action: Offer) -> str:
    return labeller.texts.say(msg("Put a card up for auction"))


def _bid(labeller: Labeller, action: Bid) -> str:
    return labeller.texts.say(msg("Bid {gold}"), gold=labeller.gold(action.gold))


def _pass(labeller: Labeller, action: PassBid) -> str:
    return labeller.texts.say(msg("Pass"))


def asked_for(auction: Auction) -> str:
    """The status line of whoever may bid."""
    if auction.bidder is None:
        return msg("Auction of {card}: bid {floor} or more, or pass.")
    return msg("Auction of {card}: {bidder} bids {bid}. Bid more, or pass.")


VERBS: Final = (
    Verb("sell", msg_in("verb", "sell a card"), label=_sell),
    Verb(
        "offer",
        msg_in("verb", "put a card up for auction"),
        label=_offer,
        deal=_offer_deal,
        parts={"cards": msg("The card for the auction")},
    ),
    Verb(
        "bid",
        msg_in("verb", "bid or pass"),
        label=_bid,
        question=(msg("Bid for {card}, or pass."), msg("{name} may bid for {card}.")),
    ),
    Verb("pass", msg_in("verb", "pass"), label=_pass),
)
