"""The browser of rules: searching by letters, the page beside the list, another edition, the mouse."""

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import DEFAULT, EDITIONS
from citadels_lan.texts import load
from citadels_lan.texts.topics import find, title
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.rules import RulesScreen
from citadels_lan.ui.widgets.choice_list import ChoiceList

from .fake import FakeLauncher
from .keys import settle
from .pictures import shown, text
from .test_pictures import make


def names(typed: str, language: str = "en", edition: str = DEFAULT) -> list[str]:
    texts = load(language)
    return [title(texts, topic) for topic in find(texts, EDITIONS[edition], typed).topics]


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


@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 50), (40, 10), (10, 3)])
async def test_every_topic_can_be_pointed_at(width: int, height: int) -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(width, height)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        screen = pilot.app.screen
        assert isinstance(screen, RulesScreen)
        topics = screen.found.topics
        for topic in topics[:: max(len(topics) // 6, 1)]:
            screen.query_one(ChoiceList).point(topic.key)
            await settle(pilot)
            assert screen.topic == topic
            assert width < 40 or any(title(load("en"), topic) in line for line in shown(pilot.app))
        await press(pilot, "end")
        assert screen.topic == topics[-1]


async def test_a_list_that_goes_on_says_how_far() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        assert "▼" in text(pilot)
        await press(pilot, "end")
        assert "▲" in text(pilot)
        assert "▼" not in text(pilot)


async def test_long_page_scrolls_with_page_keys() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "r")
        assert "Everybody builds a city" in text(pilot)
        await press(pilot, "pagedown")
        assert "Everybody builds a city" not in text(pilot)
        await press(pilot, "pageup")
        assert "Everybody builds a city" in text(pilot)


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
