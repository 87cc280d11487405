"""The host sends only entries that are on its disk. Clients acknowledge only entries of their transcript."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.crypto.transcript import FileHead, Writer
from citadels_lan.crypto.transcript import read as read_transcript
from citadels_lan.net.client.connection import Connection, JoinRequest
from citadels_lan.net.client.records import load_key
from citadels_lan.net.host.journal import Journal, LobbyRecord, TableRecord
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, KNOWN, Ack, Decoder, Frame, decode
from tests.facts import first_table
from tests.net.room import TIMING, Guest, Port, Room, full

HEAD = FileHead(bytes(16), bytes(32), bytes(32), bytes(32), 0, bytes(32))
TABLE = TableRecord(bytes(16), bytes(32), bytes(32), b"certificate", b"private key", 47110)
LOBBY = LobbyRecord(first_table(2))


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """The length of each file when it was last synced, by its inode."""
    lengths: dict[int, int] = {}

    def fsync(handle: int) -> None:
        stat = os.fstat(handle)
        lengths[stat.st_ino] = stat.st_size

    monkeypatch.setattr(os, "fsync", fsync)
    return lengths


def on_the_disk(path: Path, synced: dict[int, int]) -> bool:
    """Whether all of a file has been synced."""
    stat = path.stat()
    return stat.st_size > 0 and synced.get(stat.st_ino) == stat.st_size


# The host


@pytest.mark.parametrize("writes", [True, False])
def test_entry_is_on_the_disk_before_it_is_sent(
    tmp_path: Path, synced: dict[int, int], monkeypatch: pytest.MonkeyPatch, writes: bool
) -> None:
    """A host that does not write its entries is detected."""
    path, sent = tmp_path / "tables" / "game.journal", list[bool]()
    room, send = Room(tmp_path, 2), Port.send

    def look(port: Port, data: bytes) -> None:
        if any(frame.type == ENTRY for frame in Decoder(KNOWN).feed(data)):
            last = room.table.game.n if room.table.game is not None else 1
            sent.append(on_the_disk(path, synced) and len(read_journal(path).entries) >= last)
        send(port, data)

    monkeypatch.setattr(Port, "send", look)
    room.table._keep = Journal.create(path, TABLE, LOBBY).append
    room.begin()
    if not writes:
        room.game._keep = lambda _: None
    room.play(12)
    assert len(sent) > 20
    assert all(sent) == writes
    assert (len(read_journal(path).entries) == room.game.n) == writes


def test_journal_and_its_name_are_on_the_disk_from_the_first_record(
    tmp_path: Path, synced: dict[int, int]
) -> None:
    path = tmp_path / "tables" / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    assert on_the_disk(path, synced)
    assert path.parent.stat().st_ino in synced, "a power cut would leave no file of this name"
    journal.close()


# The clients


def test_key_is_on_the_disk_before_it_is_used(tmp_path: Path, synced: dict[int, int]) -> None:
    path = tmp_path / "games" / "one.key"
    load_key(path)
    assert on_the_disk(path, synced), "commitments could not be opened after a power cut"


def acks(guest: Guest) -> list[int]:
    """The entries that the client is about to acknowledge."""
    frames = Decoder(KNOWN).feed(b"".join(guest.client.out))
    messages = [decode(frame, FROM_CLIENT) for frame in frames]
    return [message.n for message in messages if isinstance(message, Ack)]


def test_acknowledged_entry_is_in_the_transcript(tmp_path: Path) -> None:
    """In the file, as another program reads it: flushed, so that only the machine itself can lose it."""
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


async def test_client_with_a_full_disk_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    n, anna.hear = anna.records.n, lambda: False  # type: ignore[method-assign]
    room.move()
    anna.client.out.clear()
    frames = list(anna.decoder.feed(bytes(anna.port.waiting)))
    anna.port.waiting.clear()

    async def frame(silence: float | None = None) -> Frame:
        return frames.pop(0)

    request = JoinRequest(Profile("Anna"), anna.identity, tmp_path, tmp_path, timing=TIMING)
    connection = Connection(request, lambda: None)
    connection.client = anna.client
    connection._link = SimpleNamespace(frame=frame, more=True)  # type: ignore[assignment]
    with monkeypatch.context() as disk:
        disk.setattr(Writer, "_write", lambda *_: full(None))
        with pytest.raises(IndexError):  # there are no more frames
            await connection.follow()
    assert anna.client.notices.halted == "own_disk_waits"
    assert all(entry <= n for entry in acks(anna))
    assert len(read_transcript(anna.path).bodies) == n
    del anna.hear
    anna.client.try_again()
    room.carry()
    assert anna.client.notices.halted == ""
    assert anna.records.n == room.game.n


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
