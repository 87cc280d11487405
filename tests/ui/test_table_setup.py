"""Setting up a table: edition, options, characters, districts. All players see these settings, and the game
uses them."""

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import EDITIONS, Unplayable, from_scenario
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import LobbyChanged
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.error_messages import because
from citadels_lan.presenter.launcher import Place, Preferences, TableOptions
from citadels_lan.presenter.plan import COSTS, GIVES, Plan, heading, sealed_draft
from citadels_lan.texts import LANGUAGES, load, terms
from citadels_lan.ui.screens.list_screen import KeyBar
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import CastScreen
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen
from tests.effort import one_case
from tests.facts import UNIQUES, first_game, first_table
from tests.line_mode.test_lines import run_lines
from tests.net.playing import until

from .fake import INVITATION, FakeLauncher, FakeLobby, FakeSession
from .keys import press
from .pictures import compare, notified, shown, text, the
from .test_pictures import SIZES, keep_all, make
from .waiting import settle

CLASSIC = Plan.of(first_game(4)).in_edition("classic")


def choosing(pilot: Pilot[None]) -> CastScreen:
    return the(CastScreen, pilot.app.screen)


async def click(pilot: Pilot[None], *keys: str) -> None:
    """Click the rows of the list with these keys."""
    for key in keys:
        choices = pilot.app.screen.query_one(ChoiceList)
        choices.point(key)
        await settle(pilot)
        assert choices.highlighted is not None
        await pilot.click(choices, offset=(4, choices.highlighted - choices.scroll_offset.y))


# Pictures


@pytest.mark.slow
@pytest.mark.parametrize("page", ["characters", "districts", "read"])
async def test_page_of_the_cast_matches_its_pictures(page: str) -> None:
    session = FakeLobby(4)
    session.owner = page != "read"
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        keys = {"characters": ["right"], "districts": ["tab", "space"], "read": []}
        await press(pilot, "p", *keys[page])
        await keep_all(pilot, f"cast-{page}", SIZES)


@pytest.mark.slow
async def test_page_of_the_edition_matches_its_pictures() -> None:
    async with make(Place(FakeLobby(4))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "o", "right")
        await keep_all(pilot, "edition", SIZES)


@pytest.mark.slow
async def test_page_of_the_cards_in_play_matches_its_pictures() -> None:
    async with make(Place(FakeSession(5)), FakeLauncher()).run_test(size=(80, 24)) as pilot:
        await press(pilot, "P", "down", "down")
        await keep_all(pilot, "cards", SIZES)


# Characters and districts


async def test_cast_is_chosen_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "p", "right")
        assert choosing(pilot).plan.scenario == "devious_dignitaries"
        await press(pilot, "tab", "tab", "space")
        assert "[✓] 1 Assassin" in text(pilot)
        assert choosing(pilot).plan.scenario == ""
        await pilot.click(KeyBar, offset=(shown(pilot.app)[-1].index("?"), 0))
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, "escape", "o", "a")
        assert isinstance(pilot.app.screen, LobbyScreen)
        assert session.settings.config == from_scenario("devious_dignitaries", 4)
        await pilot.resize_terminal(80, 30)
        assert "1 Magistrate" in text(pilot)


async def test_impossible_choices_are_rejected_with_the_reason() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
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


async def test_changing_the_number_of_players_changes_the_cast_with_a_notice() -> None:
    session = FakeLobby(6)
    session.settings = Settings(Plan.of(first_game(6)).choose("queen").config, 4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "left", "left")
        assert session.settings.players == 4
        assert "Artist instead of Queen." in notified(pilot.app)


@pytest.mark.slow
async def test_two_sessions_play_the_plan_of_the_host(tmp_path: Path) -> None:
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
        assert there.stepped("edition", 1).config.players in there.stepped("edition", 1).edition.players
    assert plan.for_players(max(allowed)).stepped("players", 1).config.players == min(allowed)


def test_each_edition_allows_its_own_choices() -> None:
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
    assert (dark.scenario, dark.stepped("scenario", 1).scenario) == ("dark_nobles", "first_game")
    assert dark.choose("assassin").problem() is None
    for language in LANGUAGES:
        assert heading(load(language), CLASSIC).startswith(terms.name(load(language), "classic") + ", 4 ")
        assert len(heading(load(language), dark).split(", ")) == 3


async def test_edition_is_chosen_by_keyboard() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
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
    session.settings = Settings(CLASSIC.with_option("killed_king", "stays").with_draft("sealed").config, 2)
    async with make(Place(session)).run_test(size=(80, 40)) as pilot:
        assert terms.chosen(load("en"), session.settings.config.options)[0] in text(pilot)
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "Killed King: the crown stays" in text(pilot)
        assert terms.about(load("en"), "killed_king")[:60] in text(pilot)
        await press(pilot, "escape", "d")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "no computer, not even the host's" in text(pilot)
        session.settings = Settings(CLASSIC.in_edition("citta_comune").config)
        session.queue.put_nowait(LobbyChanged())
        await press(pilot, "escape")
        assert "Città Comune, 4 players" in text(pilot)


