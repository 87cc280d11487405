"""The table screen by keyboard and mouse."""

from itertools import count

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.engine import Deal, edition_of, expand, new_table, view
from citadels_lan.engine.events import Called, Marked, RoundBegan
from citadels_lan.engine.state import Mark
from citadels_lan.front.launcher import Place
from citadels_lan.net.client.updates import Chatted, Disconnected
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.sure import LeaveScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import SceneView
from citadels_lan.ui.widgets.page import PageScreen
from tests.facts import first_game

from .fake import FakeSession
from .keys import key_to, next_key, panel, settle
from .pictures import shown


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def make_app(session: FakeSession, language: str = "en") -> CitadelsApp:
    """An app whose clock goes on a second at each look, so that no key comes too early."""
    return CitadelsApp(Place(session), language=language, clock=map(float, count()).__next__)


async def play_until(pilot: Pilot[None], verb: str, character: str = "") -> None:
    """Press keys until something with this verb can be chosen; take a character where it is offered."""
    for _ in range(400):
        asking = panel(pilot).asking
        if any(item.open and item.verb == verb for item in asking.menu.items):
            return
        picks = [item.keys for item in asking.items if item.verb == "pick" and item.about == character]
        await pilot.press(*picks, next_key(panel(pilot)))
    raise AssertionError(f"never asked to {verb}")


@pytest.mark.slow
async def test_a_whole_game_by_keyboard() -> None:
    session = FakeSession(players=4, seed=1)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for number in range(2000):
            if session.full_state.phase == "over":
                break
            await pilot.press(next_key(panel(pilot)))
            if number % 10 == 0:
                await settle(pilot)
        assert session.full_state.phase == "over"
    assert any(line.startswith("build") for line in session.acted)


async def test_a_click_points_and_another_chooses() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        second = panel(pilot).asking.items[1]
        row = panel(pilot).drawing.hits[1].y
        await pilot.click(QuestionPanel, offset=(6, row))
        await settle(pilot)
        assert session.acted == []
        assert panel(pilot).asking.current == second
        await pilot.click(QuestionPanel, offset=(6, row))
        await settle(pilot)
        assert session.acted == [str(second.choice)]


async def test_a_rank_only_points_and_enter_confirms() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        third = panel(pilot).asking.items[2]
        assert session.state is not None
        assert third.keys == str(edition_of(session.state).ranks[third.about])
        await pilot.press(third.keys)
        assert session.acted == []
        await pilot.press("enter")
        await settle(pilot)
        assert session.acted == [str(third.choice)]


async def test_keys_right_after_a_new_question_are_dropped() -> None:
    session, clock = FakeSession(), Clock()
    app = CitadelsApp(Place(session), language="en", clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert session.acted == []
        clock.now += 0.3
        await pilot.press("enter", "enter", "E")
        await settle(pilot)
        assert len(session.acted) == 1


async def test_ending_asks_once_when_something_is_left() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "gather")
        await pilot.press("o")
        await settle(pilot)
        before = list(session.acted)
        assert panel(pilot).asking.menu.left
        await pilot.press("E")
        assert panel(pilot).asking.at.ending
        assert session.acted == before
        await pilot.press("enter")
        await settle(pilot)
        assert session.acted == [*before, "end"]


async def test_the_hand_is_covered_and_shown_again() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert session.state is not None
        cards = [load("en").district(key) for key in session.state.players[0].hand]
        picked = load("en").character(session.state.players[0].concealed[0]) if session.state.turn is None else ""
        await pilot.press("H")
        await settle(pilot)
        table = "\n".join(shown(pilot.app)[:14])
        assert not any(card in table for card in cards)
        assert f"({picked})" not in table
        await pilot.press("H")
        await settle(pilot)
        assert all(card in "\n".join(shown(pilot.app)) for card in cards)


async def test_the_language_changes_at_any_time() -> None:
    async with make_app(FakeSession()).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "Choose your character." in shown(pilot.app)[1]
        await pilot.press("L")
        await settle(pilot)
        assert "Scegli il tuo personaggio." in shown(pilot.app)[1]
        assert not any("Choose" in line for line in shown(pilot.app))


