"""The same as in `host/test_presence.py` over real connections: a seat goes away between its word and its link."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.net.wire.messages import Beacon, Message

from .playing import join, play, play_all, seated


def quiet(session: Session, seen: asyncio.Event) -> None:
    """The program of this session takes part in the second round, and stops before it gives its link."""
    client = session.client
    assert client is not None
    real = client.ask

    def ask(message: Message) -> None:
        if isinstance(message, Beacon) and client.state is not None and client.state.round == 1:
            seen.set()
            return
        real(message)

    client.ask = ask  # type: ignore[method-assign]


@pytest.mark.slow
async def test_a_session_that_ends_before_its_link_is_left_out_and_comes_back(tmp_path: Path) -> None:
    gone = asyncio.Event()
    async with seated(tmp_path, 3) as (table, sessions), asyncio.timeout(100), asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            if seat != 1:
                tasks.create_task(play(session, seat))
        quiet(sessions[1], gone)
        playing = tasks.create_task(play(sessions[1], 1))
        await sessions[0].start()
        await gone.wait()
        playing.cancel()
        await sessions[1].leave()
        client = sessions[0].client
        assert client is not None
        log = client.records.client_log
        assert log is not None
        while not log.audit.between.restarts:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.05)
        sessions[1] = await join(table, tmp_path / "1", "Player 1")
        await play_all([sessions[1]])
    paths = [session.transcript for session in sessions if session.transcript is not None]
    report = verify(paths)
    assert report.code == 0
    tally = report.games[0].best.tally
    assert tally.restarts == ((2, (1,)),)
    assert tally.disputed == {}
    assert [beacon.round for beacon in tally.absent(1)][:1] == [2]
    assert not any(isinstance(update, Cosigned) and update.own for update in sessions[1].past)
