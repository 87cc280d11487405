"""Selling to the bank and in auctions: what will not be built goes, and a bid stays below what a card is worth."""

from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.districts.bell_tower import TurnBellTower
from citadels_lan.engine.flow.auction import Bid, Offer, Offers, PassBid
from citadels_lan.engine.turn.selling import Sell

from .turns import END, SKIP, TurnMind

TRADES = 60.0
"""Before building, for which the gold may be wanted, and after gathering."""
FITTING = 2
"""What a card that can be built is worth in gold, beyond what the bank pays."""


def bank_pays(mind: TurnMind, card: str) -> int:
    """What the bank pays for a card."""
    return (mind.edition.costs[card] + 1) // 2


def spare(mind: TurnMind, card: str) -> bool:
    """Whether I will not build a card of my hand: its name stands, or it is a second copy."""
    return not mind.may_stand(card) or (mind.me.hand.count(card) > 1 and not mind.duplicates)


def score_sell(mind: TurnMind, action: Sell) -> float:
    return TRADES if spare(mind, action.card) else SKIP


def deal_offer(mind: TurnMind, deal: Deal) -> list[Action]:
    """Every card for a little more than the bank pays."""
    assert isinstance(deal, Offers)
    offers = [Offer(card, bank_pays(mind, card) + 1) for card in deal.pool]
    return [offer for offer in offers if offer.floor <= deal.most] or [Offer(deal.pool[0])]


def score_offer(mind: TurnMind, action: Offer) -> float:
    """Rather to somebody than to the bank, where it can still be built by anybody."""
    stands = any(action.card == district.key for player in mind.view.players for district in player.city)
    dearer = action.floor > bank_pays(mind, action.card)
    return TRADES + 1.0 if spare(mind, action.card) and dearer and not stands else SKIP


def score_bid(mind: TurnMind, action: Bid) -> float:
    """As little as is enough, up to what the card is worth to me."""
    auction = mind.view.auction
    assert auction is not None
    fits = mind.may_stand(auction.card) and auction.card not in mind.me.hand
    limit = bank_pays(mind, auction.card) + (FITTING if fits else -1)
    return TRADES - action.gold / 100 if action.gold <= limit else SKIP


def score_pass(mind: TurnMind, action: PassBid) -> float:
    return END


def score_turn(mind: TurnMind, action: TurnBellTower) -> float:
    """Whoever leads wants an early end."""
    return TRADES if mind.leading else SKIP
