"""What a client remembers of a table's starts, and when it gives its part of the seed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import CalledOff, Header
from citadels_lan.net.client.records import Starts
from citadels_lan.net.wire.errors import Refusal
from tests.crypto.table import header
from tests.facts import first_game

HOST, OWN = b"h" * 32, b"o" * 32
AGREED, COMMITTED = b"1" * 32, b"2" * 32


def starts(folder: Path) -> Starts:
    """As the program has them when it is started."""
    return Starts(folder, HOST, OWN)


def other(number: int, *called_off: bytes) -> Header:
    """The header of another start of the same table."""
    listed = tuple(CalledOff(head, (1,)) for head in called_off)
    return replace(
        header(first_game(2), called_off=listed), game_id=bytes([number]) * 16, hostcommit=bytes([number]) * 32
    )


def refused(folder: Path, table: Header, agreed: bytes) -> str:
    with pytest.raises(Refusal) as reason:
        starts(folder).check(table, agreed)
    assert reason.value.code == "not_agreed"
    return str(reason.value.details["what"])


def test_each_start_has_a_part_of_its_own_which_is_stored(tmp_path: Path) -> None:
    first = starts(tmp_path).part(other(1), AGREED)
    assert starts(tmp_path).part(other(1), AGREED) == first
    assert starts(tmp_path).part(other(2), b"3" * 32) != first
    assert first not in str(starts(tmp_path)).encode()
    assert len(first) == 32


def test_a_part_is_given_for_one_hash_only(tmp_path: Path) -> None:
    given = starts(tmp_path).part(other(1), AGREED)
    assert starts(tmp_path).release(AGREED, COMMITTED) == given
    assert starts(tmp_path).release(AGREED, COMMITTED) == given, "again, after a lost connection"
    with pytest.raises(Refusal) as reason:
        starts(tmp_path).release(AGREED, b"3" * 32)
    assert (reason.value.code, reason.value.details) == ("not_agreed", {"what": "part"})


def test_no_part_is_given_without_a_commitment(tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        starts(tmp_path).release(AGREED, COMMITTED)


def test_a_header_that_hides_a_called_off_start_is_refused(tmp_path: Path) -> None:
    starts(tmp_path).part(other(1), AGREED)
    starts(tmp_path).release(AGREED, COMMITTED)
    assert refused(tmp_path, other(2), b"3" * 32) == "called_off"
    assert refused(tmp_path, other(2, bytes(32)), b"3" * 32) == "called_off"
    starts(tmp_path).check(other(2, COMMITTED), b"3" * 32)
    starts(tmp_path).check(other(1), AGREED)


def test_the_number_of_another_start_is_refused(tmp_path: Path) -> None:
    """The keys of a bot, say, chosen after the parts of the first start are known."""
    starts(tmp_path).part(other(1), AGREED)
    assert refused(tmp_path, other(1), b"3" * 32) == "known"
    assert refused(tmp_path, replace(other(2), hostcommit=other(1).hostcommit), b"3" * 32) == "known"
    starts(tmp_path).check(other(2), b"3" * 32)


def test_a_start_whose_game_began_need_not_be_listed(tmp_path: Path) -> None:
    starts(tmp_path).part(other(1), AGREED)
    starts(tmp_path).release(AGREED, COMMITTED)
    starts(tmp_path).begin(AGREED)
    starts(tmp_path).check(other(2), b"3" * 32)


def test_a_start_that_ended_before_commits_need_not_be_listed(tmp_path: Path) -> None:
    starts(tmp_path).part(other(1), AGREED)
    starts(tmp_path).check(other(2), b"3" * 32)


def test_many_starts_do_not_displace_one_that_was_called_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citadels_lan.net.client.records.STARTS", 4)
    starts(tmp_path).part(other(1), AGREED)
    starts(tmp_path).release(AGREED, COMMITTED)
    for number in range(2, 9):
        starts(tmp_path).part(other(number, COMMITTED), bytes([number]) * 32)
    assert refused(tmp_path, other(9), b"9" * 32) == "called_off"


def test_two_programs_give_one_part(tmp_path: Path) -> None:
    first, second = starts(tmp_path), starts(tmp_path)
    assert first.part(other(1), AGREED) == second.part(other(1), AGREED)
    first.release(AGREED, COMMITTED)
    with pytest.raises(Refusal):
        second.release(AGREED, b"3" * 32)
    with pytest.raises(Refusal):
        second.check(other(2), b"3" * 32)


def test_a_damaged_file_is_an_error_and_stays(tmp_path: Path) -> None:
    starts(tmp_path).part(other(1), AGREED)
    (path,) = tmp_path.glob("*.starts")
    path.write_bytes(b"\xc1")
    with pytest.raises(Refusal) as reason:
        starts(tmp_path)
    assert reason.value.code == "storage"
    assert path.read_bytes() == b"\xc1"
