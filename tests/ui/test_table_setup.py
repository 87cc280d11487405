"""Setting up a table: edition, options, characters, districts. All players see them, and the game plays them."""

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import EDITIONS, TableConfig, from_scenario
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import LobbyChanged
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.launcher import Place, Preferences, TableOptions
from citadels_lan.presenter.plan import Plan, heading
from citadels_lan.texts import LANGUAGES, load, terms
from citadels_lan.ui.screens.cast import CastScreen
from citadels_lan.ui.screens.list_screen import KeyBar
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import InPlayScreen
from citadels_lan.ui.widgets.choice_list import ChoiceList
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case, quick
from tests.facts import UNIQUES, first_game, first_table
from tests.net.playing import until
from tests.presenter.test_plan import said

from .fake import FakeLauncher, FakeLobby, FakeSession
from .keys import press, settle
from .pictures import notified, shown, text
from .test_pictures import SIZES, keep_all, make

CLASSIC = Plan.of(first_game(4)).in_edition("classic")


def choosing(pilot: Pilot[None]) -> CastScreen:
    screen = pilot.app.screen
    assert isinstance(screen, CastScreen)
    return screen


async def click(pilot: Pilot[None], *keys: str) -> None:
    """Click on rows of the list."""
    for key in keys:
        choices = pilot.app.screen.query_one(ChoiceList)
        choices.point(key)
        await settle(pilot)
        assert choices.highlighted is not None
        await pilot.click(choices, offset=(4, choices.highlighted - choices.scroll_offset.y))
        await settle(pilot)


# Pictures


@pytest.mark.parametrize("page", quick(["characters", "districts", "read"], "characters"))
async def test_pictures_of_the_cast(page: str) -> None:
    session = FakeLobby(4)
    session.owner = page != "read"
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        keys = {"characters": ["right"], "districts": ["tab", "space"], "read": []}
        await press(pilot, "p", *keys[page])
        await keep_all(pilot, f"cast-{page}", SIZES)


async def test_pictures_of_the_edition() -> None:
    async with make(Place(FakeLobby(4))).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "right")
        await keep_all(pilot, "edition", SIZES)


@pytest.mark.slow
async def test_pictures_of_the_cards_in_play() -> None:
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "P", "down", "down")
        await keep_all(pilot, "cards", SIZES)


# Characters and districts


async def test_cast_is_chosen_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "right")
        assert choosing(pilot).plan.scenario == "devious_dignitaries"
        await press(pilot, "tab", "tab", "space")
        assert "[✓] 1 Assassin" in text(pilot)
        assert choosing(pilot).plan.scenario == ""
        await pilot.click(KeyBar, offset=(shown(pilot.app)[-1].index("?"), 0))
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "escape", "o", "a")
        assert isinstance(pilot.app.screen, LobbyScreen)
        assert session.settings.config == from_scenario("devious_dignitaries", 4)
        await pilot.resize_terminal(80, 30)
        await settle(pilot)
        assert "1 Magistrate" in text(pilot)


async def test_impossible_choices_are_refused_with_the_reason() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        await click(pilot, "queen")
        assert "[-] 9 Queen" in text(pilot)
        assert "Queen needs at least 5 players, not 4." in notified(pilot.app)
        await click(pilot, "statue")
        assert "13 of 14" in text(pilot)
        assert "Choose 14 different unique districts." in text(pilot)
        await press(pilot, "a")
        assert "Choose 14 different unique districts." in notified(pilot.app)
        await press(pilot, "x")
        assert choosing(pilot).plan.uniques == ()
        await press(pilot, "f", "tab", "escape")
        assert session.settings == first_table(4, 3)


@one_case(("players", "key", "reason"), [(3, "no_nine", "rank 9 is needed"), (2, "artist", "no rank 9 is used")])
async def test_rank_nine_is_refused_with_the_reason(players: int, key: str, reason: str) -> None:
    async with make().run_test(size=(80, 24)) as pilot:
        pilot.app.push_screen(CastScreen(Plan.of(first_game(players))))
        await settle(pilot)
        await click(pilot, key)
        assert reason in notified(pilot.app)


