"""The keys of questions in random games of all editions: each choice has a key, keys are unique and stay the
same, and each step can be undone."""

import random
from collections.abc import AsyncIterator, Iterator
from typing import Final, TypeAlias

import pytest
from msgspec.structs import replace

from citadels_lan.engine import Action, TableConfig
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.net.client.updates import Happened
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.known_players import Evening
from citadels_lan.presenter.prompt.keys import ELSEWHERE, LETTERS, VERBS, CardLetters, at_once
from citadels_lan.presenter.prompt.menu import Item, Menu
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.texts import load
from citadels_lan.texts.moves import gold_gained
from tests.effort import one_case
from tests.ui.fake import FakeSession

EDITIONS: Final = ("2016", "classic", "dark_city", "citta_comune")
TABLES: Final = [
    pytest.param(edition, players, id=f"{edition}-{players}",
                 marks=() if (edition, players) in {("2016", 5), ("dark_city", 4)} else pytest.mark.slow)
    for edition in EDITIONS for players in range(2, 8)
]  # fmt: skip
CHANGES: Final = frozenset(
    {"build", "gather", "income", "bonus", "destroy", "seize", "beautify", "taxes", "laboratory", "sell"}
)
"""The verbs that change the gold of the player who moves."""

Asked: TypeAlias = tuple[FakeSession, Game, Menu]


async def questions(edition: str, players: int, moves: int = 150) -> AsyncIterator[Asked]:
    """Yield the questions to seat 0 in a game in which all players move at random."""
    session = FakeSession(seed=players, config=TableConfig(players, (), (), edition=edition))
    game = Game(session, load("en"))
    for _ in range(moves):
        if not session.choices():
            return
        yield session, game, game.menu()
        await session.act(session.sampled())


Listed: TypeAlias = tuple[tuple[str, ...], tuple[Item, ...]]


def lists(items: tuple[Item, ...], way: tuple[str, ...] = ()) -> Iterator[Listed]:
    """Yield each list of a question, with the keys that open it."""
    yield way, items
    for item in items:
        if item.items and item.keys:
            yield from lists(item.items, (*way, item.keys[0]))


@one_case(("edition", "players"), TABLES, parts=4)
async def test_keys_in_random_games_are_unique_stable_and_reversible(edition: str, players: int) -> None:
    dice, tried = random.Random(players), 0
    async for number, (_, game, menu) in numbered(questions(edition, players)):
        everything_open_has_a_key_and_no_two_the_same(game, menu)
        a_key_says_what_it_is(game, menu)
        keys_alone_make_a_choice(menu, dice)
        tried += escape_takes_any_key_back(menu, dice) if number < 80 else 0
    assert tried


async def numbered(asked: AsyncIterator[Asked]) -> AsyncIterator[tuple[int, Asked]]:
    number = 0
    async for one in asked:
        yield number, one
        number += 1


def everything_open_has_a_key_and_no_two_the_same(game: Game, menu: Menu) -> None:
    for way, items in lists(menu.items):
        given = [key for item in items for key in item.keys]
        assert len(set(given)) == len(given), (way, [(item.keys, item.label) for item in items])
        for item in items:
            assert item.keys or not item.open or crowded(game, items), (way, item.label)
            assert all(map(check_ticks, (item,)))


def crowded(game: Game, items: tuple[Item, ...]) -> bool:
    """Return whether the question has more cards than there are letters. Then some cards can only be reached
    with the arrow keys."""
    return len(game.card_letters.cards) > len(LETTERS) or len(items) > len(LETTERS)


def check_ticks(item: Item) -> bool:
    """Check that each card to be selected has a key of its own, unless the letters are used up."""
    given = [key for key in item.ticks if key]
    return len(set(given)) == len(given) and len(given) >= min(len(item.ticks), len(LETTERS))


def a_key_says_what_it_is(game: Game, menu: Menu) -> None:
    """Check that each key is the letter of a hand card, a rank, or the fixed letter of its action, so that it
    cannot change."""
    letters = list(zip(game.card_letters.letters, game.card_letters.cards, strict=True))
    for way, items in lists(menu.items):
        for item in items:
            for key in item.keys:
                if key in game.card_letters.letters:
                    assert (key, item.about) in letters or item.verb in ELSEWHERE, (way, key, item)
                elif not way and item.verb in VERBS and game.session.table.choices[0].verb != item.verb:
                    assert key == VERBS[item.verb], (way, key, item)
                elif key.isdigit() and item.about in CHARACTERS and item.verb == "pick" and not way:
                    assert int(key) == game.edition.ranks[item.about]


STANDING: Final = ("destroy", "exchange", "seize", "beautify", "armory")
"""The verbs that choose a district in a city. Its key is its position, which changes when a district is
removed."""


async def test_keys_stay_the_same_in_the_next_question() -> None:
    """An item that occurs in two consecutive questions has the same keys in both, whether it can be chosen or
    not."""
    compared = 0
    for players in (3, 5, 7):
        before: dict[str, str] = {}
        async for _, _, menu in questions("2016", players):
            now = {f"{way} {item.verb} {item.about} {item.label}": item.keys
                   for way, items in lists(menu.items) for item in items if item.verb not in STANDING}  # fmt: skip
            for what in now.keys() & before.keys():
                assert now[what] == before[what] or not before[what], what
                compared += 1
            before = now
    assert compared > 50


