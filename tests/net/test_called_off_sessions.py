"""Over real connections: a player leaves after the commitments, and the others return to the lobby."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from citadels_lan.net.wire.messages import Message, SeedPart

from .playing import join, play_all, seated, until


def withhold_the_part(session: Session) -> None:
    """The program of this session commits to its part and does not give it."""
    client = session.connection.client
    assert client is not None
    real = client.ask

    def ask(message: Message) -> None:
        if not isinstance(message, SeedPart):
            real(message)

    client.ask = ask  # type: ignore[method-assign]


@pytest.mark.slow
async def test_sessions_return_to_the_lobby_and_play_with_a_new_player(tmp_path: Path) -> None:
    async with seated(tmp_path, 3) as (table, sessions), asyncio.timeout(100):
        game, journal, leaving = table.game_id, table.journal, sessions.pop()
        withhold_the_part(leaving)
        await sessions[0].start()
        await until(lambda: all(session.table.head.n == 2 for session in (*sessions, leaving)))
        assert [session.table.status for session in sessions] == ["lobby", "lobby"], "the game has not begun yet"
        await leaving.leave()
        await until(lambda: table.game_id != game)
        assert not journal.exists()
        assert table.journal.exists()
        await until(lambda: [session.table.status for session in sessions] == ["lobby", "lobby"])
        await until(lambda: [session.table.called_off for session in sessions] == [1, 1])
        assert [session.table.game_id for session in sessions] == [table.game_id] * 2
        await until(lambda: len(sessions[0].table.lobby) == 2)
        sessions.append(await join(table, tmp_path / "3", "Zoe"))
        for session in sessions:
            await session.ready()
        await until(lambda: all(seat.ready for seat in sessions[0].table.lobby))
        await sessions[0].start()
        await play_all(sessions)
        paths = [session.table.transcript for session in sessions if session.table.transcript is not None]
    report = verify(paths)
    assert (report.code, len(paths)) == (0, 3)
    header = report.games[0].best.header
    assert header is not None
    assert [one.missing for one in header.called_off] == [(2,)]
