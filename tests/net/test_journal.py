"""The file in which a game survives its host."""

from pathlib import Path

import pytest

from citadels_lan.crypto.ledger import Written
from citadels_lan.net.hosting import open_table
from citadels_lan.net.journal import MAGIC, Journal, TableRecord, read
from citadels_lan.net.messages import Settings
from citadels_lan.net.reasons import Turned

SECRETS = (bytes([1]) * 32, bytes([2]) * 32, b"certificate", b"private key")
TABLE = TableRecord(bytes(16), *SECRETS, 47110, Settings(players=3), (bytes(32),))
ENTRIES = [Written(n, bytes([n]) * n, ((0, b"private"),), bytes(64) if n % 2 else None) for n in range(1, 9)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tables" / "game.journal"
    journal = Journal.create(path, TABLE)
    for written in ENTRIES:
        journal.append(written)
    journal.close()
    return path


def test_what_is_written_is_read(path: Path) -> None:
    table, entries, end = read(path)
    assert (table, entries, end) == (TABLE, ENTRIES, path.stat().st_size)


def test_only_its_owner_reads_it(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_is_never_overwritten(path: Path) -> None:
    with pytest.raises(FileExistsError):
        Journal.create(path, TABLE)


def test_whatever_a_crash_leaves_is_whole_entries(path: Path) -> None:
    data = path.read_bytes()
    _, _, first = read_prefix(path, data, len(data))
    for length in range(len(data) - 1, first - 200, -1):
        _, entries, end = read_prefix(path, data, length)
        assert entries == ENTRIES[: len(entries)]
        assert end <= length


def read_prefix(path: Path, data: bytes, length: int) -> tuple[TableRecord, list[Written], int]:
    path.write_bytes(data[:length])
    return read(path)


def test_writing_goes_on_after_a_torn_record(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    journal, table, entries = Journal.resume(path)
    assert (table, entries) == (TABLE, ENTRIES[:-1])
    journal.append(ENTRIES[-1])
    journal.close()
    assert read(path)[1] == ENTRIES


def test_a_flipped_bit_ends_what_is_believed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    assert read(path)[1] == ENTRIES[:-1]


@pytest.mark.parametrize("data", [b"", b"citadels-lan transcript 1\n", MAGIC, MAGIC + b"\0" * 40])
def test_what_is_no_journal(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(Turned) as turned:
        Journal.resume(path)
    assert turned.value.code == "not_journal"


async def test_a_table_is_not_resumed_from_something_else(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    Journal.create(path, TABLE).close()
    with pytest.raises(Turned) as turned:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert turned.value.code == "not_journal"


def test_no_secret_is_in_a_representation() -> None:
    for secret in SECRETS:
        assert repr(secret) not in repr(TABLE)
