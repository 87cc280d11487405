"""The player's place at a table: leaving, handing over the hosting, and the decision timer."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from textual.pilot import Pilot

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import acting
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import PlainTable
from citadels_lan.net.client.updates import ClockSet, HostChanged, PauseChanged
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Seat
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.invitation import Invitation
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.sure import HandScreen, LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import one_case
from tests.line_mode.test_lines import run_lines

from .fake import INVITATION, NAMES, FakeLobby, FakeSession
from .keys import press
from .pictures import shown, text, the
from .test_pictures import at_table, make
from .waiting import settle

EN = load("en")


class Leaving(FakeSession):
    """A session that counts how often the player has left it."""

    left = 0

    async def leave(self) -> None:
        self.left += 1


def asked(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, LeaveScreen)


@one_case(
    ("keys", "left"),
    [
        (("Q", "escape"), 0),
        (("Q", "enter"), 0),  # the cursor begins on staying at the table
        (("Q", "q"), 1),
        (("Q", "down", "enter"), 1),
        (("ctrl+c", "escape", "ctrl+q", "escape"), 0),
        (("ctrl+c", "ctrl+c"), 1),
        (("W", "ctrl+q", "ctrl+q"), 1),
        (("Q", "escape", "down", "W", "escape", "Q", "q"), 1),
    ],
)
async def test_leaving_the_table_is_confirmed_each_time(keys: tuple[str, ...], left: int) -> None:
    async with at_table(Leaving()) as (session, pilot):
        for key in keys:
            assert not session.left
            await pilot.press(key)
        assert session.left == left
        assert left or isinstance(pilot.app.screen, TableScreen)


async def test_host_reads_that_leaving_closes_the_table() -> None:
    for invitation, told in ((INVITATION, True), (None, False)):
        async with make(Place(FakeSession(), invitation)).run_test(size=(80, 24)) as pilot:
            await pilot.press("Q")
            assert ("it closes" in text(pilot)) is told


def test_quit_is_confirmed_each_time_in_line_mode() -> None:
    session = Leaving()
    lines = run_lines("quit\nsay still here\nquit\nhand\nquit\nexit\nsay too late\n", session)
    assert lines.count("Type quit again to leave.") == 3
    assert "still here" in lines
    assert "too late" not in lines
    assert "it closes" not in lines
    assert session.left == 1
    assert "it closes" in run_lines("quit\nquit\n", FakeLobby(), invitation=INVITATION)


class People(FakeSession):
    """A session at whose table seats 1 and 2 are persons on other computers, of whom seat 2 is away, and seat
    3 is a guest in a browser."""

    def __init__(self, *, refused: bool = False) -> None:
        super().__init__()
        kinds = (SeatKind.HOST, SeatKind.PLAYER, SeatKind.PLAYER, SeatKind.GUEST)
        self.lobby = [Seat(NAMES[seat], kind, ready=True, owner=seat == 0) for seat, kind in enumerate(kinds)]
        self.away = (2,)
        self._refused = refused

    @property
    def invitation(self) -> Invitation:
        """The invitation of the host."""
        return replace(INVITATION, hand_to=self._hand_to)

    async def _hand_to(self, name: str) -> None:
        self.asked.append(("hand to", name))
        if self._refused:
            raise Rejected("successor_unreached", names=NAMES[2], name=NAMES[1])


@pytest.mark.parametrize("refused", [False, True])
async def test_host_hands_the_game_over_from_its_menu(refused: bool) -> None:
    session = People(refused=refused)
    app = make(Place(session, session.invitation))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("Q")
        assert isinstance(app.screen, LeaveScreen)
        text = "\n".join(shown(app))
        rows = ("Cancel", "Hand over game", "Save and close")
        assert [row for row in rows if row not in text] == []
        await pilot.press("h")
        assert isinstance(app.screen, HandScreen)
        text = " ".join("\n".join(shown(app)).split())
        assert f"Hand the game to {NAMES[1]}" in text
        assert f"Hand the game to {NAMES[2]}" not in text
        assert "Stay, or substitute bots play for them" in app.screen._question
        await pilot.press("a")
        assert session.asked == [("hand to", NAMES[1])]
        assert any("firewall" in note.message for note in app._notifications) == refused
        assert app.game is not None


@one_case(
    ("host", "former", "sentence"),
    [
        (
            1,
            2,
            "Bruno handed the game to Massimiliano. "
            "Massimiliano's computer can now see what Bruno's computer saw.",
        ),
        (1, 0, "You handed the game to Massimiliano. Massimiliano's computer can now see what your computer saw."),
        (1, None, "The host handed the game to Massimiliano."),
        (0, 2, "Bruno handed the game to you. Your computer hosts it now, and can see what Bruno's computer saw."),
        (0, None, "The host handed the game to you. Your computer hosts it now, and can see what the host's"),
    ],
)
def test_all_players_are_informed_which_computer_will_see_the_hands(
    host: int, former: int | None, sentence: str
) -> None:
    game = Game(People(), EN, INVITATION if host else None)
    game.take(HostChanged(40, host, former))
    assert any(sentence in line.text for line in game.story.lines(game.texts))
    assert game.invitation is None
    assert list(game.may_hand_to) == []
    assert not host or NAMES[3] in game.leaving()


def test_host_hands_the_game_over_in_line_mode() -> None:
    for line in ("handover massimiliano", "hand Massimiliano", "HANDOVER Massimiliano"):
        session = People()
        assert "Handing the game to Massimiliano…" in run_lines(
            f"{line}\n", session, invitation=session.invitation
        )
        assert session.asked == [("hand to", NAMES[1])]
    session = People(refused=True)
    script = "handover\nhandover Ada\nquit\nhandover Massimiliano\n"
    said = run_lines(script, session, invitation=session.invitation)
    assert said.count("Type “handover NAME”: Massimiliano.") == 2
    assert "To let another player host the game, type “handover NAME”." in said
    assert "Check the firewall there." in said
    assert session.asked == [("hand to", NAMES[1])]


@dataclass
class Now:
    """A clock that the test advances."""

    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


def game(now: Now, session: FakeSession | None = None, *, hosting: bool = False) -> Game:
    one = Game(session or FakeSession(), EN, INVITATION if hosting else None, clock=now)
    one.take(ClockSet(60, 5))
    return one


def last(one: Game) -> str:
    return list(one.story.lines(EN))[-1].text


async def test_next_decision_starts_with_its_full_time() -> None:
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


@pytest.mark.parametrize(("invitation", "keys"), [(None, ("Z", "Z")), (INVITATION, ("Z",))])
async def test_one_key_pauses_for_the_host_and_two_keys_for_a_guest(
    invitation: Invitation | None, keys: Sequence[str]
) -> None:
    session = FakeSession()
    async with CitadelsApp(Place(session, invitation), language="en").run_test(size=(80, 24)) as pilot:
        for key in keys:
            assert session.asked == []
            await press(pilot, key)
        assert session.asked == [("pause", True)]


def test_pause_stops_the_decision_timer() -> None:
    now, session = Now(), FakeSession()
    one = game(now, session)
    assert "Time: 0:55." in one.status()
    session.paused = True
    one.take(PauseChanged(True, 1))
    now.seconds += 500
    assert "Time" not in one.status()
    assert not one.time_passes()
    session.paused = False
    one.take(PauseChanged(False, 1))
    assert "Time: 0:55." in one.status()


def test_host_is_asked_whether_to_remind_a_slow_player() -> None:
    now, session = Now(), FakeSession()
    session.seat = 1
    one = game(now, session, hosting=True)
    now.seconds += 60
    assert not one.time_passes()
    assert acting(session.seen) == (0,)
    assert "Waiting for: Ada. You are the host" in last(one)


async def test_screen_counts_the_decision_time_down_and_rings() -> None:
    now, session, bells = Now(), FakeSession(), []
    app = CitadelsApp(Place(session), language="en", clock=now)
    async with app.run_test(size=(100, 30)) as pilot:
        session.queue.put_nowait(ClockSet(60, 0))
        await settle(pilot)
        screen = the(TableScreen, app.screen)
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


async def test_line_mode_announces_half_and_end_of_the_decision_time() -> None:
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


@pytest.mark.parametrize("refused", [False, True])
async def test_player_leaves_the_seat_to_a_bot(refused: bool) -> None:
    class Session(FakeSession):
        async def hand_over(self) -> None:
            await super().hand_over()
            if refused:
                raise Rejected("no_bots")

    async with at_table(Session()) as (session, pilot):
        await pilot.press("Q")
        assert "Let a bot play" in text(pilot)
        await pilot.press("b")
        assert session.asked == [("hand over", 0)]
        assert isinstance(pilot.app.screen, TableScreen) == refused
