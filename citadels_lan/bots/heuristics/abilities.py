"""The scores of abilities: characters, unique districts, answers, other players' districts, and trade.
`turns` explains scores. `mind` is the view of the bot's seat with everything derived from it."""

from math import ceil
from typing import Final

from citadels_lan.bots.heuristics.mind import SharedCity
from citadels_lan.bots.heuristics.picking import appeal, harm
from citadels_lan.bots.heuristics.turns import SKIP, TurnMind, build_value
from citadels_lan.bots.heuristics.worth import UNKNOWN_CARD, gold_worth, holding, plan, salvage, worth
from citadels_lan.engine import HIDDEN, Action, Deal, District, State, actions
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.districts.bell_tower import ITSELF
from citadels_lan.engine.districts.graveyard import PRICE
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.scoring import FIRST
from citadels_lan.engine.turn.cities import find
from citadels_lan.engine.turn.piles import half

DRAWN = 1.3
"""The value of an unknown card in the hand, in points."""
LONGER = 0.5
"""The value of a longer game for a player who is behind, in points."""
POOR = 0.9
"""A hand card with a value below this, in points, is worth less than an unknown one."""


def _hand(mind: TurnMind) -> float:
    return sum(min(2.5, holding(mind, card)) for card in mind.me.hand)


def _moment(mind: TurnMind) -> float:
    """Return the priority of replacing the hand: high (early in the turn) if no card can be built, otherwise
    below that of building."""
    return 86.0 if mind.stuck else 33.0


def score_swap(mind: TurnMind, action: actions.Swap) -> float:
    """Score an exchange of hands: good if the other hand is larger, or if the bot's own hand is poor."""
    gain = DRAWN * len(mind.view.players[action.seat].hand) - _hand(mind)
    if gain < 0.7 or (mind.last_turn and not mind.stuck and "map_room" not in mind.names):
        return SKIP
    return _moment(mind) + min(gain, 4.0) + 0.2 * mind.danger(action.seat)


def score_redraw(mind: TurnMind, action: actions.Redraw) -> float:
    """Score replacing these hand cards: good if they are worth less than unknown ones."""
    gain = sum(DRAWN - holding(mind, card) for card in action.cards)
    if gain < 0.3 or (mind.last_turn and not mind.stuck):
        return SKIP
    return _moment(mind) + min(gain, 4.0)


def deal_redraw(mind: TurnMind, deal: Deal) -> list[Action]:
    """Return one redraw: that of all cards worth less than unknown ones, or of the worst card if there are
    none."""
    poor = tuple(card for card in deal.pool if holding(mind, card) < POOR)
    if not poor:
        poor = (min(deal.pool, key=lambda card: holding(mind, card)),)
    return [deal.make((poor,))]


def score_take(mind: TurnMind, action: actions.Take) -> float:
    """Score the Wizard's card: prefer to build it immediately, which does not use the building limit, if that
    is better than keeping it."""
    if action.payment is None:
        return holding(mind, action.card)
    return 0.8 + build_value(mind, actions.Build(action.card, action.payment))


def deal_give(mind: TurnMind, deal: Deal) -> list[Action]:
    """Return one way for the Seer to give cards back: the worst cards, the least useful one to the first
    seat."""
    return [_in_order(deal, _worst(mind, deal))]


def score_give(mind: TurnMind, action: actions.Give) -> float:
    """Score the cards that the Seer gives back: prefer to give useful cards to weak players."""
    return -sum(holding(mind, card) * (1 + 0.1 * mind.danger(seat)) for seat, card in action.gifts)


def score_crown(mind: TurnMind, action: actions.Crown) -> float:
    """Score a move of the crown. Take it at once. An Emperor gives it to the least dangerous player, and
    takes gold or a card, whichever he needs more."""
    value = 95.0
    if action.seat is not None:
        heir = mind.view.players[action.seat]
        value += 0.6 * bool(heir.gold or heir.hand) - 0.5 * mind.danger(action.seat)
    if action.taking is not None:
        needs_card = len(mind.useful) < 2
        value += 1.0 + ((action.taking == "card") == needs_card)
    return value


# Rank 8


