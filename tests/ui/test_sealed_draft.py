"""A table with a sealed draft on screens: what the table waits for, for which player it waits, and that no
secret is shown too early."""

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from citadels_lan.engine import TableConfig, acting
from citadels_lan.engine import events as ev
from citadels_lan.engine.actions import Confiscate
from citadels_lan.engine.state import Inquiry
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.line_mode.table import PlainTable
from citadels_lan.net.client.updates import Away, Ended, EndProposed, Halted
from citadels_lan.presenter.error_messages import because
from citadels_lan.presenter.facts import known_this_round, unseen
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.log import Call, Log
from citadels_lan.presenter.plan import Plan
from citadels_lan.presenter.proof import check
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import LANGUAGES, Texts, load
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.bars import headline
from citadels_lan.ui.table.board import board, character_state
from citadels_lan.ui.table.board import holder as state
from citadels_lan.ui.table.panels import draft
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.draft.lies import STEPS, at_step
from tests.crypto.sealed.test_games import lied
from tests.effort import one_case, quick
from tests.facts import first_game
from tests.line_mode.test_page_table import Typed
from tests.net.playing import until

from .keys import panel
from .pictures import compare, shown, text, the
from .sealed_draft import SealedSession, always
from .sealed_table import SealedTable, sealed_table
from .test_pictures import make
from .waiting import settle

EN, IT = load("en"), load("it")
LOOK = Look(DARK, UNICODE)


def theatre(players: int) -> TableConfig:
    """Return the config of a game with the Theater, with which players exchange characters."""
    config = first_game(players)
    return replace(config, districts=("theater", *config.districts[:-1]))


def play_until(session: SealedSession, what: str, character: str | None = None, seat: int | None = None) -> None:
    """Play until the table waits for an answer of the kind `what`; with `character`, about that character;
    with `seat`, by that seat."""
    while not session.play.over:
        inquiry = session.full_state.inquiry
        if inquiry is None:
            session.move()
            continue
        wanted = inquiry.what == what and character in (None, inquiry.character)
        if wanted and (seat is None or seat in inquiry.seats):
            return
        session.go_on()
    raise AssertionError("the table never waits for that")


def game_of(session: SealedSession, texts: Texts = EN) -> Game:
    game = Game(session, texts)
    while not session.queue.empty():
        game.take(session.queue.get_nowait())
    return game