@pytest.mark.slow
async def test_edition_is_chosen_before_a_table_is_opened() -> None:
    launcher = FakeLauncher(preferences=Preferences(edition="dark_city"))
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await press(pilot, "p")
        assert "Dark City" in text(pilot), "the last one is offered first"
        await press(pilot, "4")
        while "Città Comune" not in text(pilot):
            await press(pilot, "left")
        await press(pilot, "2", "left", "left", "left")
        assert launcher.preferences.edition == "dark_city", "until a table is opened"
        assert "For 2 to 9 players." in text(pilot)
        await press(pilot, "5", "enter", "down", "right", "a", "1", "enter")
        opened = the(TableOptions, launcher.opened[0])
        config = opened.settings.config
        assert (config.edition, config.options) == ("citta_comune", (("starting_gold", 2),))
        assert launcher.preferences.edition == config.edition
        assert (opened.settings.players, opened.settings.bots) == (9, 8)


def test_edition_is_chosen_in_line_mode() -> None:
    session = FakeLobby(4)
    printed = run_lines("edition\nedition classic\noption\noption deck=68\noption killed_king = stays\n", session)
    assert "citta_comune: Città Comune." in printed
    assert "deck: " in printed
    assert session.settings.config == CLASSIC.with_option("deck", 68).with_option("killed_king", "stays").config
    session = FakeLobby(4)
    run_lines("edition classic\nedition città\nseats 9\n", session)
    assert (session.settings.config.edition, session.settings.config.players) == ("citta_comune", 9)
    session = FakeLobby(4)
    run_lines("edition dark\nedition 2016\n", session)
    assert session.settings.config == first_game(4)


# Open and sealed drafts

EN, IT = load("en"), load("it")
SEALED = Plan.of(first_game(4)).with_draft("sealed")


class Refusing(FakeLobby):
    """A session whose host rejects a sealed draft."""

    async def configure(self, settings: Settings) -> None:
        if settings.config.draft == "sealed":
            raise Rejected("no_draft")
        await super().configure(settings)


@one_case("key", EDITIONS)
def test_other_settings_do_not_change_the_kind_of_draft(key: str) -> None:
    plan = SEALED.in_edition(key)
    if not plan.drafts:
        assert plan.config.draft == "open"
        with pytest.raises(Unplayable, match="no_draft"):
            plan.with_draft("sealed")
        return
    assert plan.problem() is None
    others = [plan.stepped("players", 1), plan.stepped("scenario", 1), plan.stepped("scenario", 2), plan.back()]
    others += [plan.stepped(name, 1) for name in plan.edition.options]
    others += [plan.draw_cast(), plan.draw_uniques()] if plan.chooses else []
    assert {other.config.draft for other in others} == {"sealed"}
    assert Plan.of(plan.config).config == plan.config
    assert plan.stepped("draft", 1).config.draft == "open"
    assert heading(EN, plan).endswith(", sealed draft")
    assert "sealed" not in heading(EN, plan.stepped("draft", 1))


def test_advantages_and_costs_of_a_sealed_draft_are_explained() -> None:
    sealed, opened = SEALED.config, first_game(4)
    assert sealed_draft(EN, Settings(opened, 2)) == ""
    assert sealed_draft(EN, Settings(sealed)) == f"{GIVES} {COSTS}"
    assert sealed_draft(EN, Settings(sealed, 2)).endswith(
        "The host's computer knows the characters of its own bots."
    )
    assert sealed_draft(IT, Settings(sealed)).startswith("Selezione cifrata: nessun computer, neppure")


async def test_key_switches_between_sealed_and_open_draft() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await press(pilot, "d")
        assert session.settings.config == SEALED.config
        assert "D The draft                 sealed" in text(pilot)
        assert "no computer, not even the host's" in text(pilot)
        beside = " ".join(" ".join(line[:66] for line in shown(pilot.app)).split())
        assert COSTS in beside
        await press(pilot, "D")
        assert session.settings.config == first_game(4)
        assert "D The draft                 open" in text(pilot)
        assert "nobody, not even" not in text(pilot)


async def test_lobby_with_a_sealed_draft_matches_its_pictures() -> None:
    session = FakeLobby(5)
    session.settings = Settings(SEALED.for_players(5).config, 4)
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await compare(pilot.app, "lobby-sealed-80x24-en")
        await press(pilot, "L")
        await compare(pilot.app, "lobby-sealed-80x24-it")


async def test_rejected_sealed_draft_is_shown_and_the_draft_stays_open() -> None:
    shared = FakeLobby(4)
    shared.settings = Settings(SEALED.in_edition("citta_comune").config)
    for session in (shared, Refusing(4)):
        async with make(Place(session)).run_test(size=(120, 40)) as pilot:
            await press(pilot, "d")
            assert session.settings.config.draft == "open"
            assert because(EN, "no_draft", {}) in notified(pilot.app)
            assert ("The draft" in text(pilot)) is (session is not shared)


def test_sealed_draft_is_chosen_in_line_mode() -> None:
    session = FakeLobby(4)
    told = run_lines("draft\ndraft sealed\n", session)
    assert "Open draft: the host's computer knows each character" in told
    assert "draft sealed, draft open: whether the host's computer may know the characters" in told
    assert "4 players, sealed draft" in told
    assert GIVES in told
    assert session.settings.config == SEALED.config
    session = FakeLobby(4)
    session.settings = Settings(SEALED.config)
    run_lines("selezione aperta\n", session, "it")
    assert session.settings.config == first_game(4)
    refusing = Refusing(4)
    assert because(EN, "no_draft", {}) in run_lines("draft sealed\n", refusing)
    assert refusing.settings.config == first_game(4)
