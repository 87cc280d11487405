"""The journal: the file from which a host continues a game after a crash."""

import errno
import itertools
import os
import zlib
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import FileHead
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import SeatKind, TableMove
from citadels_lan.crypto.transcript import read as read_transcript
from citadels_lan.net.client.records import load_key
from citadels_lan.net.host import journal as journals
from citadels_lan.net.host.journal import MAGIC, Journal, LobbyRecord, SeatRecord, TableRecord, read
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, Ack, Settings, decode
from tests.facts import first_table
from tests.net.links import frames_in
from tests.net.room import Guest, Port, Room, rejects

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
    """Return the code with which a journal is rejected. Check that the file does not change."""
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


def test_journal_contains_only_whole_entries_after_a_crash(path: Path) -> None:
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
        record = kind + pack(Written(9, b"public"))
        changed.append(data + len(record[1:]).to_bytes(4, "big") + zlib.crc32(record).to_bytes(4, "big") + record)
    for other in changed:
        path.write_bytes(other)
        assert refused(path) == "journal_damaged"


def test_other_files_are_rejected_as_journals(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_last_lobby_record_of_a_journal_is_used(path: Path) -> None:
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
    """A file on a disk that has room for `room` bytes."""

    room = 10**9

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self.room]
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.room -= len(taken)
        return super().write(taken)


@pytest.mark.parametrize("room", [0, 1, 12, 70])
def test_entry_without_disk_space_leaves_no_bytes_and_is_written_later(path: Path, room: int) -> None:
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


async def test_journal_whose_first_entry_is_no_table_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    journal.append(Written(1, pack(TableMove([]))))
    journal.close()
    before = path.read_bytes()
    with rejects("journal_damaged") as reason:
        async with open_table(Settings(), tmp_path, host="127.0.0.1", port=0, resume=path):
            pass
    assert reason.value.details["record"] == 3
    assert path.read_bytes() == before


def test_repr_of_a_journal_contains_no_secret() -> None:
    for secret in SECRETS:
        assert repr(secret) not in repr(TABLE)
    assert "words" not in repr(LOBBY)


class Disk:
    """Replaces the journal: a disk with room for `most` entries. `tried` are the times at which the host has
    tried to write."""

    def __init__(self, room: Room, most: int) -> None:
        self.room = room
        self.most = most
        self.tried: list[float] = []

    def keep(self, written: Written) -> None:
        self.tried.append(self.room.now)
        if len(self.room.journal) >= self.most:
            raise OSError(28, "No space left on device")
        self.room.journal.append(written)


def full_after(folder: Path, moves: int) -> tuple[Room, Disk]:
    """Return a game after this many moves, and its disk, which has no more room."""
    room = Room(folder, 2).begin().play(moves)
    disk = Disk(room, len(room.journal))
    room.game._keep = disk.keep
    return room, disk


def halted(room: Room) -> set[str]:
    """Return the codes of why the game has stopped, as the clients show them."""
    return {guest.client.notices.halted for guest in room.guests}


def test_full_disk_stops_the_game_until_there_is_room(tmp_path: Path) -> None:
    room, disk = full_after(tmp_path, 3)
    sent = room.move()
    assert sent is not None
    assert not sent.settled
    assert {guest.records.n for guest in room.guests} == {len(room.journal)} == {disk.most}
    room.wait(60)
    anna = room.players[0]
    anna.cut()
    anna.join()
    room.carry()
    assert anna.records.n == len(room.journal)
    assert halted(room) == {"disk_full"}
    assert not any(guest.port.code for guest in room.guests)
    disk.most = 10**9
    room.wait(6)
    assert sent.taken
    assert halted(room) == {""}
    assert room.play().game.closed


@pytest.mark.parametrize("most", [1, 2])
def test_full_disk_during_the_start_delays_the_game(tmp_path: Path, most: int) -> None:
    """The disk has no room for *commits*, or for the first deal with the parts of the seed."""
    room = Room(tmp_path, 2)
    disk = Disk(room, most)
    room.table._keep = disk.keep
    room.begin()
    room.wait(60)
    assert halted(room) == {"disk_full"}
    assert {guest.records.n for guest in room.guests} == {most}
    disk.most = 10**9
    room.wait(6)
    room.carry()
    assert halted(room) == {""}
    assert room.play().game.closed


