"""A bot in a seat of a real table is told what happens there, as one in a simulation would be."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.bots import tell
from citadels_lan.bots.driving import drive
from citadels_lan.crypto.replay import MoveLines, chance_of, play, table_of
from citadels_lan.engine import State, redact, view
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.errors import Rejected
from tests.bots.remembering import Rememberer
from tests.engine.test_sealed import with_markers

from .playing import seated

pytestmark = pytest.mark.slow


def told_again(game: HostedGame, seats: int) -> list[Rememberer]:
    """What every seat remembers of a game that is played again from its log."""
    minds = [Rememberer(seat) for seat in range(seats)]
    log = game.host_log
    entries = list(log.entries())
    state: State = table_of(log.header)
    for played in play(log.header, entries, MoveLines(log.audit, entries).line, chance_of(log.audit)):
        for seat, mind in enumerate(minds):
            tell(mind, view(state, seat), [redact(event, seat) for event in played.events])
        state = played.state
    return minds


async def test_a_driven_bot_remembers_what_a_simulated_one_does(tmp_path: Path) -> None:
    config = next(one for one in map(with_markers, range(100)) if one.players == 3)
    async with seated(tmp_path, config.players, config=config) as (table, sessions):
        minds = [Rememberer(f"driven {seat}") for seat in range(config.players)]
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            driven = [
                tasks.create_task(drive(session, mind, later=Rejected))
                for session, mind in zip(sessions, minds, strict=True)
            ]
            await table.over()
            game = table.table.game
            assert isinstance(game, HostedGame)
            for session in sessions:
                await session.leave()
            await asyncio.gather(*driven)
        again = told_again(game, config.players)
    for seat, (mind, other) in enumerate(zip(minds, again, strict=True)):
        assert mind.memory.piles > 5
        assert mind.memory == other.memory, seat
