"""Whole games over real sockets: played to the end, called off, closed by the host, played by bots."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import TableConfig, from_scenario
from citadels_lan.net.client.session import Session
from citadels_lan.net.wire.messages import Message, SeedPart

from .playing import join, play_all, seated, until

GAMES = [(2, "2016"), (6, "2016"), (3, "classic"), (4, "dark_city"), (3, "citta_comune"), (3, "")]
"""Numbers of players, and editions. For an empty edition, chance draws the cast of 2016."""


def transcripts(*sessions: Session) -> list[Path]:
    """Return the transcripts of these sessions."""
    return [session.table.transcript for session in sessions if session.table.transcript is not None]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), GAMES)
async def test_whole_game_ends_at_all_clients_and_verifies(tmp_path: Path, players: int, edition: str) -> None:
    config = from_scenario("first_game", players, edition_key=edition) if edition else TableConfig(players)
    async with seated(tmp_path, players, config=config) as (table, sessions):
        watcher = await join(table, tmp_path / "watcher", "Wanda", role="spectator")
        await sessions[0].start()
        await play_all([*sessions, watcher])
        async with asyncio.timeout(60):
            await table.over()
        assert [session.table.status for session in sessions] == ["over"] * players
        assert len({session.table.head for session in (*sessions, watcher)}) == 1
        await watcher.leave()
    paths = transcripts(*sessions, watcher)
    assert len(paths) == players + 1
    report = verify(paths)
    assert (report.code, [finding.code for finding in report.findings if finding.kind == "proof"]) == (0, [])


# Called-off starts


@pytest.mark.slow
async def test_called_off_start_returns_to_the_lobby_and_another_player_can_join(tmp_path: Path) -> None:
    async with seated(tmp_path, 3) as (table, sessions), asyncio.timeout(100):
        game, journal, leaving = table.game_id, table.journal, sessions.pop()
        client = leaving.connection.client
        assert client is not None
        ask = client.ask

        def ask_without_part(message: Message) -> None:
            if not isinstance(message, SeedPart):
                ask(message)

        client.ask = ask_without_part  # type: ignore[method-assign]
        await sessions[0].start()
        await until(lambda: all(session.table.head.n == 2 for session in (*sessions, leaving)))
        assert [session.table.status for session in sessions] == ["lobby", "lobby"], "the game has not begun yet"
        await leaving.leave()
        await until(lambda: table.game_id != game)
        assert not journal.exists()
        assert table.journal.exists()
        await until(lambda: [session.table.called_off for session in sessions] == [1, 1])
        assert [session.table.status for session in sessions] == ["lobby", "lobby"]
        assert [session.table.game_id for session in sessions] == [table.game_id] * 2
        await until(lambda: len(sessions[0].table.lobby) == 2)
        sessions.append(await join(table, tmp_path / "3", "Zoe"))
        for session in sessions:
            await session.ready()
        await until(lambda: all(seat.ready for seat in sessions[0].table.lobby))
        await sessions[0].start()
        await play_all(sessions)
    report = verify(transcripts(*sessions))
    assert report.code == 0
    header = report.games[0].best.header
    assert header is not None
    assert [start.missing for start in header.called_off] == [(2,)]
