"""Removed players are remembered after the host's program was started again."""

from pathlib import Path

from citadels_lan.net.host.opening import open_table
from tests.facts import first_table


async def test_removed_key_is_remembered_by_a_resumed_host(tmp_path: Path) -> None:
    key, options = bytes(range(32)), {"host": "127.0.0.1", "port": 0, "code": ""}
    async with open_table(first_table(3, 1), tmp_path, **options) as table:  # type: ignore[arg-type]
        owner = await table.join("Anna", tmp_path / "anna")
        table.table.lobby.remove(owner.identity.public, key)
        table.note()
        await owner.leave()
        kept = tmp_path / "kept.journal"
        kept.write_bytes(table.journal.read_bytes())
    async with open_table(first_table(3, 1), tmp_path, resume=kept, host="127.0.0.1", port=0) as again:
        assert again.table.lobby.bans.removed == {key}
        again.door.renew()
    async with open_table(first_table(3, 1), tmp_path, resume=kept, host="127.0.0.1", port=0) as again:
        assert not again.table.lobby.bans.removed
