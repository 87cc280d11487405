"""How the choices of a question are grouped, and which key each choice has.

A card of the hand has a letter from a to l, a player the digit of the seat, a character its rank. A choice
without a card has a letter from m to z, which is the same in the whole game and in every language. Commands
of the screen have capital letters, so they never share a key with a choice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

from citadels_lan.engine import Choice, Deal, State, actions, edition_of
from citadels_lan.engine.action import OfCard, OfCards, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.actions import Lighthouse, Payment, Tribute
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.engine.notation import Spot, seat_name
from citadels_lan.engine.turn.cities import find

ALLOWING: Final[Mapping[str, str]] = {
    "bribe": "blackmailer", "reveal": "blackmailer", "confiscate": "magistrate", "turn": "bell_tower",
    "thank": "ballroom", "tribute": "emperor",
    **{card: card for card in ("theater", "smithy", "graveyard", "bell_tower", "lighthouse")},
}  # fmt: skip
"""For choices that a card other than the character on turn allows or requires: the key of that card, by the
verb."""


class Head(NamedTuple):
    """The common part of a group of choices: a card, a player, a district of a player, or only a word of the
    notation. Choices with equal heads form one group."""

    word: str
    card: str = ""
    seat: int | None = None
    spot: Spot | None = None


def path(choice: Choice, seat: int) -> tuple[Head, ...]:
    """Return the heads under which a choice of `seat` is listed, from the outer group to the inner one. The
    owner comes before the district, and the marker that is signed before the others."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case actions.Build(card, payment) | actions.Take(card, payment):
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
            # Several kept cards are one choice; other cards are chosen one after the other.
            together = isinstance(action, actions.Keep) and len(cards) > 1
            return (Head(" ".join(cards)),) if together else tuple(map(_card, cards))
        case actions.Crown(int(whose)):
            # The crown's new owner and the price for the crown are one choice.
            return (Head(" ".join(action.words()), seat=whose),)
        case OfSeat(whose) | actions.Spy(whose):
            return (_player(whose), *map(Head, tuple(action.words())[1:]))
        case actions.Theater(int(whose), giving):
            return (_player(whose), _card(giving or ""))
    return tuple(map(Head, action.words()))


def _paid(payment: Payment) -> Iterator[Head]:
    """Yield the heads for the way in which a build is paid; for a loan these are the lender and the number of
    cards."""
    if payment.sacrifice is not None and not payment.framework:
        yield from (Head("sacrificing"), _place(payment.sacrifice))
    elif payment.lender is not None and not payment.framework:
        yield from (_player(payment.lender), Head(str(len(payment.cards))))
    else:
        yield Head("framework" if payment.framework else "cards" if payment.cards else "gold")


def _card(key: str) -> Head:
    return Head(key, key)


def _player(seat: int) -> Head:
    return Head(seat_name(seat), seat=seat)


def _place(spot: Spot) -> Head:
    return Head(str(spot), spot.key, spot.seat, spot)


