"""Replaying a finished game: out of a real transcript, on the screen."""

from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from citadels_lan.crypto.replay import Played
from citadels_lan.engine import evolve, expand, view
from citadels_lan.engine.events import Event
from citadels_lan.front.archive import PastGame
from citadels_lan.front.recording import NotReplayable, Recording, load_recording
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.games import GamesScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.replay import ReplayScreen

from .fake import FakeLauncher, FakeSession
from .keys import settle
from .pictures import shown


class Recorder(FakeSession):
    """A table that keeps its steps as a transcript would give them back."""

    def _happen(self, seat: int | None, line: str | None, events: list[Event]) -> None:  # type: ignore[override]
        super()._happen(seat, line, events)
        self.steps = [*getattr(self, "steps", []), Played(self.n, seat, line or "", tuple(events), self.table)]


async def recorded() -> Recording:
    session = Recorder(4, seed=2)
    while session.choices():
        actions = list(expand(session.choices()))
        await session.act(next((action for action in actions if action.verb == "build"), actions[0]))
    return Recording(Path("game.ctr"), session.names, session.steps)


async def test_stepping_through_a_game() -> None:
    recording = await recorded()
    app = CitadelsApp(language="en", first=ReplayScreen(recording), clock=map(float, count()).__next__)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert f"Step 1 of {len(recording.steps)}" in shown(app)[1]
        await pilot.press("right", "right", "left")
        await settle(pilot)
        assert "Step 2 of" in shown(app)[1]
        await pilot.press("pagedown")
        await settle(pilot)
        assert any("Round 2" in line for line in shown(app))
        await pilot.press("tab", "tab")
        await settle(pilot)
        assert "Hand: Massimiliano" in shown(app)[1]
        for size in ((40, 10), (160, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
        await pilot.press("end", "l")
        await settle(pilot)
        assert "La partita è finita" in "\n".join(shown(app))
        await pilot.press("escape")
        await settle(pilot)
        assert not app.is_running


class Shelf(FakeLauncher):
    """A launcher with finished games."""

    def __init__(self, files: list[Path]) -> None:
        super().__init__()
        self.files = files

    def finished(self) -> list[PastGame]:
        return [PastGame(path, "", datetime.now()) for path in self.files]


async def test_the_list_of_games_and_one_that_is_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ctr"
    broken.write_bytes(b"citadels-lan transcript 1\n\x00")
    app = CitadelsApp(None, Shelf([broken]), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(pilot.app.screen, HomeScreen)
        assert any("Your games" in line for line in shown(app))
        await pilot.press("g")
        await settle(pilot)
        assert isinstance(pilot.app.screen, GamesScreen)
        await pilot.press("enter")
        await pilot.app.workers.wait_for_complete()
        await settle(pilot)
        assert "cannot be replayed" in shown(app)[-1]
        await pilot.press("v")
        await settle(pilot)


def test_what_is_no_transcript_is_not_replayable(tmp_path: Path) -> None:
    path = tmp_path / "x.ctr"
    with pytest.raises(NotReplayable):
        load_recording(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(NotReplayable):
        load_recording(path)


async def test_the_steps_are_the_game() -> None:
    recording = await recorded()
    before, after = recording.steps[3].state, recording.steps[4]
    for event in after.events:
        before = evolve(before, event)
    assert view(before, None) == view(after.state, None)
