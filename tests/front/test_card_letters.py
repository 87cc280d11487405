"""The letters of the hand: a card keeps its own, and no two have the same."""

import random

from citadels_lan.front.game import Game
from citadels_lan.front.prompt.keys import LETTERS, CardLetters
from citadels_lan.texts import load
from tests.ui.fake import FakeSession


def lettered(*hands: str) -> list[str]:
    """The letters after each of these hands; a card is called by one sign here."""
    letters, found = CardLetters(), []
    for hand in hands:
        letters.update(hand)
        found.append("".join(letter or "." for letter in letters.letters))
    return found


def test_a_card_keeps_its_letter_and_a_new_one_gets_the_first_that_is_free() -> None:
    assert lettered("KLM", "KM", "KMN", "NM") == ["abc", "ac", "acb", "bc"]


def test_equal_cards_have_letters_of_their_own_and_the_first_goes_last() -> None:
    assert lettered("KK", "K", "LKK") == ["ab", "a", "bac"]


def test_a_card_too_many_gets_its_letter_when_one_is_free() -> None:
    full = "ABCDEFGHIJKLabcdefghijkl"
    assert lettered(full + "M", full[1:] + "M") == [LETTERS + ".", LETTERS[1:] + "a"]


def test_a_thirteenth_card_has_a_sign() -> None:
    assert lettered("ABCDEFGHIJKLMN") == ["abcdefghijkl,."]


def test_any_hands_after_each_other() -> None:
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


async def test_a_game_knows_the_letters_of_the_own_hand() -> None:
    session, held = FakeSession(4, 3), 0
    game = Game(session, load("en"))
    for _ in range(30):
        if not session.choices():
            break
        assert session.state is not None
        shown, hand = game.card_letters, session.state.players[0].hand
        before, had = dict(zip(shown.letters, shown.cards, strict=True)), set(hand)
        assert sorted(shown.cards) == sorted(hand)
        assert [game.edition.costs[card] for card in shown.cards] == sorted(
            game.edition.costs[card] for card in hand
        )
        await session.act(session.sampled())
        after = dict(zip(game.card_letters.letters, game.card_letters.cards, strict=True))
        for letter, card in before.items():
            if session.state.players[0].hand.count(card) >= hand.count(card):
                assert after[letter] == card
                held += card in had
    assert held


def test_who_watches_has_no_cards() -> None:
    session = FakeSession(4, 3)
    session.seat = None
    assert Game(session, load("en")).card_letters.letters == ()
