"""The screens after a game: scores and cities, the proof, reviews; and a record that is not closed yet."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from citadels_lan.bots.search.searching import Effort
from citadels_lan.engine import parse
from citadels_lan.engine.score import Score
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.net.client.updates import Connected, Disconnected, Update
from citadels_lan.platform.logs import bare
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place, TableOptions
from citadels_lan.presenter.proof import Proof, check
from citadels_lan.presenter.recording import load_recording, points_of_game
from citadels_lan.presenter.review import decided
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.record import CLOSING, UNREACHABLE
from citadels_lan.ui.screens.analysis import MistakesScreen, narrowed
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.replay_screen import ReplayScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.widgets.program import PageScreen
from tests.bots.here_and_now import HereAndNow
from tests.crypto.table import begin
from tests.crypto.tables import leaving
from tests.effort import quick
from tests.line_mode.test_page_table import page
from tests.net.playing import until
from tests.past.files import broken_off, finished

from .fake import FakeLauncher, FakeSession
from .pictures import ending_lines, notified, text, the
from .test_closed_game import Typing
from .test_pictures import make, played
from .test_replay import pressed, replaying
from .waiting import settle


@pytest.fixture
async def session() -> FakeSession:
    """Return a game that is over."""
    return await played(6, 400)


def told(session: FakeSession) -> list[Update]:
    """Return all updates of the session and remove them from its queue."""
    return [session.queue.get_nowait() for _ in range(session.queue.qsize())]


def lines_of(session: FakeSession, width: int, height: int = 0, *, language: str = "en") -> list[str]:
    game = Game(session, load(language))
    return ending_lines(game, width, height)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize(("width", "height"), [(80, 20), (120, 36), (160, 46), (30, 5)])
async def test_no_line_of_the_end_screen_is_too_wide(
    session: FakeSession, width: int, height: int, language: str
) -> None:
    session.names = ["\u5927" * 30, *session.names[1:]]
    assert all(cell_len(line) <= max(width, 79) for line in lines_of(session, width, height, language=language))


async def test_mistakes_page_opens_from_the_end_screen(
    session: FakeSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MistakesScreen, "_review", lambda _: None)
    session.transcript = broken_off(tmp_path)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        assert "M Learn from mistakes" in text(pilot)
        await pilot.press("m")
        await until(lambda: isinstance(pilot.app.screen, MistakesScreen))
        await pilot.press("Q")
        assert isinstance(pilot.app.screen, EndScreen)


async def test_turning_point_is_when_the_winner_took_the_lead_for_good(session: FakeSession) -> None:
    game = Game(session, load("en"))
    winner = game.winners[0]
    lead = [9 * (seat == winner) for seat in range(6)]
    behind = [9 * (seat != winner) for seat in range(6)]
    for course, line in (([lead, behind, lead, lead], "Turning point: round 3, "), ([lead, behind], "Turning")):
        game.course = course
        assert any(text.startswith(line) for text in ending_lines(game, 120)) == (course[-1] == lead)


class Again(FakeLauncher):
    """A launcher that can open the table again for a rematch."""

    def __init__(self) -> None:
        super().__init__()
        self.may_again, self._last = True, TableOptions(FakeSession(3).settings)


async def test_letters_choose_commands_of_the_end_screen(session: FakeSession) -> None:
    launcher = Again()
    async with make(Place(session), launcher).run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        assert isinstance(pilot.app.screen, TableScreen)
        await pilot.press("T")
        assert isinstance(pilot.app.screen, EndScreen)
        for key in ("w", "c"):
            await pilot.press(key)
            assert isinstance(pilot.app.screen, PageScreen)
            await pilot.press("escape")
        assert "►R Rematch" in text(pilot)
        assert "new seats" not in text(pilot), "only who opened the table draws"
        await pilot.press("d", "enter")
        assert len(launcher.opened) == 1
        assert isinstance(pilot.app.screen, TableScreen)


class Slow(Again):
    """A launcher that opens a table only when `opened_now` is set. Like a real launcher, it cannot open
    another table at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []
        self.opened_now = asyncio.Event()

    async def again(self, *, drawn: bool = False) -> Place:
        self.events.append("rematch")
        await self.opened_now.wait()
        self.events.append("open")
        return await super().again(drawn=drawn)

    async def close(self, *, failed: bool = False) -> None:
        self.events.append("close")


async def test_further_keys_are_ignored_while_a_rematch_opens(session: FakeSession) -> None:
    launcher = Slow()
    app = make(Place(session), launcher)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r", "r", "q", "q", "r")
        assert launcher.events == ["rematch"]
        launcher.opened_now.set()
        await settle(pilot)
        assert launcher.events[:3] == ["rematch", "open", "close"]
        assert launcher.events.count("rematch") == 1
        assert app.at_table is None


async def test_error_in_a_rematch_is_raised_with_its_traceback(session: FakeSession) -> None:
    launcher = Again()
    launcher._last = None
    app = make(Place(session), launcher)
    with pytest.raises(WorkerFailed):
        async with app.run_test() as pilot:
            await pilot.press("r")
    with pytest.raises(AssertionError) as raised:
        app.raise_fault()
    assert "in again" in bare(raised.value)


