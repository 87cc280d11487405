"""A game gone over again on the screen: after its end, and in a replay."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.bots.search.searching import Effort
from citadels_lan.front.launcher import Place
from citadels_lan.front.recording import load_recording
from citadels_lan.front.review import decided
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.replay import ReplayScreen
from citadels_lan.ui.screens.thought import ThoughtScreen
from tests.bots.here_and_now import HereAndNow
from tests.past.files import broken_off, finished

from .keys import settle
from .pictures import text
from .test_pictures import make, played
from .test_replay import pressed, replaying


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that think little."""
    for look in ("FIRST_LOOK", "SECOND_LOOK"):
        monkeypatch.setattr(f"citadels_lan.bots.search.reviews.{look}", Effort(trials=8, seconds=60.0))
    monkeypatch.setattr("citadels_lan.bots.search.searching.MOST", 3)


async def thought(pilot: Pilot[None]) -> None:
    """Wait until the page on the screen is thought out."""
    for worker in list(pilot.app.workers):
        if worker.node is pilot.app.screen:
            await worker.wait()
    await settle(pilot)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
async def test_the_end_of_a_game_leads_to_the_costly_moves(tmp_path: Path) -> None:
    session = await played(4, 400)
    session.transcript = broken_off(tmp_path)
    app = make(Place(session))
    async with app.run_test(size=(80, 24)) as pilot:
        app._thinking = HereAndNow()
        await settle(pilot)
        if not isinstance(app.screen, EndScreen):
            await pressed(pilot, "T")
        assert "M  Your biggest mistakes" in text(pilot)
        await pilot.press("m")
        await settle(pilot)
        assert isinstance(app.screen, ThoughtScreen)
        await thought(pilot)
        assert "Player 0: " in text(pilot)
        await pressed(pilot, "escape")
        assert isinstance(app.screen, EndScreen)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
async def test_a_replay_goes_to_the_costly_moves(tmp_path: Path) -> None:
    async with replaying(load_recording(broken_off(tmp_path)), (80, 24)) as (pilot, screen):
        pilot.app._thinking = HereAndNow()  # type: ignore[attr-defined]
        await pilot.press("c")
        await settle(pilot)
        page = pilot.app.screen
        assert isinstance(page, ThoughtScreen)
        await thought(pilot)
        assert page.places, text(pilot)
        assert "The number of a move goes there" in page.text.plain
        await pressed(pilot, "1")
        assert pilot.app.screen is screen
        assert screen.step == page.places["1"]


async def test_a_replay_says_why(tmp_path: Path) -> None:
    recording = load_recording(finished(tmp_path))
    decision = next(decided(recording, 2))
    async with replaying(recording, (80, 24)) as (pilot, screen):
        pilot.app._thinking = HereAndNow()  # type: ignore[attr-defined]
        screen.show(decision.step)
        await pilot.press("w")
        await settle(pilot)
        await thought(pilot)
        assert "Player 2: " in text(pilot)
        assert "±" in text(pilot)
        await pressed(pilot, "escape")
        await pilot.press("home", "w")
        await settle(pilot)
        await thought(pilot)
        assert "There was no decision in this move" in text(pilot)


@pytest.mark.slow
async def test_whose_moves_has_to_be_known_in_a_spectators_file(tmp_path: Path) -> None:
    async with replaying(load_recording(finished(tmp_path, None)), (80, 24)) as (pilot, screen):
        assert "Whose moves?" in await pressed(pilot, "c")
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert screen.hand is None