def target_of(mind: TurnMind, spot: Spot) -> tuple[int, District, int]:
    """Return (owner, district, extra gold) of a spot. The extra gold is what rank 8 pays in addition because
    of a Great Wall."""
    owner, index = find(mind.view, mind.seat, spot)
    district = mind.view.players[owner].city[index]
    return owner, district, surcharge(mind.view, owner, district.key)


def _loss(mind: TurnMind, owner: int, cost: int) -> float:
    """Return how much it is worth that `owner` loses a district of this cost. The more dangerous the owner,
    the more."""
    return 0.35 * (cost + 1.0) * mind.danger(owner) * mind.taste.malice


def urgent(mind: TurnMind, owner: int) -> bool:
    """Return whether `owner` is about to complete a city and the bot is not."""
    return not mind.view.last_round and mind.missing(owner) <= 1 and not mind.plan.finishes


def score_destroy(mind: TurnMind, action: actions.Destroy) -> float:
    """Score destroying a district: good if its loss is worth more than its price."""
    owner, district, wall = target_of(mind, action.target)
    if owner == mind.seat:
        return SKIP
    price = district.cost - 1 + wall
    value = _loss(mind, owner, district.cost) - gold_worth(mind) * price
    # In a shared city the name can be built again, also by this seat, and the game lasts longer.
    if mind.shared is not None:
        value += 0.5 * worth(mind, district.key) * (district.key in mind.me.hand)
        value += LONGER if mind.shared.lead < 0 else -LONGER
    if value < 0.3:
        return SKIP
    return (77.0 if urgent(mind, owner) else 30.0) + min(value, 9.0)


def score_seize(mind: TurnMind, action: actions.Seize) -> float:
    """Score taking a district: good if it is worth its price, above all if it completes the bot's city."""
    owner, district, _ = target_of(mind, action.target)
    if owner == mind.seat:
        return SKIP
    value = worth(mind, district.key) + _loss(mind, owner, district.cost)
    value -= (gold_worth(mind) + 0.3) * district.cost
    if mind.my_missing == 1:
        value += 4.0
    if value < 0.3:
        return SKIP
    return (77.0 if urgent(mind, owner) or mind.my_missing == 1 else 30.0) + min(value, 12.0)


def score_exchange(mind: TurnMind, action: actions.Exchange) -> float:
    """Score an exchange of districts: good if the bot gets the better one."""
    _, mine, _ = target_of(mind, action.own)
    owner, theirs, wall = target_of(mind, action.target)
    price = max(0, theirs.cost - mine.cost) + wall
    value = worth(mind, theirs.key) - worth(mind, mine.key) - (gold_worth(mind) + 0.2) * price
    value += 0.3 * mind.danger(owner) * (theirs.cost - mine.cost)
    return 30.0 + min(value, 9.0) if value > 0.5 else SKIP


# Rank 9 and unique districts


def score_beautify(mind: TurnMind, action: actions.Beautify) -> float:
    """Score beautifying districts: good if a point is worth more than a gold. With a Basilica, odd costs are
    better."""
    value = 0.0
    for spot in action.spots:
        _, district, _ = target_of(mind, spot)
        value += 1.0 - gold_worth(mind)
        if "basilica" in mind.names:
            value += -1.0 if district.cost % 2 else 1.0
    return 30.0 + value if value > 0 else SKIP


def score_laboratory(mind: TurnMind, action: actions.Laboratory) -> float:
    """Score discarding a card for gold, before building: good if the card is worth less than the gold."""
    loss = holding(mind, action.card)
    price = mind.amounts.laboratory
    gain = price * gold_worth(mind)
    if mind.builds_left():
        richer = plan(mind, mind.me.gold + mind.income_now + price, mind.builds_left(), without=action.card)
        gain += 0.8 * max(0.0, richer.value - mind.richer_plan.value)
    return 76.5 + min(0.4, 0.1 * (gain - loss)) if gain > loss + 0.05 else SKIP


def score_smithy(mind: TurnMind, action: actions.Smithy) -> float:
    """Score buying cards: good if nothing can be built, or if gold is left after building."""
    if "map_room" in mind.names and mind.last_turn:
        return 31.0
    if mind.last_turn:
        return 49.0 if mind.stuck and mind.builds_left() and mind.me.gold >= mind.amounts.smithy + 2 else SKIP
    if mind.stuck and mind.builds_left() and mind.me.gold > mind.amounts.smithy:
        return 74.0
    spare = len(mind.useful) <= 1 or (len(mind.useful) <= 3 and mind.me.gold >= 5)
    return 31.0 if spare else SKIP


