"""Selling cards: to the bank, or to whoever bids most for them."""

from math import ceil

from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.edition_actions import Bid, Offer, PassBid, Sell
from citadels_lan.engine.turn.selling import half

from .planning import plan
from .turns import SKIP, TurnMind
from .worth import gold_worth, holding, salvage, worth

INSTEAD = 1.5
"""How much less a card brings, in points, to whoever has others to build."""
MORE = 2.0
"""What a district brings beside its cost, roughly."""
SOON = 3
"""Cards that my gold does not reach in so many turns may as well go to somebody else."""
SPENDABLE = 0.3
"""What a gold must be worth if cards are to be sold for gold alone."""
SOONER = 0.8
"""The part of a build's value that it is worth to build it one turn sooner."""


def _price(mind: TurnMind, card: str) -> int:
    """What the bank gives for a card."""
    return half(mind.edition.costs[card])


def score_sell(mind: TurnMind, action: Sell) -> float:
    """Before building what pays for a better build; at last what is of no use any more."""
    dead = action.card in mind.dead
    if dead and mind.sold_plan.value > mind.richer_plan.value + 0.1:
        return 76.5 - 0.1 * _price(mind, action.card)
    if dead:
        keeps = "map_room" in mind.names or ("poor_house" in mind.names and not mind.me.gold)
        return SKIP if keeps or gold_worth(mind) < SPENDABLE else 20.0
    if not mind.builds_left():
        return SKIP
    gold = mind.me.gold + mind.income_now + _price(mind, action.card)
    richer = plan(mind, gold, mind.builds_left(), without=action.card)
    gain = salvage(mind, action.card) + SOONER * (richer.value - mind.richer_plan.value)
    return 76.0 if gain > holding(mind, action.card) else SKIP


def wanted(mind: TurnMind, card: str) -> float:
    """How much gold a card is worth to me: what building it brings, as far as there is gold left to build it; at
    least what the bank gives, later, less one."""
    resale = 0.0 if mind.last_turn else _price(mind, card) - 1.0
    if not mind.may_stand(card) or card in mind.me.hand:
        return resale
    brings = worth(mind, card) - (INSTEAD if mind.useful else 0.0)
    return max(resale, _gold_for(mind, brings, mind.price(card), mind.me.gold))


def _theirs(mind: TurnMind, seat: int, card: str) -> float:
    """How much gold a card may be worth to another seat, as far as that shows."""
    if card in mind.edition.identical(mind.view, seat):
        return 0.0
    cost, player = mind.edition.costs[card], mind.view.players[seat]
    brings = cost + mind.effect(card).worth + MORE - (INSTEAD if len(player.hand) > 1 else 0.0)
    return min(player.gold, _gold_for(mind, brings, cost, player.gold))


def _gold_for(mind: TurnMind, brings: float, price: int, gold: int) -> float:
    """How much may be bid for a card that brings so many points, to build it for its price in this turn or the
    next."""
    each = max(0.2, gold_worth(mind))
    return min(brings / each - price, gold + 2 * mind.amounts.gathered - price)


def _beyond_reach(mind: TurnMind) -> set[str]:
    """The cards that I hardly come to build soon, because others come first."""
    gold = mind.me.gold + mind.income_now + SOON * (mind.amounts.gathered + 1)
    beyond = set()
    for card in sorted(mind.useful, key=lambda card: holding(mind, card), reverse=True):
        gold -= mind.price(card)
        if gold < 0:
            beyond.add(card)
    return beyond


def deal_offer(mind: TurnMind, deal: Deal) -> list[Action]:
    """Each card that others may want, from what it is worth to me and the bank."""
    assert mind.view.turn is not None
    if mind.view.turn.unsold or not mind.view.turn.gathered or gold_worth(mind) < SPENDABLE:
        return []
    beyond = _beyond_reach(mind)
    offers: list[Action] = []
    for card in deal.pool:
        if not mind.may_stand(card) or card in mind.sold_plan.cards:
            continue
        own = 0.0 if card in mind.dead or card in beyond else holding(mind, card) / gold_worth(mind)
        floor = max(_price(mind, card), ceil(own)) + 1
        if max(_theirs(mind, seat, card) for seat in mind.others) >= floor:
            offers.append(Offer(card, floor))
    return offers


def score_offer(mind: TurnMind, action: Offer) -> float:
    return 77.5 + 0.05 * action.floor


def score_bid(mind: TurnMind, action: Bid) -> float:
    """As little as possible, up to what the card is worth to me."""
    auction = mind.view.auction
    assert auction is not None
    return wanted(mind, auction.card) - action.gold


def score_pass(mind: TurnMind, action: PassBid) -> float:
    return 0.0
