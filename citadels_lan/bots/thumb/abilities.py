"""The abilities of single characters and unique districts, and when to use them."""

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import (
    Armory,
    Beautify,
    Build,
    Crown,
    Destroy,
    Exchange,
    Give,
    Laboratory,
    Levy,
    LookInto,
    Museum,
    Redraw,
    Seize,
    Smithy,
    Swap,
    Take,
)
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District
from citadels_lan.engine.turn.cities import find

from .planning import plan
from .turns import SKIP, TurnMind, build_value
from .worth import UNKNOWN_CARD, gold_worth, holding, worth

DRAWN = 1.3
"""What a card from the deck is worth in the hand."""
LONGER = 0.5
"""What a game that goes on longer is worth to whoever is behind."""
POOR = 0.9
"""A card worth less than this is better exchanged for an unknown one."""


def _hand(mind: TurnMind) -> float:
    return sum(min(2.5, holding(mind, card)) for card in mind.me.hand)


def _moment(mind: TurnMind) -> float:
    """Changing the hand comes first where nothing in it can be built, otherwise after building."""
    return 86.0 if mind.stuck else 33.0


def score_swap(mind: TurnMind, action: Swap) -> float:
    gain = DRAWN * len(mind.view.players[action.seat].hand) - _hand(mind)
    if gain < 0.7 or (mind.last_turn and not mind.stuck and "map_room" not in mind.names):
        return SKIP
    return _moment(mind) + min(gain, 4.0) + 0.2 * mind.danger(action.seat)


def score_redraw(mind: TurnMind, action: Redraw) -> float:
    gain = sum(DRAWN - holding(mind, card) for card in action.cards)
    if gain < 0.3 or (mind.last_turn and not mind.stuck):
        return SKIP
    return _moment(mind) + min(gain, 4.0)


def deal_redraw(mind: TurnMind, deal: Deal) -> list[Action]:
    """The cards that are worth less than an unknown one; in need, the whole hand."""
    poor = tuple(card for card in deal.pool if holding(mind, card) < POOR)
    if not poor:
        poor = (min(deal.pool, key=lambda card: holding(mind, card)),)
    return [deal.make((poor,))]


def score_look(mind: TurnMind, action: LookInto) -> float:
    return 70.0 + 0.5 * min(6, len(mind.view.players[action.seat].hand)) + 0.2 * mind.danger(action.seat)


def score_take(mind: TurnMind, action: Take) -> float:
    """Build it at once where that pays: it does not use the limit."""
    if action.payment is None:
        return holding(mind, action.card)
    return 0.8 + build_value(mind, Build(action.card, action.payment))


def deal_give(mind: TurnMind, deal: Deal) -> list[Action]:
    """The worst cards, the least useful of them to the strongest player."""
    cards = sorted(deal.pool, key=lambda card: holding(mind, card))
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(cards[:least]))
        del cards[:least]
    return [deal.make(tuple(parts))]


def score_give(mind: TurnMind, action: Give) -> float:
    return -sum(holding(mind, card) * (1 + 0.1 * mind.danger(seat)) for seat, card in action.gifts)


def score_crown(mind: TurnMind, action: Crown) -> float:
    """The King takes it at once; an Emperor gives it where it does least harm and takes what he needs."""
    value = 95.0
    if action.seat is not None:
        heir = mind.view.players[action.seat]
        value += 0.6 * bool(heir.gold or heir.hand) - 0.5 * mind.danger(action.seat)
    if action.taking is not None:
        needs_card = len(mind.useful) < 2
        value += 1.0 + ((action.taking == "card") == needs_card)
    return value


def score_levy(mind: TurnMind, action: Levy) -> float:
    return 94.0 + 0.3 * mind.danger(action.seat)


# Rank 8


def _standing(mind: TurnMind, spot: Spot) -> tuple[int, District]:
    owner, index = find(mind.view, mind.seat, spot)
    return owner, mind.view.players[owner].city[index]


def _loss(mind: TurnMind, owner: int, cost: int) -> float:
    """What losing a district of this cost means to its owner, by how much that matters to me."""
    return 0.35 * (cost + 1.0) * mind.danger(owner) * mind.taste.malice


def _urgent(mind: TurnMind, owner: int) -> bool:
    """The owner is about to complete a city, and I am not."""
    return not mind.view.last_round and mind.missing(owner) <= 1 and not mind.plan.finishes


