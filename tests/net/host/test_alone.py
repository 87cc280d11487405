"""A copy of a journal is not opened while its table is open: on this machine, or somewhere on the network."""

import shutil
from pathlib import Path

import pytest

from citadels_lan.net.host.journal import Journal
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.recovery.alone import check_alone
from citadels_lan.net.wire.errors import Refusal
from tests.facts import first_table


def copied(table: OpenTable, folder: Path) -> Path:
    folder.mkdir()
    return Path(shutil.copy(table.journal, folder / table.journal.name))


async def refused(journal: Path) -> Refusal:
    with pytest.raises(Refusal) as turned:
        await check_alone(journal, loopback=True)
    return turned.value


async def test_a_copy_is_not_opened_beside_its_table(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0) as table:
        copy = copied(table, tmp_path / "copy")
        reason = await refused(copy)
        assert reason.details == {"address": f"127.0.0.1:{table.port}"}
        assert "two histories" in str(reason)
        await check_alone(table.journal)  # which is locked, and says so when it is resumed
        with pytest.raises(Refusal, match="in use"):
            Journal.resume(table.journal)
    await check_alone(copy, loopback=True)


async def test_a_table_at_another_port_is_heard_of(tmp_path: Path) -> None:
    """By whoever knows its game, as a machine elsewhere would hear it."""
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0) as table:
        journal = copied(table, tmp_path / "copy")
        port = table.port
    again = {"resume": journal, "announce": True, "loopback": True}
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, **again) as table:  # type: ignore[arg-type]
        assert table.port != port == read_journal(journal).table.port
        reason = await refused(copied(table, tmp_path / "second"))
        assert reason.code == "open_elsewhere"
        assert str(reason.details["address"]).endswith(f":{table.port}")


async def test_another_table_at_its_port_is_none_of_it(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "one", host="127.0.0.1", port=0) as table:
        journal, port = copied(table, tmp_path / "copy"), table.port
    async with open_table(first_table(2), tmp_path / "two", host="127.0.0.1", port=port):
        await check_alone(journal, loopback=True)