def test_full_disk_is_tried_again_after_growing_pauses(tmp_path: Path) -> None:
    """The pause is half a second at first, doubles each time, and is at most five seconds."""
    room, disk = full_after(tmp_path, 3)
    began = room.now
    room.move()
    disk.tried.clear()
    for _ in range(80):
        room.now += 0.25
        room.table.tick(room.now)
        room.carry()
    assert [at - began for at in disk.tried] == [0.5, 1.5, 3.5, 7.5, 12.5, 17.5]


HEAD = FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32))
RECORD = TableRecord(bytes(16), bytes(32), bytes(32), b"certificate", b"private key", 47110)
LOBBY_OF_TWO = LobbyRecord(first_table(2))


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Record the length of each file at its last sync to the disk, by inode."""
    lengths: dict[int, int] = {}

    def fsync(handle: int) -> None:
        stat = os.fstat(handle)
        lengths[stat.st_ino] = stat.st_size

    monkeypatch.setattr(os, "fsync", fsync)
    return lengths


def on_the_disk(path: Path, synced: dict[int, int]) -> bool:
    """Return whether the whole content of a file was synced to the disk."""
    stat = path.stat()
    return stat.st_size > 0 and synced.get(stat.st_ino) == stat.st_size


# The host


@pytest.mark.parametrize("writes", [True, False])
def test_entry_is_on_the_disk_before_it_is_sent(
    tmp_path: Path, synced: dict[int, int], monkeypatch: pytest.MonkeyPatch, writes: bool
) -> None:
    """This also detects a host that does not write its entries."""
    path, sent = tmp_path / "tables" / "game.journal", list[bool]()
    room, send = Room(tmp_path, 2), Port.send

    def look(port: Port, data: bytes) -> None:
        if any(frame.type == ENTRY for frame in frames_in(data)):
            last = room.table.game.n if room.table.game is not None else 1
            sent.append(on_the_disk(path, synced) and len(read_journal(path).entries) >= last)
        send(port, data)

    monkeypatch.setattr(Port, "send", look)
    room.table._keep = Journal.create(path, RECORD, LOBBY_OF_TWO).append
    room.begin()
    if not writes:
        room.game._keep = lambda _: None
    room.play(12)
    assert len(sent) > 20
    assert all(sent) == writes
    assert (len(read_journal(path).entries) == room.game.n) == writes


def test_journal_and_its_directory_entry_are_synced_from_the_first_record(
    tmp_path: Path, synced: dict[int, int]
) -> None:
    path = tmp_path / "tables" / "game.journal"
    journal = Journal.create(path, RECORD, LOBBY_OF_TWO)
    assert on_the_disk(path, synced)
    assert path.parent.stat().st_ino in synced, "a power cut would leave no file of this name"
    journal.close()


# The clients


def test_key_is_synced_to_disk_before_it_is_used(tmp_path: Path, synced: dict[int, int]) -> None:
    path = tmp_path / "games" / "one.key"
    load_key(path)
    assert on_the_disk(path, synced), "commitments could not be opened after a power cut"


def acks(guest: Guest) -> list[int]:
    """Return the entries that a client will acknowledge with its next messages."""
    frames = frames_in(b"".join(guest.client.out))
    messages = [decode(frame, FROM_CLIENT) for frame in frames]
    return [message.n for message in messages if isinstance(message, Ack)]


def test_acknowledged_entry_is_in_the_transcript(tmp_path: Path) -> None:
    """The entry is in the file as another program reads it: it was flushed, so only a failure of the machine
    can lose it."""
    room = Room(tmp_path, 2).begin()
    anna, _ = room.players
    seen: list[tuple[int, int]] = []
    speak = anna.speak

    def look() -> bool:
        kept = len(read_transcript(anna.path).bodies)
        seen.extend((n, kept) for n in acks(anna))
        return speak()

    anna.speak = look  # type: ignore[method-assign]
    room.play(8)
    assert len(seen) >= 8
    assert all(n <= kept for n, kept in seen)


# The end


@pytest.mark.slow
def test_game_is_over_when_all_players_have_acknowledged_its_end(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, _ = room.players
    settle, anna.client.settle = anna.client.settle, lambda: None  # type: ignore[method-assign]
    while not room.game.closed:
        settle() if room.game.n - anna.client._acked > 20 else None
        room.carry()
        if room.move() is None:
            break
    room.carry()
    assert anna.connected.sent == room.game.n > anna.connected.acked
    assert not room.table.over
    settle()
    room.carry()
    assert anna.connected.acked == room.game.n
    assert room.table.over
