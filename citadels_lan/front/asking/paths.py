"""What a choice is about, step by step: the words by which the choices of a question are grouped, and the card
that explains each."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from citadels_lan.engine import Action, Choice, Deal, State, actions
from citadels_lan.engine.action import OfCard, OfCards, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.actions import Payment
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, Tribute, TurnBellTower
from citadels_lan.engine.spots import Spot, seat_name

ALLOWING: Final[Mapping[type[Action], str]] = {
    actions.Theater: "theater",
    actions.Smithy: "smithy",
    actions.Bribe: "blackmailer",
    actions.Reveal: "blackmailer",
    actions.Confiscate: "magistrate",
    actions.Graveyard: "graveyard",
    BellTower: "bell_tower",
    TurnBellTower: "bell_tower",
    Lighthouse: "lighthouse",
    Thank: "ballroom",
    Tribute: "emperor",
}
"""The card that allows an action, or makes it due, where it is not the character on turn."""


class Head(NamedTuple):
    """What choices are grouped by: a card, a player, a player's district, or where all are None or empty the bare
    word of the notation. Two with equal words are the same group."""

    word: str
    card: str = ""
    seat: int | None = None
    spot: Spot | None = None


def path(choice: Choice, seat: int) -> tuple[Head, ...]:
    """By what a choice of `seat` is grouped: whose district before which, the marker that counts before the
    others."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case actions.Build(card, payment):
            return (_card(card), *_paid(payment))
        case actions.Take(card, payment):
            return (_card(card), *(_paid(payment) if payment is not None else (Head("hand"),)))
        case actions.Income(gold) if action != actions.Income():
            return (Head(str(gold)),)
        case OfSpot(target):
            return (_player(seat if target.seat is None else target.seat), _place(target))
        case actions.Marks():
            first = action.chosen or action.characters[0]
            return (_card(first), *(_card(key) for key in action.characters if key != first))
        case actions.Exchange(own, target):
            return (_place(own), _player(seat if target.seat is None else target.seat), _place(target))
        case actions.Beautify(spots):
            return tuple(map(_place, spots))
        case actions.Pick(character, discarding):
            return (_card(character), _card(discarding or ""))
        case OfCharacter(key) | OfCard(key) | Lighthouse(str(key)) | Tribute(str(key)):
            return (_card(key),)
        case OfCards(cards):
            together = isinstance(action, actions.Keep) and len(cards) > 1
            return (Head(" ".join(cards)),) if together else tuple(map(_card, cards))
        case OfSeat(whose) | actions.Spy(whose) | actions.Crown(int(whose)):
            return _chosen_player(action, whose)
        case actions.Theater(int(whose), giving):
            return (_player(whose), _card(giving or ""))
    return tuple(map(Head, action.words()))


def _paid(payment: Payment) -> Iterator[Head]:
    """How a build is paid; of a loan, from whom and how much is put down beside it."""
    if payment.framework:
        yield Head("framework")
    elif payment.sacrifice is not None:
        yield from (Head("sacrificing"), _place(payment.sacrifice))
    elif payment.lender is not None:
        yield from (_player(payment.lender), Head(str(len(payment.cards))))
    else:
        yield Head("cards" if payment.cards else "gold")


def _card(key: str) -> Head:
    return Head(key, key)


def _player(seat: int) -> Head:
    return Head(seat_name(seat), seat=seat)


def _chosen_player(action: Action, seat: int) -> tuple[Head, ...]:
    """A player, and then what is chosen. Who gets the crown and what is taken for it are one choice."""
    if isinstance(action, actions.Crown):
        return (Head(" ".join(action.words()), seat=seat),)
    return (_player(seat), *map(Head, tuple(action.words())[1:]))


def _place(spot: Spot) -> Head:
    return Head(str(spot), spot.key, spot.seat, spot)


def about(view: State, choice: Choice) -> str:
    """The key of the card that explains a choice: its target's, else the district or character that allows it."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case OfCharacter(key) | actions.Pick(key) | OfCard(key) | actions.Build(key):
            return str(key)
        case Lighthouse(str(key)) | Tribute(str(key)):
            return key
        case actions.Take(key) | actions.Keep((key,)):
            return str(key)
        case OfSpot(target) | actions.Exchange(target=target):
            return str(target.key)
        case actions.Gather() | actions.Keep() | actions.End():
            return ""
    on_turn = view.turn.character if view.turn is not None else ""
    return ALLOWING.get(type(action), on_turn)
