"""Building a district, from the wish to its standing in a city (rulebook p. 4)."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from .actions import Build, Payment, Spot
from .cards import COST
from .choices import Choice
from .cities import find, standing
from .events import BuildPaid, Built, CardsMoved, CardsReturned, GoldMoved, Taxed, Used
from .payment import Builder, unpayable, ways
from .registry import ABILITIES, EFFECTS, MARKERS
from .rules import HARMLESS, NEITHER, IllegalMove, Rule
from .state import State, marks_on

if TYPE_CHECKING:
    from .table import Table

FRAMEWORK = Spot("framework")


def forbidden(builder: Builder, card: str, *, outside_limit: bool = False) -> IllegalMove | None:
    """What forbids building a card now, whatever is paid (R037, R038)."""
    limit = None if outside_limit else _over_limit(builder, card)
    return _forbidden_now(builder) or _forbidden_here(builder, card) or limit


def _forbidden_now(builder: Builder) -> IllegalMove | None:
    if not builder.character.builds:
        return IllegalMove("may_not_build")
    return None if builder.turn.gathered else IllegalMove("gather_first")


def _forbidden_here(builder: Builder, card: str) -> IllegalMove | None:
    if card in EFFECTS:
        unbuildable = EFFECTS[card].unbuildable(builder.player)
        if unbuildable:
            return IllegalMove(unbuildable, card=card)
    if standing(builder.player, card) and not _duplicates(builder):
        return IllegalMove("in_city_already", card=card)
    return None


def _duplicates(builder: Builder) -> bool:
    return builder.character.duplicates or any(unique.duplicates for unique in builder.effects)


def _over_limit(builder: Builder, card: str) -> IllegalMove | None:
    limit = builder.character.limit
    if builder.turn.builds >= limit and counts(builder, card):
        return IllegalMove("limit_reached", limit=limit)
    return None


def counts(builder: Builder, card: str) -> bool:
    """Whether building a card uses the limit."""
    return builder.character.counts(card) and not EFFECTS.get(card, NEITHER).outside_limit


class BuildRule(Rule[Build]):
    """Build a hand card (R037 to R039)."""

    action = Build

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        builder = Builder(state, seat)
        found: list[Choice] = []
        if _forbidden_now(builder):
            return found
        for card in dict.fromkeys(builder.player.hand):
            if not (_over_limit(builder, card) or _forbidden_here(builder, card)):
                found += ways(builder, card, partial(Build, card))
        return found

    def refusal(self, state: State, seat: int, action: Build) -> IllegalMove | None:
        builder = Builder(state, seat)
        if action.card not in builder.player.hand:
            return IllegalMove("not_in_hand", card=action.card)
        hand = builder.hand_without(action.card)
        return forbidden(builder, action.card) or unpayable(builder, action.card, action.payment, hand)

    def perform(self, table: "Table", seat: int, action: Build) -> None:
        builder = Builder(table.state, seat)
        build(table, seat, action.card, action.payment, counts=counts(builder, action.card))


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
    gold = Builder(table.state, seat).price(card) - len(payment.cards)
    if payment.cards:
        table.emit(CardsReturned(seat, payment.cards, "build"))
        table.put_under(payment.cards, "den")
    if payment.lender is not None:
        table.emit(Used("borrow"))
        table.emit(CardsMoved(seat, payment.lender, payment.lent, "loan"))
        table.emit(GoldMoved(payment.lender, seat, len(payment.lent), "loan"))
    return gold


def finish(table: "Table", seat: int, card: str) -> None:
    """The district paid for stands."""
    table.emit(Built(seat, card, COST[card]))
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
