"""A table before its game: seats, settings, talk."""

from pathlib import Path

import pytest

from citadels_lan.engine import TableConfig
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import Configure, LobbyNews, Ready, Settings, Start
from tests.facts import first_table
from tests.net.room import Guest, Room

from .looking import refusals, talk, updates


def test_sitting_down(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, bea = room.seat("Anna", "Bea")
    assert anna.client.roster.lobby is not None
    assert [(seat.name, seat.owner) for seat in anna.client.roster.lobby.seats] == [
        ("Anna", True),
        ("Bea", False),
    ]
    assert (anna.client.seat, bea.client.seat) == (0, 1)


def test_two_of_one_name(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    room.guests.append(Guest(room, "Anna").join())
    other = Guest(room, "anna")
    other.name = "ANNA"
    other.join()
    assert [place.name for place in room.table.lobby.places] == ["Anna", "ANNA 2"]


def test_a_full_table(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    with pytest.raises(Refusal, match="The table is full"):
        Guest(room, "Carla").join()
    assert room.watch("Carla").client.seat is None


def test_seats_for_the_hosts_bots_are_kept(tmp_path: Path) -> None:
    room = Room(tmp_path, 4, bots=2)
    room.seat("Anna", "Bea")
    stranger = Guest(room, "Robot", bot=True)
    with pytest.raises(Refusal) as turned:
        stranger.join()
    assert turned.value.code == "owner_only"
    with pytest.raises(Refusal) as turned:
        Guest(room, "Carla").join()
    assert turned.value.code == "table_full"
    room.table.lobby.own.add(stranger.identity.public)
    stranger.join()
    assert room.table.lobby.seats()[2].bot
    assert room.table.lobby.seats()[2].ready


def test_who_begins(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    anna.say(Start())
    assert refusals(anna) == ["seats_free"]
    bea = room.seat("Bea")[1]
    bea.say(Start())
    assert refusals(bea) == ["owner_only"]
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]
    bea.say(Ready(True))
    anna.say(Start())
    assert refusals(anna) == []
    assert room.table.game is not None
    bea.say(Ready(False))
    assert refusals(bea) == ["not_in_lobby"]


def test_the_owner_changes_the_settings(tmp_path: Path) -> None:
    room = Room(tmp_path, 4)
    anna, bea, _ = room.seat("Anna", "Bea", "Carla")
    bea.say(Ready(True))
    bea.say(Configure(first_table(3)))
    assert refusals(bea) == ["owner_only"]
    anna.say(Configure(first_table(2)))
    assert refusals(anna) == ["seats_taken"]
    anna.say(Configure(Settings(TableConfig(3, ("king",)))))
    assert refusals(anna) == ["one_character_per_rank"]
    anna.say(Configure(first_table(3)))
    assert refusals(anna) == []
    assert bea.client.roster.lobby is not None
    assert bea.client.roster.lobby.settings.players == 3
    assert not bea.client.roster.lobby.seats[1].ready


def test_leaving_frees_the_seat_and_silence_does_after_a_while(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, bea, carla = room.seat("Anna", "Bea", "Carla")
    anna.cut()
    assert room.table.lobby.seats()[0].away
    room.wait(room.timing.drop + 2)
    assert [seat.name for seat in room.table.lobby.seats()] == ["Bea", "Carla"]
    assert (bea.client.seat, carla.client.seat) == (0, 1)
    assert room.table.lobby.owner == bea.identity.public


def test_coming_back_in_time_keeps_the_seat(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.cut()
    room.wait(5)
    anna.join()
    room.wait(room.timing.drop + 2)
    assert [(seat.name, seat.away) for seat in room.table.lobby.seats()] == [("Anna", False), ("Bea", False)]


def test_talking(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    watcher = room.watch("Wanda")
    talk(anna, "ciao")
    talk(watcher, "hello")
    assert updates(bea, Chatted) == [Chatted(0, "Anna", "ciao"), Chatted(None, "Wanda", "hello")]


def test_a_spectator_has_nobodys_name(tmp_path: Path) -> None:
    """Also of somebody who sits down later; and the seat is None in any case."""
    room = Room(tmp_path, 2)
    watcher = room.watch("Be\u200ba")
    talk(watcher, "first")
    anna, _ = room.seat("Anna", "Bea")[1:]
    talk(watcher, "hello")
    assert updates(anna, Chatted) == [Chatted(None, "Bea 2", "hello")]


def test_nobody_floods_the_table(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    for _ in range(50):
        talk(anna, "spam")
    assert set(refusals(anna)) == {"too_fast"}
    assert len(updates(bea, Chatted)) == 5


def test_moves_and_acknowledgements_report_no_change_of_the_table(tmp_path: Path) -> None:
    """The journal's record of the lobby is made when the table changes, and not with each message."""
    room = Room(tmp_path, 3).begin()
    room.play(2)
    changes: list[int] = []
    room.table.changed = lambda: changes.append(room.game.n)
    room.play(6)
    assert changes == []
    room.watch("Wanda")
    assert changes == [room.game.n]


def test_spectator_who_joins_and_leaves_sends_players_no_lobby(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.port.all.clear()
    room.watch("Wanda").cut()
    assert LobbyNews.type not in [frame.type for frame in Decoder(KNOWN).feed(bytes(anna.port.all))]
    room.seat("Carla")
    assert LobbyNews.type in [frame.type for frame in Decoder(KNOWN).feed(bytes(anna.port.all))]
