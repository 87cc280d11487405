"""The keys of a question: what is pressed for a card, a player, a character, and for all that is none of these.

A card of the hand has its own letter from a to l (`card_letters`), a player the digit of the seat, a character its
rank. What has no card has a letter from m to z, the same for the whole game and in every language. Commands of the
screen are capitals, so that none of them is ever another thing.
"""

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Final

from citadels_lan.engine import Choice, State, edition_of
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.engine.turn.cities import find

from .card_letters import LETTERS, CardLetters
from .paths import Head

ABILITY: Final = "x"
"""What the character on turn can do; a second thing it can do is `y`."""
VERBS: Final[Mapping[str, str]] = {
    "income": "m",
    "offer": "q",
    "turn": "s",
    "laboratory": "t",
    "smithy": "u",
    "museum": "v",
    "armory": "w",
    "redraw": "y",
    "sell": "z",
    **dict.fromkeys(
        ("kill", "bewitch", "warrant", "rob", "spy", "threaten", "swap", "look", "divine", "crown", "levy",
         "bonus", "study", "destroy", "exchange", "seize", "beautify", "taxes"),
        ABILITY,
    ),
}  # fmt: skip
"""What can be done in a turn, by the word of the notation. Gathering and building have no letter of their own:
gold and cards have, and so has the card that is built."""
NO_MORE: Final = ""
"""The word where a choice ends and others go on."""
WORDS: Final[Mapping[str, str]] = {
    "gold": "o",
    "cards": "r",
    "card": "r",
    "hand": "r",
    "yes": "s",
    "no": "n",
    "none": "p",
    NO_MORE: "p",
    "framework": "t",
    "sacrificing": "u",
    "noble": "n",
    "religious": "r",
    "trade": "t",
    "military": "m",
    "unique": "u",
}
"""What is chosen after a verb and is neither a card nor a player."""
PLACES: Final = ascii_lowercase[ascii_lowercase.index("m") :]
"""A district by its place in its city, from the left."""
AT_ONCE: Final = frozenset({"gather", "income", "bonus", "crown", "taxes"})
"""What costs nothing and is nobody's loss, where no player is chosen: its letter does it, without Enter."""
LOOSE: Final = frozenset({"keep", "take"})
"""What chooses among cards that lie beside the own hand: their letters are none of the hand's."""
ELSEWHERE: Final = LOOSE | {"lighthouse"}
"""What chooses among cards that are not in the own hand."""
SPARE: Final = PLACES + LETTERS
"""What those get that have no key of their own, or the same as another: of two characters of a rank the second,
and cards of the deck."""


def at_once(choice: Choice | None) -> bool:
    """Whether the letter of a choice is enough to make it."""
    return choice is not None and choice.verb in AT_ONCE and getattr(choice, "seat", None) is None


class Keys:
    """The keys for one view. `letters` are those of the own hand and of the cards beside it."""

    def __init__(self, view: State, seat: int, letters: CardLetters) -> None:
        self._view = view
        self._seat = seat
        self._ranks = edition_of(view).ranks
        self._hand = _by_card(letters.cards, letters.letters)
        self._beside = _by_card(letters.beside, letters.beside_letters)

    def of(self, heads: Sequence[Head], verb: str) -> list[str]:
        """The keys of what stands side by side in a list: those that it has everywhere, and where two have the
        same or one has none, others that nothing on the screen has."""
        wanted = [self._wanted(head, verb) for head in heads]
        taken = {key for keys in (*wanted, *self._hand.values(), *self._beside.values()) for key in keys}
        spare = (letter for letter in SPARE if letter not in taken)
        found: list[str] = []
        for head, keys in zip(heads, wanted, strict=True):
            own = "".join(key for key in keys if not any(key in other for other in found))
            found.append(own or ("" if self.held(head, verb) else next(spare, "")))
        return found

    def held(self, head: Head, verb: str) -> bool:
        """Whether it is a card of the own hand: one too many for the letters has none."""
        return head.spot is None and head.card in self._hand and verb not in ELSEWHERE

    def pool(self, cards: Sequence[str], verb: str) -> list[str]:
        """The keys of cards to tick, one for each: of two equal cards each has its own."""
        letters = {card: iter(self._hand.get(card, "")) for card in cards}
        if all(card in CHARACTERS for card in cards):
            return self.of([Head(card, card) for card in cards], verb)
        return [next(letters[card], "") for card in cards]

    def _wanted(self, head: Head, verb: str) -> str:
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


def _by_card(cards: Iterable[str], letters: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for card, letter in zip(cards, letters, strict=True):
        found[card] = "".join(sorted(found.get(card, "") + letter))
    return found
