"""The host closes a game: screens and line mode report that and ask nothing, and one key press leaves the
table."""

import asyncio
import io
from collections.abc import Mapping, Sequence

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import Action, Choice, acting
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import asked, play_plain
from citadels_lan.net.client.updates import Away, Connected, Disconnected, PauseChanged
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.texts import load
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.table.bars import BottomLine
from citadels_lan.ui.widgets.program import PageScreen
from tests.effort import one_case
from tests.facts import first_game
from tests.line_mode.test_lines import pipe
from tests.net.playing import until

from .fake import INVITATION, FakeLobby, FakeSession
from .pictures import shown, text
from .sealed_draft import SealedSession
from .test_pictures import at_table, make
from .waiting import settle

EN = load("en")
CLOSED = "Bruno closed the game."
HOST: Mapping[str, str | int] = {"seat": 2}


class Closing(FakeSession):
    """A table whose host can close and resume it."""

    closed = False
    left = 0

    def close(self, details: Mapping[str, str | int] = HOST, reason: str = "closing") -> None:
        self.closed = True
        self.queue.put_nowait(Disconnected(reason, dict(details)))

    def resume(self) -> None:
        self.closed = False
        self.queue.put_nowait(Connected())

    def choices(self) -> Sequence[Choice]:
        return () if self.closed else super().choices()

    async def act(self, action: Action) -> None:
        if self.closed:
            raise Rejected("lost")
        await super().act(action)

    async def leave(self) -> None:
        self.left += 1


class ClosingLobby(FakeLobby, Closing):
    """A lobby whose host can close and resume it."""

    async def ready(self, flag: bool = True) -> None:
        if self.closed:
            raise Rejected("lost")
        await super().ready(flag)


async def close(pilot: Pilot[None], session: Closing) -> None:
    session.close()
    await settle(pilot)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)])
async def test_table_screen_says_that_the_host_closed_and_asks_nothing_until_it_resumes(
    size: tuple[int, int],
) -> None:
    async with at_table(Closing(), size) as (session, pilot):
        before = text(pilot)
        assert "CHOOSE IN SECRET" in before
        assert "►" in before
        await pilot.press("colon", *"keep king")
        await close(pilot, session)
        head = " ".join(shown(pilot.app)[:3])
        assert "GAME CLOSED" in head
        assert f"{CLOSED} It is saved" in head
        assert "Press Q to leave." in head
        assert shown(pilot.app)[-1].split()[:2] == ["Q", "leave"]
        assert "CHOOSE" not in text(pilot)
        assert "►" not in text(pilot)
        await pilot.press("enter", "a", "E", "slash", "colon")
        assert session.acted == []
        assert not pilot.app.screen.query_one(BottomLine).display
        session.resume()
        await settle(pilot)
        assert "CHOOSE IN SECRET" in text(pilot)
        assert "closed" not in text(pilot)
        await pilot.press("enter")
        assert len(session.acted) == 1


async def test_question_whether_to_leave_disappears_when_the_host_closes() -> None:
    async with at_table(Closing()) as (session, pilot):
        await pilot.press("Q")
        assert isinstance(pilot.app.screen, LeaveScreen)
        await close(pilot, session)
        assert CLOSED in text(pilot)
        assert session.left == 0


async def test_lobby_says_that_the_host_closed_and_is_left_by_one_key() -> None:
    async with at_table(ClosingLobby()) as (session, pilot):
        await close(pilot, session)
        assert "GAME CLOSED" in shown(pilot.app)[0]
        head = " ".join(" ".join(shown(pilot.app)[:4]).split())
        assert f"{CLOSED} It had not started. Press Q to leave." in head
        await pilot.press("r", "s", "c")
        assert "connection" not in text(pilot)
        assert "R Ready" not in text(pilot)
        assert [seat.ready for seat in session.lobby[:1]] == [False]
        await pilot.press("q")
        assert session.left == 1


