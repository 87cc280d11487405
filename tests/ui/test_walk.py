"""A walk over what is asked at tables of all editions, on a screen of 80 columns and 24 lines: nothing that can be
chosen is cut, no word is left untranslated, everything has its help, its line and its sentence."""

import re
from typing import Final

import pytest
from rich.cells import cell_len

from citadels_lan.engine.action import ACTIONS
from citadels_lan.front.asking.menu import Item
from citadels_lan.front.asking.prompt import Prompt
from citadels_lan.front.game import Game
from citadels_lan.plain.lines import auction, choices
from citadels_lan.texts import Texts, load
from citadels_lan.ui.screens.explain import page
from citadels_lan.ui.table.auction import draw_auction
from citadels_lan.ui.table.scene import scene_of
from citadels_lan.ui.widgets.drawing import Drawing
from tests.effort import quick

from .walking import LOOK, Met, drawn, positions, room, strange, walk

GAMES: Final = [
    pytest.param(edition, players, seeds, id=f"{edition}-{players}", marks=marks)
    for edition in ("2016", "classic", "dark_city", "citta_comune")
    for players, seeds, marks in ((4, (3,), []), *((more, range(6), [pytest.mark.slow]) for more in (3, 5, 7)))
]
MOVES: Final = 25
SILENT: Final = {
    "end": "the heading of the next turn says it",
}
"""Moves of one's own after which the log says nothing, and why it does not need to."""
OURS: Final = re.compile("[A-Za-z]+")


def moves(seeds: object) -> int:
    """A sample where one game is played, all of a game where several are."""
    return MOVES if seeds == (3,) else 250


@pytest.mark.parametrize(("edition", "players", "seeds"), GAMES)
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
async def test_nothing_that_can_be_chosen_is_cut(
    edition: str, players: int, seeds: tuple[int, ...], language: str
) -> None:
    met = Met()
    for seed in seeds:
        async for _, game in walk(edition, players, seed, moves(seeds), met, load(language)):
            width, height = room(game, 80, 24)
            for asking in positions(Prompt(game.menu())):
                lines = said(game, asking, width, height)
                for item in (asking.current,) if asking.selection else asking.items:
                    assert item is None or not item.open or shown(lines, asking, item), (item.label, lines)
    assert met.verbs.total() >= MOVES


def said(game: Game, asking: Prompt, width: int, height: int) -> str:
    """What stands in the panel, the cursor moved over every item; no line is longer than the panel is wide."""
    found = []
    for _ in range(max(asking.length, 1)):
        lines = [line.plain for line in drawn(game, asking, width, height).lines]
        assert all(cell_len(line) <= width for line in lines), lines
        assert len(lines) <= height, lines
        found.append(joined(" ".join(lines)))
        asking.move(1)
    return "\n".join(found)


def joined(text: str) -> str:
    return re.sub(r"\s", "", text)


def shown(lines: str, asking: Prompt, item: Item) -> bool:
    """Whether all of an item's label can be read; one to tick for stands there as what its cards are for."""
    return asking.selection is not None or joined(item.label) in lines


@pytest.mark.parametrize(("edition", "players", "seeds"), GAMES)
async def test_every_word_is_translated(edition: str, players: int, seeds: tuple[int, ...]) -> None:
    """On the screen, in lines, in the log and in the pages: what is in our letters has not been translated."""
    met = Met()
    for seed in seeds:
        async for _, game in walk(edition, players, seed, moves(seeds), met, strange()):
            assert game.view is not None
            for asking in positions(Prompt(game.menu())):
                texts = [text for item in asking.items for text in (item.label, item.why)]
                lines = [re.sub(r"^ *(\d+|end|-) ", "", line) for line in choices(game, asking)]
                lines = lines[:-1] if asking.floor else lines  # an example in the notation
                found = [words for text in (*texts, *lines, asking.title) if (words := OURS.findall(text))]
                assert not found, (found, texts)
            told = [*(line.text for line in game.outlook()), game.status(), *game.blows()]
            told += [line.text for line in game.story.lines(game.texts, max(len(game.story.entries) - 20, 0))]
            assert not OURS.findall(" ".join(told)), told


@pytest.mark.parametrize(("edition", "players", "seeds"), GAMES)
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
async def test_everything_is_explained_listed_and_told(
    edition: str, players: int, seeds: tuple[int, ...], language: str
) -> None:
    met, texts = Met(), load(language)
    for seed in seeds:
        async for session, game in walk(edition, players, seed, moves(seeds), met, texts):
            cards: set[str] = set()
            for asking in positions(Prompt(game.menu())):
                listed = "\n".join(choices(game, asking))
                for item in asking.items:
                    assert asking.selection or (item.label if item.open else item.barred) in listed
                cards.update(item.about for item in asking.items)
            for card in cards:
                explained(game, texts, card)
            if session.state and session.state.auction:
                assert list(auction(game))
    assert met.silent <= set(SILENT)


def explained(game: Game, texts: Texts, card: str) -> None:
    """What `?` shows of an item is about its card."""
    told = page(game, LOOK, card).plain
    if card:
        name = texts.character(card) if card in game.edition.characters else texts.district(card)
        assert told.startswith(name)
    assert len(told.splitlines()) > 2


@pytest.mark.parametrize(
    ("edition", "seeds"), [("citta_comune", (3,)), pytest.param("citta_comune", range(6), marks=pytest.mark.slow)]
)
async def test_an_auction_is_not_wider_than_its_panel(edition: str, seeds: tuple[int, ...]) -> None:
    met = Met()
    auctions = 0
    for seed in seeds:
        async for session, game in walk(edition, 5, seed, moves(seeds), met, strange()):
            assert session.state is not None
            if session.state.auction is None:
                continue
            drawing, (width, height) = Drawing(), room(game, 80, 24)
            draw_auction(scene_of(game, LOOK), drawing, session.state.auction, None, width, height)
            lines = [line.plain for line in drawing.lines]
            assert all(cell_len(line) <= width for line in lines), lines
            assert not OURS.findall("\n".join(lines)), lines
            assert not OURS.findall("\n".join(auction(game)))
            auctions += 1
    assert auctions


@pytest.mark.slow
@pytest.mark.long
async def test_every_verb_is_met() -> None:
    """So that the walk leaves nothing out."""
    met = Met()
    for edition in ("2016", "classic", "dark_city", "citta_comune"):
        for players in (3, 4, 5, 7):
            for seed in range(12):
                async for _ in walk(edition, players, seed, 250, met, load("en")):
                    pass
    done = {what.split()[0] for what in met.verbs}
    assert set(ACTIONS) == done, set(ACTIONS) - done