@pytest.mark.slow
async def test_cast_is_chosen_by_mouse() -> None:
    session = FakeLobby(6)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        await click(pilot, "queen", "queen", "no_nine", "tax_collector", "draw_uniques", "witch", "draw_cast")
        assert choosing(pilot).plan.scenario == "random"
        await click(pilot, "witch", "accept")
        assert session.settings.config.cast[0] == "witch"
        assert session.settings.config.districts == ()
        assert "drawn by lot" in text(pilot)


@pytest.mark.slow
async def test_other_number_of_players_changes_the_cast_and_says_so() -> None:
    session = FakeLobby(6)
    session.settings = Settings(Plan.of(first_game(6)).choose("queen").choose("emperor").config, 4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "1", "left", "left")
        assert session.settings.players == 4
        assert "Artist instead of Queen." in notified(pilot.app)
        await press(pilot, "left", "left")
        assert (session.settings.config.cast[3], len(session.settings.config.cast)) == ("king", 8)
        change = "King instead of Emperor. Rank 9 is not used with 2 players: Artist is removed."
        assert change in notified(pilot.app)


@pytest.mark.slow
async def test_cast_is_chosen_before_a_table_is_opened() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "6", "enter")
        await click(pilot, "emperor", "artist")
        await press(pilot, "a", "2", "left", "left")
        assert "King instead of Emperor. Rank 9 is not used with 2 players" in notified(pilot.app)
        await press(pilot, "escape", "o", "6", "enter")
        await click(pilot, "witch")
        await press(pilot, "a", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert opened.settings.config.cast[0] == "witch"
        assert len(opened.settings.config.districts) == 14


@pytest.mark.slow
@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_explains_the_screens(key: str) -> None:
    async with make(Place(FakeLobby(4))).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "p", key)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "Enter takes the character of a rank" in text(pilot)
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "P")
        pilot.app.screen.query_one(ChoiceList).highlighted = None
        await press(pilot, key)
        assert "that this table plays with" in text(pilot)


@pytest.mark.slow
async def test_cards_in_play_are_read_during_the_game() -> None:
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(120, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "P")
        assert isinstance(pilot.app.screen, InPlayScreen)
        assert "─ Assassin ─" in text(pilot)
        await press(pilot, "end")
        assert "─ Wishing Well ─" in text(pilot)
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "escape", "P")
        assert isinstance(pilot.app.screen, TableScreen)


@pytest.mark.slow
async def test_two_sessions_play_what_the_host_chose(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(first_table(2), tmp_path / "host"))
        owner = await table.join("Ada", tmp_path / "a")
        friend = await Session.join(table.address, data_dir=tmp_path / "b", name="Bruno")
        host, guest = [
            await stack.enter_async_context(make(Place(session)).run_test(size=(80, 24)))
            for session in (owner, friend)
        ]
        await until(lambda: len(owner.table.lobby) == len(friend.table.lobby) == 2)
        await press(guest, "p")
        assert "1 Assassin" in text(guest)
        await press(host, "p")
        choosing(host).dice = Random(5)
        await click(host, "witch", "emperor")
        assert "Emperor needs at least 3 players" in notified(host.app)
        await press(host, "x", "f")
        wanted = choosing(host).plan
        await press(host, "a")
        await until(lambda: friend.table.settings.config.cast == wanted.cast)
        await settle(guest)
        assert "1 Witch" in text(guest)
        await friend.ready()
        await until(lambda: owner.table.lobby[1].ready)
        await press(host, "s")
        await until(lambda: all(isinstance(pilot.app.screen, TableScreen) for pilot in (host, guest)))
        for session in (owner, friend):
            assert session.table.state is not None
            assert wanted.uniques is not None
            assert wanted.cast == tuple(session.table.state.cast)
            assert set(wanted.uniques) == set(session.table.state.districts) < set(UNIQUES)
            await session.leave()


