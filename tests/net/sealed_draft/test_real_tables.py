"""Sealed drafts over real sockets: owners who come back, a host that comes back, a pause, the Theater."""

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.draft.record import Drafts
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.wire.errors import Rejected
from tests.crypto.sealed.files import theater_on_top
from tests.net.playing import Choose, play, play_all, random_action, seated, until

from .rooms import sealed
from .theater import longing, saving, sealed_theater

pytestmark = pytest.mark.slow


def drafts_at(table: OpenTable) -> Drafts:
    """The drafts of the game that a host plays."""
    game = table.table.game
    assert game is not None
    assert game.host_log.audit.drafts is not None
    return game.host_log.audit.drafts


def exchanged(table: OpenTable) -> bool:
    """Whether characters were exchanged."""
    game = table.table.game
    drafts = game.host_log.audit.drafts if game is not None else None
    return drafts is not None and any(len(record.given) > 1 for record in drafts.rounds)


async def play_until(
    sessions: Sequence[Session], holds: Callable[[], bool], choose: Choose = random_action
) -> None:
    """Everybody plays until something holds."""
    playing = [
        # kept: cancelled and awaited below
        asyncio.get_running_loop().create_task(play(one, seed, choose=choose))
        for seed, one in enumerate(sessions)
    ]
    await until(holds)
    for one in playing:
        one.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def verified(sessions: Sequence[Session]) -> int:
    """The exit code for the files of some sessions."""
    return verify([session.table.transcript for session in sessions if session.table.transcript is not None]).code


async def test_a_pick_during_a_pause_is_refused(tmp_path: Path) -> None:
    async with seated(tmp_path, 3, config=sealed(3)) as (table, sessions):
        await sessions[0].start()
        await until(lambda: any(session.table.choices for session in sessions))
        chooser = next(session for session in sessions if session.table.choices)
        choice, n = longing(chooser.table.choices, random.Random(1)), chooser.table.head.n
        await sessions[0].pause(True)
        await until(lambda: chooser.table.paused)
        assert chooser.connection.client is not None
        chooser.connection.client.notices.paused = False  # as if it had not heard of that yet
        with pytest.raises(Rejected) as refused:
            await chooser.act(choice)
        assert refused.value.code == "paused"
        assert chooser.table.head.n == n
        await sessions[0].pause(False)
        await chooser.act(choice)
        await until(lambda: chooser.table.head.n > n)
        assert drafts_at(table).record.steps[0].step.seat == chooser.table.seat


@pytest.mark.parametrize("players", [4, 2])
async def test_characters_are_exchanged(tmp_path: Path, players: int) -> None:
    with theater_on_top():
        async with seated(tmp_path, players, config=sealed_theater(players)) as (table, sessions):
            await sessions[0].start()
            await play_until(sessions, lambda: exchanged(table), saving)
            await play_all(sessions)
            async with asyncio.timeout(60):
                await table.over()
        assert verified(sessions) == 0
