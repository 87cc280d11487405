"""Replays of finished games, read from real transcripts."""

import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from itertools import count, islice
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import expand, from_scenario
from citadels_lan.presenter.archive import PastGame
from citadels_lan.presenter.recording import Recording, harmed, load_recording
from citadels_lan.presenter.symbols import UNICODE, Glyphs
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.replay_screen import ReplayScreen, frame
from citadels_lan.ui.widgets.canvas import Canvas, Hit
from tests.effort import quick
from tests.past.files import broken_off

from .fake import FakeLauncher, Recorder
from .pictures import notified, shown, text
from .waiting import settle


async def recorded() -> Recording:
    session = Recorder(4, seed=2)
    while session.choices():
        actions = list(expand(session.choices()))
        await session.act(next((action for action in actions if action.verb == "build"), actions[0]))
    return session.recording


@contextlib.asynccontextmanager
async def replaying(
    recording: Recording, size: tuple[int, int] = (120, 40), glyphs: Glyphs = UNICODE
) -> AsyncIterator[tuple[Pilot[None], ReplayScreen]]:
    """Yield the screen of a replay."""
    screen = ReplayScreen(recording)
    app = CitadelsApp(language="en", first=screen, glyphs=glyphs, clock=map(float, count()).__next__)
    async with app.run_test(size=size) as pilot:
        yield pilot, screen


async def pressed(pilot: Pilot[None], *keys: str) -> str:
    """Press keys and return the text of the screen."""
    await pilot.press(*keys)
    return text(pilot)


async def clicked(pilot: Pilot[None], canvas: Canvas, hit: Hit) -> str:
    """Click a part and return the text of the screen."""
    await pilot.click(canvas, offset=(hit.start, hit.y))
    return text(pilot)


async def test_keys_step_through_a_game() -> None:
    recording = await recorded()
    async with replaying(recording, (80, 24)) as (pilot, _):
        assert f"Move 1 of {len(recording.steps)}" in text(pilot)
        assert "Move 2 of" in await pressed(pilot, "right", "right", "left")
        assert "Round 2" in await pressed(pilot, "pagedown")
        assert " Massimiliano:" in await pressed(pilot, "tab", "tab")
        for size in ((40, 10), (160, 50), (80, 24)):
            await pilot.resize_terminal(*size)
        assert "La partita è finita" in await pressed(pilot, "end", "l")
        await pressed(pilot, "escape")
        assert not pilot.app.is_running


@pytest.mark.slow
async def test_keys_jump_to_rounds_move_numbers_and_attacks() -> None:
    recording = await recorded()
    last, hurt = len(recording.steps) - 1, harmed(recording.steps)
    async with replaying(recording) as (pilot, screen):
        await pressed(pilot, "pagedown", "pagedown")
        assert (screen.round, screen.step) == (3, screen.firsts[3])
        await pressed(pilot, "pageup")
        assert screen.step == screen.firsts[2]
        await pressed(pilot, *("pageup",) * 3)
        assert screen.step == 0
        assert "Move 12 of" in await pressed(pilot, "1", "2")
        await pressed(pilot, "G")
        assert screen.step == 11
        assert "Move 12 of" in await pressed(pilot, "9", "escape")
        await pressed(pilot, *"99999", "enter")
        assert screen.step == last
        await pressed(pilot, "H")
        assert "No later move harms" in notified(pilot.app)
        await pressed(pilot, "home", "H")
        assert screen.step == next(number for number, seats in enumerate(hurt) if seats)
        await pressed(pilot, "G")
        assert "Type the number" in notified(pilot.app)
        await pressed(pilot, "end", "pagedown")
        assert screen.step == last


@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in ((120, 40), (160, 50)))]
)
async def test_replay_shows_its_keys_and_escape_at_every_size(size: tuple[int, int]) -> None:
    async with replaying(await recorded(), size) as (pilot, screen):
        await pressed(pilot, "pagedown")
        lines = shown(pilot.app)
        assert all(word in lines[-1] for word in ("PgUp PgDn", "change hand", "? help", "Esc back"))
        assert "[2]" in lines[-2]
        start = next(number for number, line in enumerate(lines) if "Points at the end of round 2" in line)
        named = [line for line in lines[start:] if line[3:].startswith(tuple(screen.names))]
        assert [line[1] for line in named] == list("1234")


