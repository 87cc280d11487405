"""What has befallen one's own character: said at once, with a sign, a word and a colour, on every front end."""

import io

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import State, evolve, redact
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Mark, Player
from citadels_lan.front.attacks import public_effects
from citadels_lan.front.glyphs import ASCII, UNICODE, Glyphs
from citadels_lan.front.launcher import Place
from citadels_lan.front.log import Line, Log
from citadels_lan.net.client.updates import Happened
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.table.scene import SceneView
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import quick

from .fake import FakeSession
from .keys import panel, settle
from .pictures import shown

RED = Look(DARK, UNICODE).danger
WORDS = {"killed": "KILLED", "bewitched": "BEWITCHED", "robbed": "WILL BE ROBBED"}
SIGNS = {"killed": "†", "bewitched": "‡", "robbed": "$"}
PLAIN = {"killed": "+", "bewitched": "&", "robbed": "%"}


def waiting() -> FakeSession:
    """The person is the Architect and waits for others."""
    session = FakeSession()
    assert session.state is not None
    session.state.steps.clear()
    session.state.phase, session.state.rank = "turns", 1
    session.state.players[0].concealed = ["architect"]
    session.choices = lambda: ()  # type: ignore[method-assign]
    session.queue.put_nowait(happened(session, ev.RoundBegan(1, (), ()), ev.Picked(0, "architect")))
    return session


def happened(session: FakeSession, *events: ev.Event) -> Happened:
    session.n += 1
    return Happened(session.n, 1, None, tuple(redact(event, 0) for event in events))


def mark(session: FakeSession, kind: str) -> None:
    """Somebody names the Architect."""
    assert session.state is not None
    session.state = evolve(session.state, ev.Marked(kind, 1, "architect"))
    session.queue.put_nowait(happened(session, ev.Marked(kind, 1, "architect")))


def red(view: SceneView | LogView, word: str) -> bool:
    """Whether the line with a word is drawn in red."""
    for line in view.drawing.lines:
        if word in line.plain:
            start = line.plain.index(word)
            styles = [line.style, *(span.style for span in line.spans if span.start <= start < span.end)]
            return RED in styles
    raise AssertionError(f"no {word}: {[line.plain for line in view.drawing.lines]}")


async def begun(session: FakeSession, pilot: Pilot[None]) -> None:
    await settle(pilot)
    assert any("Architect:" in line for line in shown(pilot.app)), "the card that one waits with"


def app_of(session: FakeSession, glyphs: Glyphs = UNICODE) -> CitadelsApp:
    return CitadelsApp(Place(session), language="en", glyphs=glyphs)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((160, 50), marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", quick(["killed", "bewitched", "robbed"], "robbed"))
async def test_it_is_said_at_once_and_in_red(kind: str, size: tuple[int, int]) -> None:
    session = waiting()
    async with app_of(session).run_test(size=size) as pilot:
        await begun(session, pilot)
        mark(session, kind)
        await settle(pilot)
        asked = panel(pilot)
        assert asked.drawing.lines[0].plain.startswith(f" {SIGNS[kind]} {WORDS[kind]}: the Architect")
        assert red(asked, WORDS[kind])
        assert red(pilot.app.screen.query_one(LogView), WORDS[kind])
        hand = pilot.app.screen.query_one("#hand", SceneView)
        assert f"{SIGNS[kind]} 7 Architect (" in hand.drawing.lines[0].plain
        assert red(hand, "7 Architect")
        advertised = any(line.plain.strip().startswith("Architect:") for line in asked.drawing.lines)
        assert advertised == (kind == "robbed"), "a dead character's power is not offered"


@pytest.mark.parametrize("kind", quick(["killed", "bewitched", "robbed"], "robbed"))
async def test_letters_say_it_too(kind: str) -> None:
    session = waiting()
    async with app_of(session, ASCII).run_test(size=(80, 24)) as pilot:
        await begun(session, pilot)
        mark(session, kind)
        await settle(pilot)
        assert any(line.startswith(f" {PLAIN[kind]} {WORDS[kind]}") for line in shown(pilot.app))


async def test_without_colours_the_sign_and_the_word_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    session = waiting()
    async with app_of(session).run_test(size=(80, 24)) as pilot:
        await begun(session, pilot)
        mark(session, "killed")
        await settle(pilot)
        assert any(line.startswith(" † KILLED") for line in shown(pilot.app))


async def test_a_covered_hand_gives_nothing_away() -> None:
    session = waiting()
    async with app_of(session).run_test(size=(80, 24)) as pilot:
        await begun(session, pilot)
        await pilot.press("H")
        mark(session, "killed")
        await settle(pilot)
        assert not any("KILLED" in line or "Architect (" in line for line in shown(pilot.app))


async def test_it_changes_its_language() -> None:
    session = waiting()
    async with app_of(session).run_test(size=(80, 24)) as pilot:
        await begun(session, pilot)
        mark(session, "killed")
        await settle(pilot)
        await pilot.press("L")
        await settle(pilot)
        assert any("† UCCISO" in line for line in shown(pilot.app))


async def test_in_lines() -> None:
    session = waiting()
    mark(session, "killed")
    out = io.StringIO()
    lines = InputLines(io.StringIO("hand\nquit\nquit\n"))
    lines.piped = False  # somebody types while others move
    await play_plain(Place(session), load("en"), lines=lines, out=out)
    said = out.getvalue().splitlines()
    assert "!! KILLED: the Architect, your character. It loses its turn in this round." in said
    assert "Your characters: Architect (7): killed." in said


# What it is about


def told(*events: ev.Event, viewer: int | None = 0) -> list[Line]:
    story = Log(viewer, ["Ada", "Bruno"])
    for event in (ev.RoundBegan(1, (), ()), *events):
        story.add(event)
    return [line for line in story.lines(load("en")) if line.kind == "notice"]


def test_only_the_holder_is_told() -> None:
    named = ev.Marked("killed", 1, "king")
    assert told(named) == []
    assert told(named, viewer=None) == []
    assert len(told(ev.Picked(0, "king"), named)) == 1
    assert told(ev.Picked(0, "king"), ev.RoundBegan(2, (), ()), named) == []


def test_the_theater_changes_who_is_told() -> None:
    """A character swapped away is somebody else's, and the one received is the own one."""
    swap = ev.CharactersSwapped(0, 1, "king", "bishop")
    assert told(ev.Picked(0, "king"), swap, ev.Marked("killed", 1, "king"), ev.Called(4)) == []
    assert len(told(ev.Picked(0, "king"), swap, ev.Marked("killed", 1, "bishop"), ev.Called(5))) == 2
    other_way = ev.CharactersSwapped(1, 0, "bishop", "king")
    assert len(told(ev.Picked(0, "king"), other_way, ev.Marked("robbed", 1, "bishop"))) == 1


def test_robbing_ones_own_other_character_takes_nothing() -> None:
    held = (ev.Picked(0, "king"), ev.Picked(0, "thief"))
    assert told(*held, ev.Marked("robbed", 0, "king")) == []
    assert len(told(*held, ev.Marked("killed", 0, "king"))) == 1


def test_a_fate_counts_while_the_character_is_held() -> None:
    view = State(
        edition="2016", cast=("king",), districts=(), deck=[], round=1, phase="turns",
        players=[Player(concealed=["king"]), Player(concealed=["?"])], marks=[Mark("killed", 1, "king")],
    )  # fmt: skip
    assert [found.kind for found in public_effects(view, 0)] == ["killed"]
    assert not public_effects(view, 1)
    assert not public_effects(view, None)
    view.players[0] = Player(revealed=["king"])
    assert not public_effects(view, 0)
