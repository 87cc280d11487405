"""The end of a game: scores and cities, the proof, reviews, and a record that is not closed yet."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.bots.search.searching import Effort
from citadels_lan.engine import parse
from citadels_lan.engine.score import Score
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.net.client.updates import Connected, Disconnected, Update
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.presenter.archive import PastGame, transcripts
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place, TableOptions
from citadels_lan.presenter.proof import Proof, check
from citadels_lan.presenter.recording import load_recording, points_of_game
from citadels_lan.presenter.review import decided
from citadels_lan.presenter.symbols import ASCII, UNICODE
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.texts.record import CLOSING, NO_WINNER, UNREACHABLE
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.mistakes import MistakesScreen
from citadels_lan.ui.screens.replay import ReplayScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.screens.thought import narrowed
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.widgets.page import PageScreen
from tests.bots.here_and_now import HereAndNow
from tests.crypto.table import begin
from tests.crypto.tables import leaving
from tests.effort import quick
from tests.line_mode.test_page import page
from tests.net.playing import until
from tests.past.files import broken_off, finished, unclosed

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import ending_lines, notified, shown, text
from .test_closed_game import Typing
from .test_pictures import make, played
from .test_replay import pressed, replaying


@pytest.fixture
async def session() -> FakeSession:
    """A game that is over."""
    return await played(6, 400)


def told(session: FakeSession) -> list[Update]:
    """All updates of the session; they are removed from its queue."""
    return [session.queue.get_nowait() for _ in range(session.queue.qsize())]


def lines_of(session: FakeSession, width: int, height: int = 0, *, language: str = "en") -> list[str]:
    game = Game(session, load(language))
    return ending_lines(game, width, height)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize(("width", "height"), [(80, 20), (120, 36), (160, 46), (30, 5)])
async def test_no_line_is_wider_than_the_screen(
    session: FakeSession, width: int, height: int, language: str
) -> None:
    session.names = ["\u5927" * 30, *session.names[1:]]
    assert all(cell_len(line) <= max(width, 79) for line in lines_of(session, width, height, language=language))


async def test_cities_use_the_free_lines(session: FakeSession) -> None:
    assert len(lines_of(session, 160, 46)) > len(lines_of(session, 160, 0))
    cities = lines_of(session, 80)
    assert sum(line.startswith(f"{name} ") for name in session.names for line in cities) == 2 * len(session.names)


async def test_turning_point_is_when_the_winner_took_the_lead_for_good(session: FakeSession) -> None:
    game = Game(session, load("en"))
    winner = game.winners[0]
    lead = [9 * (seat == winner) for seat in range(6)]
    behind = [9 * (seat != winner) for seat in range(6)]
    for course, line in (([lead, behind, lead, lead], "Turning point: round 3, "), ([lead, behind], "Turning")):
        game.course = course
        assert any(text.startswith(line) for text in ending_lines(game, 120)) == (course[-1] == lead)


async def test_wide_screen_shows_names_of_characters_and_narrow_screen_ranks(session: FakeSession) -> None:
    game = Game(session, load("en"))
    for update in told(session):
        game.take(update)
    wide, narrow = (ending_lines(game, room) for room in (160, 80))
    assert any("Warlord" in line and "Assassin" in line for line in wide)
    assert any(line.startswith("Ada ") and "7  4  3" in line for line in narrow)


async def test_points_of_each_round_are_drawn_as_heights(session: FakeSession) -> None:
    game = Game(session, load("en"))
    game.course = [[0] * 6, [1, 2, 3, 4, 5, 8]]
    for glyphs in (UNICODE, ASCII):
        lines = ending_lines(game, 120, glyphs=glyphs)
        assert any(f" {glyphs.heights[0]}{glyphs.heights[-1]}" in line for line in lines)


class Again(FakeLauncher):
    """The table can be played again."""

    def __init__(self) -> None:
        super().__init__()
        self.may_again, self._last = True, TableOptions(FakeSession(3).settings)


async def test_letters_open_the_table_and_start_a_rematch(session: FakeSession) -> None:
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


@pytest.mark.slow
async def test_click_opens_the_table_and_page_down_scrolls(session: FakeSession) -> None:
    async with make(Place(session)).run_test(size=(80, 14)) as pilot:
        result = pilot.app.screen.query_one("#result")
        assert result.max_scroll_y > 0
        await pilot.press("pagedown", "pagedown", "pagedown")
        assert result.scroll_y == result.max_scroll_y
        row = next(y for y, line in enumerate(shown(pilot.app)) if "T Table" in line)
        await pilot.click(offset=(10, row))
        assert isinstance(pilot.app.screen, TableScreen)


def test_points_of_each_round_are_read_from_the_transcript(tmp_path: Path) -> None:
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
    proof = check(path)
    assert proof is not None
    return proof


@pytest.fixture
async def ended() -> FakeSession:
    """A game that is over."""
    return await played(3, 400)


def drawn(ended: FakeSession, proof: Proof, language: str) -> list[str]:
    """The end as it is drawn on 80 columns."""
    game = Game(ended, load(language))
    game.proof, game.checked = proof, True
    return ending_lines(game, 80)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_end_shows_check_words_and_signatures(ended: FakeSession, tmp_path: Path, language: str) -> None:
    proof = proof_of(tmp_path / "a.ctr")
    assert proof.sound
    lines = drawn(ended, proof, language)
    words = " ".join(proof.report.games[0].best.tally.cosigned[-1].words)
    assert any(words in line for line in lines)
    said = {"en": "All players signed every round.", "it": "Firmato da tutti, in ogni round."}
    assert any(said[language] in line for line in lines)
    assert all(len(line) <= 80 for line in lines)


async def test_end_names_players_with_equal_points(ended: FakeSession, tmp_path: Path) -> None:
    proof, state = proof_of(tmp_path / "a.ctr"), ended.state
    assert state is not None
    ended.state = replace(state, winners=(1,), scores=tuple(Score((("districts", n),)) for n in (9, 20, 20)))
    game = Game(ended, load("en"))
    names = game.names
    level = f"Equal points: {names[2]}."
    assert level in " ".join(drawn(ended, proof, "en"))
    told = list(plain_lines.ending(game))
    assert [line.split(":")[0] for line in told[:3]] == [f" 20 {names[1]}", f" 20 {names[2]}", f"  9 {names[0]}"]
    assert told[3].startswith(level)
    ended.state = replace(ended.state, winners=(1, 2))
    assert game.level() == "", "who shares the victory has no need of it"


async def test_end_names_missing_signatures(ended: FakeSession, tmp_path: Path) -> None:
    proof = proof_of(tmp_path / "a.ctr", {2: 1, 0: 2})
    assert proof.sound
    text = " ".join(" ".join(drawn(ended, proof, "en")).split())
    assert "except: Player 1 (round 2) and Player 2 (the end)." in text


def test_unfinished_game_has_no_final_check_words(tmp_path: Path) -> None:
    path = tmp_path / "a.ctr"
    path.write_bytes(begin(2).play(until=lambda game: game.state.round > 2).transcript(0, finish=False))
    proof = check(path)
    assert proof is not None
    assert (proof.sound, proof.gaps, proof.history(load("en"))) == (False, True, [])
    assert proof.verdict(load("en")) == "INCOMPLETE:"
    path.write_bytes(b"")
    proof = check(path)
    assert proof is not None
    assert (proof.gaps, proof.history(load("en"))) == (False, [])


REPORT = """INCOMPLETE: what is there fits.

  Signed      the whole history, before every round and at the end, but not by
              Xeno (11 rounds, from 2 on)
  Host's key  e4f155d3a48ad251ddc2302fc677990bdca973bcbb83f2975ac5aa2022d4c8bd
  Incomplete: the sealed picks of Xeno (seat c, key 2f351cf34063c037) are not"""
NARROW = """INCOMPLETE: what is there fits.

  Signed      the whole history, before every round and at the
              end, but not by
              Xeno (11 rounds, from 2 on)
  Host's key
    e4f155d3a48ad251ddc2302fc677990bdca973bcbb83f2975ac5aa2022d4c8bd
  Incomplete: the sealed picks of Xeno (seat c, key
  2f351cf34063c037) are not"""


def test_narrow_report_is_wrapped_below_its_labels() -> None:
    assert list(narrowed(REPORT.split("\n"), 66)) == NARROW.split("\n")
    assert list(narrowed(REPORT.split("\n"), 80)) == REPORT.split("\n")


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews with a small search."""
    for look in ("FIRST_LOOK", "SECOND_LOOK"):
        monkeypatch.setattr(f"citadels_lan.bots.search.reviews.{look}", Effort(trials=8, seconds=60.0))
    monkeypatch.setattr("citadels_lan.bots.search.searching.MOST", 3)