def score_museum(mind: TurnMind, action: actions.Museum) -> float:
    """Score putting a card under the Museum: good if the card is worth less than a point."""
    loss = holding(mind, action.card)
    return 29.0 - 0.1 * loss if loss < 1.2 and not (mind.last_turn and "map_room" in mind.names) else SKIP


def score_armory(mind: TurnMind, action: actions.Armory) -> float:
    """Score the Armory: only good against a player who is about to complete a city."""
    owner, district, _ = target_of(mind, action.target)
    if owner == mind.seat or not urgent(mind, owner):
        return SKIP
    value = _loss(mind, owner, district.cost) - mind.edition.costs["armory"] - UNKNOWN_CARD
    return 48.0 + min(value, 1.0) if value > 0 else SKIP


def _worst(mind: TurnMind, deal: Deal) -> list[str]:
    """Return the cards of a deal, sorted by how much they are worth keeping, the least first."""
    return sorted(deal.pool, key=lambda card: holding(mind, card))


def deal_build(mind: TurnMind, deal: Deal) -> list[Action]:
    """Return ways to pay for a build with cards: for each possible number of cards, one with the least useful
    cards."""
    ways_to_pay: list[Action] = []
    (least, most), *rest = deal.sizes
    lent, worst = rest[0][0] if rest else 0, tuple(_worst(mind, deal))
    for count in range(least, min(most, len(deal.pool) - lent) + 1):
        cards = worst[: count + lent]
        parts = (cards[:count], cards[count:]) if rest else (cards,)
        ways_to_pay.append(deal.make(parts))
    return ways_to_pay


NAMING = 100.0
"""The priority of naming a character. It is the highest of all."""


def score_kill(mind: TurnMind, action: actions.Kill) -> float:
    """Score killing a character: good if the strongest player probably has it, or if it would hurt the bot
    most."""
    value = mind.expected(mind.danger)[action.character]
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    if action.character in ("thief", "blackmailer"):
        value += 0.15 * anybody * max(0, mind.me.gold - 3)
    elif action.character in ("warlord", "marshal", "diplomat") and mind.leading:
        value += 0.5 * anybody
    elif action.character == "architect":
        value += 0.4 * anybody
    # In a shared city all players are equally likely to call a character.
    if mind.shared is not None:
        value += 0.5 * anybody * harm(mind, action.character)
    return NAMING + value + 0.3 * mind.random.random()


def score_bewitch(mind: TurnMind, action: actions.Bewitch) -> float:
    """Score bewitching a character: good if it is useful and some player probably has it."""
    anybody = min(1.0, sum(mind.chances.get(action.character, {}).values()))
    value = mind.expected(mind.danger)[action.character]
    return NAMING + 0.5 * value + anybody * appeal(mind, action.character) + 0.3 * mind.random.random()


def score_marks(mind: TurnMind, action: actions.Marks) -> float:
    """Score placing warrants or threats: the one that counts goes where most gold is expected, the others
    where opponents would believe them."""
    value = sum(0.4 * mind.gold_of[character] for character in action.characters)
    return NAMING + value + (mind.gold_of[action.chosen] if action.chosen is not None else 0.0)


def deal_marks(mind: TurnMind, deal: Deal) -> list[Action]:
    """Return, for each character, one way to place the markers with the one that counts on it. The best
    character comes first. The other markers go to the best other characters."""
    ranked = sorted(deal.pool, key=lambda character: mind.gold_of[character], reverse=True)
    return [_in_order(deal, [true, *(other for other in ranked if other != true)]) for true in ranked]


def _in_order(deal: Deal, cards: list[str]) -> Action:
    """Return the action of a deal that gives `cards`, in this order, to its parts, as few as possible to
    each."""
    parts = []
    for least, _ in deal.sizes:
        parts.append(tuple(cards[:least]))
        del cards[:least]
    return deal.make(tuple(parts))


