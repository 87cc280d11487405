"""A table with a sealed draft as people see it: what is waited for, who is, and nothing before its time."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.engine import TableConfig, acting, decisions
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Inquiry
from citadels_lan.front.advice.decided import decided
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import UNICODE
from citadels_lan.front.guess import possible, unseen
from citadels_lan.front.launcher import Place
from citadels_lan.front.log import Log
from citadels_lan.front.past.points import points_by_round
from citadels_lan.front.past.retelling import Retelling
from citadels_lan.front.plan import Plan
from citadels_lan.front.proof import check
from citadels_lan.front.refused import because
from citadels_lan.front.shown.tonight import known_of
from citadels_lan.front.table_session import Away, Halted, Happened
from citadels_lan.front.told.entries import Call
from citadels_lan.front.waiting.calling import gone
from citadels_lan.plain import lines as plain_lines
from citadels_lan.plain.news import PlainNews
from citadels_lan.plain.output import Output
from citadels_lan.texts import LANGUAGES, Texts, load
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.cast_cards import state
from citadels_lan.ui.table.cast_row import character_state
from citadels_lan.ui.table.draft import draft
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.table.turn_bar import headline
from citadels_lan.ui.widgets.look import DARK, Look
from tests.crypto.draft.lies import STEPS, at_step
from tests.crypto.sealed.test_lies import lied
from tests.effort import quick
from tests.facts import first_game

from .fake import Recorder
from .keys import settle
from .pictures import compare, shown
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
        inquiry = session.table.inquiry
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
        ("call", "king", "Everybody who still hides a character says whether it is the King.",
         "Chi nasconde ancora un personaggio dice se è il Re."),
    ],
)  # fmt: skip
def test_it_is_said_what_is_waited_for(what: str, character: str | None, english: str, italian: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, what, character, seat=1)
    assert not acting(session.table)
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
    assert said(Inquiry("call", (3,), "thief"), 3) == "Your program says whether you hold the Thief."
    assert said(Inquiry("call", (3,), "thief"), None) == "Chiara says whether they hold the Thief."
    assert said(Inquiry("late", (1, 3), "king"), 0).startswith("The round ends: everybody who still hides")
    assert said(Inquiry("late", (3,), "king"), 0) == "The round ends: Chiara says whether they held the King."


def test_who_is_gone_is_named_with_how_long_it_waits_and_what_happens_then() -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "call", "king", seat=1)
    game = game_of(session)
    session.away = (1,)
    for _ in range(2):
        game.take(Away(1, True))
    assert game.status().startswith("Away, says the host: Massimiliano; it goes on without after 30 seconds.")
    told = [line.text for line in game.story.lines(EN) if "After 30 seconds" in line.text]
    assert told == [
        "Away, says the host: Massimiliano. After 30 seconds it goes on without: if the King is theirs, it loses"
        " the turn of this round, and is shown when the game is over."
    ]
    session.go_on()
    game = game_of(session)
    assert "Away" not in game.status() or session.table.inquiry is not None


def test_whoever_is_gone_and_should_pick_is_waited_for_and_no_bot_can_pick_instead() -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "deal")
    session.go_on()
    (seat,) = acting(session.table)
    game = game_of(session)
    assert session.table.phase == "draft"
    session.away = (seat,)
    for _ in range(2):
        game.take(Away(seat, True))
    name = game.names[seat]
    told = [line.text for line in game.story.lines(EN) if "The game waits" in line.text]
    assert told == [
        f"Away, says the host: {name}. The game waits. If a bot moves in their place, {name} gets no character in"
        " this round: what was offered is theirs alone to see."
    ]


@pytest.mark.parametrize(
    ("inquiry", "said"),
    [
        (Inquiry("deal", (1,)), "somebody else deals, and Zoe gets no character"),
        (Inquiry("swap", (1,), by=0), "nothing is exchanged"),
        (Inquiry("late", (1,), "king"), "if the King was theirs"),
    ],
)
def test_what_happens_without_somebody(inquiry: Inquiry, said: str) -> None:
    view = SealedSession(first_game(4), stop=always).state
    assert view is not None
    view.inquiry = inquiry
    line = Log(0, ["Ada", "Zoe"]).line(EN, gone(view, inquiry.what, (1,), (1,), ["Ada", "Zoe"], EN))
    assert line is not None
    assert said in line.text


@pytest.mark.parametrize("language", ["en", "it"])
async def test_the_picture_of_a_call_that_waits(language: str) -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "call", "king", seat=1)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        session.away = (1,)
        session.queue.put_nowait(Away(1, True))
        await settle(pilot)
        if language == "it":
            await pilot.press("L")
            await settle(pilot)
        await compare(pilot.app, f"sealed-call-80x24-{language}")


def test_in_lines_who_goes_while_a_call_waits() -> None:
    session = SealedSession(first_game(4), seed=2, stop=always)
    until(session, "call", "king", seat=1)
    game, out = game_of(session), io.StringIO()
    news = PlainNews(game, Output(out), "")
    news.tell_cast(())
    told = out.getvalue().splitlines()
    assert told[0].startswith("In this game: ")
    assert told[1].startswith("Sealed draft: nobody, not even the host's machine")
    session.away = (1,)
    game.take(Away(1, True))
    news.tell(Away(1, True))
    told = out.getvalue().splitlines()
    assert "Massimiliano has lost the connection, says the host." in told
    assert any("it goes on without: if the King is theirs" in line for line in told)


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
    yield from (line.text for line in game.outlook())
    yield from (said for hint in game.hints() for said in (str(hint),))
    yield from plain_lines.table(game)
    yield from plain_lines.hand(game)
    yield from plain_lines.who(game)
    yield from plain_lines.cards(game)
    yield headline(scene, game.mood())
    for key in view.cast:
        yield from known_of(game.texts, view, 0, game.names, key)
        yield state(scene, key)[0]
        yield character_state(scene, key)[0]
    for drawing in (draft(scene, "", 80, 7), board(scene, 80, 12)):
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


LEFT_OUT: list[tuple[int, ...]] = [(), (1,), (2, 3)]
GAMES = [(cast, LEFT_OUT[number % 3]) for number, cast in enumerate(CASTS)] + [
    ("the Theater", left_out) for left_out in LEFT_OUT[::2]
]


@pytest.mark.slow
@pytest.mark.parametrize(("cast", "left_out"), GAMES)
def test_a_whole_game_tells_nothing_before_its_time(cast: str, left_out: tuple[int, ...]) -> None:
    config = CASTS[cast]
    there = tuple(seat for seat in left_out if seat < config.players)
    session = SealedSession(config, seed=5, stop=always, left_out=there)
    games = [Game(session, load(language), guided=True) for language in LANGUAGES]
    waits = 0
    while not session.play.over:
        while not session.queue.empty():
            update = session.queue.get_nowait()
            for game in games:
                game.take(update)
        inquiry, view = session.table.inquiry, session.state
        assert view is not None
        for game in games:
            assert all(isinstance(said, str) for said in everything(game, session))
            if inquiry is not None and inquiry.what == "call":
                assert inquiry.character not in unanswered(game.story)
        if inquiry is not None and inquiry.what == "call":
            waits += 1
            told = list(known_of(EN, view, None, games[0].names, str(inquiry.character)))
            assert "called, nobody answered" not in told
            held = any(inquiry.character in player.concealed for player in session.table.players[1:])
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


def test_whoever_is_left_out_is_told_and_named() -> None:
    session = SealedSession(first_game(5), left_out=(2,))
    while session.table.phase == "draft":
        session.move()
    lines = [line.text for line in game_of(session).story.lines(EN)]
    assert "Bruno gets no character in this round." in lines
    assert 2 not in possible(session.state, 0)  # type: ignore[arg-type]


def test_what_one_saw_tells_who_holds_what_although_somebody_was_left_out() -> None:
    """The packet that was passed on has one character more."""
    for seed in range(40):
        session = SealedSession(first_game(6), seed=seed, left_out=(3,))
        while session.table.phase == "draft":
            session.move()
        view = session.state
        assert view is not None
        for seat, keys in possible(view, 0).items():
            assert set(session.table.players[seat].concealed) <= set(keys), seed


def test_what_is_handed_on_later_is_named_once_it_is_there() -> None:
    """The box comes after the entry that says how many characters are in it, where somebody was left out."""
    session = SealedSession(first_game(4), seed=2)
    while session.waiting != (0,):
        session.move()
    game, view = game_of(session), session.state
    assert view is not None
    packet = tuple(view.steps[-1].cards)
    hidden = ("?",) * len(packet)
    told = len(game.story.entries)
    session.state = view.but(steps=[replace(view.steps[-1], cards=hidden)])
    game.take(Happened(1, None, None, (ev.Offered(0, hidden),)))
    assert [line.text for line in game.story.lines(EN, told)] == []
    session.state = view
    for _ in range(2):
        game.take(Happened(2, None, None, ()))
    (line,) = game.story.lines(EN, told)
    assert line.text.startswith(f"You are handed {len(packet)} characters to choose from. Only you see: ")


@pytest.mark.parametrize("killed", [False, True])
def test_whoever_was_away_when_called_is_told(*, killed: bool) -> None:
    log = Log(0, ["Ada", "Zoe"], cast=first_game(4).cast)
    log.add(ev.Picked(0, "king"))
    log.killed = "king" if killed else ""
    log.add(ev.Called(4))
    log.add(ev.Inquired("call", (0, 1), "king"))
    log.add(ev.InquiryAnswered(None))
    missed = [line.text for line in log.lines(EN) if "not there for the call" in line.text]
    assert missed == ([] if killed else ["You were the King, and were not there for the call: you lose this"
                                         " round's turn."])  # fmt: skip


class Recorded(SealedSession, Recorder):
    """The same as its transcript gives it back after the game."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_tells_every_step_and_knows_every_decision(language: str) -> None:
    session = Recorded(theatre(4), seed=5, stop=always, left_out=(1,))
    while not session.play.over:
        if session.table.inquiry is None:
            session.move()
        else:
            session.go_on()
    recording = session.recording
    told = Retelling(recording, load(language))
    assert all(told.of(step) for step in range(len(recording.steps)))
    assert len(points_by_round(recording.steps)) == session.table.round
    own = list(decided(recording, 0))
    assert own
    assert all(one.view.inquiry is None and decisions(one.view)[0] for one in own)


@pytest.mark.parametrize("code", ["draft_turn", "draft_form", "draft_opening"])
def test_what_a_host_refuses_in_a_draft_has_a_sentence(code: str) -> None:
    said = [because(texts, code, {}) for texts in (EN, IT)]
    assert said[0].startswith(("The table", "What was said", "The character"))
    assert said[0] != said[1]


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_table_that_a_proven_lie_has_stopped_says_so(language: str, size: tuple[int, int]) -> None:
    texts = load(language)
    session = SealedSession(first_game(4), seed=2, stop=always)
    session.halted = "draft_lie"
    async with make(Place(session)).run_test(size=size) as pilot:
        await settle(pilot)
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