async def thought(pilot: Pilot[None]) -> None:
    """Wait until the page on the screen has its result."""
    for worker in list(pilot.app.workers):
        if worker.node is pilot.app.screen:
            await worker.wait()
    await settle(pilot)


@pytest.mark.slow
@pytest.mark.usefixtures("shallow")
async def test_end_opens_the_review(tmp_path: Path) -> None:
    session = await played(4, 400)
    session.transcript = broken_off(tmp_path)
    app = make(Place(session))
    async with app.run_test(size=(80, 24)) as pilot:
        app._thinking = HereAndNow()
        await settle(pilot)
        if not isinstance(app.screen, EndScreen):
            await pressed(pilot, "T")
        assert "M Learn from my mistakes" in text(pilot)
        await pilot.press("m")
        assert isinstance(app.screen, MistakesScreen)
        await thought(pilot)
        await pressed(pilot, "Q")
        assert isinstance(app.screen, EndScreen)


@pytest.mark.slow
@pytest.mark.usefixtures("shallow")
async def test_a_better_choice_is_found_at_the_position_of_a_mistake(tmp_path: Path) -> None:
    async with replaying(load_recording(broken_off(tmp_path)), (80, 24)) as (pilot, screen):
        pilot.app._thinking = HereAndNow()  # type: ignore[attr-defined]
        await pilot.press("c")
        page = pilot.app.screen
        assert isinstance(page, MistakesScreen)
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
        assert "There was no decision in this move" in text(pilot)


