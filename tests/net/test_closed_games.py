"""When the host closes a game, each client receives that alone, with the seat of the host's player."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Away, Connected, Disconnected, Update
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game

from .playing import QUICK, join, until


class Heard:
    """The updates of a session, as they come."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.updates: list[Update] = []
        loop = asyncio.get_running_loop()
        self._listening = loop.create_task(self._listen(session))  # kept: ends with the session

    async def _listen(self, session: Session) -> None:
        async for update in session.updates():
            self.updates.append(update)

    def has(self, kind: type[Update]) -> bool:
        return any(isinstance(update, kind) for update in self.updates)

    def of_connections(self) -> Sequence[Update]:
        """The updates about connections, its own and those of others."""
        return [update for update in self.updates if isinstance(update, Away | Connected | Disconnected)]


@pytest.mark.parametrize("announced", [True, False])
async def test_clients_receive_who_closed_and_no_other_departures(tmp_path: Path, announced: bool) -> None:
    async with contextlib.AsyncExitStack() as open_tables:
        opening = open_table(Settings(first_game(4), 0), tmp_path, host="127.0.0.1", port=0, timing=QUICK)
        table = await open_tables.enter_async_context(opening)
        sessions = [await table.join("Marco", tmp_path / "0")]
        sessions += [await join(table, tmp_path / str(seat), f"Player {seat}") for seat in range(1, 4)]
        watching = await join(table, tmp_path / "4", "Iris", role="spectator")
        heard = [Heard(session) for session in (*sessions[1:], watching)]
        await sessions[0].start()
        await until(lambda: all(session.table.waiting for session in (*sessions, watching)))
        if announced:  # else the program simply ends
            await table.close()
            await sessions[0].leave()
        await open_tables.aclose()
        await until(lambda: all(one.has(Disconnected) for one in heard))
    for one in heard:
        assert one.of_connections() == [Connected(), Disconnected("closing", {"seat": 0})]
        assert one.session.table.choices == ()
        assert one.session.table.status == "connecting"
    for session in (*sessions, watching):
        await session.leave()


async def test_host_without_a_player_closes_without_a_seat(tmp_path: Path) -> None:
    async with open_table(
        Settings(first_game(4), 0), tmp_path, host="127.0.0.1", port=0, timing=QUICK, unattended=True
    ) as table:
        heard = Heard(await join(table, tmp_path / "1", "Zoe"))
        await table.close()
        await until(lambda: heard.has(Disconnected))
    assert heard.of_connections()[-1] == Disconnected("closing")
    await heard.session.leave()
