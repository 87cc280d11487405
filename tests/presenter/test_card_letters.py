"""The letters of hand cards: a card keeps its letter, and each letter is used once."""

import random

from citadels_lan.presenter.prompt.keys import LETTERS, CardLetters


def lettered(*hands: str) -> list[str]:
    """Return the letters after each of these hands; each character stands for one card."""
    letters, found = CardLetters(), []
    for hand in hands:
        letters.update(hand)
        found.append("".join(letter or "." for letter in letters.letters))
    return found


def test_card_keeps_its_letter_and_new_one_gets_first_free() -> None:
    assert lettered("KLM", "KM", "KMN", "NM") == ["abc", "ac", "acb", "bc"]


def test_equal_cards_have_two_letters() -> None:
    assert lettered("KK", "K", "LKK") == ["ab", "a", "bac"]


def test_card_without_letter_gets_the_next_free_one() -> None:
    full = "ABCDEFGHIJKLabcdefghijkl"
    assert lettered(full + "M", full[1:] + "M") == [LETTERS + ".", LETTERS[1:] + "a"]


def test_random_hands_keep_letters() -> None:
    dice, letters = random.Random(7), CardLetters()
    for _ in range(300):
        before = dict(zip(letters.letters, letters.cards, strict=True))
        hand = sorted(dice.choices("KLMNOPQRST", k=dice.randint(0, 30)))
        letters.update(hand)
        given = [letter for letter in letters.letters if letter]
        assert len(set(given)) == len(given) == min(len(hand), len(LETTERS))
        now = dict(zip(letters.letters, letters.cards, strict=True))
        for card in set(hand):
            stayed = sum(before.get(letter) == card and now.get(letter) == card for letter in LETTERS)
            had = sum(before.get(letter) == card for letter in LETTERS)
            assert stayed == min(had, hand.count(card))
