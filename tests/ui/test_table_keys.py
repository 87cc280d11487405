"""The table screen: keys and mouse, redrawing only what has changed, chat, attacks on the player."""

import io
from collections import Counter
from collections.abc import Iterator
from unittest import mock

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from citadels_lan.bots.pauses import Pauses
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Deal, State, edition_of, evolve, new_table, redact, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Mark, Player
from citadels_lan.line_mode.streams import InputLines
from citadels_lan.line_mode.table import play_plain
from citadels_lan.net.client.updates import Away, Chatted, Happened
from citadels_lan.presenter.attacks import public_effects
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.log import Line, Log
from citadels_lan.presenter.symbols import ASCII, UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.bars import LogView, rows
from citadels_lan.ui.table.scene import SceneView, scene_of
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.look import DARK, Look
from citadels_lan.ui.widgets.program import PageScreen
from tests.effort import quick
from tests.facts import first_game
from tests.line_mode.test_lines import run_lines

from .fake import FakeLobby, FakeSession
from .keys import next_key, panel
from .pictures import notified, shown, text
from .test_pictures import at_table, make
from .waiting import painted, settle

EN = load("en")


async def play_until(pilot: Pilot[None], verb: str, character: str = "") -> None:
    """Press keys until the player can choose an item with this verb. In drafts, choose `character` if it is
    offered."""
    for _ in range(400):
        asking = panel(pilot).asking
        if any(item.open and item.verb == verb for item in asking.menu.items):
            return
        picks = [item.keys for item in asking.items if item.verb == "pick" and item.about == character]
        await pilot.press(*picks, next_key(panel(pilot)))
    raise AssertionError(f"never asked to {verb}")


async def test_space_skips_the_pauses_of_bots_until_the_player_moves() -> None:
    class WaitingSession(FakeSession):
        waits = False

        def held_up(self) -> bool:
            return self.waits

    session, pauses = WaitingSession(), Pauses("slow")
    async with at_table(session, pauses=pauses) as (_, pilot):
        await pilot.press("space")
        assert not pauses.skipped, "it is the player's move"
        session.waits = True
        await pilot.press(next_key(panel(pilot)))
        assert "Space to my move" in text(pilot)
        await pilot.press("space")
        assert pauses.skipped
        session.waits = False
        session._run()
        await settle(pilot)
        assert not pauses.skipped
        session.lobby[1] = replace(session.lobby[1], kind=SeatKind.PLAYER)
        session.waits = True
        await pilot.press(next_key(panel(pilot)), "space")
        assert not pauses.skipped, "another person follows the game"


