"""Ways to pay for a build: gold, hand cards, a loan, or a destroyed district (rulebook p. 15)."""

from collections.abc import Callable, Iterator, Sequence

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import GOLD, Payment
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.pieces import Choice, Deal, IllegalMove, Parts, State

from .cities import find, spots
from .piles import not_in_hand

Make = Callable[[Payment], Action]
"""Makes the action for a payment: `build` with this payment, or the Wizard's `take`."""
Sizes = tuple[tuple[int, int], ...]
"""(least, most) for the cards that pay, and for the cards that are lent."""


class Builder:
    """The seat on turn and everything that it can pay with. `effects` are the unique districts of its city
    that help to pay.

    `plain`: nothing helps to pay. Then each district costs its printed cost, and only gold pays for it,
    unless its own card allows another payment.
    """

    __slots__ = ("character", "edition", "effects", "plain", "player", "seat", "state", "turn")

    def __init__(self, state: State, seat: int) -> None:
        turn, player, edition = state.current_turn, state.players[seat], edition_of(state)
        character, helping = edition.abilities[turn.character], edition.helping
        effects = [helping[d.key] for d in player.city if d.key in helping] if helping else []
        self.state = state
        self.seat = seat
        self.turn = turn
        self.player = player
        self.edition = edition
        self.character = character
        self.effects = effects
        # This flag lets the caller skip all special ways to pay. Most builds are plain.
        self.plain = not effects and not character.borrows

    def price(self, card: str) -> int:
        """Return how much gold building `card` costs this seat, after discounts (R261)."""
        facts = self.edition.districts[card]
        cost = facts.cost
        for unique in self.effects:
            cost += unique.price(facts)
        return cost

    def hand_without(self, card: str) -> list[str]:
        """Return the hand without one copy of a card."""
        hand = self.player.hand.copy()
        hand.remove(card)
        return hand

    def may_borrow(self) -> bool:
        """Return whether the character may borrow gold (Cardinal) and has not done so in this turn (R189)."""
        return self.character.borrows and "borrow" not in self.turn.used

    def has_framework(self) -> bool:
        """Return whether the city has a district that may be destroyed instead of paying (Framework)."""
        return any(unique.pays_builds for unique in self.effects)


def unpayable(builder: Builder, card: str, payment: Payment, hand: Sequence[str]) -> IllegalMove | None:
    """Return why `payment` for `card` is rejected, or None. `hand` is the hand without `card`."""
    instead = payment.framework or payment.sacrifice is not None
    if instead and (payment.cards or payment.lender is not None or (payment.framework and payment.sacrifice)):
        return IllegalMove("one_way_of_paying")
    if payment.framework:
        return None if builder.has_framework() else IllegalMove("no_framework")
    if payment.sacrifice is not None:
        if not builder.edition.effect(card).paid_by_sacrifice:
            return IllegalMove("no_sacrifice", card=card)
        if payment.sacrifice.seat not in (None, builder.seat):
            return IllegalMove("own_district_only")
        # This raises IllegalMove if the player does not have that district.
        find(builder.state, builder.seat, payment.sacrifice)
        return None
    return _cards_wrong(builder, card, payment, hand) or _gold_wrong(builder, card, payment)


def _cards_wrong(builder: Builder, card: str, payment: Payment, hand: Sequence[str]) -> IllegalMove | None:
    """Return why `payment` is rejected because of the cards that pay or that are lent, or None."""
    # A card that pays cannot be lent as well, so both lists are checked together.
    missing = not_in_hand(hand, (*payment.cards, *payment.lent))
    if missing is None and payment.cards and not builder.edition.effect(card).paid_by_cards:
        return IllegalMove("no_cards_as_gold")
    return missing


def _gold_wrong(builder: Builder, card: str, payment: Payment) -> IllegalMove | None:
    """Return why `payment` is rejected because of its gold or its loan (R181 to R189, R317), or None."""
    cost = builder.price(card)
    if len(payment.cards) > cost:
        return IllegalMove("overpaid", cost=cost)
    missing = cost - len(payment.cards) - builder.player.gold
    lender = payment.lender
    if lender is None:
        return IllegalMove("gold_short", missing=missing) if missing > 0 else None
    if not builder.may_borrow():
        return IllegalMove("no_loan")
    if lender == builder.seat or lender >= len(builder.state.players):
        return IllegalMove("no_such_seat")
    if missing <= 0:
        return IllegalMove("loan_needless")
    # The loan is exactly the missing gold, one card for each gold.
    if len(payment.lent) != missing:
        return IllegalMove("loan_exact", missing=missing)
    if builder.state.players[lender].gold < missing:
        return IllegalMove("lender_short", missing=missing)
    return None


def ways(builder: Builder, card: str, make: Make, *, in_hand: bool = True) -> list[Choice]:
    """Return the action (`make`) for every legal payment for `card`. `in_hand` is False for a card that the
    Wizard takes from another hand."""
    unique = builder.edition.effects.get(card)
    cost = builder.price(card)
    missing = cost - builder.player.gold
    choices: list[Choice] = [] if missing > 0 else [make(GOLD)]
    if builder.plain and unique is None:
        return choices
    by_cards = unique is not None and unique.paid_by_cards
    if by_cards or builder.may_borrow():
        hand = builder.hand_without(card) if in_hand else builder.player.hand
        most = min(cost, len(hand)) if by_cards else 0
        # At least one card, because paying with none is the choice with gold alone.
        if most and missing <= most:
            choices.append(_from_hand(hand, ((max(missing, 1), most),), make))
        if builder.may_borrow():
            choices.extend(_loans(builder, cost, most, hand, make))
    if builder.has_framework():
        choices.append(make(Payment(framework=True)))
    if unique is not None and unique.paid_by_sacrifice:
        own = spots(builder.state, builder.seat, builder.seat)
        choices.extend(make(Payment(sacrifice=spot)) for spot, _ in own)
    return choices


def _loans(builder: Builder, cost: int, most: int, hand: Sequence[str], make: Make) -> Iterator[Deal]:
    """Yield every legal loan: for each number of hand cards that pay (0 to `most`), borrow exactly the gold
    that is still missing, from each seat that has it (R187). `cost` is the price of the card."""
    for put_down in range(most + 1):
        missing = cost - put_down - builder.player.gold
        # Cards that pay and cards that are lent come out of the same hand.
        if missing > 0 and put_down + missing <= len(hand):
            for lender, other in enumerate(builder.state.players):
                if lender != builder.seat and other.gold >= missing:
                    yield _from_hand(hand, ((put_down, put_down), (missing, missing)), make, lender)


def _from_hand(hand: Sequence[str], sizes: Sizes, make: Make, lender: int | None = None) -> Deal:
    """Return a deal of hand cards into cards that pay and, if there is a `lender`, cards that go to that
    seat."""

    def action(parts: Parts) -> Action:
        paying, *lent = map(in_order, parts)
        return make(Payment(cards=paying, lender=lender, lent=lent[0] if lent else ()))

    return Deal(make(GOLD).verb, tuple(hand), ("with", "lent")[: len(sizes)], sizes, action)