def score_destroy(mind: TurnMind, action: Destroy) -> float:
    owner, district = _standing(mind, action.target)
    if owner == mind.seat:
        return SKIP
    price = district.cost - 1 + surcharge(mind.view, owner, district.key)
    value = _loss(mind, owner, district.cost) - gold_worth(mind) * price
    if mind.shared is not None:  # the name may be built again, by me too, and the end is farther away
        value += 0.5 * worth(mind, district.key) * (district.key in mind.me.hand)
        value += LONGER if mind.shared.lead < 0 else -LONGER
    if value < 0.3:
        return SKIP
    return (77.0 if _urgent(mind, owner) else 30.0) + min(value, 9.0)


def score_seize(mind: TurnMind, action: Seize) -> float:
    owner, district = _standing(mind, action.target)
    if owner == mind.seat:
        return SKIP
    value = worth(mind, district.key) + _loss(mind, owner, district.cost)
    value -= (gold_worth(mind) + 0.3) * district.cost
    if mind.my_missing == 1:
        value += 4.0
    if value < 0.3:
        return SKIP
    return (77.0 if _urgent(mind, owner) or mind.my_missing == 1 else 30.0) + min(value, 12.0)


def score_exchange(mind: TurnMind, action: Exchange) -> float:
    _, mine = _standing(mind, action.own)
    owner, theirs = _standing(mind, action.target)
    price = max(0, theirs.cost - mine.cost) + surcharge(mind.view, owner, theirs.key)
    value = worth(mind, theirs.key) - worth(mind, mine.key) - (gold_worth(mind) + 0.2) * price
    value += 0.3 * mind.danger(owner) * (theirs.cost - mine.cost)
    return 30.0 + min(value, 9.0) if value > 0.5 else SKIP


# Rank 9 and unique districts


def score_beautify(mind: TurnMind, action: Beautify) -> float:
    value = 0.0
    for spot in action.spots:
        _, district = _standing(mind, spot)
        value += 1.0 - gold_worth(mind)
        if "basilica" in mind.names:
            value += -1.0 if district.cost % 2 else 1.0
    return 30.0 + value if value > 0 else SKIP


def score_laboratory(mind: TurnMind, action: Laboratory) -> float:
    """Sell what is worth less than the gold for it, before building."""
    loss = holding(mind, action.card)
    price = mind.amounts.laboratory
    gain = price * gold_worth(mind)
    if mind.builds_left():
        richer = plan(mind, mind.me.gold + mind.income_now + price, mind.builds_left(), without=action.card)
        gain += 0.8 * max(0.0, richer.value - mind.richer_plan.value)
    return 76.5 + min(0.4, 0.1 * (gain - loss)) if gain > loss + 0.05 else SKIP


def score_smithy(mind: TurnMind, action: Smithy) -> float:
    """Cards for gold: when there is nothing to build, or gold is left after building."""
    if "map_room" in mind.names and mind.last_turn:
        return 31.0
    if mind.last_turn:
        return 49.0 if mind.stuck and mind.builds_left() and mind.me.gold >= mind.amounts.smithy + 2 else SKIP
    if mind.stuck and mind.builds_left() and mind.me.gold > mind.amounts.smithy:
        return 74.0
    spare = len(mind.useful) <= 1 or (len(mind.useful) <= 3 and mind.me.gold >= 5)
    return 31.0 if spare else SKIP


def score_museum(mind: TurnMind, action: Museum) -> float:
    """A point for a card that brings less."""
    loss = holding(mind, action.card)
    return 29.0 - 0.1 * loss if loss < 1.2 and not (mind.last_turn and "map_room" in mind.names) else SKIP


def score_armory(mind: TurnMind, action: Armory) -> float:
    """Only against somebody who is about to complete a city."""
    owner, district = _standing(mind, action.target)
    if owner == mind.seat or not _urgent(mind, owner):
        return SKIP
    value = _loss(mind, owner, district.cost) - mind.edition.costs["armory"] - UNKNOWN_CARD
    return 48.0 + min(value, 1.0) if value > 0 else SKIP


def cheapest(mind: TurnMind, cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The cards that are least worth keeping."""
    return tuple(sorted(cards, key=lambda card: holding(mind, card))[:count])


def deal_build(mind: TurnMind, deal: Deal) -> list[Action]:
    """Ways to pay with cards: each number of them, always the least useful ones."""
    actions: list[Action] = []
    (least, most), *rest = deal.sizes
    lent = rest[0][0] if rest else 0
    for count in range(least, min(most, len(deal.pool) - lent) + 1):
        cards = cheapest(mind, deal.pool, count + lent)
        parts = (cards[:count], cards[count:]) if rest else (cards,)
        actions.append(deal.make(parts))
    return actions
