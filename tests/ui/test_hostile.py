"""Hostile names and chat on every screen and in line mode: no text is parsed as markup or as a control
sequence, and every line fits its width."""

from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from citadels_lan.engine import TableConfig, expand
from citadels_lan.net.client.updates import Chatted
from citadels_lan.presenter.launcher import FoundTable, Place
from citadels_lan.presenter.recording import Recording
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.replay_screen import ReplayScreen
from citadels_lan.ui.widgets.canvas import Canvas
from tests.line_mode.test_lines import run_lines

from .fake import FakeLauncher, FakeLobby, FakeSession, Recorder
from .pictures import shown
from .test_pictures import SIZES, make
from .waiting import settle

NAMES: Final = (
    "\x1b[31mrot\x1b]0;mine\x07",
    "[red]Ada[/red]",
    "\u202eevil\u2066\u200b\u200d" + "a\u0301\u0302\u0303\u0304\u0305" * 5,
    "国" * 40,
    "W" * 10_000,
)
BAD: Final = "\x1b\x07\u202e\u2066\u200b\u200d"
"""Characters that must never reach a terminal."""
CHAT: Final = tuple(f"[link=x]{name}[/link] \r\n\tends" for name in NAMES)
of_sizes = pytest.mark.parametrize(
    "size", [pytest.param(size, marks=() if size == (80, 24) else pytest.mark.slow) for size in SIZES]
)


def check(pilot: Pilot[None]) -> str:
    """Check that the screen fits its width and contains no character of BAD. Return its text."""
    lines = shown(pilot.app)
    width = pilot.app.size.width
    assert all(cell_len(line) <= width for line in lines), lines
    text = "\n".join(lines)
    assert not any(char in text for char in BAD)
    for canvas in pilot.app.screen.query(Canvas):
        if canvas.display and canvas.size.width:
            drawn = [line.plain.rstrip() for line in canvas.drawing.lines]
            assert all(cell_len(line) <= canvas.size.width for line in drawn), (canvas, drawn)
    return text


async def seen(session: FakeSession, size: tuple[int, int], *ways: str) -> dict[str, str]:
    """Let all players send chat messages. Return the text of the table, and of the page that each of the keys
    `ways` opens."""
    found = {}
    async with make(Place(session)).run_test(size=size) as pilot:
        for seat, (name, chat) in enumerate(zip(NAMES, CHAT, strict=True)):
            session.queue.put_nowait(Chatted(seat, name, chat))
        await settle(pilot)
        found[""] = check(pilot)
        for key in ways:
            await pilot.press(key)
            found[key] = check(pilot)
            await pilot.press("escape")
    return found


@of_sizes
async def test_hostile_text_at_the_table_is_shown_as_plain_text(size: tuple[int, int]) -> None:
    session = FakeSession(5, names=NAMES)
    await seen(session, size, "W", "C", "P", "f1", "question_mark", "L")
    while not any(choice.verb == "gather" for choice in session.choices()):
        await session.act(session.sampled())
    found = await seen(session, size, "1", "2", "3", "4", "5", "R")
    assert "[red]Ada[/red]" in found["2"], "as it was typed"


@pytest.mark.slow
@of_sizes
async def test_hostile_text_in_the_common_city_is_shown_as_plain_text(size: tuple[int, int]) -> None:
    session = FakeSession(names=NAMES, config=TableConfig(5, (), (), edition="citta_comune"))
    for _ in range(60):
        if session.state and session.state.auction:
            break
        await session.act(session.sampled())
    await seen(session, size, "W", "M", "D", "C")


@pytest.mark.slow
@of_sizes
async def test_hostile_text_on_the_end_screen_is_shown_as_plain_text(size: tuple[int, int]) -> None:
    session = FakeSession(5, seed=3, names=NAMES)
    while session.choices():
        actions = list(expand(session.choices()))
        await session.act(next((action for action in actions if action.verb == "build"), actions[0]))
    found = await seen(session, size)
    assert "[red]Ada" in found[""]


@of_sizes
async def test_hostile_text_in_the_lobby_and_at_home_is_shown_as_plain_text(size: tuple[int, int]) -> None:
    lobby = FakeLobby(5, seated=5)
    lobby.names = list(NAMES)
    lobby.lobby = [*lobby.lobby[:1], *(type(one)(name) for one, name in zip(lobby.lobby[1:], NAMES, strict=False))]
    found = await seen(lobby, size)
    assert "[red]Ada" in found[""]
    tables = tuple(FoundTable(f"192.168.1.{n}:47110", name, 2, 5) for n, name in enumerate(NAMES, 1))
    async with make(launcher=FakeLauncher(tables)).run_test(size=size) as pilot:
        assert "[red]Ada" in check(pilot)


@pytest.mark.slow
@of_sizes
async def test_hostile_text_in_a_replay_is_shown_as_plain_text(size: tuple[int, int]) -> None:
    session = Recorder(5, seed=2, names=NAMES)
    for _ in range(30):
        await session.act(session.sampled())
    recording = Recording(Path("game.ctr"), session.names, session.steps)
    async with CitadelsApp(language="en", first=ReplayScreen(recording)).run_test(size=size) as pilot:
        for key in ("end", "pageup", "tab", "l"):
            await pilot.press(key)
            check(pilot)


def test_hostile_text_in_line_mode_is_shown_as_plain_text() -> None:
    session = FakeSession(5, names=NAMES)
    for seat, (name, chat) in enumerate(zip(NAMES, CHAT, strict=True)):
        session.queue.put_nowait(Chatted(seat, name, chat))
    told = run_lines("table\nwho\nlog\nhand\nkeys\ncity a\nquit\n", session)
    assert "[red]Ada[/red]" in told
    assert not any(char in told for char in BAD)
    assert max(map(len, told.splitlines())) < 2_000
