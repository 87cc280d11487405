"""The browser of rules: searching by letters, the page beside the list, another edition, the mouse."""

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.engine import DEFAULT, EDITIONS
from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.texts import load
from citadels_lan.texts.search import find
from citadels_lan.texts.topics import title
from citadels_lan.ui.drawings.rules import Browsing, draw_rules
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.rules import RulesScreen
from citadels_lan.ui.widgets.look import DARK, Look

from .fake import FakeLauncher
from .keys import settle
from .pictures import shown, text
from .test_pictures import make


def names(typed: str, language: str = "en", edition: str = DEFAULT) -> list[str]:
    texts = load(language)
    return [title(texts, topic) for topic in find(texts, EDITIONS[edition], typed).topics]


def browsing(typed: str = "", *, cursor: int = 0, ascii_only: bool = False) -> Browsing:
    texts = load("en")
    found = find(texts, EDITIONS[DEFAULT], typed)
    look = Look(DARK, ASCII if ascii_only else UNICODE)
    return Browsing(texts, look, EDITIONS[DEFAULT], typed, found, [], cursor, 0)


@pytest.mark.parametrize("typed", ["wit", "Str", "STREGA", "witch"])
def test_a_card_is_found_by_its_name_in_any_language(typed: str) -> None:
    assert "Witch" in names(typed)
    assert "Strega" in names(typed, "it")


def test_later_words_are_found_and_other_places_only_where_no_word_begins_so() -> None:
    assert names("treas") == ["Imperial Treasury"]
    assert names("athedr") == ["Cathedral"]


def test_where_no_name_has_it_the_pages_are_searched() -> None:
    found = find(load("en"), EDITIONS[DEFAULT], "everybody builds a city")
    assert found.said
    assert [topic.key for topic in found.topics] == ["game"]


def drawn(it: Browsing, width: int, height: int) -> list[str]:
    return [str(line) for line in draw_rules(it, width, height).lines]


@pytest.mark.parametrize(("width", "height"), [(80, 23), (120, 39), (160, 49), (40, 10), (1, 1)])
def test_every_topic_can_be_pointed_at(width: int, height: int) -> None:
    last = len(browsing().found.topics) - 1
    for cursor in (*range(0, last, 11), last):
        drawing = draw_rules(browsing(cursor=cursor), width, height)
        hits = [hit for hit in drawing.hits if hit.kind == "topic"]
        assert str(cursor) in {hit.key for hit in hits}
        assert width < 40 or all(cell_len(str(line)) <= width for line in drawing.lines)


def test_a_list_that_goes_on_says_how_far() -> None:
    last = len(browsing().found.topics) - 1
    assert "more" in drawn(browsing(), 80, 23)[-1]
    assert "before" in drawn(browsing(cursor=last), 80, 23)[-1]
    assert "more" not in drawn(browsing(cursor=last), 80, 23)[-1]


def test_signs_are_plain_where_they_have_to_be() -> None:
    drawing = draw_rules(browsing("witch", ascii_only=True), 120, 39)
    frames = [str(line)[:1] + str(line)[-1:] for line in drawing.lines]
    assert all(ends.isascii() for ends in frames)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def test_letters_search_and_escape_clears_before_it_leaves() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "r", *"spel")
        assert "nothing" in text(pilot) or "have the word" in text(pilot) or "has the word" in text(pilot)
        await press(pilot, "backspace", "backspace", "Y")
        screen = pilot.app.screen
        assert isinstance(screen, RulesScreen)
        assert screen.typed == "spY"
        assert any("─ Spy ─" in line for line in shown(pilot.app))
        await press(pilot, "L")
        assert any("─ Spia ─" in line for line in shown(pilot.app))
        await press(pilot, "escape")
        assert screen.typed == ""
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_what_another_edition_has_is_said_and_kept_under_the_cursor() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "r", *"auction")
        assert "in Città Comune" in text(pilot)
        await press(pilot, "left")
        assert any("─ Selling and auctions ─" in line for line in shown(pilot.app))


@pytest.mark.slow
async def test_a_click_points_at_a_topic_and_a_second_one_reads_it() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        row = next(y for y, line in enumerate(shown(pilot.app)) if "Ties" in line)
        x = shown(pilot.app)[row].index("Ties")
        await pilot.click(offset=(x, row))
        await settle(pilot)
        assert any("─ Ties ─" in line for line in shown(pilot.app))
        assert isinstance(pilot.app.screen, RulesScreen)
        await pilot.click(offset=(x, row))
        await settle(pilot)
        assert not isinstance(pilot.app.screen, RulesScreen)


async def test_help_says_what_the_screen_is_for() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "r", "question_mark")
        assert "Small letters look for a name" in text(pilot)
        await press(pilot, "escape", "escape", "question_mark")
        assert "A letter does what stands beside it" in text(pilot)