async def test_resumed_lobby_keeps_its_cursor_position() -> None:
    """While the host is away, the only row is the one that leaves. The cursor must not stay on it."""
    async with at_table(ClosingLobby()) as (session, pilot):
        before = pointed(pilot)
        assert "Leave" not in before
        session.close({}, "lost")
        await settle(pilot)
        assert "Q Leave" in pointed(pilot)
        session.resume()
        await settle(pilot)
        assert pointed(pilot) == before


def pointed(pilot: Pilot[None]) -> str:
    """Return the line under the cursor."""
    (line,) = (line for line in shown(pilot.app) if "►" in line)
    return line


async def test_lost_connection_is_not_shown_as_closed_and_leaving_is_confirmed() -> None:
    async with at_table(Closing()) as (session, pilot):
        await pilot.press("slash", *"hello")
        session.close({}, "lost")
        await settle(pilot)
        assert "NOT CONNECTED" in shown(pilot.app)[0]
        assert "CHOOSE" not in text(pilot)
        assert "Connection to the host lost. Reconnecting…" in shown(pilot.app)[1]
        assert "closed" not in text(pilot)
        line = pilot.app.screen.query_one(BottomLine)
        assert (line.display, line.value) == (True, "hello"), "chat can be sent once the host is back"
        await pilot.press("escape", "Q")
        assert isinstance(pilot.app.screen, LeaveScreen)


@one_case("seat", [-1, 4, 10**30, "1", "x" * 10_000, "\x1b[2J\n"])
def test_close_message_with_an_invalid_seat_names_no_player(seat: str | int) -> None:
    game = Game(Closing(), EN)
    game.take(Disconnected("closing", {"seat": seat}))
    assert game.status().startswith("The host closed the game. It is saved")


@pytest.mark.parametrize("name", ["Ada", "Massimiliano d'Aragona e W"])
def test_shortest_closing_sentence_fits_80_columns_in_every_language(name: str) -> None:
    for language in ("en", "it"):
        game = Game(Closing(names=(name,) * 4), load(language))
        game.take(Disconnected("closing", {"seat": 1}))
        assert len(game.statuses({"leave": "Q"})[-1]) <= 78


# Line mode


class Typing:
    """A player at a table in line mode who types lines, or with `piped`, a script that writes them to a
    pipe."""

    def __init__(self, session: FakeSession, *, piped: bool) -> None:
        source, self._writer = pipe()
        self.out = io.StringIO()
        lines = InputLines(source)
        lines.piped = piped
        playing = play_plain(Place(session), EN, lines=lines, out=self.out)
        self.playing = asyncio.get_running_loop().create_task(playing)  # kept: awaited by the test

    def type(self, *lines: str) -> None:
        print(*lines, sep="\n", file=self._writer, flush=True)

    async def sees(self, said: str, times: int = 1) -> None:
        await until(lambda: self.out.getvalue().count(said) >= times)

    async def end(self) -> int:
        async with asyncio.timeout(60):
            code = await self.playing
        self._writer.close()
        return code


async def test_line_mode_says_that_the_host_closed_and_asks_nothing_until_it_resumes() -> None:
    session = Closing()
    person = Typing(session, piped=False)
    await person.sees("? Choose your character.")
    asked = person.out.getvalue().count("? ")
    session.close()
    await person.sees(
        f"!! {CLOSED} It is saved. When the host resumes it, you continue here. Type “quit” to leave."
    )
    person.type("1", "", "keep king")
    await person.sees(CLOSED, 4)
    assert session.acted == []
    assert person.out.getvalue().count("? ") == asked
    session.resume()
    await person.sees("Connected again.")
    await person.sees("? Choose your character.", 2)
    person.type("1")
    await until(lambda: len(session.acted) == 1)
    session.close()
    await person.sees(CLOSED, 5)
    person.type("quit")
    assert await person.end() == 0
    assert "Type quit again" not in person.out.getvalue()
    assert (len(session.acted), session.left) == (1, 1)


