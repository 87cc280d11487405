"""The move behind a commitment, as far as what was told of it shows it. What the viewer may not know is `?`."""

from collections.abc import Sequence
from typing import TypeVar

from citadels_lan.engine import HIDDEN, Action, Event, State
from citadels_lan.engine.actions import (
    GOLD,
    Build,
    Give,
    Keep,
    Laboratory,
    Museum,
    Payment,
    Pick,
    Redraw,
    Take,
    Theater,
)
from citadels_lan.engine.edition_actions import Lighthouse, Tribute
from citadels_lan.engine.events import (
    BuildPaid,
    CardsMoved,
    CardsReturned,
    CharactersSwapped,
    Kept,
    Picked,
    Slid,
    TakenFromDeck,
)

E = TypeVar("E", bound=Event)


def hidden_move(state: State, seat: int, told: Sequence[Event]) -> Action | None:
    """The move of `seat` that these events tell of; None where they tell of no hidden move."""
    return _answer(state, seat, told) if state.steps else _in_turn(state, seat, told)


def _answer(state: State, seat: int, told: Sequence[Event]) -> Action | None:
    step = state.steps[-1]
    match step.verb:
        case "pick":
            return _pick(step.cards, told)
        case "keep":
            kept = _first(Kept, told)
            return None if kept is None else Keep(_known(kept.kept, step.cards))
        case "give":
            moved = [event for event in told if isinstance(event, CardsMoved)]
            cards = _known([card for event in moved for card in event.cards], state.players[seat].hand)
            return Give(tuple(zip(step.others, cards, strict=False)))
        case "theater":
            swapped = _first(CharactersSwapped, told)
            own = state.players[seat].concealed
            return None if swapped is None else Theater(swapped.other, _known([swapped.given], own)[0])
        case "lighthouse":
            taken = _first(TakenFromDeck, told)
            return Lighthouse() if taken is None else Lighthouse(_known([taken.card], step.cards)[0])
        case "tribute":
            card = _first(CardsMoved, told)
            given = () if card is None else _known(card.cards, state.players[seat].hand)
            return Tribute(given[0] if given else None)
        case "take":
            return _take(state, seat, step.cards, told)
    return None


def _pick(packet: Sequence[str], told: Sequence[Event]) -> Action | None:
    """The characters picked, or any of the packet."""
    picked = _first(Picked, told)
    if picked is None or len(picked.laid) >= len(packet):
        return None
    if picked.character == HIDDEN:
        return Pick(packet[0], packet[1] if picked.laid else None)
    return Pick(picked.character, picked.laid[0] if picked.laid else None)


def _take(state: State, seat: int, looked: Sequence[str], told: Sequence[Event]) -> Action | None:
    moved, paid = _first(CardsMoved, told), _first(BuildPaid, told)
    if paid is not None:
        return Take(paid.card, _payment(state.players[seat].hand, told))
    return None if moved is None or not moved.cards else Take(_known(moved.cards, looked)[0])


def _in_turn(state: State, seat: int, told: Sequence[Event]) -> Action | None:
    hand = state.players[seat].hand
    paid, returned, slid = _first(BuildPaid, told), _first(CardsReturned, told), _first(Slid, told)
    if paid is not None:
        left = hand.copy()
        left.remove(paid.card if paid.card in hand else HIDDEN if HIDDEN in hand else hand[0])
        return Build(paid.card, _payment(left, told))
    if slid is not None:
        if slid.card == HIDDEN:
            return Museum(next((card for card in hand if card != HIDDEN), HIDDEN))
        return Museum(_known([slid.card], hand)[0])
    if returned is None or not returned.cards:
        return None
    cards = _known(returned.cards, hand)
    return Laboratory(cards[0]) if returned.why == "laboratory" else Redraw(cards)


def _payment(hand: Sequence[str], told: Sequence[Event]) -> Payment:
    """The cards put down and lent, from a hand without the card that is built."""
    down = next((one.cards for one in told if isinstance(one, CardsReturned) and one.why == "build"), ())
    loan = next((one for one in told if isinstance(one, CardsMoved) and one.why == "loan"), None)
    if not down and loan is None:
        return GOLD
    lent = () if loan is None else loan.cards
    cards = _known([*down, *lent], hand)
    return Payment(cards=cards[: len(down)], lender=None if loan is None else loan.taker, lent=cards[len(down) :])


def _known(cards: Sequence[str], pool: Sequence[str]) -> tuple[str, ...]:
    """The cards, those unknown that are not known to be in the pool."""
    left = list(pool)
    known = []
    for card in cards:
        found = card if card in left else HIDDEN
        if found in left:
            left.remove(found)
        known.append(found)
    return tuple(known)


def _first(kind: type[E], told: Sequence[Event]) -> E | None:
    return next((event for event in told if isinstance(event, kind)), None)
