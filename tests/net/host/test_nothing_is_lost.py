"""Nothing is told that is not on the disk, and nothing is acknowledged that is not in the transcript.

What the disk has is looked at whenever something is sent.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.transcript import Alarmed, FileHead, Writer
from citadels_lan.crypto.transcript import read as read_transcript
from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.records import load_key
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.journal import Journal, LobbyRecord, TableRecord
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.frames import KNOWN, Decoder, Frame
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, Ack, Start, decode
from citadels_lan.systems import files
from tests.effort import one_case
from tests.facts import first_table
from tests.net.room import TIMING, Guest, Port, Room

HEAD = FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32))
TABLE = TableRecord(bytes(16), bytes(32), bytes(32), b"certificate", b"private key", 47110)
LOBBY = LobbyRecord(first_table(2))


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """How long each file was when it was synced last, by its inode."""
    found: dict[int, int] = {}

    def fsync(handle: int) -> None:
        known = os.fstat(handle)
        found[known.st_ino] = known.st_size

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def on_the_disk(path: Path, synced: dict[int, int]) -> bool:
    """Whether all of a file has been synced."""
    known = path.stat()
    return known.st_size > 0 and synced.get(known.st_ino) == known.st_size


# The host


class Looking(Port):
    """Looks at the journal whenever something is sent."""

    def __init__(self, look: Callable[[int], None]) -> None:
        super().__init__()
        self.look = look
        self.frames = Decoder(KNOWN)

    def send(self, data: bytes) -> None:
        for frame in self.frames.feed(data):
            if frame.type == ENTRY:
                self.look(1)
        super().send(data)


class Watched(Guest):
    """A guest whose connection looks at the journal."""

    def new_port(self) -> Port:
        room = self.room
        assert isinstance(room, Kept)
        return Looking(room.look)


class Kept(Room):
    """A table with a journal in a file. `told` counts the entries that were sent, `early` those that were sent
    before they were on the disk."""

    def __init__(self, folder: Path, synced: dict[int, int]) -> None:
        super().__init__(folder, 2)
        self.path = folder / "tables" / "game.journal"
        self.synced = synced
        self.told = self.early = 0
        self.table._keep = Journal.create(self.path, TABLE, LOBBY).append

    def look(self, entries: int) -> None:
        self.told += entries
        written = len(read_journal(self.path).entries)
        last = self.table.game.n if self.table.game else 1
        self.early += not (on_the_disk(self.path, self.synced) and written >= last)

    def sat(self) -> "Kept":
        """Two players, and the game begins."""
        self.guests += [Watched(self, name).join() for name in ("Anna", "Bea")]
        self.carry()
        for guest in self.guests:
            self.table.lobby.ready(guest.identity.public, True)
        self.guests[0].say(Start())
        return self


def test_an_entry_is_on_the_disk_before_anybody_is_told(tmp_path: Path, synced: dict[int, int]) -> None:
    room = Kept(tmp_path, synced).sat()
    room.play(12)
    assert room.told > 20
    assert room.early == 0
    assert len(read_journal(room.path).entries) == room.game.n


def test_what_looks_at_the_journal_sees_one_that_is_behind(tmp_path: Path, synced: dict[int, int]) -> None:
    room = Kept(tmp_path, synced).sat()
    room.game._keep = lambda _: None
    room.play(2)
    assert room.early > 0


def test_a_journal_and_its_name_are_on_the_disk_from_the_first_record(
    tmp_path: Path, synced: dict[int, int]
) -> None:
    path = tmp_path / "tables" / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    assert on_the_disk(path, synced)
    assert path.parent.stat().st_ino in synced, "a power cut would leave no file of this name"
    journal.close()


def full(_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_entry_that_does_not_fit_is_told_to_nobody(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    n, seen = room.game.n, {guest.name: len(guest.port.all) for guest in room.guests}
    room.game._keep = full
    room.move()
    assert len(room.journal) == room.game.n - 1 == n
    for guest in room.guests:
        told = Decoder(KNOWN).feed(bytes(guest.port.all)[seen[guest.name] :])
        assert all(frame.type != ENTRY for frame in told)
        assert guest.records.n == n
    restored = HostedGame.restore(room.journal, room.core.secret, room.core.host, full)
    assert restored.n == n


def test_a_journal_that_cannot_be_synced_refuses_the_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin()
    journal = Journal.create(tmp_path / "game.journal", TABLE, LOBBY)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        journal.append(room.journal[0])
    journal.close()


# The clients


def test_a_key_is_on_the_disk_before_it_is_used(tmp_path: Path, synced: dict[int, int]) -> None:
    path = tmp_path / "games" / "one.key"
    load_key(path)
    assert on_the_disk(path, synced), "commitments could not be opened after a power cut"


def test_a_private_file_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: dict[int, int]
) -> None:
    path = tmp_path / "one"
    files.write_private(path, b"first")
    assert on_the_disk(path, synced)
    files.write_private(path, b"second")
    assert path.read_bytes() == b"first"
    files.write_private(path, b"second", replace=True)
    assert path.read_bytes() == b"second"
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.write_private(path, b"third", replace=True)
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def acks(guest: Guest) -> list[int]:
    """What the client wants to acknowledge."""
    frames = Decoder(KNOWN).feed(b"".join(guest.client.out))
    messages = [decode(frame, FROM_CLIENT) for frame in frames]
    return [message.n for message in messages if isinstance(message, Ack)]


def test_what_is_acknowledged_is_in_the_transcript(tmp_path: Path) -> None:
    """In the file, as another program reads it: flushed, so that only the machine itself can lose it."""
    room = Room(tmp_path, 2).begin()
    anna, _ = room.players
    seen: list[tuple[int, int]] = []
    speak = anna.speak

    def look() -> bool:
        assert anna.records.path is not None
        kept = len(read_transcript(anna.records.path).bodies)
        seen.extend((n, kept) for n in acks(anna))
        return speak()

    anna.speak = look  # type: ignore[method-assign]
    room.play(8)
    assert len(seen) >= 8
    assert all(n <= kept for n, kept in seen)


@one_case("record", ["append", "append_own", "append_alarm"])
def test_each_record_of_a_transcript_is_in_the_file_at_once(tmp_path: Path, record: str) -> None:
    path = tmp_path / "one.ctr"
    writer = Writer.create(path, HEAD)
    assert read_transcript(path).head.seat == 0
    before = path.stat().st_size
    what = {
        "append": bytes(256),
        "append_own": [Opening(1, 0, 0, "warrant", "warrant king*", bytes(32))],
        "append_alarm": Alarmed(7, "placed"),
    }
    getattr(writer, record)(what[record])
    assert path.stat().st_size > before
    assert not read_transcript(path).torn
    writer.close()


class Carried:
    """The link of a guest at a table in memory: what was sent to it."""

    def __init__(self, guest: Guest) -> None:
        data = bytes(guest.port.waiting)
        guest.port.waiting.clear()
        self.frames = list(guest.decoder.feed(data))

    @property
    def more(self) -> bool:
        return bool(self.frames)

    async def frame(self, silence: float | None = None) -> Frame:
        return self.frames.pop(0)


async def test_a_full_disk_at_a_client_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna, path = room.players[0], room.players[0].records.path
    assert path is not None
    kept, anna.hear = anna.records.n, lambda: False  # type: ignore[method-assign]
    room.move()
    anna.client.out.clear()
    request = JoinRequest(Profile("Anna"), anna.identity, tmp_path, tmp_path, timing=TIMING)
    connection = Connection(request, lambda: None)
    connection.client, connection._link = anna.client, Carried(anna)  # type: ignore[assignment]
    with monkeypatch.context() as disk:
        disk.setattr(Writer, "_write", lambda *_: full(None))
        with pytest.raises(IndexError):  # nothing more comes
            await connection.follow()
    assert anna.client.notices.halted == "own_disk_waits"
    assert all(n <= kept for n in acks(anna))
    assert len(read_transcript(path).bodies) == kept
    del anna.hear
    anna.client.try_again()
    room.carry()
    assert anna.client.notices.halted == ""
    assert anna.records.n == room.game.n


# The end


@pytest.mark.slow
def test_the_end_is_when_everybody_has_it_and_not_when_it_was_sent(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, _ = room.players
    settle, anna.client.settle = anna.client.settle, lambda: None  # type: ignore[method-assign]
    while not room.game.closed:
        settle() if room.game.n - anna.client._acked > 20 else None
        room.carry()
        if room.move() is None:
            break
    room.carry()
    assert anna.viewer is not None
    assert anna.viewer.sent == room.game.n > anna.viewer.acked
    assert not room.table.over
    settle()
    room.carry()
    assert anna.viewer.acked == room.game.n
    assert room.table.over
