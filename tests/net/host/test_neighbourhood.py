"""The clients of the seats are told where they reach each other, and nobody else is."""

from pathlib import Path

import pytest

from citadels_lan.crypto.packing import Malformed, pack, pad
from citadels_lan.net.wire.frames import Decoder, Frame
from citadels_lan.net.wire.messages import FROM_HOST, HeardAt, Neighbour, Neighbours, decode
from tests.net.host.table.looking import refusals
from tests.net.room import Guest, Room


def room_of(folder: Path, *sources: str) -> Room:
    """A game whose guests come from these addresses."""
    room = Room(folder, len(sources)).begin()
    for guest, source in zip(room.guests, sources, strict=True):
        assert guest.viewer is not None
        guest.viewer.source = source
    return room


def told(guest: Guest) -> list[Neighbours]:
    """All that a guest has been sent of its neighbours."""
    frames = [frame for frame in Decoder(1 << 20).feed(bytes(guest.port.all)) if frame.type == Neighbours.type]
    return [one for frame in frames if isinstance(one := decode(frame, FROM_HOST), Neighbours)]


def test_seats_are_told_of_each_other(tmp_path: Path) -> None:
    room = room_of(tmp_path, "10.0.0.2", "fd00::3", "::ffff:10.0.0.4", "127.0.0.1")
    watching = room.watch("Wendy")
    for port, guest in enumerate(room.players, 7000):
        guest.say(HeardAt(port))
    assert room.guests[0].client.beside.neighbours == (("fd00::3", 7001), ("10.0.0.4", 7002))
    assert room.guests[3].client.beside.neighbours == (("10.0.0.2", 7000), ("fd00::3", 7001), ("10.0.0.4", 7002))
    assert not told(watching)


def test_what_is_no_news_is_not_told_again(tmp_path: Path) -> None:
    room = room_of(tmp_path, "10.0.0.2", "10.0.0.3")
    first, second = room.guests
    for _ in range(5):
        first.say(HeardAt(7000))
    assert len(told(second)) == 1


def test_who_comes_back_hears_of_those_who_are_gone(tmp_path: Path) -> None:
    room = room_of(tmp_path, "10.0.0.2", "10.0.0.3")
    first, second = room.guests
    first.say(HeardAt(7000))
    first.cut()
    second.cut()
    second.client.beside.neighbours = ()
    second.join()
    room.carry()
    assert told(second)[-1] == Neighbours((Neighbour(0, bytes([10, 0, 0, 2]), 7000),))
    assert [*second.client.beside.neighbours] == [("10.0.0.2", 7000)]


def test_a_spectator_is_no_neighbour(tmp_path: Path) -> None:
    room = room_of(tmp_path, "10.0.0.2", "10.0.0.3")
    watching = room.watch("Wendy")
    assert watching.viewer is not None
    watching.viewer.source = "10.0.0.9"
    watching.say(HeardAt(7000))
    assert refusals(watching) == ["spectator"]
    assert not any(told(guest) for guest in room.players)


def test_an_address_of_another_length_is_malformed() -> None:
    with pytest.raises(Malformed):
        decode(Frame(Neighbours.type, pad(pack([[[0, bytes(5), 7000]]]))), FROM_HOST)