# Edition and options


@one_case("key", EDITIONS)
def test_plan_of_every_edition_can_be_played(key: str) -> None:
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


def test_editions_allow_different_choices() -> None:
    assert not CLASSIC.chooses
    assert not CLASSIC.in_edition("citta_comune").chooses
    dark = CLASSIC.in_edition("dark_city")
    assert dark.uniques == dark.edition.uniques
    fewer = dark.toggle("keep")
    assert set(fewer.config.districts) == set(dark.edition.uniques) - {"keep"}
    assert fewer.toggle("keep") == dark
    why = dark.with_uniques(()).problem()
    assert why is not None
    assert why.code == "no_uniques"
    assert (dark.scenario, dark.next_way(1).scenario) == ("dark_nobles", "first_game")
    assert dark.choose("assassin").problem() is None
    for language in LANGUAGES:
        assert heading(load(language), CLASSIC).startswith(terms.name(load(language), "classic") + ", 4 ")
        assert len(heading(load(language), dark).split(", ")) == 3


async def test_edition_is_chosen_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "right", "down", "right", "down", "right", "l", "a")
        config = session.settings.config
        assert (config.edition, len(config.options)) == ("classic", 2)
        await press(pilot, "o", "down", "right", "escape", "l")
        assert session.settings.config == config
        assert "Classic, 4 players; " in text(pilot)
        assert "Characters and districts…" not in text(pilot)


async def test_guests_read_edition_and_options() -> None:
    session = FakeLobby(4)
    session.owner = False
    session.settings = Settings(CLASSIC.with_option("killed_king", "stays").config, 2)
    async with make(Place(session)).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        assert terms.chosen(load("en"), session.settings.config.options)[0] in text(pilot)
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "Killed King: the crown stays" in text(pilot)
        assert terms.about(load("en"), "killed_king")[:60] in text(pilot)
        session.settings = Settings(CLASSIC.in_edition("citta_comune").config)
        session.queue.put_nowait(LobbyChanged())
        await press(pilot, "escape")
        assert "Città Comune, 4 players" in text(pilot)


@pytest.mark.slow
async def test_edition_is_chosen_before_a_table_is_opened() -> None:
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "4", "left", "2", "left", "left", "left")
        assert "Città Comune" in text(pilot)
        assert "For 2 to 9 players." in text(pilot)
        await press(pilot, "5", "enter", "down", "right", "a", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        config = opened.settings.config
        assert (config.edition, config.options) == ("citta_comune", (("starting_gold", 2),))
        assert (opened.settings.players, opened.settings.bots) == (9, 8)


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "offered"), [("dark_city", "Dark City"), ("pirates", "2016/2021")])
async def test_last_edition_is_offered_first(kept: str, offered: str) -> None:
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


async def test_plan_is_shown_beside_the_setup_or_below_it() -> None:
    async with make(launcher=FakeLauncher()).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "down", "right")
        assert "5 players ─" in text(pilot)
        assert "1 Assassin, 2 Thief" not in text(pilot), "shown once"
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert not pilot.app.screen.query_one("#aside").display
        assert "1 Assassin, 2 Thief" in text(pilot)


def test_edition_is_chosen_in_lines() -> None:
    session = FakeLobby(4)
    printed = said("edition\nedition classic\noption\noption deck=68\noption killed_king = stays\n", session)
    assert "citta_comune: Città Comune." in printed
    assert "deck: " in printed
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
def test_line_is_refused_with_the_reason(line: str, sentence: str) -> None:
    session = FakeLobby(4)
    session.settings = Settings(CLASSIC.config)
    assert sentence in said(f"{line}\n", session)
    assert session.settings.config == CLASSIC.config
    assert isinstance(session.settings.config, TableConfig)