def test_end_screen_reads_the_points_of_each_round_from_the_transcript(tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(leaving({}, players=3).transcript(0))
    rounds = points_of_game(path)
    assert len(rounds) > 1
    assert all(len(round_) == 3 for round_ in rounds)
    assert sum(rounds[-1]) > sum(rounds[0])
    assert list(points_of_game(tmp_path / "none.ctr")) == list(points_of_game(None)) == []
    path.write_bytes(b"damaged")
    assert list(points_of_game(path)) == []


def proof_of(path: Path, away: Mapping[int, int] | None = None) -> Proof:
    path.write_bytes(leaving(away or {}, players=3).transcript(0))
    return the(Proof, check(path))


@pytest.fixture
async def ended() -> FakeSession:
    """Return a game that is over."""
    return await played(3, 400)


def drawn(ended: FakeSession, proof: Proof, language: str) -> list[str]:
    """Return the lines of the end screen at 80 columns."""
    game = Game(ended, load(language))
    game.proof, game.checked = proof, True
    return ending_lines(game, 80)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_end_screen_shows_check_words_and_signatures(
    ended: FakeSession, tmp_path: Path, language: str
) -> None:
    proof = proof_of(tmp_path / "a.ctr")
    assert proof.sound
    lines = drawn(ended, proof, language)
    words = " ".join(proof.report.games[0].best.audit.cosigned[-1].words)
    assert any(words in line for line in lines)
    said = {"en": "All players signed every round.", "it": "Firmato da tutti, in ogni round."}
    assert any(said[language] in line for line in lines)
    assert all(len(line) <= 80 for line in lines)


async def test_end_screen_shows_the_tie_break_of_equal_points(ended: FakeSession, tmp_path: Path) -> None:
    proof, state = proof_of(tmp_path / "a.ctr"), ended.state
    assert state is not None
    ended.state = replace(state, winners=(1,), scores=tuple(Score((("districts", n),)) for n in (9, 20, 20)))
    game = Game(ended, load("en"))
    names = game.names
    level = f"Tie: {names[2]}."
    assert level in " ".join(drawn(ended, proof, "en"))
    told = list(plain_lines.ending(game))
    points = [f"b: {names[1]}, 20 points", f"c: {names[2]}, 20 points", f"a: {names[0]}, 9 points"]
    assert [line.partition(" (")[0] for line in told[:3]] == points
    assert told[3].startswith(level)
    ended.state = replace(ended.state, winners=(1, 2))
    assert game.level() == "", "who shares the victory has no need of it"


async def test_end_screen_lists_missing_signatures(ended: FakeSession, tmp_path: Path) -> None:
    proof = proof_of(tmp_path / "a.ctr", {2: 1, 0: 2})
    assert proof.sound
    text = " ".join(" ".join(drawn(ended, proof, "en")).split())
    assert "except: Player 1 (round 2) and Player 2 (the end)." in text


def test_unfinished_game_has_no_final_check_words(tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(begin(2).play(until=lambda game: game.state.round > 2).transcript(0, finish=False))
    proof = the(Proof, check(path))
    assert (proof.sound, proof.gaps, proof.history(load("en"))) == (False, True, [])
    assert proof.verdict(load("en")) == "INCOMPLETE:"
    path.write_bytes(b"")
    proof = the(Proof, check(path))
    assert (proof.gaps, proof.history(load("en"))) == (False, [])


def test_narrow_report_is_wrapped_below_its_labels() -> None:
    lines = ["  Signed      the whole history, before every round", "", "  Host's key  " + "e4f1" * 16]
    assert list(narrowed(lines, 80)) == lines
    assert list(narrowed(lines, 40)) == [
        "  Signed      the whole history, before", "              every round",
        "", "  Host's key", "    " + "e4f1" * 16,
    ]  # fmt: skip


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use reviews with a small search, so that they are fast."""
    for look in ("FIRST_LOOK", "SECOND_LOOK"):
        monkeypatch.setattr(f"citadels_lan.bots.search.reviews.{look}", Effort(trials=8, seconds=60.0))
    monkeypatch.setattr("citadels_lan.bots.search.searching.MOST", 3)


async def thought(pilot: Pilot[None]) -> None:
    """Wait until the page of a computation shows its result."""
    for worker in list(pilot.app.workers):
        if worker.node is pilot.app.screen:
            await worker.wait()
    await settle(pilot)


@pytest.mark.slow
@pytest.mark.usefixtures("shallow")
async def test_review_shows_a_better_choice_for_a_mistake(tmp_path: Path) -> None:
    async with replaying(load_recording(broken_off(tmp_path)), (80, 24)) as (pilot, screen):
        pilot.app._thinking = HereAndNow()  # type: ignore[attr-defined]
        await pilot.press("c")
        page = the(MistakesScreen, pilot.app.screen)
        await thought(pilot)
        exercise = page.exercise
        assert exercise is not None, text(pilot)
        assert "Find a better choice." in text(pilot)
        for line, sign in ((exercise.mistake.made.line, "✗"), (exercise.mistake.better.line, "✓")):
            page.post_message(QuestionPanel.Chosen(parse(line, exercise.mistake.decision.seat)))
            await settle(pilot)
            await thought(pilot)
            assert f"{sign} " in text(pilot)
        await pressed(pilot, "S")
        assert "Better: " in text(pilot)
        for _ in range(exercise.count):
            assert pilot.app.screen is page
            await pressed(pilot, "N")
        assert pilot.app.screen is screen


async def test_replay_explains_a_decision(tmp_path: Path) -> None:
    recording = load_recording(finished(tmp_path))
    decision = next(decided(recording, 2))
    async with replaying(recording, (80, 24)) as (pilot, screen):
        pilot.app._thinking = HereAndNow()  # type: ignore[attr-defined]
        screen.show(decision.step)
        await pilot.press("w")
        await thought(pilot)
        assert "Player 2: " in text(pilot)
        assert "±" in text(pilot)
        await pressed(pilot, "escape")
        await pilot.press("home", "w")
        await thought(pilot)
        assert "This move was not a decision" in text(pilot)


@pytest.mark.slow
async def test_review_of_a_spectators_transcript_asks_for_a_player(tmp_path: Path) -> None:
    async with replaying(load_recording(finished(tmp_path, None)), (80, 24)) as (pilot, screen):
        await pressed(pilot, "c")
        assert "Whose moves?" in notified(pilot.app)
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert screen.hand is None


EN = load("en")
WON = ("won", "wins", "victory", "vinto", "vince", "vittoria")


async def last_move_made() -> FakeSession:
    """Return a game after its last move, with a record that is not closed."""
    session = FakeSession(4, seed=1)
    session.closes = False
    while session.choices():
        await session.act(session.sampled())
    assert session.seen.winners
    return session


@asynccontextmanager
async def ending(session: FakeSession, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """Yield the screens after the last move is shown."""
    async with make(Place(session)).run_test(size=size) as pilot:
        await until(lambda: isinstance(pilot.app.screen, EndScreen))
        await settle(pilot)
        yield pilot


def names_a_winner(page: str) -> bool:
    return any(word in page for word in WON) or "♛" in page.split("\n", 2)[2]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_end_screen_shows_scores_without_a_winner_until_the_record_is_closed(size: tuple[int, int]) -> None:
    session = await last_move_made()
    async with ending(session, size) as pilot:
        page = text(pilot)
        assert EN.say(CLOSING) in page
        assert all(str(score.total) in page for score in session.full_state.scores)
        assert not names_a_winner(page)
        assert "Rematch" not in page
        assert isinstance(pilot.app.screen, EndScreen)
        assert not pilot.app.screen.game.checked, "people are not remembered, and nothing is verified yet"
        await pilot.press("t")
        assert isinstance(pilot.app.screen, TableScreen)
        assert EN.say(CLOSING) in text(pilot)
        assert not any(word in text(pilot) for word in WON)
        session.close_record()
        await until(lambda: isinstance(pilot.app.screen, EndScreen) and EN.say(CLOSING) not in text(pilot))
        assert sum(isinstance(screen, EndScreen) for screen in pilot.app.screen_stack) == 1


async def test_end_screen_explains_what_to_do_if_the_host_leaves_before_the_close() -> None:
    session = await last_move_made()
    async with ending(session) as pilot:
        session.queue.put_nowait(Disconnected("lost", {}))
        await until(lambda: "has no winner" in " ".join(text(pilot).split()))
        page = " ".join(text(pilot).split())
        assert "citadels-lan host --resume" in page
        assert EN.say(CLOSING) not in page
        session.queue.put_nowait(Connected())
        session.close_record()
        await until(lambda: "won" in text(pilot))
        assert "no winner" not in text(pilot)


@pytest.mark.parametrize("leaves", [False, True])
async def test_line_mode_shows_scores_without_a_winner_until_the_record_is_closed(leaves: bool) -> None:
    session = await last_move_made()
    person = Typing(session, piped=False)
    await person.sees(EN.say(CLOSING))
    for score, name in zip(session.full_state.scores, session.names, strict=True):
        assert f": {name}, {score.total} point" in person.out.getvalue()
    if leaves:
        session.queue.put_nowait(Disconnected("lost", {}))
        await person.sees("citadels-lan host --resume")
        assert EN.say(UNREACHABLE) in person.out.getvalue()
        person.type("quit", "quit")
    assert not any(word in person.out.getvalue() for word in WON)
    if not leaves:
        session.close_record()
    assert await person.end() == 0
    assert any(word in person.out.getvalue() for word in WON) is not leaves


async def test_browser_guest_sees_the_end_only_when_the_record_is_closed() -> None:
    session = await last_move_made()
    async with page(session) as guest:
        await guest.until(lambda: any(EN.say(CLOSING) in one["text"] for one in guest.got("text")))
        assert "over" not in [one["stage"] for one in guest.got("stage")]
        assert not any(word in one["text"] for one in guest.got("text") for word in WON)
        session.close_record()
        await guest.until(lambda: any(one["stage"] == "over" for one in guest.got("stage")))
        await guest.until(lambda: any(word in one["text"] for one in guest.got("text") for word in WON))
