"""Building a district, from the decision to the finished district (rulebook p. 4)."""

from collections.abc import Sequence
from functools import partial

from citadels_lan.engine.actions import Build, Payment
from citadels_lan.engine.edition import edition_of, markers_on
from citadels_lan.engine.events import BuildPaid, Built, CardsMoved, CardsReturned, GoldMoved, Used
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Table

from .cities import check_completed, destroy, find
from .payment import Builder, unpayable, ways
from .piles import discard

FRAMEWORK = Spot("framework")


def forbidden(builder: Builder, card: str, *, outside_limit: bool = False) -> IllegalMove | None:
    """Return why `card` cannot be built now with any payment (R037, R038), or None. `outside_limit`: the
    building limit does not matter."""
    # The order of the reasons is that of importance for the player; the limit comes last.
    if not builder.character.builds:
        return IllegalMove("may_not_build")
    if not builder.turn.gathered:
        return IllegalMove("gather_first")
    here = builder.edition.effect(card).unbuildable(builder.player)
    if code := here or builder.edition.identical(builder.state, builder.seat).get(card):
        return IllegalMove(code, card=card)
    limit = builder.character.limit
    if not outside_limit and builder.turn.builds >= limit and counts(builder, card):
        return IllegalMove("limit_reached", limit=limit)
    return None


def not_twice_in_a_city(state: State, seat: int) -> dict[str, str]:
    """Return {district: code} for each district that the seat on turn cannot build because one of that name
    is in its city (R038). Empty if it may build duplicates."""
    if may_duplicate(state, seat):
        return {}
    return {district.key: "in_city_already" for district in state.players[seat].city}


def may_duplicate(state: State, seat: int) -> bool:
    """Return whether the seat on turn may build districts whose name is already in its city."""
    turn, played, player = state.turn, edition_of(state), state.players[seat]
    if turn is not None and turn.seat == seat and played.abilities[turn.character].duplicates:
        return True
    effects = played.effects
    # A loop, because every list of choices needs this.
    for district in player.city:
        key = district.key
        if key in effects and effects[key].repeats(player):
            return True
    return False


def counts(builder: Builder, card: str) -> bool:
    """Return whether building `card` counts against the building limit."""
    return card not in builder.edition.uncounted[builder.turn.character]


class BuildRule(Rule[Build]):
    """Build a hand card (R037 to R039)."""

    action = Build
    # Listing skips this rule before gathering, but `refusal` still gives the reason.
    early = False

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        turn, edition, cards = state.current_turn, edition_of(state), state.players[seat].hand
        ability, uncounted = edition.abilities[turn.character], edition.uncounted[turn.character]
        if turn.builds >= ability.limit:
            cards = [card for card in cards if card in uncounted]
        if not (cards and turn.gathered and ability.builds):
            return ()
        builder = Builder(state, seat)
        effects, otherwise = edition.effects, edition.paid_otherwise
        if builder.plain:
            gold, costs = builder.player.gold, edition.costs
            cards = [card for card in cards if costs[card] <= gold or card in otherwise]
        if not cards:
            return ()
        choices: list[Choice] = []
        there = edition.identical(state, seat)
        # Copies of a card are the same choice.
        for card in dict.fromkeys(cards):
            if card in there or (card in effects and effects[card].unbuildable(builder.player)):
                continue
            # Most cards have exactly one way to pay, which needs no search.
            if builder.plain and card not in otherwise:
                choices.append(Build(card))
            else:
                choices += ways(builder, card, partial(Build, card))
        return choices

    def refusal(self, state: State, seat: int, action: Build) -> IllegalMove | None:
        builder = Builder(state, seat)
        if action.card not in builder.player.hand:
            return IllegalMove("not_in_hand", card=action.card)
        hand = builder.hand_without(action.card)
        return forbidden(builder, action.card) or unpayable(builder, action.card, action.payment, hand)

    def perform(self, table: Table, seat: int, action: Build) -> None:
        builder = Builder(table.state, seat)
        build(table, builder, action.card, action.payment, counts=counts(builder, action.card))


def build(table: Table, builder: Builder, card: str, payment: Payment, *, counts: bool) -> None:
    """Pay for a hand card and build it. If the Magistrate must be asked about confiscation, only pay; the
    answer decides. `counts`: the build uses the building limit."""
    state, seat, turn = table.state, builder.seat, builder.turn
    # Warrants only matter for the first paid build of the turn (R104).
    first = not turn.paid
    paid = not payment.framework and payment.sacrifice is None
    # The destroyed district is the payment, so it leaves before the card is paid for.
    if payment.framework:
        destroy(table, *find(state, seat, FRAMEWORK), "framework")
    elif payment.sacrifice is not None:
        destroy(table, *find(state, seat, payment.sacrifice), "sacrifice")
    gold = _pay(table, builder, card, payment) if paid else 0
    table.emit(BuildPaid(seat, card, gold, counts, paid))
    if paid and first:
        # If the Magistrate is asked, the district waits at its site until the answer.
        for marker, mark in markers_on(state, turn.character):
            if marker.paid(table, seat, mark):
                return
    finish(table, seat, card)


def _pay(table: Table, builder: Builder, card: str, payment: Payment) -> int:
    """Discard cards and borrow gold as `payment` says. Return the gold that `seat` must then pay, which
    includes the borrowed gold."""
    seat, gold = builder.seat, builder.price(card) - len(payment.cards)
    if payment.cards:
        # Cards that pay leave the hand before the loan, whose cards must be other ones.
        table.emit(CardsReturned(seat, payment.cards, "build"))
        discard(table, payment.cards, "den")
    if payment.lender is not None:
        table.emit(Used("borrow"))
        table.emit(CardsMoved(seat, payment.lender, payment.lent, "loan"))
        table.emit(GoldMoved(payment.lender, seat, len(payment.lent), "loan"))
    return gold


def finish(table: Table, seat: int, card: str) -> None:
    """Build `card`, which `seat` has paid for, in its city."""
    table.emit(Built(seat, card, edition_of(table.state).costs[card]))
    stands(table, seat, card)


def stands(table: Table, seat: int, card: str) -> None:
    """Apply what follows when `seat` has built `card`: the effects of characters (taxes) and of the district
    itself, and the completion of the city."""
    state = table.state
    played = edition_of(state)
    # Characters react first (the Tax Collector takes a gold, R240), then the district itself.
    for character in state.cast:
        played.abilities[character].built(table, seat)
    if card in played.effects:
        played.effects[card].built(table, seat)
    check_completed(table, seat)