async def test_keys_right_after_a_new_question_are_ignored() -> None:
    session, now = FakeSession(), [0.0]
    app = CitadelsApp(Place(session), language="en", clock=lambda: now[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert session.acted == []
        now[0] += 0.3
        await pilot.press("enter", "enter", "E")
        assert len(session.acted) == 1


async def test_ending_the_turn_is_confirmed_if_useful_moves_are_left() -> None:
    async with at_table(FakeSession(seed=5)) as (session, pilot):
        await play_until(pilot, "gather")
        await pilot.press("o")
        before = list(session.acted)
        assert panel(pilot).asking.menu.left
        await pilot.press("E")
        assert panel(pilot).asking.at.ending
        assert session.acted == before
        await pilot.press("enter")
        assert session.acted == [*before, "end"]


async def test_spectator_sees_no_hand_and_is_asked_nothing() -> None:
    session = FakeSession()
    session.seat = None
    async with at_table(session) as (_, pilot):
        assert "You are watching" in text(pilot)
        assert not panel(pilot).asking.items


async def test_list_with_hidden_rows_shows_a_sign() -> None:
    async with at_table(FakeSession(8), (80, 20)) as (_, pilot):
        items = panel(pilot).asking.items
        await pilot.press(items[0].keys)
        assert ("▼" in text(pilot)) == (panel(pilot).size.height < len(items))
        await pilot.press(items[-1].keys)
        assert "▼" not in text(pilot)


async def test_covered_cards_are_neither_shown_nor_chosen() -> None:
    async with at_table(FakeSession()) as (session, pilot):
        cards = [EN.district(key) for key in session.seen.players[0].hand]
        await pilot.press("H", "enter", "1", "enter")
        assert session.acted == []
        assert "Only you see" not in text(pilot)
        await pilot.press("H", "enter")
        picked = EN.character(session.seen.players[0].concealed[0]) if session.seen.turn is None else ""
        await pilot.press("H")
        table = "\n".join(shown(pilot.app)[:14])
        assert not any(covered in table for covered in (*cards, f"({picked})"))
        await pilot.press("a")
        assert panel(pilot).looked == "", "a covered card is not explained"
        await pilot.press("H")
        assert all(card in text(pilot) for card in cards)


async def test_typed_lines_send_moves_and_chat() -> None:
    async with at_table(FakeSession()) as (session, pilot):
        pick = str(panel(pilot).asking.items[-1].choice)
        await pilot.press("colon", *"pick nobody", "enter")
        assert "nobody" in notified(pilot.app)
        await pilot.press("colon", *pick, "enter")
        assert session.acted == [pick]
        await pilot.press("slash", *"hello", "enter")
        assert any("Ada: hello" in line for line in shown(pilot.app))


async def test_key_and_click_explain_a_card_or_rule() -> None:
    async with at_table(FakeSession()) as (_, pilot):
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, PageScreen)
        await pilot.press("escape")
        await pilot.click("#hand", offset=(3, 1))
        assert isinstance(pilot.app.screen, PageScreen)
        await pilot.press("escape", "escape")
        await play_until(pilot, "gather")
        await pilot.press("question_mark")
        assert "Gathering" in text(pilot), "what is about no card is explained by its rule"


async def test_escape_unticks_one_card_and_undo_unticks_all() -> None:
    async with at_table(FakeSession(seed=5)) as (session, pilot):
        await play_until(pilot, "redraw", "magician")
        asking, begun, before = panel(pilot).asking, panel(pilot).asking.at, list(session.acted)
        redraw = next(item for item in asking.items if isinstance(item.choice, Deal))
        for ticks in (("space", "down", "space"), redraw.ticks[:2]):
            await pilot.press("R", redraw.keys, *ticks)
            assert asking.at.selection is not None
            assert len(asking.at.selection.here) == 2
            await pilot.press("escape")
            assert len(asking.at.selection.here) == 1
            assert "Esc back" in shown(pilot.app)[-1], "the announcement is gone"
            await pilot.press("U")
            assert asking.at == begun
        await pilot.press("escape")
        assert session.acted == before
        await pilot.press(redraw.keys, redraw.ticks[1], "enter")
        assert session.acted[-1].startswith("redraw")


async def test_errors_are_notifications_and_escape_never_leaves_the_table() -> None:
    async with at_table(FakeSession()) as (_, pilot):
        keys = shown(pilot.app)[-1]
        await pilot.press("colon", *"build castle", "enter")
        assert notified(pilot.app)
        assert shown(pilot.app)[-1].startswith(keys[:20]), "the keys stay"
        await pilot.press("escape")
        assert not notified(pilot.app)
        for key in ("escape", "left", "q"):
            await pilot.press(key)
            assert isinstance(pilot.app.screen, TableScreen), key
        assert "Q: leave the game." in notified(pilot.app)
        await pilot.press("Q")
        assert isinstance(pilot.app.screen, LeaveScreen)


@pytest.mark.parametrize("key", ["pageup", "v"])
async def test_log_opens_in_sentences(key: str) -> None:
    async with at_table(FakeSession()) as (_, pilot):
        await pilot.press(key)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "You receive" in text(pilot)
        await pilot.press(key)
        assert isinstance(pilot.app.screen, TableScreen)


async def test_repeat_key_shows_the_last_event_again() -> None:
    async with at_table(FakeSession()) as (_, pilot):
        await pilot.press("R")
        assert isinstance(pilot.app.screen, TableScreen)
        (*_, last) = pilot.app.screen.game.story.lines(load("en"))
        assert notified(pilot.app) == last.text


async def test_letters_and_digits_without_a_choice_explain_cards_and_players() -> None:
    async with at_table(FakeSession(seed=5), (80, 40)) as (session, pilot):
        costs = edition_of(session.seen).costs
        card = min(session.seen.players[0].hand, key=lambda key: (costs[key], key))
        await pilot.press("a")
        assert panel(pilot).looked == card
        assert load("en").district(card) in "\n".join(line.plain for line in panel(pilot).drawing.lines)
        await pilot.press("escape")
        assert panel(pilot).looked == ""
        await play_until(pilot, "gather")
        await pilot.press("2")
        assert isinstance(pilot.app.screen, PageScreen), "no question about players"
        assert session.acted[-1].startswith("pick")


@pytest.mark.parametrize("by_click", quick([False, True], False))
async def test_letter_and_enter_or_two_clicks_build_a_district(by_click: bool) -> None:
    async with at_table(FakeSession(seed=5)) as (session, pilot):
        await play_until(pilot, "gather")
        await pilot.press("o")
        assert session.acted[-1] == "gather gold"
        item = next(item for item in panel(pilot).asking.items if item.open and item.verb == "build")
        hits = pilot.app.screen.query_one("#hand", SceneView).drawing.hits
        hit = next(hit for hit in hits if hit.kind == "district" and hit.key == item.about)
        if not by_click:
            await pilot.press(item.keys[0])
        elif panel(pilot).asking.current != item:
            await pilot.click("#hand", offset=(hit.start + 1, hit.y))
        assert panel(pilot).asking.current == item
        gold = session.full_state.players[0].gold
        line = next(line.plain for line in panel(pilot).drawing.lines if line.plain.startswith("►"))
        if by_click:
            await pilot.click("#hand", offset=(hit.start + 1, hit.y))
        else:
            await pilot.press("enter")
        assert session.acted[-1] == str(item.choice)
        assert f"{gold} → {session.full_state.players[0].gold} gold" in line


async def test_hints_list_only_keys_with_an_effect() -> None:
    async with at_table(FakeSession(), (160, 24)) as (session, pilot):
        hint = shown(pilot.app)[-1]
        assert "Enter confirm" in hint
        assert not any(word in hint for word in ("end turn", "Esc", "undo", "N the code", "common city", "result"))
        session.choices = lambda: ()  # type: ignore[method-assign]
        session.state = view(new_table(first_game(4)), 0)
        session.queue.put_nowait(Chatted(1, "Bruno", "hi"))
        await settle(pilot)
        hint = shown(pilot.app)[-1]
        assert not any(word in hint for word in ("Enter", "end turn", ": command"))
        assert "? explain" in hint


# Drawing only what has changed


@pytest.fixture
def drawn() -> Iterator[Counter[str]]:
    """Return a counter of how often each canvas was drawn, by its id."""
    counts: Counter[str] = Counter()
    draw_anew = Canvas._draw_anew

    def counting(canvas: Canvas) -> None:
        counts[canvas.id or ""] += 1
        draw_anew(canvas)

    with mock.patch.object(Canvas, "_draw_anew", counting):
        yield counts


def other_takes_gold(session: FakeSession) -> None:
    """Let seat 1 gather two gold."""
    event = ev.GoldGained(1, 2, "bonus")
    session.state = evolve(session.seen, event)
    session.n += 1
    session.queue.put_nowait(Happened(session.n, 1, None, (redact(event, 0),)))


async def test_update_redraws_only_the_changed_parts(drawn: Counter[str]) -> None:
    async with at_table(FakeSession(), (160, 50)) as (session, pilot):
        await painted(pilot)
        drawn.clear()
        with mock.patch("citadels_lan.ui.screens.table.scene_of", side_effect=scene_of) as made:
            other_takes_gold(session)
            await painted(pilot)
        assert made.call_count == 1
        assert drawn["table"] == drawn["log"] == 1
        assert not {"hand", "hints", "lesson", "attacks", "chat"} & set(drawn), drawn
        drawn.clear()
        session.queue.put_nowait(Away(1, False))
        await painted(pilot)
        assert drawn == Counter(), "nothing has changed"
        displayed = {canvas.id for canvas in pilot.app.screen.query(Canvas) if canvas.display}
        await pilot.press("L")
        await painted(pilot)
        assert displayed <= set(drawn)


OUTSIDE = Chatted(None, "Massimiliano", "I am the King")
INSIDE = Chatted(1, "Massimiliano", "no, I am")


@pytest.mark.parametrize(
    ("language", "mark"), quick([("en", "[watching]"), ("it", "[spettatore]")], ("it", "[spettatore]"))
)
@pytest.mark.parametrize("kind", quick([FakeSession, FakeLobby], FakeLobby))
async def test_screen_marks_chat_of_spectators(language: str, mark: str, kind: type[FakeSession]) -> None:
    session = kind()
    app = make(Place(session), language=language)
    async with app.run_test(size=(120, 40)) as pilot:
        for line in (OUTSIDE, INSIDE):
            session.queue.put_nowait(line)
        await settle(pilot)
        log = app.screen.query_one(LogView).drawing.lines
        page = " ".join(" ".join(line.plain for line in log).split())
        assert f"{mark} Massimiliano: I am the King" in page
        assert "Massimiliano: no, I am" in page
        assert f"{mark} Massimiliano: no, I am" not in page


def test_line_mode_marks_chat_of_spectators() -> None:
    session = FakeSession()
    for line in (OUTSIDE, INSIDE, Chatted(None, "Ada: hi", "[watching]"), Chatted(1, "Ada", "hello")):
        session.queue.put_nowait(line)
    lines = run_lines("quit\nquit\n", session).splitlines()
    assert "[watching] Massimiliano: I am the King" in lines
    assert "Massimiliano: no, I am" in lines
    assert "[watching] Ada: hi: [watching]" in lines
    assert "Massimiliano: hello" in lines, "the name of the seat"


def test_wrapped_chat_line_does_not_look_like_another_message() -> None:
    line = Line("chat", "[watching] Eva: " + "x" * 32 + " Ada: I am the King")
    shown = [row.plain for _, row in rows(Look(DARK, ASCII), line, 40)]
    assert shown == ["  [watching] Eva:", "    " + "x" * 32, "    Ada: I am the King"]


RED = Look(DARK, UNICODE).danger
WORDS = {"killed": "KILLED", "bewitched": "BEWITCHED", "robbed": "WILL BE ROBBED"}
SIGNS = {"killed": "†", "bewitched": "‡", "robbed": "$"}


def waiting() -> FakeSession:
    """Return a session in which seat 0 holds the Architect and waits for its turn."""
    session = FakeSession()
    session.seen.steps.clear()
    session.seen.phase, session.seen.rank = "turns", 1
    session.seen.players[0].concealed = ["architect"]
    session.choices = lambda: ()  # type: ignore[method-assign]
    session.queue.put_nowait(happened(session, ev.RoundBegan(1, (), ()), ev.Picked(0, "architect")))
    return session


def happened(session: FakeSession, *events: ev.Event) -> Happened:
    session.n += 1
    return Happened(session.n, 1, None, tuple(redact(event, 0) for event in events))


def mark(session: FakeSession, kind: str) -> None:
    """Let seat 1 place a marker of this kind on the Architect."""
    session.state = evolve(session.seen, ev.Marked(kind, 1, "architect"))
    session.queue.put_nowait(happened(session, ev.Marked(kind, 1, "architect")))


def red(view: SceneView | LogView, word: str) -> bool:
    """Return whether the line with `word` is drawn in red."""
    for line in view.drawing.lines:
        if word in line.plain:
            start = line.plain.index(word)
            styles = [line.style, *(span.style for span in line.spans if span.start <= start < span.end)]
            return RED in styles
    raise AssertionError(f"no {word}: {[line.plain for line in view.drawing.lines]}")


@pytest.mark.parametrize("size", [(80, 24), pytest.param((160, 50), marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", quick(["killed", "bewitched", "robbed"], "robbed"))
async def test_attack_on_the_players_character_is_shown_at_once_in_red(kind: str, size: tuple[int, int]) -> None:
    async with at_table(waiting(), size) as (session, pilot):
        mark(session, kind)
        await settle(pilot)
        attacks = pilot.app.screen.query_one("#attacks", SceneView)
        assert attacks.display
        assert attacks.drawing.lines[0].plain.strip()
        hand = pilot.app.screen.query_one("#hand", SceneView)
        assert f"{SIGNS[kind]} 7 Architect (" in hand.drawing.lines[0].plain
        assert red(hand, "7 Architect")


async def test_line_mode_shows_attacks_on_the_players_character() -> None:
    session = waiting()
    mark(session, "killed")
    out = io.StringIO()
    lines = InputLines(io.StringIO("hand\nquit\nquit\n"))
    lines.piped = False  # the player types while others move
    await play_plain(Place(session), load("en"), lines=lines, out=out)
    said = out.getvalue().splitlines()
    assert "!! KILLED: the Architect, your character. You lose its turn this round." in said
    assert "Your characters: Architect (7): killed." in said


# Which attacks are reported


def told(*events: ev.Event, viewer: int | None = 0) -> list[Line]:
    story = Log(viewer, ["Ada", "Bruno"])
    for event in (ev.RoundBegan(1, (), ()), *events):
        story.add(event)
    return [line for line in story.lines(load("en")) if line.kind == "notice"]


def test_notice_of_an_attack_moves_with_an_exchanged_character() -> None:
    """After an exchange of characters, the player who now holds the attacked character sees the notice."""
    swap = ev.CharactersSwapped(0, 1, "king", "bishop")
    assert told(ev.Picked(0, "king"), swap, ev.Marked("killed", 1, "king"), ev.Called(4)) == []
    assert len(told(ev.Picked(0, "king"), swap, ev.Marked("killed", 1, "bishop"), ev.Called(5))) == 2
    other_way = ev.CharactersSwapped(1, 0, "bishop", "king")
    assert len(told(ev.Picked(0, "king"), other_way, ev.Marked("robbed", 1, "bishop"))) == 1


def test_robbery_of_the_other_character_of_the_same_player_gives_no_notice() -> None:
    held = (ev.Picked(0, "king"), ev.Picked(0, "thief"))
    assert told(*held, ev.Marked("robbed", 0, "king")) == []
    assert len(told(*held, ev.Marked("killed", 0, "king"))) == 1


def test_notice_appears_only_for_a_marker_on_an_unrevealed_character_of_the_player() -> None:
    view = State(
        edition="2016", cast=("king",), districts=(), deck=[], round=1, phase="turns",
        players=[Player(concealed=["king"]), Player(concealed=["?"])], marks=[Mark("killed", 1, "king")],
    )  # fmt: skip
    assert [found.kind for found in public_effects(view, 0)] == ["killed"]
    assert not public_effects(view, 1)
    assert not public_effects(view, None)
    view.players[0] = Player(revealed=["king"])
    assert not public_effects(view, 0)
