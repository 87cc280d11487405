"""Taking districts from others: before building, where that brings more than what the gold would build."""

from typing import Final

from citadels_lan.engine.actions import Exchange, Seize
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.turn.cities import find

from . import abilities
from .turns import TurnMind

AFTER_BUILDING: Final = 30.0
BEFORE_BUILDING: Final = 74.1
"""After everything that brings gold."""
SHARE: Final = 0.05
"""How much of its value tells such moves apart: all of them come before building."""


def _moment(mind: TurnMind, score: float, price: int) -> float:
    """A score given for after building, or what it comes to if its gold is to be spent on this first."""
    value = score - AFTER_BUILDING
    if not 0 < value < 20:
        return score
    gold = mind.me.gold + mind.income_now
    left = mind.plan_for(gold - price)
    return BEFORE_BUILDING + SHARE * value if value + left.value > mind.richer_plan.value else score


def score_seize(mind: TurnMind, action: Seize) -> float:
    owner, index = find(mind.view, mind.seat, action.target)
    district = mind.view.players[owner].city[index]
    price = district.cost + surcharge(mind.view, owner, district.key)
    return _moment(mind, abilities.score_seize(mind, action), price)


def score_exchange(mind: TurnMind, action: Exchange) -> float:
    owner, index = find(mind.view, mind.seat, action.target)
    _, own = find(mind.view, mind.seat, action.own)
    theirs, mine = mind.view.players[owner].city[index], mind.me.city[own]
    price = max(0, theirs.cost - mine.cost) + surcharge(mind.view, owner, theirs.key)
    return _moment(mind, abilities.score_exchange(mind, action), price)
