"""What a client keeps: its key and its transcript, also when something is wrong with them."""

import gc
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Writer
from citadels_lan.net.client.records import DiskFull, GameIdentity, Records, key_path, load_key
from citadels_lan.net.host.lobby import Core
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal
from tests.net.room import Guest, Room


def reopened(guest: Guest) -> Guest:
    """The same player with the program started again."""
    if guest.viewer is not None:
        guest.cut()
    guest.records.close()
    guest.open()
    return guest


def test_the_key_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "games" / "one.key"
    key = load_key(path)
    assert load_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="damaged"):
        load_key(path)


def test_one_file_for_each_seat(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    watcher = room.watch("Wanda")
    names = [guest.records.path.name for guest in (*room.players, watcher) if guest.records.path]
    assert [name.rpartition("-")[2] for name in names[:2]] == ["a.ctr", "b.ctr"]
    assert "watching" in names[2]


def test_before_the_log_and_without_a_seat_nothing_is_sealed(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    assert Guest(room, "Anna").records.sealed() == []
    assert room.begin().watch("Wanda").records.sealed() == []


@pytest.mark.parametrize("cut", [1, 100])
def test_a_torn_transcript_goes_on(tmp_path: Path, cut: int) -> None:
    room = Room(tmp_path, 2).begin().play(20)
    anna = room.players[0]
    anna.cut()
    anna.records.close()
    path = anna.records.path
    assert path is not None
    path.write_bytes(path.read_bytes()[:-cut])
    anna.open()
    assert anna.records.n < room.game.n
    anna.join()
    room.carry()
    assert anna.records.head == room.game.head
    assert anna.records.path == path


def test_a_damaged_transcript_stays_and_a_new_one_begins(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(20)
    anna = room.players[0]
    anna.cut()
    anna.records.close()
    path = anna.records.path
    assert path is not None
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    anna.open()
    anna.join()
    room.carry()
    assert anna.records.head == room.game.head
    assert anna.records.path != path
    assert path.read_bytes() == data


def test_a_finished_game_is_read_and_left_alone(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play()
    anna = room.players[0]
    path = anna.records.path
    assert path is not None
    before = path.read_bytes()
    reopened(anna).join()
    room.carry()
    assert anna.client.closed
    assert path.read_bytes() == before


@pytest.mark.parametrize("moves", [20, 10**9])
def test_missing_key_file_is_explained_and_raises_no_alarm(tmp_path: Path, moves: int) -> None:
    room = Room(tmp_path, 2).begin().play(moves)
    anna = room.players[0]
    anna.cut()
    anna.records.close()
    path = anna.records.path
    assert path is not None
    key = key_path(anna.folder, anna.game, anna.identity.public)
    secret, kept = key.read_bytes(), path.read_bytes()
    key.unlink()
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            anna.open()
        assert refused.value.code == "key_missing"
        assert str(key) in str(refused.value)
    assert path.read_bytes() == kept
    key.write_bytes(secret)
    anna.open()
    anna.join()
    room.carry()
    assert anna.records.head == room.game.head


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(9)
    anna, bea = room.players
    assert bea.records.path is not None
    copied = anna.folder / bea.records.path.name
    copied.write_bytes(bea.records.path.read_bytes())
    own = anna.records.path
    assert reopened(anna).records.path == own


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    guest = Guest(room, "Anna")
    guest.folder.joinpath("blocked").write_bytes(b"")
    guest.folder = guest.folder / "blocked"
    with pytest.raises(Refusal) as turned:
        guest.open()
    assert turned.value.code == "storage"


def test_a_disk_that_is_full_at_the_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the transcript is not taken for a signed one."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    anna = Room(tmp_path, 2).begin().players[0]
    monkeypatch.setattr(Writer, "finish", full)
    with pytest.raises(DiskFull):
        anna.records.finish()
    assert not anna.records.finished


def test_a_proof_that_does_not_fit_on_the_disk_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The alarm is told all the same."""
    tried: list[bytes] = []

    def full(_: Writer, proof: bytes) -> None:
        tried.append(proof)
        raise OSError(28, "No space left on device")

    anna = Room(tmp_path, 2).begin().players[0]
    monkeypatch.setattr(Writer, "append_snapshot", full)
    anna.records.keep_snapshot(b"proof")
    assert tried == [b"proof"]


def test_what_is_secret_at_one_table_is_of_no_use_at_another(tmp_path: Path) -> None:
    """The host chooses the number of a game. At a second table with the number of the first, parts and links that
    everybody knows by then would let it choose the deck, and nonces that are open would show every pick."""
    room = Room(tmp_path, 2).begin().play(6)
    anna = room.players[0]
    core = room.core
    others = (
        Core(core.game, core.secret, core.host, bytes(32)),
        Core(core.game, core.secret, Identity(bytes([1]) * 32), bytes(32)),
        Core(bytes(16), core.secret, core.host, core.fp),
    )
    keys = {anna.records.key}
    for room.core in others:
        guest = reopened(anna)
        assert guest.records.n == 0
        keys.add(guest.records.key)
    assert len(keys) == 4


def test_a_table_that_has_cheated_gets_no_second_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the host has signed against itself stays in the transcript, and ends every further joining there."""
    room = Room(tmp_path, 2).begin().play(3)
    audit, log = room.game.host_log.audit, room.game.host_log
    write = log.move
    monkeypatch.setattr(audit, "_check_signed", lambda *_: None)
    monkeypatch.setattr(log, "move", lambda read, events: write(replace(read, signature=bytes(64)), events))
    with pytest.raises(Refusal, match="contradicts"):
        room.play()
    guest = next(one for one in room.players if one.client.trust.farewell is not None)
    path = guest.records.path
    assert path is not None
    (file,) = verify([path]).files
    assert file.signed  # the last entry, which contradicts, too
    assert [finding.contradiction for finding in file.findings] == ["move_signature"]
    for _ in range(2):
        with pytest.raises(Refusal) as turned:
            reopened(guest)
        assert turned.value.code == "entry"
        assert turned.value.details["reason"] == "move_signature"
        assert turned.value.transcript == path
    assert list(guest.folder.glob("*.ctr")) == [path]


def test_another_host_of_the_same_table_is_another_table(tmp_path: Path) -> None:
    """Also with the same certificate: the file of the first says nothing there, and stays as it is."""
    room = Room(tmp_path, 2).begin().play(6)
    anna = room.players[0]
    path, key = anna.records.path, anna.records.key
    assert path is not None
    before = path.read_bytes()
    room.core = Core(room.core.game, room.core.secret, Identity(bytes([1]) * 32), room.core.fp)
    other = reopened(anna)
    assert (other.records.n, other.records.path) == (0, None)
    assert other.records.key != key
    assert path.read_bytes() == before


def test_games_leave_no_patterns_behind(tmp_path: Path) -> None:
    """A file was looked for by a pattern of its game, and Python kept hundreds of those."""

    def patterns() -> int:
        return sum(isinstance(one, re.Pattern) for one in gc.get_objects())

    def look(number: int) -> None:
        game = GameIdentity(bytes([number]) * 16, bytes(32), bytes(32))
        Records(Identity(bytes(32)), game, tmp_path, tmp_path, Profile("Anna")).close()

    look(0)
    before = patterns()
    for number in range(1, 20):
        look(number)
    assert patterns() - before < 5