@pytest.mark.slow
async def test_any_size_and_back() -> None:
    async with make_app(FakeSession(8)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = shown(pilot.app)
        for size in ((40, 10), (79, 24), (80, 20), (20, 4), (1, 1), (200, 60), (119, 24), (120, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
        assert shown(pilot.app) == before


async def test_a_small_terminal_still_asks() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(40, 10)) as pilot:
        await settle(pilot)
        assert "Choose your character." in shown(pilot.app)[0]
        assert "80 columns" in shown(pilot.app)[1]
        await pilot.press("enter")
        await settle(pilot)
        assert len(session.acted) == 1


HOSTILE = (
    "[bold red]Ada[/]",
    "\x1b[31mrot\x1b]0;mine\x07",
    "\u202eevil\u202c" + "a\u0301\u0302\u0303\u0304\u0305" * 5,
    "国" * 30,
)


@pytest.mark.slow
async def test_hostile_names_and_chat() -> None:
    session = FakeSession(names=HOSTILE)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for name in HOSTILE:
            session.queue.put_nowait(Chatted(1, name, f"[link=x]{name}[/link] \x07\u200b"))
        await settle(pilot)
        lines = shown(pilot.app)
        assert any("[link=x]" in line for line in lines), "markup is shown as it was typed"
        assert not any(char in line for line in lines for char in "\x1b\x07\u202e\u200b")
        assert all(cell_len(line) <= 80 for line in lines)
        await pilot.press("W")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)


async def test_a_line_of_notation() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        pick = str(panel(pilot).asking.items[-1].choice)
        await pilot.press("colon", *"pick nobody", "enter")
        await settle(pilot)
        assert "nobody" in shown(pilot.app)[-1]
        await pilot.press("colon", *pick, "enter")
        await settle(pilot)
        assert session.acted == [pick]


async def test_an_illegal_line_says_why() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("colon", *"build castle", "enter")
        await settle(pilot)
        assert session.acted == []
        assert shown(pilot.app)[-1].strip()
        assert "Enter confirm" not in shown(pilot.app)[-1]


async def test_chat_is_sent_and_shown() -> None:
    async with make_app(FakeSession()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"hello", "enter")
        await settle(pilot)
        assert any("Ada: hello" in line for line in shown(pilot.app))


async def test_a_card_is_explained_by_key_and_by_click() -> None:
    async with make_app(FakeSession()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)
        await pilot.press("escape")
        hand = pilot.app.screen.query_one("#hand")
        await pilot.click(hand, offset=(3, 1))
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen)
        await pilot.press("escape", "tab", "tab", "right", "enter")
        await settle(pilot)


async def test_cards_are_ticked_for_a_redraw() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "redraw", "magician")
        asking = panel(pilot).asking
        place = next(n for n, item in enumerate(asking.items) if isinstance(item.choice, Deal))
        item = asking.items[place]
        await pilot.press(item.keys, "space", "down", "space")
        assert asking.at.selection is not None
        assert len(asking.at.selection.here) == 2
        await pilot.press("U")
        assert asking.at.selection is None
        await pilot.press(item.keys, item.ticks[1], "enter")
        await settle(pilot)
        assert session.acted[-1].startswith("redraw")


async def test_losing_a_turn_is_noticed() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app = pilot.app
        assert isinstance(app, CitadelsApp)
        assert app.game is not None
        story = app.game.story
        story.add(RoundBegan(9, (), ()))
        story.held = {"king"}
        for event in (Marked("killed", 1, "king"), Called(3), Called(4)):
            story.add(event)
        told = list(story.lines(load("en")))
        assert any("and were killed" in line.text and line.kind == "notice" for line in told[-2:])
        assert session.state is not None
        session.state.marks, session.state.players[0].concealed = [Mark("killed", 1, "king")], ["king"]
        assert sum("king" in line.text.lower() for line in app.game.recap()) == 1, "once is enough"


async def test_few_widgets_and_a_lost_connection_is_told() -> None:
    session = FakeSession(8)
    async with make_app(session).run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        assert isinstance(pilot.app.screen, TableScreen)
        assert len(pilot.app.screen.query("*")) <= 30
        session.queue.put_nowait(Disconnected("lost"))
        await settle(pilot)
        assert "The connection to the host was lost" in " ".join(shown(pilot.app)[:3])


async def test_escape_brings_the_keys_back() -> None:
    async with make_app(FakeSession()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        keys = shown(pilot.app)[-1]
        await pilot.press("colon", *"build castle", "enter")
        await settle(pilot)
        assert shown(pilot.app)[-1] != keys
        await pilot.press("escape")
        await settle(pilot)
        assert shown(pilot.app)[-1] == keys


async def test_q_and_escape_never_leave() -> None:
    async with make_app(FakeSession()).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("q", "escape", "escape", "q", "left"):
            await pilot.press(key)
            await settle(pilot)
            assert isinstance(pilot.app.screen, TableScreen), key
        await pilot.press("Q")
        await settle(pilot)
        assert isinstance(pilot.app.screen, LeaveScreen)


async def test_escape_takes_a_word_away_and_a_step_back_and_undo_takes_all() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "redraw", "magician")
        asking, begun = panel(pilot).asking, panel(pilot).asking.at
        redraw = next(item for item in asking.items if item.verb == "redraw")
        await pilot.press("R", redraw.keys, *redraw.ticks[:2])
        await settle(pilot)
        assert asking.at.selection is not None
        assert len(asking.at.selection.here) == 2
        await pilot.press("escape")
        assert len(asking.at.selection.here) == 1
        assert "Esc back" in shown(pilot.app)[-1], "what was said is gone"
        before = list(session.acted)
        await pilot.press("U")
        assert asking.at == begun
        await pilot.press("escape")
        assert session.acted == before