@pytest.mark.parametrize(
    ("what", "character", "said"),
    [
        ("deal", None, "Massimiliano deals the characters."),
        ("call", "king", "Players with a hidden character say whether it is the King."),
    ],
)
def test_status_says_what_the_draft_waits_for(what: str, character: str | None, said: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    play_until(session, what, character, seat=1)
    assert not acting(session.full_state)
    game = game_of(session)
    assert (game.status(), game.mood(), game.mine) == (said, "waiting", False)


def test_exchange_and_round_end_are_shown_to_each_player() -> None:
    def said(inquiry: Inquiry, seat: int | None) -> str:
        session = SealedSession(first_game(4), stop=always)
        session.state.inquiry, session.seat = inquiry, seat  # type: ignore[union-attr]
        return Game(session, EN).status()

    swap = Inquiry("swap", (1,), by=2)
    assert said(swap, 1) == "Your program gives Bruno a character in return."
    assert said(swap, 2) == "Massimiliano gives you a character in return."
    assert said(swap, 0) == "Massimiliano gives Bruno a character in return."
    assert said(Inquiry("deal", (0,)), 0) == "Your program deals the characters."
    assert said(Inquiry("call", (3,), "thief"), 3) == "Your program says whether you have the Thief."
    assert said(Inquiry("call", (3,), "thief"), None) == "Chiara says whether they have the Thief."
    assert said(Inquiry("late", (1, 3), "king"), 0).startswith("The round ends. Players with a hidden")
    assert said(Inquiry("late", (3,), "king"), 0) == "The round ends. Chiara says whether they had the King."


@pytest.mark.parametrize("what", ["deal", "call"])
def test_game_waits_for_an_absent_player_and_names_the_player(what: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    play_until(session, what, "king" if what == "call" else None, seat=1)
    game = game_of(session)
    session.away = (1,)
    for _ in range(2):
        game.take(Away(1, True))
    assert game.status().startswith("Offline, according to the host: Massimiliano.")
    told = [line.text for line in game.story.lines(EN) if "The game waits" in line.text]
    assert told == [
        "Offline, according to the host: Massimiliano. The game waits. To end it without a result, type"
        " “:conclude”: the other players must agree."
    ]
    session.go_on()
    assert "Offline" not in game_of(session).status() or session.full_state.inquiry is not None


@one_case(
    ("seats", "said"),
    [
        ((1,), "Proposal to end the game without a result: Massimiliano. To agree, type “:conclude”."),
        ((0, 1), "You agree to end the game without a result."),
        ((), "No player wants to end the game any more."),
    ],
)
def test_proposal_to_end_the_game_is_shown(seats: tuple[int, ...], said: str) -> None:
    game = game_of(SealedSession(first_game(4), seed=2, stop=always))
    game.take(EndProposed(seats))
    assert any(said in line.text for line in game.story.lines(EN))


def test_end_without_a_result_is_shown_and_asks_no_move() -> None:
    session = SealedSession(first_game(4), seed=2)
    while session.waiting != (0,):
        session.move()
    game = game_of(session)
    assert game.mine
    with patch.object(SealedSession, "record_closed", True):
        game.take(Ended(Path("game.ctr")))
        assert game.status() == "The players have ended the game without a result. Type “quit” to leave."
        assert (game.mine, game.mood(), game.finished, list(game.winners)) == (False, "over", True, [])
    assert "The players have ended the game without a result." in [line.text for line in game.story.lines(EN)]


async def test_waiting_table_offers_an_end_without_a_result() -> None:
    """A hint, the command palette, and the question before leaving offer it."""
    session = SealedSession(first_game(4), seed=2, stop=always)
    play_until(session, "call", "king", seat=1)
    hint, row = "Y end without a result", "End without result"
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        assert hint not in shown(pilot.app)[-1]
        await pilot.press("Q")
        assert row not in text(pilot)
        await pilot.press("escape")
        session.away = (1,)
        session.queue.put_nowait(Away(1, True))
        await settle(pilot)
        for language in LANGUAGES:
            await compare(pilot.app, f"sealed-call-80x24-{language}")
            await pilot.press("L")
        assert hint in shown(pilot.app)[-1]
        await pilot.press("Y")
        assert "End the game without a result?" in text(pilot)
        assert not session.ending
        await pilot.press("Y")
        await until(lambda: list(session.ending) == [0])
        await pilot.press("Q")
        assert row in text(pilot)
        await pilot.press("x")
        assert session.ending == ()
        await pilot.press("ctrl+p", *"without a result")
        await until(lambda: any("Y     " in line for line in shown(pilot.app)))
        await pilot.press("enter")
        await until(lambda: "End the game without a result?" in text(pilot))
        await pilot.press("y")
        await until(lambda: list(session.ending) == [0])


def unanswered(log: Log) -> list[str]:
    """Return the characters of this round for which the log says that no player answered."""
    found: list[str] = []
    for one, then in zip(log.entries, [*log.entries[1:], None], strict=True):
        if isinstance(one, ev.RoundBegan):
            found = []
        elif isinstance(one, Call) and not isinstance(then, ev.Revealed):
            found.append(one.character)
    return found


def everything(game: Game, session: SealedSession) -> Iterator[str]:
    """Yield all texts that a player can see at this moment."""
    view = session.state
    assert view is not None
    scene = Scene(view, 0, game.names, game.texts, LOOK)
    yield game.status()
    yield game.outlook()
    yield from plain_lines.table(game)
    yield from plain_lines.hand(game)
    yield from plain_lines.who(game)
    yield from plain_lines.cards(game)
    yield headline(scene, game.mood())
    for key in view.cast:
        yield from known_this_round(game.texts, view, 0, game.names, key)
        yield state(scene, key)[0]
        yield character_state(scene, key)[0]
    for drawing in (draft(scene, 80, 2), board(scene, 80, 12)):
        yield from map(str, drawing.lines)


CASTS = {
    "first game": first_game(4),
    "two": first_game(2),
    "three": first_game(3),
    "seven": first_game(7),
    "the Theater": theatre(4),
    "the Theater, three": theatre(3),
    "classic": Plan.of(first_game(5)).in_edition("classic").config,
}


@pytest.mark.slow
@pytest.mark.parametrize("cast", CASTS)
def test_no_secret_of_a_whole_game_is_shown_too_early(cast: str) -> None:
    session = SealedSession(CASTS[cast], seed=5, stop=always)
    games = [Game(session, load(language)) for language in LANGUAGES]
    waits = moments = 0
    while not session.play.over:
        moments += 1
        while not session.queue.empty():
            update = session.queue.get_nowait()
            for game in games:
                game.take(update)
        inquiry, view = session.full_state.inquiry, session.state
        assert view is not None
        read = games[moments % len(games)]  # each moment in one language, the next one in another
        assert all(isinstance(said, str) for said in everything(read, session))
        for game in games:
            if inquiry is not None and inquiry.what == "call":
                assert inquiry.character not in unanswered(game.story)
        if inquiry is not None and inquiry.what == "call":
            waits += 1
            told = list(known_this_round(EN, view, None, games[0].names, str(inquiry.character)))
            assert "called, no answer" not in told
            held = any(inquiry.character in player.concealed for player in session.full_state.players[1:])
            assert not held or inquiry.character in unseen(view, 0)
        if inquiry is not None:
            session.go_on()
        else:
            session.move()
    assert waits
    story = games[0].story
    assert any(isinstance(one, Call) for one in story.entries), "calls stand in the log once they are answered"
    assert not any("a hidden character" in line.text for line in story.lines(EN))
    assert not any(isinstance(one, ev.Inquired | ev.InquiryAnswered) for one in story.entries)


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_game_stopped_by_a_proven_lie_shows_the_reason(language: str, size: tuple[int, int]) -> None:
    texts = load(language)
    session = SealedSession(first_game(4), seed=2, stop=always)
    session.halted = "draft_lie"
    async with make(Place(session)).run_test(size=size) as pilot:
        session.queue.put_nowait(Halted("draft_lie"))
        await settle(pilot)
        if language == "it":
            await pilot.press("L")
        await settle(pilot)
        seen = " ".join(" ".join(shown(pilot.app)).replace("│", " ").split())
        words = because(texts, "draft_lie", {}).split()
        assert " ".join(words[-4:]) in seen, "the end of it, which the line that says who acts has to cut off"


@pytest.mark.parametrize("texts", [EN, IT])
def test_line_mode_names_the_liar_at_the_end(texts: Texts, tmp_path: Path) -> None:
    lying, liar, _ = lied(at_step(STEPS["boxes_noise"]), 4, "pick")
    path = tmp_path / "lie.ctr"
    path.write_bytes(lying.transcript(0))
    session = SealedSession(first_game(4), seed=2, stop=always)
    session.halted, session.transcript = "draft_lie", path
    game = game_of(session, texts)
    game.proof = check(path)
    first, *rest = plain_lines.ending(game)
    assert first == because(texts, "draft_lie", {})
    assert any(f"Player {liar} (" in line for line in rest)
    assert str(path) in rest[-1]
    session.halted = ""
    assert not list(plain_lines.ending(game))


# Answers about sealed markers, at a real table over loopback


async def looks(pilot: Pilot[None], *parts: str) -> str:
    """Wait until the screen shows all of `parts`. Return the question, or the text of the last line."""
    async with asyncio.timeout(60):
        while True:
            text = " ".join(line.plain.strip() for line in panel(pilot).drawing.lines) + shown(pilot.app)[-1]
            if all(part in text for part in parts):
                return text
            await asyncio.sleep(0.02)


async def matched(screen: TableScreen, word: str) -> None:
    """Wait until a line of the log with this word has the mark for a matching opening. Other lines may have
    had the mark before, because every called character has it."""
    await until(lambda: any(word in line.text for line in screen.game.story.lines(load("en")) if line.matched))


def seen_by_others(table: SealedTable) -> str:
    """Return the status line that another player sees."""
    return Game(table.sessions[1], load("en")).status()


@pytest.mark.slow
async def test_choice_about_a_signed_warrant_can_change_until_it_is_sent(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "magistrate", counts=True) as table,
        make(Place(table.me)).run_test(size=(80, 24)) as pilot,
    ):
        await looks(pilot, "Unless you choose, this is sent in 6", "Let it be built", "■■■")
        before = table.me.table.head.n
        await pilot.press("s", "enter")
        await looks(pilot, "Chosen, and sent in", "✓ Confiscate")
        assert (table.held.chosen, str(table.held.action)) == (True, "confiscate yes")
        await pilot.press("n", "enter")
        await looks(pilot, "✓ Let it be built")
        assert str(table.held.action) == "confiscate no"
        await pilot.press("s", "enter")
        await looks(pilot, "✓ Confiscate")
        assert table.me.table.head.n == before, "nothing is sent before its time"
        await until(lambda: "holds a warrant" in seen_by_others(table))
        await table.send_now()
        screen = the(TableScreen, pilot.app.screen)
        await until(lambda: screen._ticks is None)
        assert "sent in" not in await looks(pilot, "")
        await matched(screen, "confiscate")


@pytest.mark.slow
async def test_unsigned_warrant_offers_no_choice(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "magistrate", counts=False) as table,
        make(Place(table.me)).run_test(size=(80, 24)) as pilot,
    ):
        text = await looks(pilot, "Your warrant is unsigned")
        assert "n Let it be built" not in text
        assert not table.held.chosen
        await until(lambda: "holds a warrant" in seen_by_others(table))
        await table.send_now()
        await until(lambda: table.me.table.answer is None)


