"""The journal, the file in which a game survives its host."""

import errno
import itertools
import zlib
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import Written, encode_record
from citadels_lan.crypto.log import SeatKind, TableMove, encode_entry
from citadels_lan.net.host import journal as journals
from citadels_lan.net.host.journal import MAGIC, Journal, LobbyRecord, SeatRecord, TableRecord, read
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_table
from tests.net.room import rejects

SECRETS = (bytes([1]) * 32, bytes([2]) * 32, b"certificate", b"private key")
TABLE = TableRecord(bytes(16), *SECRETS, 47110)
ANNA = SeatRecord(bytes(32), "Anna", SeatKind.PLAYER, True, bytes(64))
LOBBY = LobbyRecord(first_table(3), (ANNA,), words=("a", "b", "c"))
ENTRIES = [Written(n, bytes([n]) * n, ((0, b"private"),)) for n in range(1, 9)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tables" / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    for written in ENTRIES:
        journal.append(written)
    assert refused(path) == "journal_used"
    journal.close()
    return path


def refused(path: Path) -> str:
    """The code with which a journal is rejected. The file stays as it is."""
    before = path.read_bytes()
    with pytest.raises(Refusal) as reason:
        Journal.resume(path)
    assert reason.value.details["path"] == str(path)
    assert path.read_bytes() == before
    return reason.value.code


def record_ends(data: bytes) -> list[int]:
    ends = [len(MAGIC)]
    while ends[-1] < len(data):
        ends.append(ends[-1] + 9 + int.from_bytes(data[ends[-1] : ends[-1] + 4], "big"))
    return ends


def test_journal_is_private_and_read_as_written(path: Path) -> None:
    content = read(path)
    assert (content.table, content.lobby, list(content.entries)) == (TABLE, LOBBY, ENTRIES)
    assert content.end == path.stat().st_size
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        Journal.create(path, TABLE, LOBBY)
    first, _ = Journal.resume(path)
    assert refused(path) == "journal_used"
    first.close()
    Journal.resume(path)[0].close()


def test_crash_leaves_whole_entries(path: Path) -> None:
    data = path.read_bytes()
    ends = record_ends(data)
    for length in range(len(data) - 1, ends[2], -1):
        path.write_bytes(data[:length])
        content = read(path)
        assert list(content.entries) == ENTRIES[: len(content.entries)]
        assert content.end == max(end for end in ends if end <= length)


def test_torn_last_record_is_dropped_and_written_again(path: Path) -> None:
    whole = path.read_bytes()
    flipped = whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:]
    for torn, entries in ((whole[:-3], ENTRIES[:-1]), (flipped, ENTRIES[:-1]), (whole + bytes(4096), ENTRIES)):
        path.write_bytes(torn)
        journal, content = Journal.resume(path)
        assert list(content.entries) == entries
        for written in ENTRIES[len(entries) :]:
            journal.append(written)
        journal.close()
        assert list(read(path).entries) == ENTRIES


def test_damage_before_the_last_record_names_the_record(path: Path) -> None:
    whole = path.read_bytes()
    ends = record_ends(whole)
    for record, byte in itertools.product(range(9), (0, 1, 2, 4, 8, 9, 40)):
        data = bytearray(whole)
        data[min(ends[record] + byte, ends[record + 1] - 1)] ^= 1
        path.write_bytes(data)
        with rejects("journal_damaged") as reason:
            Journal.resume(path)
        assert reason.value.details == {"path": str(path), "record": record + 1}
        assert path.read_bytes() == data
        assert [file.name for file in path.parent.iterdir() if file.suffix != ".lock"] == [path.name]


def test_missing_repeated_and_unknown_records_are_damage(path: Path) -> None:
    data = path.read_bytes()
    ends = record_ends(data)
    changed = [data[: ends[3]] + data[ends[other] :] for other in (4, 2)]
    for kind in (b"T", b"X"):
        record = kind + encode_record(Written(9, b"public"))
        changed.append(data + len(record[1:]).to_bytes(4, "big") + zlib.crc32(record).to_bytes(4, "big") + record)
    for other in changed:
        path.write_bytes(other)
        assert refused(path) == "journal_damaged"


def test_other_files_are_no_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    assert journals.MAX_FILE == 64 * 1024 * 1024
    for length, code in ((len(data), ""), (len(data) - 1, "not_journal")):
        monkeypatch.setattr(journals, "MAX_FILE", length)
        assert (refused(path) if code else read(path).end) == (code or len(data))
    monkeypatch.undo()
    versions = {data.replace(b"journal 5", b"journal 4", 1): "journal_version"}
    for other, code in (versions | {b"": "not_journal", b"citadels-lan transcript 1\n": "not_journal"}).items():
        path.write_bytes(other)
        assert refused(path) == code


def test_last_record_of_the_lobby_counts(path: Path) -> None:
    journal, _ = Journal.resume(path)
    journal.note(LOBBY)
    assert path.stat().st_size == read(path).end
    later = replace(LOBBY, places=())
    journal.note(later)
    journal.close()
    assert (read(path).lobby, list(read(path).entries)) == (later, ENTRIES)


def test_lobby_that_changes_often_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    for number in range(12_000):
        journal.note(replace(LOBBY, token=str(number)))
    assert path.stat().st_size < 2 * journals.NOTES
    assert read(path).lobby == replace(LOBBY, token="11999")
    journal.close()


class Filling(FileIO):
    """A file on a disk with room for so many bytes."""

    room = 10**9

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self.room]
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.room -= len(taken)
        return super().write(taken)


@pytest.mark.parametrize("room", [0, 1, 12, 70])
def test_entry_that_does_not_fit_leaves_nothing_and_fits_later(path: Path, room: int) -> None:
    journal, _ = Journal.resume(path)
    journal._file = disk = Filling(path, "r+b")
    disk.room = room
    entry = Written(9, bytes(100))
    for _ in range(2):
        with pytest.raises(OSError, match="No space"):
            journal.append(entry)
        assert read(path).end == path.stat().st_size
    disk.room = 10**9
    journal.append(entry)
    journal.close()
    assert list(read(path).entries) == [*ENTRIES, entry]


async def test_journal_whose_log_does_not_begin_with_a_table_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    journal.append(Written(1, encode_entry(TableMove([]))))
    journal.close()
    before = path.read_bytes()
    with rejects("journal_damaged") as reason:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert reason.value.details["record"] == 3
    assert path.read_bytes() == before


def test_no_secret_is_in_a_representation() -> None:
    for secret in SECRETS:
        assert repr(secret) not in repr(TABLE)
    assert "words" not in repr(LOBBY)