async def test_the_last_announcement_is_said_again() -> None:
    session = FakeSession()
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("R")
        await settle(pilot)
        assert isinstance(pilot.app, CitadelsApp)
        assert pilot.app.game is not None
        (*_, last) = pilot.app.game.story.lines(load("en"))
        assert shown(pilot.app)[-1].strip().startswith(last.text[:40])


async def test_a_card_and_a_player_that_the_question_is_not_about_are_shown() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        assert session.state is not None
        costs = edition_of(session.state).costs
        card = min(session.state.players[0].hand, key=lambda key: (costs[key], key))
        await pilot.press("a")
        await settle(pilot)
        assert panel(pilot).looked == card
        assert load("en").district(card) in "\n".join(line.plain for line in panel(pilot).drawing.lines)
        await pilot.press("escape")
        assert panel(pilot).looked == ""
        await play_until(pilot, "gather")
        await pilot.press("2")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PageScreen), "no question about players"
        assert session.acted
        assert session.acted[-1].startswith("pick")


async def test_a_covered_hand_answers_no_letter() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await pilot.press("H", "a")
        await settle(pilot)
        assert panel(pilot).looked == ""


async def test_gathering_is_one_key_and_building_a_letter_and_enter() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "gather")
        await pilot.press("o")
        await settle(pilot)
        assert session.acted[-1] == "gather gold"
        key = key_to(panel(pilot), "build")
        await pilot.press(key)
        built = panel(pilot).asking.current
        assert built is not None
        assert session.acted[-1] == "gather gold"
        gold = session.full_state.players[0].gold
        (line,) = [line.plain for line in panel(pilot).drawing.lines if line.plain.startswith(f"►{key}")]
        await pilot.press("enter")
        await settle(pilot)
        assert session.acted[-1] == str(built.choice)
        assert f"{gold} → {session.full_state.players[0].gold} gold" in line


@pytest.mark.slow
async def test_a_click_on_a_card_of_the_hand_is_its_letter() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "gather")
        await pilot.press("o")
        await settle(pilot)
        item = next(item for item in panel(pilot).asking.items if item.open and item.verb == "build")
        hand = pilot.app.screen.query_one("#hand", SceneView)
        hit = next(hit for hit in hand.drawing.hits if hit.kind == "district" and hit.key == item.about)
        for _ in range(2):
            if panel(pilot).asking.current == item:
                break
            await pilot.click("#hand", offset=(hit.start + 1, hit.y))
            await settle(pilot)
        assert panel(pilot).asking.current == item
        await pilot.click("#hand", offset=(hit.start + 1, hit.y))
        await settle(pilot)
        assert session.acted[-1] == str(item.choice)


@pytest.mark.slow
async def test_a_click_on_a_player_is_the_digit() -> None:
    session = FakeSession(seed=5)
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await play_until(pilot, "swap", "magician")
        board = pilot.app.screen.query_one("#table", SceneView)
        hit = next(hit for hit in board.drawing.hits if hit.kind == "player" and hit.key == "2")
        await pilot.press("x")
        assert panel(pilot).asking.title
        panel(pilot).asking.point(0)
        before = len(session.acted)
        await pilot.click("#table", offset=(hit.start + 1, hit.y))
        await settle(pilot)
        current = panel(pilot).asking.current
        assert current is not None
        assert (current.seat, current.keys) == (2, "3")
        assert len(session.acted) == before


async def test_hints_name_only_what_does_something() -> None:
    session = FakeSession(4)
    async with make_app(session).run_test(size=(160, 24)) as pilot:
        await settle(pilot)
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


async def test_a_small_q_says_which_key_leaves() -> None:
    session = FakeSession(4)
    async with make_app(session).run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
        assert "Q: leave the table." in shown(pilot.app)[-1]


async def test_what_is_about_no_card_is_explained_by_its_rule() -> None:
    session = FakeSession(4, seed=3)
    while not any(str(choice).startswith("gather") for choice in session.choices()):
        await session.act(next(expand(session.choices())))
    async with make_app(session).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        assert any("Gathering" in line for line in shown(pilot.app))
