"""The scores of abilities: characters, unique districts, victims, answers, districts of others, sales."""

from math import ceil
from typing import Final

from citadels_lan.bots.heuristics.drafting import appeal, harm
from citadels_lan.bots.heuristics.mind import SharedCity
from citadels_lan.bots.heuristics.turns import SKIP, TurnMind, build_value
from citadels_lan.bots.heuristics.worth import UNKNOWN_CARD, gold_worth, holding, plan, salvage, worth
from citadels_lan.engine import HIDDEN
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import (
    Armory,
    Beautify,
    Bewitch,
    Bribe,
    Build,
    Confiscate,
    Crown,
    Destroy,
    Exchange,
    Give,
    Graveyard,
    Kill,
    Laboratory,
    Levy,
    LookInto,
    Marks,
    Museum,
    Redraw,
    Reveal,
    Rob,
    Seize,
    Smithy,
    Spy,
    Swap,
    Take,
)
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.districts.bell_tower import ITSELF
from citadels_lan.engine.districts.graveyard import PRICE
from citadels_lan.engine.edition_actions import (
    BellTower,
    Bid,
    Lighthouse,
    Offer,
    PassBid,
    Sell,
    Thank,
    Tribute,
    TurnBellTower,
)
from citadels_lan.engine.scoring import FIRST
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District, State
from citadels_lan.engine.turn.cities import find
from citadels_lan.engine.turn.selling import half

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


NAMING = 100.0
"""Naming comes before everything else in the turn."""


def score_kill(mind: TurnMind, action: Kill) -> float:
    """Whoever is likely to be the leader; or the character that would hurt me most."""
    value = mind.expected(mind.danger)[action.character]
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    if action.character in ("thief", "blackmailer"):
        value += 0.15 * anybody * max(0, mind.me.gold - 3)
    elif action.character in ("warlord", "marshal", "diplomat") and mind.leading:
        value += 0.5 * anybody
    elif action.character == "architect":
        value += 0.4 * anybody
    if mind.shared is not None:  # everybody is as likely to call any of them
        value += 0.5 * anybody * harm(mind, action.character)
    return NAMING + value + 0.3 * mind.random.random()


def score_bewitch(mind: TurnMind, action: Bewitch) -> float:
    """A character that is likely in play and that I would like to be."""
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    value = mind.expected(mind.danger)[action.character]
    return NAMING + 0.5 * value + anybody * appeal(mind, action.character) + 0.3 * mind.random.random()


def score_rob(mind: TurnMind, action: Rob) -> float:
    return NAMING + mind.gold_of[action.character]


def score_marks(mind: TurnMind, action: Marks) -> float:
    """Warrants and threats: the true marker where most gold is, the others where they are believed."""
    value = sum(0.4 * mind.gold_of[character] for character in action.characters)
    return NAMING + value + (mind.gold_of[action.chosen] if action.chosen is not None else 0.0)


def deal_marks(mind: TurnMind, deal: Deal) -> list[Action]:
    """The true marker on each target, the best first, and the others on the best of the rest."""
    ranked = sorted(deal.pool, key=lambda character: mind.gold_of[character], reverse=True)
    return [_marked(deal, [true, *(other for other in ranked if other != true)]) for true in ranked]


def _marked(deal: Deal, ranked: list[str]) -> Action:
    """Markers on these, in order."""
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(ranked[:least]))
        del ranked[:least]
    return deal.make(tuple(parts))


def score_spy(mind: TurnMind, action: Spy) -> float:
    """The type that is most frequent in the deck, less where I have seen many of it."""
    other = mind.view.players[action.seat]
    shares = {"trade": 0.3, "noble": 0.18, "religious": 0.16, "military": 0.16, "unique": 0.2}
    found = shares[action.type] * len(other.hand)
    return NAMING - 2 + found + min(found, other.gold) + 0.1 * mind.danger(action.seat)


def score_bribe(mind: TurnMind, action: Bribe) -> float:
    """Paying is worth it where it costs nothing, or where the gold is needed for this turn's build."""
    if mind.me.gold < 2:
        return 1.0 if action.yes else 0.0
    needed = (
        bool(mind.useful) and min(mind.price(card) for card in mind.useful) <= mind.me.gold - mind.me.gold // 2
    )
    return (0.5 + 0.3 * needed if action.yes else 0.5) + 0.5 * mind.random.random()


