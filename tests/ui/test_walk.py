"""Plays random games of all editions on a screen of 80 columns and 24 lines, and checks every question: no
choice is cut, every word is translated, and every choice has its help page, its line in line mode and its
sentence in the log."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Final

import pytest
from rich.cells import cell_len

from citadels_lan.engine import DEFAULT
from citadels_lan.engine.action import ACTIONS
from citadels_lan.engine.state import Auction
from citadels_lan.line_mode.lines import question, question_lines
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.menu import Item, Menu
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.texts import Texts, load
from citadels_lan.ui.screens.rules import help_page
from citadels_lan.ui.table.question import draw_auction
from citadels_lan.ui.table.scene import scene_of
from citadels_lan.ui.widgets.canvas import Drawing

from .walking import LOOK, Met, asked, drawn, positions, room, strange, table, walk

WHOLE: Final = (pytest.mark.slow, pytest.mark.long)
EDITIONS: Final = ("2016", "classic", "dark_city", "citta_comune")
SEEDS: Final = {edition: 1 if edition == "citta_comune" else 2 for edition in EDITIONS}
"""How many games of each edition are played. Games with a common city take three times as long, so there are
fewer."""
GAMES: Final = [
    pytest.param(DEFAULT, 4, (3,), ("it",), id=f"{DEFAULT}-4-it"),
    *(
        pytest.param(edition, 4, (3,), (language,), id=f"{edition}-4-{language}", marks=pytest.mark.slow)
        for edition in EDITIONS
        for language in ("en", "it")
        if (edition, language) != (DEFAULT, "it")
    ),
    *(
        pytest.param(edition, players, range(SEEDS[edition]), ("en", "it"), id=f"{edition}-{players}", marks=WHOLE)
        for edition in EDITIONS
        for players in (3, 5, 7)
    ),
]
MOVES: Final = 25
SILENT: Final = {"end": "the heading of the next turn says it"}
"""Actions of the player that add no line to the log, with the reason."""
OURS: Final = re.compile("[A-Za-z]+")


def moves(seeds: object) -> int:
    """Return how many moves of a game are checked: MOVES in the quick game, 250 in the slow ones."""
    return MOVES if seeds == (3,) else 250


@pytest.mark.parametrize(("edition", "players", "seeds", "languages"), GAMES)
async def test_every_question_is_complete_translated_and_explained(
    edition: str, players: int, seeds: Sequence[int], languages: Sequence[str]
) -> None:
    """Each game is played once. The first question of each kind is checked in every language, later ones in
    alternating languages. All are checked in an artificial language that shows untranslated words."""
    met, auctions, kinds = Met(), 0, Counter[frozenset[str]]()
    known, blind = [load(language) for language in languages], strange()
    for seed in seeds:
        told: dict[Texts, set[str]] = {texts: set() for texts in known}
        async for session, game in walk(edition, players, seed, moves(seeds), met, known[0]):
            kind = frozenset(choice.verb for choice in session.choices())
            for game.texts in known[kinds[kind] % len(known) :][:1] if kinds[kind] else known:
                menu = game.menu()
                nothing_that_can_be_chosen_is_cut(game, menu)
                everything_is_explained_and_listed(game, menu, told[game.texts])
            kinds[kind] += 1
            game.texts = blind
            every_word_is_translated(game)
            if session.state is not None and session.state.auction is not None:
                an_auction_is_not_wider_than_its_panel(game, session.state.auction)
                auctions += 1
            game.texts = known[0]
    assert met.verbs.total() >= MOVES
    assert met.silent <= set(SILENT)
    assert auctions or edition != "citta_comune" or seeds == (3,)


def nothing_that_can_be_chosen_is_cut(game: Game, menu: Menu) -> None:
    width, height = room(game, 80, 24)
    for asking in positions(Prompt(menu)):
        lines = said(game, asking, width, height)
        for item in (asking.current,) if asking.at.selection else asking.items:
            assert item is None or not item.open or shown(game, lines, asking, item), (item.label, lines)


def said(game: Game, asking: Prompt, width: int, height: int) -> str:
    """Move the cursor to each item, and check that no line is wider than the panel. Return the text of the
    panel."""
    found, scene = [], scene_of(game, LOOK)
    for _ in range(max(asking.length, 1)):
        lines = [line.plain for line in drawn(scene, asking, width, height).lines]
        assert all(cell_len(line) <= width for line in lines), lines
        assert len(lines) <= height, lines
        found.append(joined(" ".join(lines)))
        asking.move(1)
    return "\n".join(found)


def joined(text: str) -> str:
    return re.sub(r"\s", "", text)


def shown(game: Game, lines: str, asking: Prompt, item: Item) -> bool:
    """Return whether `lines` contain the complete label of the item. For a card to be selected, its name is
    enough; in the draft, the name of the character."""
    picks = item.verb == "pick" and item.about in game.edition.characters
    label = game.texts.character(item.about) if picks else item.label
    return asking.at.selection is not None or joined(label) in lines


def every_word_is_translated(game: Game) -> None:
    """Check the screen, line mode, the log and the pages in the artificial language. A word in Latin letters
    there was not translated."""
    assert game.table.state is not None
    for asking in positions(Prompt(game.menu())):
        texts = [text for item in asking.items for text in (item.label, item.why)]
        lines = [
            re.sub(r"^ *(\d+|end|-) ", "", line) for line in question_lines(game.texts, question(game, asking))
        ]
        lines = lines[:-1] if asking.at.floor else lines  # an example in the notation
        found = [words for text in (*texts, *lines, asking.title) if (words := OURS.findall(text))]
        assert not found, (found, texts)
    told = [game.outlook(), game.status(), *game.open_attacks()]
    told += [line.text for line in game.story.lines(game.texts, max(len(game.story.entries) - 20, 0))]
    assert not OURS.findall(" ".join(told)), told


def everything_is_explained_and_listed(game: Game, menu: Menu, told: set[str]) -> None:
    """Check the help page and the line of each card in the menu. `told` are the cards that were already
    checked."""
    cards: set[str] = set()
    for asking in positions(Prompt(menu)):
        listed = "\n".join(question_lines(game.texts, question(game, asking)))
        for item in asking.items:
            assert asking.at.selection or (item.label if item.open else item.barred) in listed
        cards.update(item.about for item in asking.items)
    for card in cards - told:
        explained(game, game.texts, card)
    told |= cards
    if game.table.state is not None and game.table.state.auction:
        assert question(game, Prompt()).before


def explained(game: Game, texts: Texts, card: str) -> None:
    """Check that the page which `?` opens is about this card."""
    told = help_page(game, LOOK, card).plain
    if card:
        name = texts.character(card) if card in game.edition.characters else texts.district(card)
        assert told.startswith(name)
    assert len(told.splitlines()) > 2


def an_auction_is_not_wider_than_its_panel(game: Game, held: Auction) -> None:
    drawing, (width, height) = Drawing(), room(game, 80, 24)
    draw_auction(scene_of(game, LOOK), drawing, held, None, width, height)
    lines = [line.plain for line in drawing.lines]
    assert all(cell_len(line) <= width for line in lines), lines
    assert not OURS.findall("\n".join(lines)), lines
    assert not OURS.findall("\n".join(question(game, Prompt()).before))


@pytest.mark.slow
async def test_random_games_use_every_verb() -> None:
    """Otherwise the test would leave a verb out."""
    met, done = Met(), set[str]()
    for edition, players, seed in product(EDITIONS, (3, 4, 5, 7), range(12)):
        async for _ in asked(table(edition, players, seed), 250, met):
            pass
        done = {what.split()[0] for what in met.verbs}
        if done >= set(ACTIONS):
            break
    assert set(ACTIONS) == done, set(ACTIONS) - done
