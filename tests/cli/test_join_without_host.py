"""`join` where the host is gone for good: if another machine may go on, the program looks for the others."""

from pathlib import Path

import pytest

from citadels_lan.cli.addresses import Address
from citadels_lan.cli.console import Console
from citadels_lan.cli.open.launcher import NoAnswer, TableLauncher
from citadels_lan.front.launcher import Preferences
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import load
from tests.facts import first_game
from tests.net.migrating import SHORT, sit
from tests.net.playing import until


@pytest.mark.slow
@pytest.mark.parametrize("migrate", [0, 2])
async def test_a_table_with_a_seat_of_ones_own_is_taken_up(tmp_path: Path, migrate: int) -> None:
    settings = Settings(first_game(3), 0, migrate)
    bruno = TableLauncher(Console(load("en")), Preferences(name="Bruno"), tmp_path / "b", tmp_path / "out")
    async with open_table(settings, tmp_path, host="127.0.0.1", port=0, timing=SHORT, unattended=True) as table:
        where = [Address(*table.address)]
        others = [await sit(table.address, tmp_path / str(seat), f"Player {seat}") for seat in range(2)]
        await bruno.sit(where)
        assert bruno.session is not None
        game = bruno.session.game_id
        for session in (*others, bruno.session):
            await session.ready()
        await until(lambda: bruno.session is not None and bruno.session.state is not None)
    for session in others:
        await session.leave()
    await bruno.close()
    if migrate:
        place = await bruno.sit(where)
        assert place.session is bruno.session
        assert bruno.session is not None
        assert (bruno.session.game_id, bruno.session.status) == (game, "connecting")
        assert list(bruno.session.names) == ["Player 0", "Player 1", "Bruno"]
        assert bruno.session.state is not None
    else:
        with pytest.raises(NoAnswer):
            await bruno.sit(where)
    await bruno.close()