def score_reveal(mind: TurnMind, action: Reveal) -> float:
    """Only the flower is worth showing."""
    turn = mind.view.turn
    true = turn is not None and any(
        mark.kind == "flower" and mark.character in (turn.character, HIDDEN) for mark in mind.view.marks
    )
    return 1.0 if action.yes == true else 0.0


def score_confiscate(mind: TurnMind, action: Confiscate) -> float:
    """A district for nothing."""
    return 1.0 if action.yes else 0.0


SURE = 0.35
"""The lead that makes the end worth hastening, in points for each district that is then still to be built."""


def score_thank(mind: TurnMind, action: Thank) -> float:
    """A turn is always worth a word."""
    return float(action.yes)


def score_tribute(mind: TurnMind, action: Tribute) -> float:
    """Whatever is missed least."""
    return -gold_worth(mind) if action.card is None else -holding(mind, action.card)


def score_lighthouse(mind: TurnMind, action: Lighthouse) -> float:
    """The card that I can use best; a second copy of one in hand only where nothing else is there."""
    if action.card is None:
        return 0.0
    return holding(mind, action.card) if action.card not in mind.me.hand else 0.1


def score_graveyard(mind: TurnMind, action: Graveyard) -> float:
    """The card for its price, if it is worth that in the hand."""
    card = mind.view.steps[-1].card
    assert card is not None
    return holding(mind, card) - PRICE * gold_worth(mind) if action.yes else 0.0


def _turned(mind: TurnMind) -> State:
    """The table as it is with my Bell Tower turned."""
    table = mind.view.copy()
    _, index = find(table, mind.seat, ITSELF)
    city = table.players[mind.seat].city
    city[index] = city[index].but(turned=True)
    return table


def score_bell_tower(mind: TurnMind, action: BellTower) -> float:
    """Announced by whoever is nearest to the end, or wins by it at once."""
    if not action.yes:
        return 0.0
    after = type(mind)(_turned(mind), mind.seat, (), mind.random, mind.taste)
    if not min(after.my_missing, after.nearest):
        mine = FIRST if not after.my_missing else 0
        return mind.standings[mind.seat] + mine - mind.standings[mind.leader]
    return 1.0 if after.my_missing <= after.nearest and mind.leading else -1.0


def score_turn(mind: TurnMind, action: TurnBellTower) -> float:
    """It cannot be turned back: when I am so far ahead that the others hardly catch up before the end."""
    after = SharedCity(_turned(mind), mind.seat, mind.edition)
    soon = after.left <= 2 * len(mind.view.players)
    return 40.0 if soon and after.lead > SURE * after.left else SKIP


AFTER_BUILDING: Final = 30.0
BEFORE_BUILDING: Final = 74.1
"""After everything that brings gold."""
SHARE: Final = 0.05
"""How much of its value tells such moves apart: all of them come before building."""


def _early(mind: TurnMind, score: float, price: int) -> float:
    """A score given for after building, or what it comes to if its gold is to be spent on this first."""
    value = score - AFTER_BUILDING
    if not 0 < value < 20:
        return score
    gold = mind.me.gold + mind.income_now
    left = mind.plan_for(gold - price)
    return BEFORE_BUILDING + SHARE * value if value + left.value > mind.richer_plan.value else score


def score_early_seize(mind: TurnMind, action: Seize) -> float:
    owner, index = find(mind.view, mind.seat, action.target)
    district = mind.view.players[owner].city[index]
    price = district.cost + surcharge(mind.view, owner, district.key)
    return _early(mind, score_seize(mind, action), price)


def score_early_exchange(mind: TurnMind, action: Exchange) -> float:
    owner, index = find(mind.view, mind.seat, action.target)
    _, own = find(mind.view, mind.seat, action.own)
    theirs, mine = mind.view.players[owner].city[index], mind.me.city[own]
    price = max(0, theirs.cost - mine.cost) + surcharge(mind.view, owner, theirs.key)
    return _early(mind, score_exchange(mind, action), price)


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
