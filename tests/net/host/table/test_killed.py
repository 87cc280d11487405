"""A host that was killed goes on where its journal ends."""

from pathlib import Path

import pytest

from citadels_lan.net.wire.messages import (
    Start,
)
from tests.effort import one_case, quick
from tests.net.room import Room


@pytest.mark.parametrize("moves", quick([12, 3], 12))
def test_the_host_killed_again_and_again_goes_on(tmp_path: Path, moves: int) -> None:
    room = Room(tmp_path, 2).begin()
    while not room.game.closed:
        room.restart()
        for guest in room.guests:
            guest.join()
        room.carry()
        assert len({guest.records.head for guest in room.guests}) == 1
        for _ in range(moves):
            room.move()
    assert {guest.records.head for guest in room.guests} == {room.game.head}


@one_case("entries", [1, 2, 3, 4, 5])
def test_the_host_killed_during_the_seed(tmp_path: Path, entries: int) -> None:
    room = Room(tmp_path, 3)
    cut = room.seat("Anna", "Bea", "Carla")
    for guest in cut:
        room.table.lobby.ready(guest.identity.public, True)
    anna = cut[0]
    keep = room.journal.append

    class Killed(BaseException):
        pass

    def die_at(written: object) -> None:
        if len(room.journal) >= entries:
            raise Killed
        keep(written)  # type: ignore[arg-type]

    room.table._keep = die_at
    anna.client.ask(Start())
    with pytest.raises(Killed):
        room.play(20)
    room.restart()
    for guest in room.guests:
        guest.join()
    room.carry()
    assert room.play(6).game.state.round == 1
    assert {guest.records.head for guest in room.guests} == {room.game.head}
