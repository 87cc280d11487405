"""Screens on a real network: four apps and a host in this process play a whole game."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from textual.pilot import Pilot

from citadels_lan.engine import expand
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import open_table
from citadels_lan.people import PeopleFile
from citadels_lan.presenter.known_players import at_table
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.recording import load_recording
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.table import TableScreen
from tests.facts import first_table
from tests.net.playing import reached, until

from .keys import next_key, panel
from .test_pictures import make

pytestmark = pytest.mark.slow

NAMES = ("Ada", "Bruno", "Chiara", "Dario")


async def play_on(session: Session, dice: random.Random) -> None:
    """Make one move for a seat that must decide. It builds if it can, and ends the turn only if no other move
    is possible."""
    actions = list(expand(session.table.choices))
    builds = [action for action in actions if action.verb == "build"]
    others = [action for action in actions if action.verb != "end"]
    await session.act(dice.choice(builds or others or actions))


@pytest.mark.long
async def test_four_apps_and_a_host_play_a_whole_game(tmp_path: Path) -> None:
    dice = random.Random(7)
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(first_table(4), tmp_path / "host"))
        sessions = [await table.join(NAMES[0], tmp_path / "a")]
        for name in NAMES[1:]:
            sessions.append(await Session.join(table.address, data_dir=tmp_path / name, name=name))
        pilots = []
        for session in sessions:
            place = Place(
                session, known=at_table(tmp_path / "known" / session.table.names[session.table.seat or 0])
            )
            app = make(place)
            pilots.append(await stack.enter_async_context(app.run_test(size=(120, 40))))
        await until(lambda: all(isinstance(pilot.app.screen, LobbyScreen) for pilot in pilots))
        for pilot in pilots[1:]:
            await pilot.press("r")
        await until(lambda: all(seat.ready for seat in sessions[0].table.lobby[1:]))
        await pilots[0].press("s")
        await until(lambda: all(isinstance(pilot.app.screen, TableScreen) for pilot in pilots))
        await _draft_by_keyboard(sessions, pilots)
        while not all(session.table.status == "over" for session in sessions):
            for session in sessions:
                if session.table.choices:
                    await play_on(session, dice)
            await asyncio.sleep(0)
        await until(lambda: all(isinstance(pilot.app.screen, EndScreen) for pilot in pilots))
        proofs = [pilot.app.game for pilot in pilots if isinstance(pilot.app, CitadelsApp)]
        await until(lambda: all(game is not None and game.proof is not None for game in proofs))
        assert all(game is not None and game.proof is not None and game.proof.sound for game in proofs)
        files = [PeopleFile(tmp_path / "known" / name) for name in NAMES]
        await until(lambda: all(len(file.load() or ()) == 3 for file in files))
        for name, file in zip(NAMES, files, strict=True):
            people = (file.load() or {}).values()
            assert sorted(one.name for one in people) == sorted({*NAMES} - {name})
            assert all(len(one.games) == 1 for one in people)
        for session in sessions:
            await session.leave()
            assert session.table.transcript is not None
            recording = load_recording(session.table.transcript)
            assert recording.steps[-1].state.phase == "over"


async def _draft_by_keyboard(sessions: list[Session], pilots: list[Pilot[None]]) -> None:
    """Let all players choose the preselected character with Enter."""
    picked = 0
    while picked < len(sessions):
        for session, pilot in zip(sessions, pilots, strict=True):
            if session.table.choices and panel(pilot).asking.items:
                before = session.table.head.n
                await pilot.press(next_key(panel(pilot)))
                await until(reached(session, before + 1))
                picked += 1
        await asyncio.sleep(0.01)
