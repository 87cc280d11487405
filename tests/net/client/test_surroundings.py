"""What a host has said beside the log is there again for a program that is started anew."""

from pathlib import Path

import pytest

from citadels_lan.net.client.beside import Beside, House
from citadels_lan.net.client.records.surroundings import KeptSurroundings
from citadels_lan.net.wire.messages import Settings, Start, TakesOver
from tests.facts import first_game
from tests.net.room import Room

NEIGHBOURS = (("10.0.0.2", 47110), ("fe80::1", 50000))
HOUSE = House(60, TakesOver(90, "sensible"))


def test_where_the_others_are_and_how_the_table_is_run(tmp_path: Path) -> None:
    said, again = Beside(), Beside()
    said.neighbours, said.house = NEIGHBOURS, HOUSE
    KeptSurroundings(tmp_path / "one.beside").keep(said)
    KeptSurroundings(tmp_path / "one.beside").recall(again)
    assert (again.neighbours, again.house) == (NEIGHBOURS, HOUSE)


@pytest.mark.parametrize("data", [None, b"", b"\x92\x91\xc0\xc0", b"\x92\x91\x92\xa1a\x00\xc0"])
def test_a_file_that_says_nothing_stops_nothing(tmp_path: Path, data: bytes | None) -> None:
    path, beside = tmp_path / "one.beside", Beside()
    if data is not None:
        path.write_bytes(data)
    KeptSurroundings(path).recall(beside)
    assert (beside.neighbours, beside.house) == ((), None)


@pytest.mark.parametrize("migrate", [0, 2])
def test_it_is_kept_where_another_machine_may_go_on(tmp_path: Path, migrate: int) -> None:
    """Also what was said before the game, and it had no file yet."""
    room = Room(tmp_path, 3, settings=Settings(first_game(3), 0, migrate))
    room.seat(*(f"Player {seat}" for seat in range(3)))
    for guest in room.players:
        guest.client._heed(TakesOver(90, "sensible"))
        room.table.lobby.ready(guest.identity.public, True)
    room.players[0].say(Start())
    kept = sorted(path.parent.name for path in tmp_path.glob("*/*.beside"))
    assert kept == ([guest.name for guest in room.players] if migrate else [])
