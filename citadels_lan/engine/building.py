"""Building a district and the ways of paying for it (rulebook p. 4 and 15)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .actions import GOLD, Action, Build, Payment, Spot, in_order
from .cards import COST
from .choices import Choice, Deal, Parts
from .cities import find, spots, standing, uniques
from .events import BuildPaid, Built, CardsMoved, CardsReturned, GoldMoved, Taxed, Used
from .registry import ABILITIES, EFFECTS, MARKERS
from .rules import HARMLESS, NEITHER, IllegalMove, Rule
from .state import Player, State, marks_on

if TYPE_CHECKING:
    from .table import Table


FRAMEWORK = Spot("framework")


def price(state: State, seat: int, card: str) -> int:
    """What building a card costs this seat (R261)."""
    cost = COST[card]
    for unique in uniques(state.players[seat]):
        cost += unique.price(card)
    return max(cost, 0)


def forbidden(state: State, seat: int, card: str, *, outside_limit: bool = False) -> IllegalMove | None:
    """What forbids building a card now, whatever is paid (R037, R038)."""
    turn = state.turn
    assert turn is not None
    character = ABILITIES[turn.character]
    player = state.players[seat]
    if not character.builds:
        return IllegalMove("may_not_build")
    if not turn.gathered:
        return IllegalMove("gather_first")
    unbuildable = EFFECTS.get(card, NEITHER).unbuildable(player)
    if unbuildable:
        return IllegalMove(unbuildable, card=card)
    if standing(player, card) and not character.duplicates and not any(u.duplicates for u in uniques(player)):
        return IllegalMove("in_city_already", card=card)
    if not outside_limit and counts(state, card) and turn.builds >= character.limit():
        return IllegalMove("limit_reached", limit=character.limit())
    return None


def counts(state: State, card: str) -> bool:
    """Whether building a card uses the limit."""
    assert state.turn is not None
    return ABILITIES[state.turn.character].counts(card) and not EFFECTS.get(card, NEITHER).outside_limit


def unpayable(state: State, seat: int, card: str, payment: Payment, hand: Sequence[str]) -> IllegalMove | None:
    """What is wrong with a way of paying; `hand` is the hand without the card to build."""
    unique = EFFECTS.get(card, NEITHER)
    instead = payment.framework or payment.sacrifice is not None
    if instead and (payment.cards or payment.lender is not None or (payment.framework and payment.sacrifice)):
        return IllegalMove("one_way_of_paying")
    if payment.framework:
        known = any(u.pays_builds for u in uniques(state.players[seat]))
        return None if known else IllegalMove("no_framework")
    if payment.sacrifice is not None:
        if not unique.paid_by_sacrifice:
            return IllegalMove("no_sacrifice", card=card)
        if payment.sacrifice.seat not in (None, seat):
            return IllegalMove("own_district_only")
        find(state, seat, payment.sacrifice)
        return None
    return _short(state, seat, price(state, seat, card), payment, hand, by_cards=unique.paid_by_cards)


def _short(
    state: State, seat: int, cost: int, payment: Payment, hand: Sequence[str], *, by_cards: bool
) -> IllegalMove | None:
    """What is wrong with paying by gold, cards and a loan."""
    left = list(hand)
    for given in (*payment.cards, *payment.lent):
        if given not in left:
            return IllegalMove("not_in_hand", card=given)
        left.remove(given)
    if payment.cards and not by_cards:
        return IllegalMove("no_cards_as_gold")
    if len(payment.cards) > cost:
        return IllegalMove("overpaid", cost=cost)
    missing = cost - len(payment.cards) - state.players[seat].gold
    if payment.lender is None:
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None
    return _no_loan(state, seat, payment, missing)


def _no_loan(state: State, seat: int, payment: Payment, missing: int) -> IllegalMove | None:
    """What is wrong with borrowing (R181 to R189)."""
    assert state.turn is not None
    lender = payment.lender
    if not ABILITIES[state.turn.character].borrows or "borrow" in state.turn.used:
        return IllegalMove("no_loan")
    if lender is None or lender == seat or lender >= len(state.players):
        return IllegalMove("no_such_seat")
    if missing <= 0:
        return IllegalMove("loan_needless")
    if len(payment.lent) != missing:
        return IllegalMove("loan_exact", missing=missing)
    if state.players[lender].gold < missing:
        return IllegalMove("lender_short", missing=missing)
    return None


def ways(
    state: State, seat: int, card: str, hand: Sequence[str], make: Callable[[Payment], Action]
) -> Iterator[Choice]:
    """Every legal way of paying for a card, as the actions that `make` makes of payments."""
    player = state.players[seat]
    unique = EFFECTS.get(card, NEITHER)
    cost = price(state, seat, card)
    most = min(cost, len(hand)) if unique.paid_by_cards else 0
    least = max(0, cost - player.gold)
    if least == 0:
        yield make(GOLD)
    if most and least <= most:
        yield _with_cards(hand, max(least, 1), most, make)
    yield from _loans(state, seat, cost, most, hand, make)
    if any(u.pays_builds for u in uniques(player)):
        yield make(Payment(framework=True))
    if unique.paid_by_sacrifice:
        for spot, _ in spots(state, seat, seat):
            yield make(Payment(sacrifice=spot))


def _with_cards(hand: Sequence[str], least: int, most: int, make: Callable[[Payment], Action]) -> Deal:
    def action(parts: Parts) -> Action:
        return make(Payment(cards=in_order(parts[0])))

    return Deal("build", tuple(hand), ("with",), ((least, most),), action)


def _loans(
    state: State, seat: int, cost: int, most: int, hand: Sequence[str], make: Callable[[Payment], Action]
) -> Iterator[Deal]:
    assert state.turn is not None
    if not ABILITIES[state.turn.character].borrows or "borrow" in state.turn.used:
        return
    gold = state.players[seat].gold
    for put_down in range(most + 1):
        missing = cost - put_down - gold
        if missing > 0 and put_down + missing <= len(hand):
            for lender, other in enumerate(state.players):
                if lender != seat and other.gold >= missing:
                    yield _loan(hand, lender, put_down, missing, make)


def _loan(
    hand: Sequence[str], lender: int, put_down: int, missing: int, make: Callable[[Payment], Action]
) -> Deal:
    def action(parts: Parts) -> Action:
        return make(Payment(cards=in_order(parts[0]), lender=lender, lent=in_order(parts[1])))

    sizes = ((put_down, put_down), (missing, missing))
    return Deal("build", tuple(hand), ("with", "lent"), sizes, action)


def hand_without(player: Player, card: str) -> list[str]:
    """The hand less one copy of a card."""
    hand = player.hand.copy()
    hand.remove(card)
    return hand


class BuildRule(Rule[Build]):
    """Build a hand card (R037 to R039)."""

    action = Build

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        player = state.players[seat]
        found: list[Choice] = []
        for card in dict.fromkeys(player.hand):
            if forbidden(state, seat, card) is None:
                hand = hand_without(player, card)
                found.extend(ways(state, seat, card, hand, partial(Build, card)))
        return found

    def refusal(self, state: State, seat: int, action: Build) -> IllegalMove | None:
        player = state.players[seat]
        if action.card not in player.hand:
            return IllegalMove("not_in_hand", card=action.card)
        return forbidden(state, seat, action.card) or unpayable(
            state, seat, action.card, action.payment, hand_without(player, action.card)
        )

    def perform(self, table: "Table", seat: int, action: Build) -> None:
        build(table, seat, action.card, action.payment, counts=counts(table.state, action.card))


def build(table: "Table", seat: int, card: str, payment: Payment, *, counts: bool) -> None:
    """Pay for a hand card and put it into the city, unless somebody is asked first whether to confiscate it."""
    state = table.state
    turn = state.turn
    assert turn is not None
    first = not turn.paid
    paid = not payment.framework and payment.sacrifice is None
    if payment.framework:
        table.destroy(*find(state, seat, FRAMEWORK), "framework")
    elif payment.sacrifice is not None:
        table.destroy(*find(state, seat, payment.sacrifice), "sacrifice")
    gold = _pay(table, seat, card, payment) if paid else 0
    table.emit(BuildPaid(seat, card, gold, counts, paid))
    if paid and first:
        for mark in marks_on(state, turn.character):
            if MARKERS.get(mark.kind, HARMLESS).paid(table, seat, mark):
                return
    finish(table, seat, card)


def _pay(table: "Table", seat: int, card: str, payment: Payment) -> int:
    """Put down cards and borrow, as far as the payment says; the gold still due."""
    gold = price(table.state, seat, card) - len(payment.cards)
    if payment.cards:
        table.emit(CardsReturned(seat, table.mixed(payment.cards, "den"), "build"))
    if payment.lender is not None:
        table.emit(Used("borrow"))
        table.emit(CardsMoved(seat, payment.lender, payment.lent, "loan"))
        table.emit(GoldMoved(payment.lender, seat, len(payment.lent), "loan"))
    return gold


def finish(table: "Table", seat: int, card: str) -> None:
    """The district paid for stands."""
    table.emit(Built(seat, card))
    tax(table, seat)
    table.check_completed(seat)


def tax(table: "Table", builder: int) -> None:
    """The property tax, while somebody in the cast levies it and any gold is left (R240 to R245)."""
    state = table.state
    turn = state.turn
    assert turn is not None
    if not any(ABILITIES[character].taxes for character in state.cast):
        return
    untaxed = builder == turn.seat and ABILITIES[turn.character].taxes
    if not untaxed and state.players[builder].gold:
        table.emit(Taxed(builder))
