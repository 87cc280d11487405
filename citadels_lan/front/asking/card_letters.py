"""The letters of the cards in the hand: a card keeps its own for as long as it is held."""

from collections.abc import Sequence
from typing import Final

LETTERS: Final = "abcdefghijkl,.;'!\"$%&()="
"""What cards are called; other small letters are actions, whatever is on the screen. A hand of more than twelve
goes on with signs that every keyboard has and that mean nothing else."""


class CardLetters:
    """`cards` is the hand as it was told last, and `letters` has one for each of them, in the same order: empty
    where all are taken. `beside` are cards to choose among that are in no hand, with letters in the same way. A
    card that comes gets the first letter that is free, or keeps the one that it had beside the hand; of two equal
    cards each has its own."""

    def __init__(self) -> None:
        self.cards: tuple[str, ...] = ()
        self.letters: tuple[str, ...] = ()
        self.beside: tuple[str, ...] = ()
        self.beside_letters: tuple[str, ...] = ()

    def update(self, hand: Sequence[str], beside: Sequence[str] = ()) -> None:
        """The hand is this now, in the order in which it is shown, and these cards lie beside it."""
        kept = self._kept((*hand, *beside))
        free = (letter for letter in LETTERS if letter not in kept)
        letters = tuple(letter or next(free, "") for letter in kept)
        self.cards, self.beside = tuple(hand), tuple(beside)
        self.letters, self.beside_letters = letters[: len(hand)], letters[len(hand) :]

    def _kept(self, cards: Sequence[str]) -> list[str]:
        """The letters of those cards that had one before, in the hand or beside it."""
        hand = zip(self.letters, self.cards, strict=True)
        beside = zip(self.beside_letters, self.beside, strict=True)
        left = [*sorted(hand, key=_first), *sorted(beside, key=_first)]
        kept = []
        for card in cards:
            had = next((pair for pair in left if pair[1] == card), None)
            if had is not None:
                left.remove(had)
            kept.append(had[0] if had is not None else "")
        return kept


def _first(pair: tuple[str, str]) -> str:
    """Cards without a letter come last."""
    return pair[0] or "~"
