"""The letters of the cards in the hand: a card keeps its own for as long as it is held."""

from collections.abc import Sequence
from typing import Final

LETTERS: Final = "abcdefghijkl"
"""What cards are called; other small letters are actions, whatever is on the screen."""


class CardLetters:
    """`cards` is the hand as it was told last, and `letters` has one for each of them, in the same order: empty
    where all are taken. A card that comes gets the first that is free; of two equal cards each has its own."""

    def __init__(self) -> None:
        self.cards: tuple[str, ...] = ()
        self.letters: tuple[str, ...] = ()

    def update(self, hand: Sequence[str]) -> None:
        """The hand is this now, in the order in which it is shown."""
        kept = self._kept(hand)
        free = (letter for letter in LETTERS if letter not in kept)
        self.letters = tuple(letter or next(free, "") for letter in kept)
        self.cards = tuple(hand)

    def _kept(self, hand: Sequence[str]) -> list[str]:
        """The letters of those cards that had one before."""
        left = sorted(zip(self.letters, self.cards, strict=True), key=lambda pair: pair[0] or "~")
        kept = []
        for card in hand:
            had = next((pair for pair in left if pair[1] == card), None)
            if had is not None:
                left.remove(had)
            kept.append(had[0] if had is not None else "")
        return kept
