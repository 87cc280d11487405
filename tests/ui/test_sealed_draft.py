"""A table with a sealed draft as people see it: what is waited for, who is, and nothing before its time."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from citadels_lan.engine import TableConfig, acting
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Inquiry
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.net.client.updates import Away, Ended, EndProposed, Halted
from citadels_lan.presenter.error_messages import because
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.identities import known_this_round, unseen
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.log import Call, Log
from citadels_lan.presenter.plan import Plan
from citadels_lan.presenter.proof import check
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import LANGUAGES, Texts, load
from citadels_lan.ui.table.bars import headline
from citadels_lan.ui.table.board import board, character_state
from citadels_lan.ui.table.board import holder as state
from citadels_lan.ui.table.draft import draft
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.draft.lies import STEPS, at_step
from tests.crypto.sealed.test_lies import lied
from tests.effort import one_case, quick
from tests.facts import first_game
from tests.net.playing import until as wait_until

from .keys import settle
from .pictures import compare, shown, text
from .sealed_draft import SealedSession, always
from .test_pictures import make

EN, IT = load("en"), load("it")
LOOK = Look(DARK, UNICODE)


def theatre(players: int) -> TableConfig:
    """With the Theater, which exchanges characters."""
    config = first_game(players)
    return replace(config, districts=("theater", *config.districts[:-1]))


def until(session: SealedSession, what: str, character: str | None = None, seat: int | None = None) -> None:
    """Play on to a wait of this kind: for a character, among whose holders a seat may be."""
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
    ("what", "character", "english", "italian"),
    [
        ("deal", None, "Massimiliano deals the characters.", "Massimiliano distribuisce i personaggi."),
        ("call", "king", "Players with a hidden character say whether it is the King.",
         "Chi ha un personaggio nascosto dice se è il Re."),
    ],
)  # fmt: skip
def test_it_is_said_what_is_waited_for(what: str, character: str | None, english: str, italian: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, what, character, seat=1)
    assert not acting(session.full_state)
    for texts, said in ((EN, english), (IT, italian)):
        game = game_of(session, texts)
        assert game.status() == said
        assert game.mood() == "waiting"
        assert not game.mine


def test_an_exchange_and_the_end_of_a_round_are_said_to_each_as_it_is() -> None:
    def said(inquiry: Inquiry, seat: int | None) -> str:
        session = SealedSession(first_game(4), stop=always)
        session.state.inquiry, session.seat = inquiry, seat  # type: ignore[union-attr]
        return Game(session, EN).status()

    swap = Inquiry("swap", (1,), by=2)
    assert said(swap, 1) == "Your program gives Bruno a character in return."
    assert said(swap, 2) == "Massimiliano gives you a character in return."
    assert said(swap, 0) == "Massimiliano gives Bruno a character in return."
    assert said(Inquiry("deal", (0,)), 0) == "Your program deals the characters."
    assert said(Inquiry("call", (3,), "thief"), 3) == "Your program tells whether you have the Thief."
    assert said(Inquiry("call", (3,), "thief"), None) == "Chiara tells whether they have the Thief."
    assert said(Inquiry("late", (1, 3), "king"), 0).startswith("The round ends. Players with a hidden")
    assert said(Inquiry("late", (3,), "king"), 0) == "The round ends. Chiara tells whether they had the King."


@pytest.mark.parametrize("what", ["deal", "call"])
def test_a_player_who_is_away_is_named_and_the_game_waits(what: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, what, "king" if what == "call" else None, seat=1)
    game = game_of(session)
    session.away = (1,)
    for _ in range(2):
        game.take(Away(1, True))
    assert game.status().startswith("Away, says the host: Massimiliano.")
    told = [line.text for line in game.story.lines(EN) if "The game waits" in line.text]
    assert told == [
        "The host says that Massimiliano is away. The game waits. To end it without a result, type “:conclude”:"
        " the other players must agree."
    ]
    session.go_on()
    assert "Away" not in game_of(session).status() or session.full_state.inquiry is not None


@one_case(
    ("seats", "english", "italian"),
    [
        ((1,), "Massimiliano would end the game without a result. To agree, type “:conclude”.", "Massimiliano"),
        ((0, 1), "You agree to end the game without a result.", "Sei d'accordo a chiudere la partita"),
        ((), "No player proposes to end the game any more.", "Nessun giocatore propone più"),
    ],
)
def test_a_proposal_to_end_the_game_is_told(seats: tuple[int, ...], english: str, italian: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    for texts, said in ((EN, english), (IT, italian)):
        game = game_of(session, texts)
        game.take(EndProposed(seats))
        assert any(said in line.text for line in game.story.lines(texts))


def test_end_without_a_result_is_told_and_no_move_is_asked_for() -> None:
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


@pytest.mark.parametrize(
    ("texts", "hint", "row"),
    [
        (EN, "Y end without a result", "Agree to end the game without a result"),
        (IT, "Y chiudi senza risultato", "Accetta di chiudere la partita senza risultato"),
    ],
)
async def test_a_table_that_waits_for_a_player_offers_an_end_without_a_result(
    texts: Texts, hint: str, row: str
) -> None:
    """By a key, in the list of all commands, and where one is about to leave."""
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "call", "king", seat=1)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        if texts is IT:
            await pilot.press("L")
        assert hint not in shown(pilot.app)[-1]
        await pilot.press("Q")
        assert row not in text(pilot)
        await pilot.press("escape")
        session.away = (1,)
        session.queue.put_nowait(Away(1, True))
        await settle(pilot)
        assert hint in shown(pilot.app)[-1]
        await pilot.press("Y")
        assert list(session.ending) == [0]
        await pilot.press("Q")
        assert row in text(pilot)
        await pilot.press("x")
        assert session.ending == ()
        await pilot.press("ctrl+p", *"senza risultato" if texts is IT else "without a result")
        await wait_until(lambda: any("Y     " in line for line in shown(pilot.app)))
        await pilot.press("enter")
        await wait_until(lambda: list(session.ending) == [0])


@pytest.mark.parametrize("language", ["en", "it"])
async def test_the_picture_of_a_call_that_waits(language: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "call", "king", seat=1)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        session.away = (1,)
        session.queue.put_nowait(Away(1, True))
        await settle(pilot)
        if language == "it":
            await pilot.press("L")
        await compare(pilot.app, f"sealed-call-80x24-{language}")


def unanswered(log: Log) -> list[str]:
    """The characters of this round of which the log says that nobody has answered."""
    found: list[str] = []
    for one, then in zip(log.entries, [*log.entries[1:], None], strict=True):
        if isinstance(one, ev.RoundBegan):
            found = []
        elif isinstance(one, Call) and not isinstance(then, ev.Revealed):
            found.append(one.character)
    return found


def everything(game: Game, session: SealedSession) -> Iterator[str]:
    """All that a person is shown of a moment."""
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
def test_a_whole_game_tells_nothing_before_its_time(cast: str) -> None:
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
        read = games[moments % len(games)]  # each moment in one language, as the next one in another
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
async def test_a_table_that_a_proven_lie_has_stopped_says_so(language: str, size: tuple[int, int]) -> None:
    texts = load(language)
    session = SealedSession(first_game(4), seed=2, stop=always)
    session.halted = "draft_lie"
    async with make(Place(session)).run_test(size=size) as pilot:
        session.queue.put_nowait(Halted("draft_lie"))
        if language == "it":
            await pilot.press("L")
        await settle(pilot)
        seen = " ".join(" ".join(shown(pilot.app)).replace("│", " ").split())
        words = because(texts, "draft_lie", {}).split()
        assert " ".join(words[-4:]) in seen, "the end of it, which the line that says who acts has to cut off"


@pytest.mark.parametrize("texts", [EN, IT])
def test_in_lines_it_says_so_at_the_end_and_who_it_was(texts: Texts, tmp_path: Path) -> None:
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