def about(view: State, choice: Choice) -> str:
    """Return the key of the card that explains a choice: the card that it targets, else the district or
    character that allows it; "" if there is none."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case OfCharacter(key) | actions.Pick(key) | OfCard(key) | actions.Build(key) | actions.Take(key):
            return str(key)
        case Lighthouse(str(key)) | Tribute(str(key)) | actions.Keep((key,)):
            return str(key)
        case OfSpot(target) | actions.Exchange(target=target):
            return str(target.key)
        case actions.Gather() | actions.Keep() | actions.End():
            return ""
    return ALLOWING.get(choice.verb, view.turn.character if view.turn is not None else "")


LETTERS: Final = "abcdefghijkl,.;'!\"$%&()="
"""The keys of cards, in the order in which cards get them. First the letters a to l; then, for larger hands,
characters that every keyboard has and that have no other meaning. The other small letters are keys of
actions."""


class CardLetters:
    """The letters of cards. `cards` is the hand, and `letters` has the letter of each card, "" if no letter
    was free. `beside` are cards outside the hand that can be chosen; they get letters in the same way. A new
    card gets the first free letter; a card that was chosen from outside the hand keeps its letter. Two equal
    cards have two letters."""

    def __init__(self) -> None:
        self.cards: tuple[str, ...] = ()
        self.letters: tuple[str, ...] = ()
        self.beside: tuple[str, ...] = ()
        self.beside_letters: tuple[str, ...] = ()

    def update(self, hand: Sequence[str], beside: Sequence[str] = ()) -> None:
        """Assign letters for this hand, which is given in displayed order, and for the cards to choose from
        outside the hand (`beside`)."""
        # Hand cards keep their letters before cards outside the hand.
        before: list[tuple[str, str]] = []
        for given, cards in ((self.letters, self.cards), (self.beside_letters, self.beside)):
            before += sorted(zip(given, cards, strict=True), key=lambda pair: pair[0] or "~")
        kept = []
        for card in (*hand, *beside):
            had = next((pair for pair in before if pair[1] == card), None)
            if had is not None:
                before.remove(had)
            kept.append(had[0] if had is not None else "")
        free = (letter for letter in LETTERS if letter not in kept)
        letters = tuple(letter or next(free, "") for letter in kept)
        self.cards, self.beside = tuple(hand), tuple(beside)
        self.letters, self.beside_letters = letters[: len(hand)], letters[len(hand) :]


ABILITY: Final = "x"
"""The key of the first ability of the character on turn. A second ability has the key `y`."""
VERBS: Final[Mapping[str, str]] = {
    "income": "m", "offer": "q", "turn": "s", "laboratory": "t", "smithy": "u", "museum": "v", "armory": "w",
    "redraw": "y", "sell": "z",
    **dict.fromkeys(
        ("kill", "bewitch", "warrant", "rob", "spy", "threaten", "swap", "look", "divine", "crown", "levy",
         "bonus", "study", "destroy", "exchange", "seize", "beautify", "taxes"),
        ABILITY,
    ),
}  # fmt: skip
"""The key of each verb, by its word in the notation. Gathering and building have no key: the gold, the cards
and the hand cards have keys of their own."""
NO_MORE: Final = ""
"""The word in place of the next head for a choice that ends although longer choices begin with the same
heads."""
WORDS: Final[Mapping[str, str]] = {
    "gold": "o", "cards": "r", "card": "r", "hand": "r", "yes": "s", "no": "n", "none": "p", NO_MORE: "p",
    "framework": "t", "sacrificing": "u",
    "noble": "n", "religious": "r", "trade": "t", "military": "m", "unique": "u",
}  # fmt: skip
"""The keys of words after a verb that are neither cards nor players, such as "gold"."""
PLACES: Final = ascii_lowercase[ascii_lowercase.index("m") :]
"""The keys of districts in a city, by their position from the left."""
AT_ONCE: Final = frozenset({"gather", "income", "bonus", "crown", "taxes"})
"""Verbs whose key makes the move without Enter, because the move costs nothing and harms no player."""
LOOSE: Final = frozenset({"keep", "take"})
"""Verbs with which the player chooses from cards that are not in the hand and get letters of their own."""
ELSEWHERE: Final = LOOSE | {"lighthouse"}
"""Verbs with which the player chooses from cards that are not in the hand."""
SPARE: Final = PLACES + LETTERS
"""The keys for choices that have no usual key or whose usual key is taken, for example cards of the deck."""


def at_once(choice: Choice | None) -> bool:
    """Return whether the key of a choice makes the move without Enter."""
    return choice is not None and choice.verb in AT_ONCE and getattr(choice, "seat", None) is None


class Keys:
    """Assigns keys to the choices that `seat` has in one view. `letters` are the letters of cards."""

    def __init__(self, view: State, seat: int, letters: CardLetters) -> None:
        self._view = view
        self._seat = seat
        self._ranks = edition_of(view).ranks
        self._hand = by_card(letters.cards, letters.letters)
        self._beside = by_card(letters.beside, letters.beside_letters)

    def of(self, heads: Sequence[Head], verb: str) -> list[str]:
        """Return the keys of each item of one list: the usual ones, or a spare key if an item has none or its
        key is taken."""
        usual = [self._usual(head, verb) for head in heads]
        # A spare key must not be the key of a hand card, which the player may press out of habit.
        taken = {key for keys in (*usual, *self._hand.values(), *self._beside.values()) for key in keys}
        spare = (letter for letter in SPARE if letter not in taken)
        given: list[str] = []
        for head, keys in zip(heads, usual, strict=True):
            own = "".join(key for key in keys if not any(key in other for other in given))
            given.append(own or ("" if self.held(head, verb) else next(spare, "")))
        return given

    def held(self, head: Head, verb: str) -> bool:
        """Return whether a head is a card of the player's hand. If so, its only keys are the letters of that
        card, which may be none."""
        return head.spot is None and head.card in self._hand and verb not in ELSEWHERE

    def pool(self, cards: Sequence[str], verb: str) -> list[str]:
        """Return the key of each card in a selection; equal cards have different keys."""
        letters = {card: iter(self._hand.get(card, "")) for card in cards}
        if all(card in CHARACTERS for card in cards):
            return self.of([Head(card, card) for card in cards], verb)
        return [next(letters[card], "") for card in cards]

    def _usual(self, head: Head, verb: str) -> str:
        """Return the usual key of a head: a district, a player, a character or a card; "" if it has none."""
        if head.spot is not None:
            _, place = find(self._view, self._seat, head.spot)
            return PLACES[place : place + 1]
        if head.seat is not None:
            return str(head.seat + 1)
        if head.card in CHARACTERS:
            return str(self._ranks[head.card])
        if head.card:
            return (self._beside if verb in ELSEWHERE else self._hand).get(head.card, "")
        return head.word if head.word.isdigit() else {**WORDS, **VERBS}.get(head.word, "")


def by_card(cards: Iterable[str], letters: Iterable[str]) -> dict[str, str]:
    """Return the letters of each card, joined in one string, one letter for each copy."""
    found: dict[str, str] = {}
    for card, letter in zip(cards, letters, strict=True):
        found[card] = "".join(sorted(found.get(card, "") + letter))
    return found
