"""The soft time for a decision: seen on the screen, said in lines, and the bell for whoever is waited for."""

import io
from dataclasses import dataclass

import pytest

from citadels_lan.engine import acting
from citadels_lan.front.game import Game
from citadels_lan.front.launcher import Place
from citadels_lan.net.client.updates import ClockSet, PauseChanged
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import PlainTable
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen

from .fake import INVITATION, FakeSession
from .keys import settle
from .pictures import shown
from .test_plain import run_lines

EN = load("en")


@dataclass
class Now:
    """A clock that goes on when it is told to."""

    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


def game(now: Now, session: FakeSession | None = None, *, hosting: bool = False) -> Game:
    one = Game(session or FakeSession(), EN, INVITATION if hosting else None, clock=now)
    one.take(ClockSet(60, 5))
    return one


def last(one: Game) -> str:
    return list(one.story.lines(EN))[-1].text


def test_what_is_left_is_counted_from_what_is_gone() -> None:
    now = Now()
    one = game(now)
    assert "Time: 0:55." in one.status()
    now.seconds += 56
    assert "The time is up." in one.status()


def test_half_is_said_only_where_it_is_wanted_and_everything_once() -> None:
    now = Now()
    one, other = game(now), game(now)
    now.seconds += 26
    assert not one.time_passes(halves=True)
    assert "Half of the time for this decision is over. Waited for: Ada." in last(one)
    before = len(other.story.entries)
    assert not other.time_passes()
    assert len(other.story.entries) == before
    now.seconds += 30
    assert [one.time_passes(), one.time_passes()] == [True, False]
    assert "please choose" in last(one)


async def test_the_next_decision_has_its_own_time() -> None:
    now, session = Now(), FakeSession()
    one = game(now, session)
    now.seconds += 60
    assert one.time_passes()
    (choice, *_) = session.choices()
    await session.act(session._sample([choice])[0])
    while not session.queue.empty():
        one.take(session.queue.get_nowait())
    assert "Time: 1:00." in one.status()
    now.seconds += 60
    assert one.time_passes()


def test_a_pause_counts_nothing() -> None:
    now, session = Now(), FakeSession()
    one = game(now, session)
    session.paused = True
    one.take(PauseChanged(True, 1))
    now.seconds += 500
    assert "Time" not in one.status()
    assert not one.time_passes()
    session.paused = False
    one.take(PauseChanged(False, 1))
    assert "Time: 0:55." in one.status()


def test_the_hosts_person_is_told_whom_to_remind() -> None:
    now, session = Now(), FakeSession()
    session.seat = 1
    one = game(now, session, hosting=True)
    now.seconds += 60
    assert not one.time_passes()
    assert session.state is not None
    assert acting(session.state) == (0,)
    assert "Waited for: Ada. You are the host" in last(one)


async def test_the_screen_counts_and_calls() -> None:
    now, session, bells = Now(), FakeSession(), []
    app = CitadelsApp(Place(session), language="en", clock=now)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        session.queue.put_nowait(ClockSet(60, 0))
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TableScreen)
        assert screen._counting is not None, "it looks by itself from here on"
        app.bell = lambda: bells.append(now.seconds)  # type: ignore[method-assign]
        now.seconds += 20
        screen.time_passes()
        await settle(pilot)
        assert "Time: 0:40." in "\n".join(shown(app))
        assert bells == []
        now.seconds += 40
        screen.time_passes()
        screen.time_passes()
        await settle(pilot)
        assert bells == [160.0]
        assert "Your time for this decision is up" in "\n".join(shown(app))


async def test_lines_say_half_and_the_end() -> None:
    now, out = Now(), io.StringIO()
    table = PlainTable(Place(FakeSession()), EN, InputLines(io.StringIO()), out, clock=now)
    table.game.take(ClockSet(60, 0))
    for _ in range(9):
        now.seconds += 10
        table.time_passes()
    told = [line for line in out.getvalue().splitlines() if "time for this decision" in line]
    assert len(told) == 2
    assert told[0].startswith("!! Half of the time")
    assert told[1].startswith("!! Your time for this decision is up")


def test_a_seat_is_handed_over_in_lines() -> None:
    session = FakeSession()
    run_lines("quit bot\n", session)
    assert session.asked == [("hand over", 0)]


@pytest.mark.parametrize("refused", [False, True])
async def test_a_seat_is_handed_over_on_the_screen(refused: bool) -> None:
    class Session(FakeSession):
        async def hand_over(self) -> None:
            await super().hand_over()
            if refused:
                raise Rejected("no_bots")

    session = Session()
    app = CitadelsApp(Place(session), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("Q")
        await settle(pilot)
        assert "let a bot move for me" in "\n".join(shown(app))
        await pilot.press("b")
        await settle(pilot)
        assert session.asked == [("hand over", 0)]
        assert (app.game is not None) == refused


async def test_who_opened_the_table_is_not_asked_whether_to_hand_over() -> None:
    session = FakeSession()
    app = CitadelsApp(Place(session, INVITATION), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("Q")
        await settle(pilot)
        assert isinstance(app.screen, LeaveScreen)
        assert "let a bot move for me" not in "\n".join(shown(app))
        await pilot.press("b")
        await settle(pilot)
        assert isinstance(app.screen, LeaveScreen)
    assert session.asked == []
