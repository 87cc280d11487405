"""Choosing the edition and its options on the screen and in lines; everybody at the table reads them."""

import pytest

from citadels_lan.engine import EDITIONS, TableConfig
from citadels_lan.front.launcher import FoundTable, Place, Preferences, TableOptions
from citadels_lan.front.plan import Plan, heading
from citadels_lan.net.client.updates import LobbyChanged
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import LANGUAGES, load, terms
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case, quick
from tests.facts import first_game
from tests.front.test_plan import said

from .fake import FakeLauncher, FakeLobby
from .keys import settle
from .pictures import compare, language, shown, text
from .test_cast_screen import make
from .test_other_screens import press

CLASSIC = Plan.of(first_game(4)).in_edition("classic")


@one_case("key", EDITIONS)
def test_a_plan_of_every_edition_can_be_played(key: str) -> None:
    plan = Plan.of(first_game(4)).in_edition(key)
    allowed = EDITIONS[key].players
    for players in allowed:
        there = plan.for_players(players)
        assert there.problem() is None
        assert there.config.players == players
        for name, values in plan.edition.options.items():
            for value in values:
                chosen = there.with_option(name, value)
                assert chosen.problem() is None
                assert chosen.option(name) == value
                assert Plan.of(chosen.config).config == chosen.config
        assert there.next_edition(1).config.players in there.next_edition(1).edition.players
    assert plan.for_players(max(allowed)).more(1).config.players == min(allowed)


def test_what_an_edition_leaves_to_choose() -> None:
    assert not CLASSIC.chooses
    assert not CLASSIC.in_edition("citta_comune").chooses
    dark = CLASSIC.in_edition("dark_city")
    assert dark.uniques == dark.edition.uniques
    fewer = dark.toggle("keep")
    assert set(fewer.config.districts) == set(dark.edition.uniques) - {"keep"}
    assert fewer.toggle("keep") == dark
    none = dark.with_uniques(())
    why = none.problem()
    assert why is not None
    assert why.code == "no_uniques"
    assert dark.choose("witch").problem() is None
    assert dark.next_way(1).scenario == "dark_nobles"


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_a_heading_names_the_scenario_where_there_is_one_to_choose(language: str) -> None:
    texts = load(language)
    assert heading(texts, CLASSIC).startswith(terms.name(texts, "classic") + ", 4 ")
    assert len(heading(texts, CLASSIC.in_edition("dark_city")).split(", ")) == 3


async def test_pictures() -> None:
    async with make(Place(FakeLobby(4))).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "right")
        for _ in range(2):
            for size in ((120, 40), (160, 50)):
                await pilot.resize_terminal(*size)
                await settle(pilot)
                await compare(pilot.app, f"edition-{size[0]}x{size[1]}-{language(pilot.app)}")
            await press(pilot, "L")


async def test_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "right", "right", "right")
        await compare(pilot.app, "edition-80x24-en")
        await press(pilot, "left", "left", "down", "right", "down", "right", "l")
        await press(pilot, "a")
        config = session.settings.config
        assert (config.edition, len(config.options)) == ("classic", 2)
        await press(pilot, "o", "down", "right", "escape", "l")
        assert session.settings.config == config
        assert "Classic, 4 players; " in text(pilot)
        assert "Characters and districts…" not in text(pilot)


async def test_whoever_joins_reads_edition_and_options() -> None:
    session = FakeLobby(4)
    session.owner = False
    session.settings = Settings(CLASSIC.with_option("killed_king", "stays").config, 2)
    async with make(Place(session)).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        chosen = terms.chosen(load("en"), session.settings.config.options)[0]
        assert chosen in text(pilot)
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "Killed King: the crown stays" in text(pilot)
        assert terms.about(load("en"), "killed_king")[:60] in text(pilot)
        session.settings = Settings(CLASSIC.in_edition("citta_comune").config)
        session.queue.put_nowait(LobbyChanged())
        await press(pilot, "escape")
        assert "Città Comune, 4 players" in text(pilot)


@pytest.mark.slow
async def test_before_a_table_is_opened() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "4", "left", "2", "left", "left", "left")
        assert "Città Comune" in text(pilot)
        assert "For 2 to 9 players." in text(pilot)
        await press(pilot, "5", "enter", "down", "right", "a", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert (opened.settings.config.edition, opened.settings.config.options) == (
            "citta_comune",
            (("starting_gold", 2),),
        )
        assert (opened.settings.players, opened.settings.bots) == (9, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "offered"), [("dark_city", "Dark City"), ("pirates", "2016/2021")])
async def test_the_edition_last_played_is_the_first_one_offered(kept: str, offered: str) -> None:
    launcher = FakeLauncher(preferences=Preferences(edition=kept))
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        assert offered in text(pilot)
        await press(pilot, "4", "right", "escape")
        assert launcher.preferences.edition == kept
        await press(pilot, "p", "4", "left", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert launcher.preferences.edition == opened.settings.config.edition != kept
        assert Preferences().edition == "2016"


async def test_tables_found_say_their_edition() -> None:
    found = (
        FoundTable("192.168.1.9:47110", "Chiara", 2, 5, "dark_city"),
        FoundTable("10.0.0.1:1", "Ivo", 1, 4, "pirates"),
    )
    async with make(launcher=FakeLauncher(found)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)
        lines = shown(pilot.app)
        assert any("Chiara" in line and "Dark City" in line for line in lines)
        assert any("Ivo" in line and "pirates" in line for line in lines)


def test_in_lines() -> None:
    session = FakeLobby(4)
    told = said("edition\nedition classic\noption\noption deck=68\noption killed_king = stays\n", session)
    assert "citta_comune: Città Comune." in told
    assert "deck: " in told
    assert session.settings.config == CLASSIC.with_option("deck", 68).with_option("killed_king", "stays").config
    session = FakeLobby(4)
    said("edition classic\nedition città\nseats 9\n", session)
    assert (session.settings.config.edition, session.settings.config.players) == ("citta_comune", 9)
    session = FakeLobby(4)
    said("edition dark\nedition 2016\n", session)
    assert session.settings.config == first_game(4)


@one_case(
    ("line", "sentence"),
    [
        ("edition pirates", "This version does not know the edition pirates."),
        ("option deck=64", "The option deck cannot be 64."),
        ("option town=3", "This edition has no option town."),
        ("seats 8", "This edition is for 2 to 7 players, not 8."),
        ("cast witch", "There is no such character: Witch."),
    ],
)
def test_a_line_refused(line: str, sentence: str) -> None:
    session = FakeLobby(4)
    session.settings = Settings(CLASSIC.config)
    assert sentence in said(f"{line}\n", session)
    assert session.settings.config == CLASSIC.config
    assert isinstance(session.settings.config, TableConfig)
