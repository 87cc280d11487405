"""What a viewer knows of the people at its table and of what they play."""

from pathlib import Path

from citadels_lan.net.wire.messages import Settings, Start
from tests.facts import first_game
from tests.net.room import Guest, Room


def test_what_is_played_is_known_as_soon_as_the_table_has_said_it(tmp_path: Path) -> None:
    """By the lobby before the game, and by the signed header from its beginning, whatever the lobby says then."""
    settings = Settings(first_game(3), 1)
    room = Room(tmp_path, settings=settings)
    robot = Guest(room, "Robot", bot=True)
    room.table.lobby.own.add(robot.identity.public)
    room.guests.append(robot.join())
    room.seat("Ann")
    bea = Guest(room, "Bea")
    roster = bea.client.roster
    assert roster.settings is None
    room.guests.append(bea.join())
    room.carry()
    assert roster.settings == settings
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    room.guests[1].say(Start())
    roster.lobby = None
    assert bea.records.header is not None
    assert roster.settings == settings
