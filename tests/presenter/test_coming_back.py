"""Joining a real table again with a new client: the log is complete."""

import asyncio
from pathlib import Path

from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.presenter.game import Game
from citadels_lan.texts import load
from tests.net.playing import QUICK, play, reached, seated, until

EN = load("en")


async def play_to(sessions: list[Session], n: int) -> None:
    """Let all players play until entry `n` has arrived."""
    async with asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            tasks.create_task(play(session, seat, until=n))
    for session in sessions:
        await until(reached(session, n))


async def test_rejoined_player_has_the_whole_log(tmp_path: Path) -> None:
    async with seated(tmp_path, 3) as (table, sessions):
        await sessions[0].start()
        await play_to(sessions, 60)
        await sessions[2].leave()
        fresh = await Session.join(table.address, data_dir=tmp_path / "2", name="Player 2", timing=QUICK)
        sessions[2] = fresh
        assert fresh.table.state is not None
        assert any(isinstance(update, Happened) for update in fresh.past)
        game = Game(fresh, EN)
        lines = list(game.story.lines(EN))
        assert any(line.kind == "round" and "Round 1" in line.text for line in lines)
        assert any(line.matched for line in lines), "marks come from the transcript as well"
        shown = {
            seat: set(player.revealed) for seat, player in enumerate(fresh.table.state.players) if player.revealed
        }
        now = game.story.who.get(fresh.table.state.round, {})  # in a draft nobody has shown anything yet
        assert {seat: set(keys) for seat, keys in now.items()} == shown
        assert set(game.story.who) | {fresh.table.state.round} == set(range(1, fresh.table.state.round + 1))
