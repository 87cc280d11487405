"""What an open table writes down of itself, and how it ends when it cannot be served."""

from pathlib import Path

import pytest

from citadels_lan.net.host.opening import open_table
from tests.facts import first_table
from tests.net.playing import QUICK


async def test_a_full_disk_does_not_end_a_changed_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0, timing=QUICK) as table:
        tried: list[object] = []

        def full(record: object) -> None:
            tried.append(record)
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as disk:
            disk.setattr(table._journal, "note", full)
            table.play_at(bytes(32), "sensible")
        table.note()
        assert len(tried) == 1