async def test_piped_answers_are_kept_until_the_host_resumes() -> None:
    session = Closing()
    session.close()
    script = Typing(session, piped=True)
    await script.sees(CLOSED)
    script.type("1", "1")
    await asyncio.sleep(0.05)
    assert session.acted == []
    session.resume()
    await until(lambda: len(session.acted) == 2)
    session.close()
    await script.sees(CLOSED, 2)
    script.type("1", "quit")
    assert await script.end() == 0
    assert len(session.acted) == 2


async def test_closed_table_is_announced_over_an_open_page() -> None:
    async with at_table(Closing()) as (session, pilot):
        await pilot.press("f1")
        assert isinstance(pilot.app.screen, PageScreen)
        await close(pilot, session)
        assert [note.message.startswith(CLOSED) for note in pilot.app._notifications] == [True]


# The line that names who acts

EN, IT = load("en"), load("it")


class SlowSession(FakeSession):
    """A table whose other seats do not choose their characters."""

    def held_up(self) -> bool:
        return self.full_state.phase == "draft" and acting(self.full_state) != (0,)


def picking() -> FakeSession:
    """A table that waits for another player to choose."""
    session = SlowSession(config=first_game(4), seed=2)
    if session.waiting == (0,):
        session._move(0, session.sampled())
        session._run()
    return session


def gone(session: FakeSession) -> str:
    """Disconnect the player who must choose a character. Return the name."""
    session.away = session.waiting
    session.queue.put_nowait(Away(session.away[0], True))
    return session.names[session.away[0]]


@pytest.mark.parametrize(
    ("language", "offer"),
    [
        ("en", "Offline: {name}. B: a bot plays for them; S: skip them; or wait."),
        ("it", "Non in linea: {name}. B: gioca un bot; S: si salta; oppure aspetta."),
    ],
)
async def test_host_at_80_columns_sees_the_options_for_an_absent_player(language: str, offer: str) -> None:
    session = picking()
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        name = gone(session)
        await settle(pilot)
        if language == "it":
            await pilot.press("L")
        assert shown(pilot.app)[1].strip() == offer.format(name=name)
        await pilot.press("B")
        assert session.asked == [("", session.away[0])]


@pytest.mark.parametrize("halted", ["", "resumed"])
def test_piped_input_is_read_only_if_the_host_can_replace_an_absent_player(halted: str) -> None:
    session = picking()
    session.halted = halted
    gone(session)
    assert asked(Game(session, EN, INVITATION), started=True)
    assert not asked(Game(session, EN), started=True)
    session.away = ()
    assert not asked(Game(session, EN, INVITATION), started=True)


async def test_small_terminal_names_choosing_and_absent_players() -> None:
    session = picking()
    async with make(Place(session)).run_test(size=(60, 15)) as pilot:
        name = session.names[session.waiting[0]]
        assert f"{name} is choosing a character." in shown(pilot.app)[0]
        gone(session)
        await settle(pilot)
        assert f"Offline, according to the host: {name}." in " ".join(" ".join(shown(pilot.app)[:2]).split())
        assert "80×20" in shown(pilot.app)[2]


async def test_status_line_begins_with_the_pause_and_the_key_that_ends_it() -> None:
    session = picking()
    assert "pause" not in Game(session, EN).status()
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        session.paused = True
        session.queue.put_nowait(PauseChanged(True, 1))
        await settle(pilot)
        assert shown(pilot.app)[1].strip().startswith("The game is paused. Z resumes it.")
        assert shown(pilot.app)[-1].strip().startswith("Z continue")
        await pilot.press("Z")
        assert session.asked == [("pause", False)]
    assert Game(session, EN).status().startswith("The game is paused. “continue” resumes it.")


def test_status_names_the_player_who_passes_the_face_down_character() -> None:
    session = SealedSession(first_game(4), seed=2)
    while session.waiting != (0,) or session.full_state.phase != "draft":
        session.move()
    session.handing = (1,)
    game = Game(session, EN)
    assert game.status() == "Massimiliano passes on the face-down character."
    assert (game.mine, game.mood()) == (False, "waiting")
