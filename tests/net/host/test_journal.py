"""The file in which a game survives its host."""

import zlib
from pathlib import Path

import pytest

from citadels_lan.crypto.host_log import Written, encode_record
from citadels_lan.crypto.log import TableMove, encode_entry
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.net.host import journal as journals
from citadels_lan.net.host.journal import MAGIC, Journal, TableRecord, read
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.systems.locks import Lock
from tests.facts import first_table

SECRETS = (bytes([1]) * 32, bytes([2]) * 32, b"certificate", b"private key")
TABLE = TableRecord(bytes(16), *SECRETS, 47110, first_table(3), (bytes(32),))
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


@pytest.mark.parametrize("back", [9, 300, 1200])
@pytest.mark.parametrize("byte", [1, 40])
def test_damage_in_the_middle_is_refused_and_nothing_is_cut_off(path: Path, back: int, byte: int) -> None:
    """A crash tears the last record only. Cutting there would throw away moves that everybody has seen."""
    ends = record_ends(path.read_bytes())
    begins = ends[-3] if back < 100 else ends[3] if back < 1000 else ends[0]
    data = bytearray(path.read_bytes())
    data[begins + byte] ^= 1
    path.write_bytes(data)
    assert refused(path) == "journal_damaged"
    assert path.read_bytes() == data


def record_ends(data: bytes) -> list[int]:
    ends = [len(MAGIC)]
    while ends[-1] < len(data):
        ends.append(ends[-1] + 9 + int.from_bytes(data[ends[-1] : ends[-1] + 4], "big"))
    return ends


@pytest.mark.parametrize("leave_out", [2, 5])
def test_a_missing_or_repeated_record_is_damage(path: Path, leave_out: int) -> None:
    data = path.read_bytes()
    ends = record_ends(data)
    for changed in (
        data[: ends[leave_out]] + data[ends[leave_out + 1] :],
        data[: ends[leave_out]] + data[ends[leave_out - 1] :],
    ):
        path.write_bytes(changed)
        assert refused(path) == "journal_damaged"


def test_what_a_power_cut_appends_is_no_damage(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(4096))
    assert read(path)[1] == ENTRIES


def refused(path: Path) -> str:
    with pytest.raises(Refusal) as turned:
        Journal.resume(path)
    assert turned.value.details["path"] == str(path)
    return turned.value.code


def test_another_version_is_named_as_such(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"journal 1", b"journal 2", 1))
    assert refused(path) == "journal_version"


def test_two_hosts_do_not_write_one_journal(path: Path) -> None:
    pytest.importorskip("fcntl")
    first, _, _ = Journal.resume(path)
    before = path.read_bytes()
    assert refused(path) == "journal_used"
    assert path.read_bytes() == before
    first.close()
    Journal.resume(path)[0].close()


def test_a_new_journal_is_its_hosts_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    journal = Journal.create(path, TABLE)
    assert refused(path) == "journal_used"
    journal.close()


class Full:
    """A file on a full disk: what could not be written is still waiting when the file is closed."""

    def tell(self) -> int:
        return 0

    def close(self) -> None:
        raise OSError(28, "No space left on device")


def test_closing_on_a_full_disk_is_quiet(path: Path) -> None:
    """What did not fit was refused when it was written; closing must not hide that."""
    lock = Lock.take(path)
    assert lock is not None
    Journal(Full(), path, lock).close()  # type: ignore[arg-type]
    Writer(Full(), FileHead(bytes(16), "2", bytes(32), bytes(32), 0, bytes(32))).close()  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"", b"citadels-lan transcript 1\n", MAGIC, MAGIC + b"\0" * 40])
def test_what_is_no_journal(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    assert refused(path) == "not_journal"


async def test_a_table_is_not_resumed_from_something_else(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    Journal.create(path, TABLE).close()
    with pytest.raises(Refusal) as turned:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert turned.value.code == "not_journal"


async def test_a_journal_whose_log_does_not_begin_with_a_table_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE)
    journal.append(Written(1, encode_entry(TableMove([]))))
    journal.close()
    before = path.read_bytes()
    with pytest.raises(Refusal) as turned:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert turned.value.code == "journal_damaged"
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", [b"T", b"X"])
def test_a_record_of_another_kind_is_damage(path: Path, kind: bytes) -> None:
    """One table, and then entries alone."""
    data = kind + encode_record(Written(9, b"public"))
    whole = len(data[1:]).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data
    path.write_bytes(path.read_bytes() + whole)
    assert refused(path) == "journal_damaged"


def test_a_journal_that_is_too_long_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journals.MAX_FILE == 64 * 1024 * 1024
    path = tmp_path / "game.journal"
    Journal.create(path, TABLE).close()
    monkeypatch.setattr(journals, "MAX_FILE", path.stat().st_size)
    assert read(path)[0] == TABLE
    monkeypatch.setattr(journals, "MAX_FILE", path.stat().st_size - 1)
    assert refused(path) == "not_journal"


def test_no_secret_is_in_a_representation() -> None:
    for secret in SECRETS:
        assert repr(secret) not in repr(TABLE)
