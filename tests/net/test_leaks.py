"""Nothing private of another seat is in any byte that a viewer was sent: all of them are searched."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.crypto.log import decode_private
from citadels_lan.crypto.packing import pack
from citadels_lan.net.host.audience import WINDOW

from .room import Guest, Room


def private_bytes(room: Room) -> Iterator[tuple[int, bytes]]:
    """Every seat's private events as they would look on the wire."""
    for written in room.journal:
        for seat, data in written.private:
            yield seat, data
            for told in decode_private(data):
                yield seat, pack(told.event)


def hidden_bytes(room: Room) -> Iterator[tuple[int, bytes]]:
    """What is committed to and not opened yet: lines and nonces, with the seat that knows them."""
    for opening in room.game.host_log._held.values():
        yield opening.seat, opening.nonce
        if opening.kind != "pick":
            yield opening.seat, pack(opening.line)


def check(room: Room, viewers: list[Guest]) -> int:
    """How many secrets were looked for, everywhere they must not be."""
    secrets = {*private_bytes(room), *hidden_bytes(room)}
    for viewer in viewers:
        sent = bytes(viewer.port.all)
        assert room.core.secret not in sent
        for other in room.players:
            assert other.records.key not in sent
        for seat, secret in secrets:
            if seat != viewer.client.seat:
                assert secret not in sent, (viewer.name, seat)
    return len(secrets)


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_no_viewer_is_sent_what_is_anothers(tmp_path: Path, players: int) -> None:
    room = Room(tmp_path, players).begin()
    watcher = room.watch("Wanda")
    looked = 0
    while room.move() is not None:
        if room.game.n % 20 == 0 and not room.game.closed:
            looked += check(room, [*room.players, watcher])
    assert looked > 100


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(12)
    anna, bea = room.players
    anna.port.all += bea.port.all
    with pytest.raises(AssertionError):
        check(room, [anna])


@pytest.mark.slow
def test_neither_does_a_snapshot_tell(tmp_path: Path) -> None:
    room = Room(tmp_path, 8).begin()
    while room.game.n <= WINDOW + 20:
        room.move()
    watcher = room.watch("Wanda")
    anna = room.players[0].join()
    room.carry()
    assert check(room, [watcher, anna]) > 100


def test_all_viewers_of_an_entry_get_as_many_bytes(tmp_path: Path) -> None:
    room = Room(tmp_path, 4).begin()
    watcher = room.watch("Wanda")
    starts = [len(guest.port.all) for guest in (*room.players, watcher)]
    for _ in range(60):
        mover = next(guest for guest in room.players if guest.client.may_move)
        mover.act(room.choice(mover))
        ends = [len(guest.port.all) for guest in (*room.players, watcher)]
        assert len({end - start for start, end in zip(starts, ends, strict=True)}) == 1
        starts = ends


def test_no_secret_is_in_a_representation(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(6)
    shown = f"{room.core!r} {room.core.host!r} {room.table!r} {room.players[0].records!r}"
    for secret in (room.core.secret, room.players[0].records.key):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