async def test_replay_opens_pages_of_keys_points_and_cards() -> None:
    async with replaying(await recorded(), (80, 24)) as (pilot, screen):
        assert "Replay keys" in await pressed(pilot, "question_mark")
        await pressed(pilot, "escape")
        assert pilot.app.screen is screen
        said = await pressed(pilot, "p")
        assert all(f"{number:>5}" in said for number in (1, 2, 3, 4))
        assert "Rounds" in said
        await pressed(pilot, "escape")
        hand = screen.query_one("#hand", Canvas)
        card = next(hit for hit in hand.drawing.hits if hit.kind == "district")
        said = await clicked(pilot, hand, card)
        assert pilot.app.screen is not screen
        assert screen.program.texts.district(card.key) in said


@pytest.mark.slow
async def test_saving_a_replay_reports_the_file_or_the_error(own_folders: Path) -> None:
    whole = await recorded()
    async with replaying(replace(whole, steps=whole.steps[:30]), (80, 24)) as (pilot, screen):
        await pressed(pilot, "pagedown")
        step = screen.step
        await pressed(pilot, "X", "enter")
        assert "Saved: game.txt" in notified(pilot.app)
        await pressed(pilot, "X", "enter")
        assert "already" in notified(pilot.app) + text(pilot)
        for name in ("a.svg", "a.cast"):
            await pressed(pilot, "X", "ctrl+u", *name, "enter")
            assert f"Saved: {name}" in notified(pilot.app)
        assert screen.step == step
        await pressed(pilot, "X", "ctrl+u", *"a.png", "enter")
        assert "must end in" in notified(pilot.app) + text(pilot)
        await pressed(pilot, "X", "escape")
        assert pilot.app.screen is screen
    header, *events = (own_folders / "work" / "a.cast").read_text(encoding="utf-8").splitlines()
    assert json.loads(header)["width"] == 80
    assert len(events) == len(screen.recording.steps) + 1


@pytest.mark.slow
async def test_recorded_film_equals_the_screen_at_each_step() -> None:
    """The test interprets the film as a terminal does, and compares the result with the screen at each
    step."""
    async with replaying(await recorded(), (80, 24)) as (_, screen):
        cells = [[" "] * 80 for _ in range(24)]
        _, *events = islice(screen.film(), 31)
        for step, event in enumerate(events):
            _send(json.loads(event)[2], cells)
            screen.show(step)
            assert ["".join(row) for row in cells] == [strip.text for strip in frame(screen)]
        assert "Move 30 of" in "".join("".join(row) for row in cells)


def _send(sent: str, cells: list[list[str]]) -> None:
    """Apply the control codes in `sent` to a grid of cells."""
    x = y = 0
    for code, command, sign in re.findall(r"\x1b\[\??([\d;]*)([A-Za-z])|(.)", sent):
        if sign:
            cells[y][x] = sign
            x += 1
        elif command == "H":
            y, x = (int(number) - 1 for number in code.split(";"))


@pytest.mark.slow
@pytest.mark.parametrize("viewer", quick([0, None], 0))
async def test_replay_of_an_unfinished_game_stops_at_its_last_entry(tmp_path: Path, viewer: int | None) -> None:
    async with replaying(load_recording(broken_off(tmp_path, viewer))) as (pilot, _):
        assert "recording ends here" in await pressed(pilot, "end")
        await pressed(pilot, "tab")
        assert "known" in notified(pilot.app)
        assert ("hands stay hidden" in text(pilot)) == (viewer is None)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_replay_shows_a_common_city(size: tuple[int, int]) -> None:
    session = Recorder(config=from_scenario("first_game", 4, edition_key="citta_comune"), seed=2)
    while session.choices() and len(session.steps) < 120:
        await session.act(session.sampled())
    async with replaying(session.recording, size) as (pilot, screen):
        said = await pressed(pilot, "m", "end")
        assert screen.query_one("#city").display
        assert f"[{screen.round}]" in said.splitlines()[-2]


class Shelf(FakeLauncher):
    """A launcher that lists finished games."""

    def __init__(self, files: list[Path]) -> None:
        super().__init__()
        self.files = files

    def finished(self) -> list[PastGame]:
        return [PastGame(path, "", datetime.now()) for path in self.files]


async def test_list_of_games_reports_a_damaged_file(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ctr"
    broken.write_bytes(b"citadels-lan transcript 1\n\x00")
    app = CitadelsApp(None, Shelf([broken]), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(pilot.app.screen, HomeScreen)
        assert any("Your games" in line for line in shown(app))
        await pilot.press("g")
        assert isinstance(pilot.app.screen, GamesScreen)
        await pilot.press("enter")
        await pilot.app.workers.wait_for_complete()
        await settle(pilot)
        assert "cannot be replayed" in notified(app)
        await pilot.press("v")