def score_spy(mind: TurnMind, action: actions.Spy) -> float:
    """Score the Spy: name the most frequent type, and the player with most cards and gold."""
    other = mind.view.players[action.seat]
    shares = {"trade": 0.3, "noble": 0.18, "religious": 0.16, "military": 0.16, "unique": 0.2}
    matches = shares[action.type] * len(other.hand)
    return NAMING - 2 + matches + min(matches, other.gold) + 0.1 * mind.danger(action.seat)


def score_bribe(mind: TurnMind, action: actions.Bribe) -> float:
    """Score paying the Blackmailer: good if it costs nothing, or if no build of this turn needs the gold."""
    if mind.me.gold < 2:
        return 1.0 if action.yes else 0.0
    needed = (
        bool(mind.useful) and min(mind.price(card) for card in mind.useful) <= mind.me.gold - mind.me.gold // 2
    )
    return (0.5 + 0.3 * needed if action.yes else 0.5) + 0.5 * mind.random.random()


def score_reveal(mind: TurnMind, action: actions.Reveal) -> float:
    """Score revealing a threat: only good if it has the flower."""
    turn = mind.view.turn
    true = turn is not None and any(
        mark.kind == "flower" and mark.character in (turn.character, HIDDEN) for mark in mind.view.marks
    )
    return 1.0 if action.yes == true else 0.0


SURE = 0.35
"""The Bell Tower of Città Comune is turned if the lead has this many points for each district that is still
to be built."""


def score_tribute(mind: TurnMind, action: actions.Tribute) -> float:
    """Score a tribute to the Emperor: prefer to give what is worth least, a gold or one of the cards."""
    return -gold_worth(mind) if action.card is None else -holding(mind, action.card)


def score_lighthouse(mind: TurnMind, action: actions.Lighthouse) -> float:
    """Score taking a card from the deck: prefer the most useful one. A second copy of a hand card comes last,
    but before no card."""
    if action.card is None:
        return 0.0
    return holding(mind, action.card) if action.card not in mind.me.hand else 0.1


def score_graveyard(mind: TurnMind, action: actions.Graveyard) -> float:
    """Score buying the destroyed district: good if its value in the hand is higher than the price."""
    card = mind.view.steps[-1].card
    assert card is not None
    return holding(mind, card) - PRICE * gold_worth(mind) if action.yes else 0.0


def _turned(mind: TurnMind) -> State:
    """Return the bot's view as it would be with its own Bell Tower turned."""
    table = mind.view.copy()
    _, index = find(table, mind.seat, ITSELF)
    city = table.players[mind.seat].city
    city[index] = city[index].but(turned=True)
    return table


def score_bell_tower(mind: TurnMind, action: actions.BellTower) -> float:
    """Score the announcement of the Bell Tower: good if the bot is nearest to a complete city or wins
    immediately."""
    if not action.yes:
        return 0.0
    after = type(mind)(_turned(mind), mind.seat, (), mind.random, mind.taste)
    if not min(after.my_missing, after.nearest):
        mine = FIRST if not after.my_missing else 0
        return mind.standings[mind.seat] + mine - mind.standings[mind.leader]
    return 1.0 if after.my_missing <= after.nearest and mind.leading else -1.0


def score_turn(mind: TurnMind, action: actions.TurnBellTower) -> float:
    """Score turning the Bell Tower, which is final: good if the lead is so large that no other player can
    catch up before the end."""
    after = SharedCity(_turned(mind), mind.seat, mind.edition)
    soon = after.left <= 2 * len(mind.view.players)
    return 40.0 if soon and after.lead > SURE * after.left else SKIP


AFTER_BUILDING: Final = 30.0
BEFORE_BUILDING: Final = 74.1
"""The priority of moves just before building. Moves that bring gold have a higher one."""
SHARE: Final = 0.05
"""A move just before building gets BEFORE_BUILDING and this part of its value. The part is small, so that the
score stays near that of moves that bring gold."""


def _early(mind: TurnMind, score: float, price: int) -> float:
    """Return a new score for a move that costs `price` and with its old `score` follows the building. If the
    move is worth more than what the same gold can build, the new score lets it come first; otherwise it is
    the old one."""
    value = score - AFTER_BUILDING
    if not 0 < value < 20:
        return score
    gold = mind.me.gold + mind.income_now
    rest = mind.plan_for(gold - price)
    return BEFORE_BUILDING + SHARE * value if value + rest.value > mind.richer_plan.value else score


