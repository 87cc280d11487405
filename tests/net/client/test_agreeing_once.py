"""A client agrees to one new host, and to another one only when that cannot come about any more."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.migration.agreement import Proposal
from citadels_lan.net.client.agreeing import pledges
from tests.net.room import Guest, Room

OTHER = bytes([2]) * 32


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    return Room(tmp_path, 2).begin().players[0]


def proposal(guest: Guest) -> Proposal:
    return Proposal(guest.records.n, guest.records.head, 1, bytes([1]) * 32, bytes(32))


def test_nobody_agrees_to_two_hosts_at_once(guest: Guest) -> None:
    first = proposal(guest)
    assert guest.records.pledge(first)
    assert guest.records.pledge(first)
    assert not guest.records.pledge(replace(first, host=OTHER))
    guest.room.play(1)
    assert guest.records.pledge(replace(proposal(guest), host=OTHER)), "the game has gone on with the first host"


def test_what_the_disk_does_not_keep_is_not_agreed_to(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pledges, "write_private", full)
    assert not guest.records.pledge(proposal(guest))
