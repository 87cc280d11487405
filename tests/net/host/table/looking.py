"""What guests have been told, and a table that waits between rounds: for tests that look at it."""

from collections.abc import Sequence

from citadels_lan.net.wire.messages import Refused
from tests.net.room import Guest, Room


def refusals(guest: Guest) -> list[str]:
    """What the host refused this guest since the last look."""
    codes = [answer.code for answer in guest.client.answers if isinstance(answer, Refused)]
    guest.client.answers.clear()
    return codes


def updates(guest: Guest, kind: type) -> Sequence[object]:
    """The updates of a kind since the last look."""
    found = [update for update in guest.client.updates if type(update) is kind]
    guest.client.updates.clear()
    return found


def talk(guest: Guest, text: str) -> None:
    """A line of chat, signed as people's programs sign it."""
    guest.client.say(text, 0)
    guest.room.carry()


def cosigning(room: Room) -> None:
    """Play until the table waits for co-signatures, which nobody gives."""
    for guest in room.players:
        guest.client._owe = lambda: None  # type: ignore[method-assign]
    while not room.game.cosigning:
        assert room.move() is not None