def score_early_seize(mind: TurnMind, action: actions.Seize) -> float:
    """As `score_seize`, but higher than building if taking the district is the better use of the gold."""
    _, district, wall = target_of(mind, action.target)
    return _early(mind, score_seize(mind, action), district.cost + wall)


def score_early_exchange(mind: TurnMind, action: actions.Exchange) -> float:
    """As `score_exchange`, but higher than building if the exchange is the better use of the gold."""
    _, mine, _ = target_of(mind, action.own)
    _, theirs, wall = target_of(mind, action.target)
    return _early(mind, score_exchange(mind, action), max(0, theirs.cost - mine.cost) + wall)


INSTEAD = 1.5
"""How many points less an additional card is worth to a player who has other cards to build."""
MORE = 2.0
"""About how many points a district brings in addition to its cost."""
SOON = 3
"""A card for which the gold will not suffice within this many turns may be sold."""
SPENDABLE = 0.3
"""Cards are sold only for their gold if a gold is worth at least this many points."""
SOONER = 0.8
"""Building something one turn earlier is worth this part of its value."""


def _price(mind: TurnMind, card: str) -> int:
    """Return the bank's price for a card, in gold."""
    return half(mind.edition.costs[card])


def score_sell(mind: TurnMind, action: actions.Sell) -> float:
    """Score a sale to the bank: before building if its gold allows a better build; at the end of the turn for
    a useless card."""
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
    """Return how much gold a card offered in an auction is worth to the bot. This is the higher of two
    values: that of building it with the gold left after the bid, and the bank's price for it minus one."""
    resale = 0.0 if mind.last_turn else _price(mind, card) - 1.0
    if not mind.may_stand(card) or card in mind.me.hand:
        return resale
    brings = worth(mind, card) - (INSTEAD if mind.useful else 0.0)
    return max(resale, _gold_for(mind, brings, mind.price(card), mind.me.gold))


def _theirs(mind: TurnMind, seat: int, card: str) -> float:
    """Return how much gold a card may be worth to the player `seat`, judged by public information."""
    if card in mind.edition.identical(mind.view, seat):
        return 0.0
    cost, player = mind.edition.costs[card], mind.view.players[seat]
    brings = cost + mind.edition.effect(card).worth + MORE - (INSTEAD if len(player.hand) > 1 else 0.0)
    return min(player.gold, _gold_for(mind, brings, cost, player.gold))


def _gold_for(mind: TurnMind, brings: float, price: int, gold: int) -> float:
    """Return the highest reasonable bid for a card that brings `brings` points and costs `price` to build, in
    this turn or the next. `gold` is what the bidder has."""
    each = max(0.2, gold_worth(mind))
    return min(brings / each - price, gold + 2 * mind.amounts.gathered - price)


def _beyond_reach(mind: TurnMind) -> set[str]:
    """Return the hand cards that the bot cannot pay for soon, because it will spend its gold on better cards
    first."""
    gold = mind.me.gold + mind.income_now + SOON * (mind.amounts.gathered + 1)
    beyond = set()
    for card in sorted(mind.useful, key=lambda card: holding(mind, card), reverse=True):
        gold -= mind.price(card)
        if gold < 0:
            beyond.add(card)
    return beyond


def deal_offer(mind: TurnMind, deal: Deal) -> list[Action]:
    """Return offers of cards that another player may want. The lowest bid of each is one gold more than the
    card is worth to the bot and to the bank."""
    if mind.view.current_turn.unsold or not mind.view.current_turn.gathered or gold_worth(mind) < SPENDABLE:
        return []
    beyond = _beyond_reach(mind)
    offers: list[Action] = []
    for card in deal.pool:
        if not mind.may_stand(card) or card in mind.sold_plan.cards:
            continue
        own = 0.0 if card in mind.dead or card in beyond else holding(mind, card) / gold_worth(mind)
        floor = max(_price(mind, card), ceil(own)) + 1
        if max(_theirs(mind, seat, card) for seat in mind.others) >= floor:
            offers.append(actions.Offer(card, floor))
    return offers


def score_bid(mind: TurnMind, action: actions.Bid) -> float:
    """Score a bid: the value of the card to the bot minus the bid. So the lowest bid is best."""
    auction = mind.view.auction
    assert auction is not None
    return wanted(mind, auction.card) - action.gold
