"""The file in which a game survives its host."""

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
from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.net.host import journal as journals
from citadels_lan.net.host.journal import MAGIC, Journal, LobbyRecord, SeatRecord, TableRecord, read
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.host.resuming import resumed
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from citadels_lan.systems.locks import Lock
from tests.facts import first_table

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
    journal.close()
    return path


def test_what_is_written_is_read(path: Path) -> None:
    content = read(path)
    assert (content.table, content.lobby, list(content.entries)) == (TABLE, LOBBY, ENTRIES)
    assert content.end == path.stat().st_size


def test_only_its_owner_reads_it(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_is_never_overwritten(path: Path) -> None:
    with pytest.raises(FileExistsError):
        Journal.create(path, TABLE, LOBBY)


def test_whatever_a_crash_leaves_is_whole_entries(path: Path) -> None:
    data = path.read_bytes()
    ends = record_ends(data)
    for length in range(len(data) - 1, ends[2], -1):
        path.write_bytes(data[:length])
        content = read(path)
        assert list(content.entries) == ENTRIES[: len(content.entries)]
        assert content.end == max(end for end in ends if end <= length)


def test_torn_last_record_is_dropped_at_resume(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    journal, content = Journal.resume(path)
    assert (content.table, list(content.entries)) == (TABLE, ENTRIES[:-1])
    journal.append(ENTRIES[-1])
    journal.close()
    assert list(read(path).entries) == ENTRIES


def test_last_record_with_a_flipped_bit_is_dropped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    assert list(read(path).entries) == ENTRIES[:-1]


def test_damage_before_the_last_record_names_the_record(path: Path) -> None:
    whole = path.read_bytes()
    ends = record_ends(whole)
    for record, byte in itertools.product(range(9), (0, 1, 2, 4, 8, 9, 40)):
        data = bytearray(whole)
        data[min(ends[record] + byte, ends[record + 1] - 1)] ^= 1
        path.write_bytes(data)
        with pytest.raises(Refusal) as turned:
            Journal.resume(path)
        assert turned.value.details == {"path": str(path), "record": record + 1}
        assert str(turned.value) == f"{path} is damaged at record {record + 1}. Resume from a copy of it."
        assert path.read_bytes() == data
        assert [found.name for found in path.parent.iterdir() if found.suffix != ".lock"] == [path.name]


def record_ends(data: bytes) -> list[int]:
    ends = [len(MAGIC)]
    while ends[-1] < len(data):
        ends.append(ends[-1] + 9 + int.from_bytes(data[ends[-1] : ends[-1] + 4], "big"))
    return ends


@pytest.mark.parametrize("leave_out", [3, 6])
def test_a_missing_or_repeated_record_is_damage(path: Path, leave_out: int) -> None:
    data = path.read_bytes()
    ends = record_ends(data)
    for changed in (
        data[: ends[leave_out]] + data[ends[leave_out + 1] :],
        data[: ends[leave_out]] + data[ends[leave_out - 1] :],
    ):
        path.write_bytes(changed)
        assert refused(path) == "journal_damaged"


def test_what_a_power_cut_appends_is_no_entry(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(4096))
    assert list(read(path).entries) == ENTRIES


def test_a_journal_without_its_secrets_is_of_no_use(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(MAGIC) + 20] ^= 1
    path.write_bytes(data)
    assert refused(path) == "journal_damaged"
    assert path.read_bytes() == data


def test_the_last_word_about_the_lobby_counts(path: Path) -> None:
    journal, _ = Journal.resume(path)
    journal.note(LOBBY)
    assert path.stat().st_size == read(path).end
    later = replace(LOBBY, places=())
    journal.note(later)
    journal.close()
    assert (read(path).lobby, list(read(path).entries)) == (later, ENTRIES)


def test_a_lobby_that_changes_a_lot_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    for number in range(12000):
        journal.note(replace(LOBBY, token=str(number)))
    assert path.stat().st_size < 2 * journals.NOTES
    assert read(path).lobby == replace(LOBBY, token="11999")
    journal.close()


class Filling(FileIO):
    """A file on a disk on which there is room for so many bytes: it takes what goes in, and refuses the rest."""

    room = 10**9

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self.room]
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.room -= len(taken)
        return super().write(taken)


@pytest.mark.parametrize("room", [0, 1, 12, 70])
def test_what_does_not_fit_leaves_nothing_and_fits_later(path: Path, room: int) -> None:
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


def refused(path: Path) -> str:
    with pytest.raises(Refusal) as turned:
        Journal.resume(path)
    assert turned.value.details["path"] == str(path)
    return turned.value.code


def test_another_version_is_named_as_such(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"journal 5", b"journal 4", 1))
    assert refused(path) == "journal_version"


def test_two_hosts_do_not_write_one_journal(path: Path) -> None:
    pytest.importorskip("fcntl")
    first, _ = Journal.resume(path)
    before = path.read_bytes()
    assert refused(path) == "journal_used"
    assert path.read_bytes() == before
    first.close()
    Journal.resume(path)[0].close()


def test_a_new_journal_is_its_hosts_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    journal = Journal.create(path, TABLE, LOBBY)
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


@pytest.mark.parametrize("data", [b"", b"citadels-lan transcript 1\n"])
def test_what_is_no_journal(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    assert refused(path) == "not_journal"


async def test_a_journal_whose_log_does_not_begin_with_a_table_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    journal.append(Written(1, encode_entry(TableMove([]))))
    journal.close()
    before = path.read_bytes()
    with pytest.raises(Refusal) as turned:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert (turned.value.code, turned.value.details["record"]) == ("journal_damaged", 3)
    assert path.read_bytes() == before


async def test_table_of_a_journal_has_the_same_players_on_the_hosts_computer(path: Path) -> None:
    journal, content = Journal.resume(path)
    content = replace(content, lobby=replace(LOBBY, own=(ANNA.key,)), entries=())
    table = resumed(journal, content, Timing(), lambda _: None, None)
    journal.close()
    assert table.lobby.own == {ANNA.key}
    assert [place.name for place in table.lobby.places] == ["Anna"]


@pytest.mark.parametrize("kind", [b"T", b"X"])
def test_a_record_of_another_kind_is_damage(path: Path, kind: bytes) -> None:
    """One table, and then entries and lobbies alone."""
    data = kind + encode_record(Written(9, b"public"))
    whole = len(data[1:]).to_bytes(4, "big") + zlib.crc32(data).to_bytes(4, "big") + data
    path.write_bytes(path.read_bytes() + whole)
    assert refused(path) == "journal_damaged"


def test_a_journal_that_is_too_long_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert journals.MAX_FILE == 64 * 1024 * 1024
    path = tmp_path / "game.journal"
    Journal.create(path, TABLE, LOBBY).close()
    monkeypatch.setattr(journals, "MAX_FILE", path.stat().st_size)
    assert read(path).table == TABLE
    monkeypatch.setattr(journals, "MAX_FILE", path.stat().st_size - 1)
    assert refused(path) == "not_journal"


def test_no_secret_is_in_a_representation() -> None:
    for secret in SECRETS:
        assert repr(secret) not in repr(TABLE)
    assert "words" not in repr(LOBBY)
