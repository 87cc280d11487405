"""A terminal delivers two key presses at the same time: a screen is dismissed only once, and the screen below
it gets neither key."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Final

import pytest
from rich.text import Text
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

import citadels_lan.ui
from citadels_lan.engine import expand
from citadels_lan.presenter.error_messages import Violation
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.plan import Plan
from citadels_lan.presenter.recording import Recording
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.alarm import AlarmScreen
from citadels_lan.ui.screens.analysis import MistakesScreen, ThoughtScreen
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.palette import NamedCommands
from citadels_lan.ui.screens.replay_screen import ReplayScreen
from citadels_lan.ui.screens.rules import RulesScreen
from citadels_lan.ui.screens.settings import SettingsScreen
from citadels_lan.ui.screens.sure import HandScreen, LeaveScreen, LessonsEndScreen, SureScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.table_setup import CastScreen, EditionScreen, InPlayScreen, SetupScreen
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.program import LinePrompt, PageScreen, ProgramModal, ProgramScreen, Row
from tests.facts import first_game

from .fake import INVITATION, FakeLauncher, FakeSession, Recorder
from .test_pictures import make
from .waiting import settle

TEXTS: Final = load("en")
KEYS: Final = {"enter": "\r", "escape": "\x1b", "a": "a"}


async def thought(_: ThoughtScreen) -> Text:
    return Text("Thought.")


def recording() -> Recording:
    session = Recorder(4, seed=2)
    return session.recording


def finished() -> Game:
    session = FakeSession()
    while session.choices():
        session._move(0, next(expand(session.choices())))
        session._run()
    game = Game(session, TEXTS)
    while not session.queue.empty():
        game.take(session.queue.get_nowait())
    return game


def plan() -> Plan:
    return Plan.of(first_game(4))


MAKE: Final[dict[type[Screen[Any]], Callable[[CitadelsApp], Screen[Any]]]] = {
    AlarmScreen: lambda _: AlarmScreen(Violation("entry", {"n": 1}), seated=False),
    CastScreen: lambda _: CastScreen(plan()),
    CodePrompt: lambda _: CodePrompt(TEXTS, UNICODE, value="zebra opera radio"),
    EditionScreen: lambda _: EditionScreen(plan()),
    EndScreen: lambda _: EndScreen(finished()),
    GamesScreen: lambda _: GamesScreen((), ()),
    InPlayScreen: lambda _: InPlayScreen(plan),
    InviteScreen: lambda _: InviteScreen(INVITATION),
    HandScreen: lambda _: HandScreen(Game(FakeSession(), TEXTS)),
    LeaveScreen: lambda _: LeaveScreen(Game(FakeSession(), TEXTS)),
    LessonsEndScreen: lambda _: LessonsEndScreen(Game(FakeSession(), TEXTS)),
    LinePrompt: lambda _: LinePrompt("Which line?", "a line"),
    MistakesScreen: lambda _: MistakesScreen(recording),
    NamedCommands: lambda _: NamedCommands(),
    PageScreen: lambda _: PageScreen(Text("A page.")),
    ReplayScreen: lambda _: ReplayScreen(recording()),
    RulesScreen: lambda _: RulesScreen("2016"),
    SettingsScreen: lambda _: SettingsScreen(FakeLauncher()),
    SetupScreen: lambda _: SetupScreen(FakeLauncher(), alone=True),
    SureScreen: lambda _: SureScreen("Sure?", [Row("no", "No"), Row("yes", "Yes", "y")]),
    ThoughtScreen: lambda _: ThoughtScreen(thought),
}
LEFT_BY_THE_APP: Final = {HomeScreen, LobbyScreen, TableScreen}
"""Screens that are never dismissed. The app removes them when the player leaves the table or the program."""


def below(kind: type[Screen[Any]]) -> Iterator[type[Screen[Any]]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def test_every_screen_is_a_program_screen_and_is_tested_here() -> None:
    for module in pkgutil.walk_packages(citadels_lan.ui.__path__, "citadels_lan.ui."):
        importlib.import_module(module.name)
    ours = {kind for kind in below(Screen) if kind.__module__.startswith("citadels_lan.")}
    assert all(issubclass(kind, ProgramScreen) for kind in ours)
    whole = {kind for kind in ours - {ProgramScreen, ProgramModal} if not kind.__subclasses__()}
    assert whole - LEFT_BY_THE_APP <= set(MAKE)


async def press_at_once(pilot: Pilot[None], *keys: str) -> None:
    """Send several keys as a terminal that delivers them at the same time: all arrive before the first one
    has an effect."""
    for key in keys:
        pilot.app.post_message(events.Key(key, KEYS[key]))
    await settle(pilot)


@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param((LinePrompt, PageScreen), id="some"),
        pytest.param(tuple(MAKE), id="all", marks=pytest.mark.slow),
    ],
)
async def test_two_keys_read_at_once_dismiss_a_screen_once(kinds: Sequence[type[Screen[Any]]]) -> None:
    app = make(None, FakeLauncher())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(RulesScreen("2016"))
        await settle(pilot)
        stack = list(app.screen_stack)
        for kind, key in product(kinds, ("enter", "escape")):
            results: list[object] = []
            app.push_screen(MAKE[kind](app), results.append)
            await settle(pilot)
            await press_at_once(pilot, key, key)
            above = app.screen_stack[len(stack) :]
            assert app.screen_stack[: len(stack)] == stack, (kind, key)
            assert len(results) <= 1, (kind, key)
            assert key == "enter" or not above, kind  # Enter may have opened another screen
            while len(app.screen_stack) > len(stack):
                await app.pop_screen()
            await settle(pilot)


async def test_keys_typed_before_a_screen_is_left_do_not_reach_the_screen_below() -> None:
    """The second key is delivered together with the first one, but reaches the app only after the screen was
    left."""
    app = make(None, FakeLauncher())
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(PageScreen(Text("A page.")))
        await settle(pilot)
        late = events.Key("s", "s")
        await pilot.press("escape")
        app.post_message(late)
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("s")
        assert isinstance(app.screen, SettingsScreen)