def press_all(asking: Prompt, dice: random.Random) -> Iterator[str]:
    """Yield each key that has an effect now, except Enter and keys that make a move at once."""
    if asking.at.selection and asking.at.picked:
        yield from filter(None, (asking.at.picked.ticks[place] for place in asking.at.selection.free()))
        yield "space"
    else:
        yield from (item.keys[0] for item in asking.items if item.keys and not at_once(item.choice))
    yield from ("up", "down", "end")


def step(asking: Prompt, key: str) -> Action | None:
    """Press a key, and return the action that it makes, if any."""
    if key in ("up", "down"):
        asking.move(1 if key == "down" else -1)
    elif key == "space":
        asking.tick()
    elif key == "end":
        return asking.end() if asking.menu.left else None
    else:
        return asking.press(key)
    return None


def escape_takes_any_key_back(menu: Menu, dice: random.Random) -> int:
    """Check that Escape undoes each key. Return how many keys had an effect."""
    asking, tried = Prompt(menu), 0
    first = asking.at
    for _ in range(4):
        for key in press_all(asking, dice):
            at, begun = asking.at, asking.begun
            assert step(asking, key) is None, "nothing is sent"
            if asking.at != at:
                assert asking.back()
                tried += 1
            assert (asking.at, asking.begun) == (at, begun), key
        keys = [key for key in press_all(asking, dice) if key not in ("up", "down", "end")]
        if keys:
            step(asking, dice.choice(keys))
    asking.undo()
    assert (asking.at, asking.begun) == (first, False)
    return tried


def keys_alone_make_a_choice(menu: Menu, dice: random.Random) -> None:
    """Choose a random item with its keys and Enter, and check the result."""
    ways = [(way, item) for way, items in lists(menu.items) for item in items if item.open and item.keys]
    leaves = [(way, item) for way, item in ways if isinstance(item.choice, Action)]
    if not leaves:
        return
    way, item = dice.choice(leaves)
    asking = Prompt(menu)
    for key in way:
        assert asking.press(key) is None
    sent = asking.press(item.keys[-1])
    assert (sent is None) == (not at_once(item.choice))
    assert (sent or asking.confirm()) == item.choice


@pytest.mark.parametrize(("edition", "players"), TABLES)
async def test_predicted_gold_is_the_gold_after_the_move(edition: str, players: int) -> None:
    """The prediction does not include later moves of other players."""
    shown = 0
    async for session, _, _ in questions(edition, players):
        assert session.state is not None
        choice = session.sampled()
        gained = gold_gained(session.state, 0, choice)
        gold, turn = session.state.players[0].gold, session.state.turn
        known = session.play.state
        session.play.state = known.copy()
        session.play.move(0, choice)
        after, session.play.state = session.play.state, known
        if choice.verb in CHANGES and after.turn is not None and turn is not None and turn.seat == after.turn.seat:
            assert after.players[0].gold == gold + gained, choice
            shown += gained != 0
    assert shown


def test_escape_undoes_consecutive_cursor_moves_as_one_step() -> None:
    items = tuple(Item(word, word, Action(), keys=word) for word in "abc")
    asking = Prompt(Menu(items))
    asking.move(1)
    asking.move(1)
    assert asking.cursor == 2
    assert asking.back()
    assert asking.cursor == 0
    assert not asking.back()


# The letters of hand cards


def lettered(*hands: str) -> list[str]:
    """Return the letters of the cards after each of these hands. Each character of a string is one card."""
    letters, found = CardLetters(), []
    for hand in hands:
        letters.update(hand)
        found.append("".join(letter or "." for letter in letters.letters))
    return found


def test_card_keeps_its_letter_and_a_new_card_gets_the_first_free_one() -> None:
    assert lettered("KLM", "KM", "KMN", "NM") == ["abc", "ac", "acb", "bc"]


def test_equal_cards_have_two_letters() -> None:
    assert lettered("KK", "K", "LKK") == ["ab", "a", "bac"]


def test_card_without_letter_gets_the_next_free_one() -> None:
    full = "ABCDEFGHIJKLabcdefghijkl"
    assert lettered(full + "M", full[1:] + "M") == [LETTERS + ".", LETTERS[1:] + "a"]


def test_cards_keep_their_letters_while_random_hands_change() -> None:
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


def test_letters_of_the_hand_are_kept_when_the_player_rejoins() -> None:
    evening, session = Evening(), FakeSession()
    view = session.seen
    first = Game(session, load("en"), evening=evening)
    before = first.card_letters.letters
    cards = first.card_letters.cards
    session.state = replace(view, players=[replace(view.players[0], hand=[*cards[1:]]), *view.players[1:]])
    assert first.card_letters.letters == before[1:], "a card keeps its letter"
    session.past = [Happened(1, 1, None, ())]
    assert Game(session, load("en"), evening=evening).card_letters.letters == before[1:]
    session.past = ()
    assert Game(session, load("en"), evening=evening).card_letters.letters == before[:-1], "another game"