async def test_answer_prepared_for_a_signed_threat_is_sent_and_shown(tmp_path: Path) -> None:
    async with (
        sealed_table(tmp_path, "blackmailer", counts=True) as table,
        make(Place(table.me)).run_test(size=(120, 40)) as pilot,
    ):
        await looks(pilot, "Unless you choose, this is sent in")
        await pilot.press("s", "enter")
        await looks(pilot, "Chosen, and sent in")
        assert str(table.held.action) == "reveal yes"
        await table.send_now()
        screen = the(TableScreen, pilot.app.screen)
        await matched(screen, "hreat")


@pytest.mark.slow
async def test_warrant_question_is_answered_in_line_mode(tmp_path: Path) -> None:
    out, typed = io.StringIO(), Typed()
    async with sealed_table(tmp_path, "magistrate", counts=True) as table:
        plain = PlainTable(Place(table.me), EN, typed, out)
        playing = asyncio.get_running_loop().create_task(plain.run())  # kept: awaited at the end
        await until(lambda: "Unless you choose, this is sent in 6" in out.getvalue())
        typed.type("1")
        await until(lambda: "Chosen, and sent in" in out.getvalue())
        typed.type("2")
        await until(lambda: not table.held.action.yes)  # type: ignore[attr-defined]
        typed.type("1")
        await until(lambda: table.held.action == Confiscate(True))
        await table.send_now()
        await until(lambda: "Sent: Confiscate" in out.getvalue())
        assert any("confiscate" in line and line.endswith(("✓", "ok")) for line in out.getvalue().splitlines())
        typed.type("quit")
        typed.type("quit")
        assert await playing == 0
