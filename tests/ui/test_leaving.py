"""Leaving a table: asked about each time, whatever was asked and answered before."""

import asyncio
import io
from itertools import count

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import expand
from citadels_lan.front.invitation import Invitation
from citadels_lan.front.launcher import Place
from citadels_lan.net.client.updates import Alarm, Ended
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.alarm import AlarmScreen
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import quick

from .fake import INVITATION, FakeLobby, FakeSession
from .keys import settle
from .pictures import shown

EN = load("en")


class Leaving(FakeSession):
    """Counts how often it was left."""

    left = 0

    async def leave(self) -> None:
        self.left += 1


def make_app(session: FakeSession, invitation: Invitation | None = None, language: str = "en") -> CitadelsApp:
    clock = map(float, count()).__next__
    return CitadelsApp(Place(session, invitation), language=language, clock=clock)


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def asked(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, LeaveScreen)


@pytest.mark.slow
async def test_each_q_asks_anew() -> None:
    session = Leaving()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for answer in ("escape", "enter"):  # the cursor begins on staying
            await press(pilot, "Q")
            assert asked(pilot)
            await press(pilot, answer)
            assert isinstance(pilot.app.screen, TableScreen)
        await press(pilot, "Q", "escape", "down", "W", "escape", "Q")
        assert asked(pilot)
        assert session.left == 0
        await press(pilot, "q")
        assert session.left == 1


async def test_two_keys_at_once_are_two_keys() -> None:
    session = Leaving()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("Q", "escape", "Q", "escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert session.left == 0


@pytest.mark.slow
@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_interrupting_asks_as_well_and_twice_is_enough(key: str) -> None:
    session = Leaving()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "W")
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, key)
        assert asked(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, PageScreen)
        await press(pilot, key, key)
        assert session.left == 1


@pytest.mark.slow
async def test_the_answer_can_be_chosen_with_enter() -> None:
    session = Leaving()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "Q", "down", "enter")
        assert session.left == 1


@pytest.mark.parametrize(
    ("language", "said"),
    quick([("en", "closes for everybody"), ("it", "si chiude per tutti")], ("it", "si chiude per tutti")),
)
async def test_whoever_opened_the_table_is_told_what_leaving_means(language: str, said: str) -> None:
    for invitation, told in ((INVITATION, True), (None, False)):
        async with make_app(FakeSession(), invitation, language).run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await press(pilot, "Q")
            assert (said in "\n".join(shown(pilot.app))) is told


async def test_the_lobby_asks_by_key_and_by_row() -> None:
    async with make_app(FakeLobby(), INVITATION).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "q")
        assert asked(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)
        await pilot.app.screen.run_action("app.leave_table")
        await settle(pilot)
        assert asked(pilot)


@pytest.mark.slow
async def test_the_page_of_an_alarm_asks() -> None:
    session = Leaving()
    details = {"n": 120, "name": "Bruno", "theirs": "0123456789abcdef", "ours": "fedcba9876543210"}
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        session.queue.put_nowait(Alarm("two_histories", details))  # type: ignore[arg-type]
        await settle(pilot)
        await press(pilot, "q", "escape")
        assert isinstance(pilot.app.screen, AlarmScreen)
        await press(pilot, "q", "q")
        assert session.left == 1


async def over() -> Leaving:
    """A table whose game is over."""
    session = Leaving(2)
    for _ in range(800):
        if not session.choices():
            break
        actions = list(expand(session.choices()))
        builds = [action for action in actions if action.verb == "build"]
        others = [action for action in actions if action.verb != "end"]
        await session.act((builds or others or actions)[0])
    assert session.full_state.phase == "over"
    return session


@pytest.mark.slow
async def test_after_the_game_nothing_is_lost_and_nothing_asked() -> None:
    session = await over()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(pilot.app.screen, EndScreen)
        await press(pilot, "q")
        assert session.left == 1


@pytest.mark.slow
async def test_the_end_of_the_game_takes_the_question_away() -> None:
    session = await over()
    session.queue = asyncio.Queue()
    state, session.state = session.state, FakeSession(2).state
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "Q")
        assert asked(pilot)
        session.state = state
        assert session.transcript is not None
        session.queue.put_nowait(Ended(session.transcript))
        await settle(pilot)
        assert isinstance(pilot.app.screen, EndScreen)
        await press(pilot, "t")
        assert isinstance(pilot.app.screen, TableScreen)
        await press(pilot, "T")
        assert isinstance(pilot.app.screen, EndScreen), "and back to the result"


async def in_lines(text: str, session: FakeSession, invitation: Invitation | None = None) -> str:
    out = io.StringIO()
    await play_plain(Place(session, invitation), EN, lines=InputLines(io.StringIO(text)), out=out)
    return out.getvalue()


async def test_quit_asks_each_time_in_lines() -> None:
    session = Leaving()
    said = await in_lines("quit\nsay still here\nquit\nhand\nquit\nexit\nsay too late\n", session)
    assert said.count("Say quit once more to leave.") == 3
    assert "still here" in said
    assert "too late" not in said
    assert "closes for everybody" not in said
    assert session.left == 1


async def test_quit_says_to_the_host_what_it_means() -> None:
    assert "closes for everybody" in await in_lines("quit\nquit\n", FakeLobby(), INVITATION)
