"""The starts of a table that a client remembers, and when it gives its part of the seed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import CalledOff, Header
from citadels_lan.net.client.records import Starts
from citadels_lan.net.wire.errors import Refusal
from tests.crypto.table import header
from tests.facts import first_game

AGREED, COMMITTED, OTHER = b"1" * 32, b"2" * 32, b"3" * 32


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path, b"h" * 32, b"o" * 32)


def table(number: int, *called_off: bytes) -> Header:
    """The header of a start of the same table."""
    listed = tuple(CalledOff(head, (1,)) for head in called_off)
    return replace(
        header(first_game(2), called_off=listed), game_id=bytes([number]) * 16, hostcommit=bytes([number]) * 32
    )


def rejected(starts: Starts, header: Header, agreed: bytes) -> str:
    with pytest.raises(Refusal) as reason:
        starts.check(header, agreed)
    assert reason.value.code == "not_agreed"
    return str(reason.value.details["what"])


def test_each_start_has_its_own_stored_part(starts: Starts) -> None:
    first = starts.part(table(1), AGREED)
    assert starts.part(table(1), AGREED) == first
    assert starts.part(table(2), OTHER) != first
    assert len(first) == 32


def test_part_is_given_for_one_commitment_only(starts: Starts) -> None:
    with pytest.raises(Refusal):
        starts.release(AGREED, COMMITTED)
    given = starts.part(table(1), AGREED)
    for _ in range(2):  # again after a lost connection
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
    starts.check(table(2), OTHER)  # a start whose game has begun needs no place in a list


def test_game_id_or_commitment_of_another_start_is_rejected(starts: Starts) -> None:
    """The host could choose them after it knows the parts of the first start."""
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


def test_damaged_file_is_an_error_and_stays(starts: Starts, tmp_path: Path) -> None:
    starts.part(table(1), AGREED)
    (path,) = tmp_path.glob("*.starts")
    path.write_bytes(b"\xc1")
    with pytest.raises(Refusal) as reason:
        Starts(tmp_path, b"h" * 32, b"o" * 32)
    assert reason.value.code == "storage"
    assert path.read_bytes() == b"\xc1"
