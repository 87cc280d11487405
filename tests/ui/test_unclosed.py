"""Between the last move and the close of the record: scores without a winner, on screens and in lines."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.front.archive import PastGame, transcripts
from citadels_lan.front.launcher import Place
from citadels_lan.net.client.updates import Connected, Disconnected
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.texts.record import CLOSING, NO_WINNER, UNREACHABLE
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.replay import ReplayScreen
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from tests.net.playing import until
from tests.past.files import unclosed

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import text
from .test_page import page
from .test_pictures import make
from .test_plain import pipe

EN = load("en")
WON = ("won", "wins", "victory", "vinto", "vince", "vittoria")


async def last_move_made() -> FakeSession:
    """A game whose last move is not told yet, and whose record the host does not close by itself."""
    session = FakeSession(4, seed=1)
    session.closes = False
    while session.choices():
        await session.act(session.sampled())
    assert session.state is not None
    assert session.state.winners
    return session


@asynccontextmanager
async def ending(session: FakeSession, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The screens, once the last move is shown."""
    async with make(Place(session)).run_test(size=size) as pilot:
        await until(lambda: isinstance(pilot.app.screen, EndScreen))
        await settle(pilot)
        yield pilot


def names_a_winner(page: str) -> bool:
    return any(word in page for word in WON) or "♛" in page.split("\n", 2)[2]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_end_screen_shows_scores_without_a_winner_until_the_record_is_closed(
    size: tuple[int, int],
) -> None:
    session = await last_move_made()
    async with ending(session, size) as pilot:
        page = text(pilot)
        assert EN.say(CLOSING) in page
        assert all(str(score.total) in page for score in session.full_state.scores)
        assert not names_a_winner(page)
        assert "Play again" not in page
        assert isinstance(pilot.app.screen, EndScreen)
        assert not pilot.app.screen.game.checked, "people are not remembered, and nothing is verified yet"
        session.close_record()
        await until(lambda: "has won" in text(pilot) or "have won" in text(pilot))
        assert EN.say(CLOSING) not in text(pilot)
        assert sum(isinstance(screen, EndScreen) for screen in pilot.app.screen_stack) == 1


async def test_table_screen_names_no_winner_until_the_record_is_closed() -> None:
    session = await last_move_made()
    async with ending(session, (120, 40)) as pilot:
        await pilot.press("t")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert EN.say(CLOSING) in text(pilot)
        assert not any(word in text(pilot) for word in WON)
        session.close_record()
        await until(lambda: isinstance(pilot.app.screen, EndScreen))


async def test_end_screen_says_what_to_do_if_the_host_leaves_before_the_close() -> None:
    session = await last_move_made()
    async with ending(session) as pilot:
        session.queue.put_nowait(Disconnected("lost", {}))
        await until(lambda: "no winner" in text(pilot))
        page = " ".join(text(pilot).split())
        assert "citadels-lan host --resume" in page
        assert EN.say(CLOSING) not in page
        session.queue.put_nowait(Connected())
        session.close_record()
        await until(lambda: "won" in text(pilot))
        assert "no winner" not in text(pilot)


async def test_screen_names_the_reason_and_no_winner_if_the_session_ends_before_the_close() -> None:
    session = await last_move_made()
    async with ending(session) as pilot:
        session.reason = Refusal("removed")
        session.queue.put_nowait(Disconnected("removed", {}))
        await until(lambda: "no winner" in text(pilot))
        page = " ".join(text(pilot).split())
        assert EN.say(NO_WINNER) in page
        assert "--resume" not in page


async def test_question_before_leaving_says_that_the_game_has_no_winner_yet() -> None:
    session = await last_move_made()
    async with ending(session) as pilot:
        await pilot.press("q")
        await until(lambda: isinstance(pilot.app.screen, LeaveScreen))
        await settle(pilot)
        assert "no winner" in text(pilot)


class Lines:
    """A game in lines."""

    def __init__(self, session: FakeSession, language: str = "en") -> None:
        self._reading, self.typing = pipe()
        self.out, self._told = io.StringIO(), 0
        self.playing = asyncio.get_running_loop().create_task(  # kept: tests await it
            play_plain(Place(session), load(language), lines=InputLines(self._reading), out=self.out)
        )

    async def new(self, *parts: str) -> str:
        """What was printed since the last call, once it has all of these parts."""
        await until(lambda: all(part in self.out.getvalue()[self._told :] for part in parts))
        found = self.out.getvalue()[self._told :]
        self._told += len(found)
        return found


@pytest.mark.parametrize("language", ["en", "it"])
async def test_lines_show_scores_without_a_winner_until_the_record_is_closed(language: str) -> None:
    session = await last_move_made()
    lines, texts = Lines(session, language), load(language)
    before = await lines.new(texts.say(CLOSING))
    assert not any(word in before for word in WON)
    assert all(f"{score.total:3} {name}: " in before
               for score, name in zip(session.full_state.scores, session.names, strict=True))  # fmt: skip
    session.close_record()
    assert await lines.playing == 0
    after = await lines.new("verify")
    assert any(word in after for word in WON)


async def test_lines_say_what_to_do_if_the_host_leaves_before_the_close() -> None:
    session = await last_move_made()
    lines = Lines(session)
    await lines.new(EN.say(CLOSING))
    session.queue.put_nowait(Disconnected("lost", {}))
    told = await lines.new("citadels-lan host --resume")
    assert EN.say(UNREACHABLE) in told
    print("quit", file=lines.typing, flush=True)
    print("quit", file=lines.typing, flush=True)
    assert await lines.playing == 0
    assert not any(word in lines.out.getvalue() for word in WON)


async def test_page_of_a_web_guest_is_over_only_when_the_record_is_closed() -> None:
    session = await last_move_made()
    async with page(session) as guest:
        await guest.until(lambda: any(EN.say(CLOSING) in one["text"] for one in guest.got("text")))
        assert "over" not in [one["stage"] for one in guest.got("stage")]
        assert not any(word in one["text"] for one in guest.got("text") for word in WON)
        session.close_record()
        await guest.until(lambda: any(one["stage"] == "over" for one in guest.got("stage")))
        await guest.until(lambda: any(word in one["text"] for one in guest.got("text") for word in WON))


# Screens about past games, with a real file


class Played(FakeLauncher):
    """Has the games of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def finished(self) -> Sequence[PastGame]:
        return transcripts(self._folder)


async def test_screens_about_past_games_show_no_winner_of_an_unclosed_game(tmp_path: Path) -> None:
    unclosed(tmp_path)
    async with make(launcher=Played(tmp_path)).run_test(size=(120, 40)) as pilot:
        await until(lambda: "0 played, 0 won" in text(pilot))
        await pilot.press("g")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GamesScreen)
        assert "not closed: no winner" in text(pilot)
        assert text(pilot).count("♛") == 1, "the title has one"
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, ReplayScreen))
        await pilot.press("end")
        await settle(pilot)
        assert "no winner" in " ".join(text(pilot).split())
        assert "wins" not in text(pilot)