@pytest.mark.slow
async def test_review_of_a_spectators_file_asks_for_a_player(tmp_path: Path) -> None:
    async with replaying(load_recording(finished(tmp_path, None)), (80, 24)) as (pilot, screen):
        await pressed(pilot, "c")
        assert "Whose moves?" in notified(pilot.app)
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert screen.hand is None


EN = load("en")
WON = ("won", "wins", "victory", "vinto", "vince", "vittoria")


async def last_move_made() -> FakeSession:
    """A game after its last move. The host has not closed the record."""
    session = FakeSession(4, seed=1)
    session.closes = False
    while session.choices():
        await session.act(session.sampled())
    assert session.seen.winners
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


@pytest.mark.parametrize("leaves", [False, True])
async def test_lines_show_scores_without_a_winner_until_the_record_is_closed(leaves: bool) -> None:
    session = await last_move_made()
    person = Typing(session, piped=False)
    await person.sees(EN.say(CLOSING))
    for score, name in zip(session.full_state.scores, session.names, strict=True):
        assert f"{score.total:3} {name}: " in person.out.getvalue()
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
        assert isinstance(pilot.app.screen, GamesScreen)
        assert "not closed: no winner" in text(pilot)
        assert text(pilot).count("♛") == 1, "the title has one"
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, ReplayScreen))
        await pilot.press("end")
        assert "no winner" in " ".join(text(pilot).split())
        assert "wins" not in text(pilot)
