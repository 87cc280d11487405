"""The files of a client: its key and its transcript, also if they are damaged or the disk is full."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CalledOff, Header
from citadels_lan.crypto.transcript import Writer
from citadels_lan.net.client.records import Starts, key_path, load_key
from citadels_lan.net.client.updates import Ended
from citadels_lan.net.host.lobby import Core
from citadels_lan.net.wire.errors import Refusal
from tests.crypto.table import header
from tests.facts import first_game
from tests.net.room import Guest, Room


def stopped(guest: Guest) -> Path:
    """End the program of a player. Return the transcript."""
    if guest.viewer is not None:
        guest.cut()
    guest.records.close()
    assert guest.records.path is not None
    return guest.records.path


def reopened(guest: Guest) -> Guest:
    """Start the program of a player again. Return the player."""
    stopped(guest)
    guest.open()
    return guest


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_client_key_file_is_created_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "games" / "one.key"
    key = load_key(path)
    assert load_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"short")
    with pytest.raises(OSError, match="damaged"):
        load_key(path)


def test_damaged_transcript_stays_and_a_new_one_begins(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(20)
    anna = room.players[0]
    path = stopped(anna)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    anna.open()
    anna.join()
    room.carry()
    assert anna.records.head == room.game.head
    assert anna.records.path != path
    assert path.read_bytes() == data


def test_finished_transcript_does_not_change(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play()
    anna = room.players[0]
    path = stopped(anna)
    before = path.read_bytes()
    reopened(anna).join()
    room.carry()
    anna.records.alarm(3, "order")
    assert anna.client.closed
    assert anna.records.finished
    assert path.read_bytes() == before


@pytest.mark.parametrize("moves", [20, 10**9])
def test_missing_key_file_is_explained_and_raises_no_alarm(tmp_path: Path, moves: int) -> None:
    room = Room(tmp_path, 2).begin().play(moves)
    anna = room.players[0]
    path, key = stopped(anna), key_path(anna.folder, anna.game, anna.identity.public)
    secret, before = key.read_bytes(), path.read_bytes()
    key.unlink()
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            anna.open()
        assert refused.value.code == "key_missing"
        assert str(key) in str(refused.value)
    assert path.read_bytes() == before
    key.write_bytes(secret)
    anna.open()
    anna.join()
    room.carry()
    assert anna.records.head == room.game.head


@pytest.mark.slow
def test_client_without_disk_space_finishes_its_transcript_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(40)
    anna = room.players[0]
    with monkeypatch.context() as disk:
        disk.setattr(Writer, "finish", full)
        room.play()
    assert anna.client.closed
    assert anna.client.notices.full
    assert not anna.records.finished
    anna.client.try_again()
    assert not anna.client.notices.full
    assert anna.records.finished
    assert anna.client.updates[-1] == Ended(anna.records.path)


def test_secrets_of_one_table_are_not_used_at_another(tmp_path: Path) -> None:
    """The host chooses the game id. If the client used the same secrets at a second table, the known parts
    and links would let the host choose the deck, and opened nonces would show every pick."""
    room = Room(tmp_path, 2).begin().play(6)
    anna, core = room.players[0], room.core
    path, keys = stopped(anna), {anna.records.key}
    before = path.read_bytes()
    for room.core in (
        Core(core.game, core.secret, core.host, bytes(32)),
        Core(core.game, core.secret, Identity(bytes([1]) * 32), core.fp),
        Core(bytes(16), core.secret, core.host, core.fp),
    ):
        anna.records.close()
        anna.open()
        assert (anna.records.n, anna.records.path) == (0, None)
        keys.add(anna.records.key)
    assert len(keys) == 4
    assert path.read_bytes() == before


AGREED, COMMITTED, OTHER = b"1" * 32, b"2" * 32, b"3" * 32


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path, b"h" * 32, b"o" * 32)


def table(number: int, *called_off: bytes) -> Header:
    """Return the header of start `number` of the same table. `called_off` are the last hashes of earlier
    starts."""
    listed = tuple(CalledOff(head, (1,)) for head in called_off)
    return replace(
        header(first_game(2), called_off=listed), game_id=bytes([number]) * 16, hostcommit=bytes([number]) * 32
    )


def rejected(starts: Starts, header: Header, agreed: bytes) -> str:
    with pytest.raises(Refusal) as reason:
        starts.check(header, agreed)
    assert reason.value.code == "not_agreed"
    return str(reason.value.details["what"])


def test_each_start_of_a_table_has_its_own_stored_seed_part(starts: Starts) -> None:
    first = starts.part(table(1), AGREED)
    assert starts.part(table(1), AGREED) == first
    assert starts.part(table(2), OTHER) != first
    assert len(first) == 32


def test_seed_part_is_revealed_for_one_commitment_only(starts: Starts) -> None:
    with pytest.raises(Refusal):
        starts.release(AGREED, COMMITTED)
    given = starts.part(table(1), AGREED)
    for _ in range(2):  # a second time after a lost connection
        assert starts.release(AGREED, COMMITTED) == given
    with pytest.raises(Refusal) as reason:
        starts.release(AGREED, OTHER)
    assert (reason.value.code, reason.value.details) == ("not_agreed", {"what": "part"})


def test_header_that_hides_a_called_off_start_is_rejected(starts: Starts) -> None:
    starts.part(table(1), AGREED)
    starts.check(table(2), OTHER)  # the host does not know the part yet
    starts.release(AGREED, COMMITTED)
    assert rejected(starts, table(2), OTHER) == "called_off"
    assert rejected(starts, table(2, bytes(32)), OTHER) == "called_off"
    starts.check(table(2, COMMITTED), OTHER)
    starts.check(table(1), AGREED)
    starts.begin(AGREED)
    starts.check(table(2), OTHER)  # a start whose game has begun is not listed


def test_game_id_or_commitment_of_another_start_is_rejected(starts: Starts) -> None:
    """Otherwise the host could choose them after it knows the parts of the first start."""
    starts.part(table(1), AGREED)
    assert rejected(starts, table(1), OTHER) == "known"
    assert rejected(starts, replace(table(2), hostcommit=table(1).hostcommit), OTHER) == "known"


def test_many_starts_do_not_displace_one_that_was_called_off(
    starts: Starts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citadels_lan.net.client.records.STARTS", 4)
    starts.part(table(1), AGREED)
    starts.release(AGREED, COMMITTED)
    for number in range(2, 9):
        starts.part(table(number, COMMITTED), bytes([number]) * 32)
    assert rejected(starts, table(9), b"9" * 32) == "called_off"


def test_damaged_file_of_starts_is_an_error_and_is_not_changed(starts: Starts, tmp_path: Path) -> None:
    starts.part(table(1), AGREED)
    (path,) = tmp_path.glob("*.starts")
    path.write_bytes(b"\xc1")
    with pytest.raises(Refusal) as reason:
        Starts(tmp_path, b"h" * 32, b"o" * 32)
    assert reason.value.code == "storage"
    assert path.read_bytes() == b"\xc1"
