"""A player, a program or the host is missing, at each moment at which a table with a sealed draft waits."""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.events import Offered, Picked
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import SubstituteFor
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.net.host.test_substitutes import Watched
from tests.net.room import Guest, Room

from .rooms import exchange, finish, sealed, sealed_room, theater

TAKEOVER = Takeover(lambda _: Watched(), 60.0)
"""In an open draft, a substitute bot would play after a minute."""


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """The Theater is the first card of the deck."""
    with theater_on_top():
        yield


def message(kind: str) -> Callable[[Path], tuple[Room, Guest]]:
    """A table that waits for a message of this kind from a player who is disconnected."""

    def reach(folder: Path) -> tuple[Room, Guest]:
        room, dice = sealed_room(folder, sealed(4), takeover=TAKEOVER), random.Random(kind)
        while True:
            away = dice.choice(room.players)
            away.cut()
            room.play(dice.randrange(1, 6))
            while room.game.cosigning:
                room.wait(30.0)
            what, seats = room.draft.due
            if what == kind and away.seat in seats and room.move() is None:
                return room, away
            away.join()
            room.carry()

    return reach


def pick(moves: int) -> Callable[[Path], tuple[Room, Guest]]:
    """A table that waits for the pick after so many moves, whose player is disconnected."""

    def reach(folder: Path) -> tuple[Room, Guest]:
        room = sealed_room(folder, sealed(4), takeover=TAKEOVER).play(moves)
        what, (seat,) = room.draft.due
        assert what == "pick"
        room.at(seat).cut()
        return room, room.at(seat)

    return reach


def hand(folder: Path) -> tuple[Room, Guest]:
    """A table that waits for the character that a disconnected player has to give back."""
    room, owner, other = theater(folder)
    other.cut()
    owner.act(exchange(owner, other))
    assert room.draft.due == ("hand", (other.seat,))
    return room, other


MOMENTS = {
    "first pick": pick(0),
    "pick": pick(2),
    "last pick": pick(3),
    "call": message("call"),
    "begin": message("begin"),
    "hand": hand,
}
RETURNS: dict[str, Callable[[Room, Guest], object]] = {
    "player": lambda room, away: away.join(),
    "program": lambda room, away: away.restart(),
    "host": lambda room, away: room.kill_all(),
}
TABLE = [(moment, returns) for moment in MOMENTS for returns in RETURNS]


@pytest.mark.parametrize(("moment", "returns"), quick(TABLE, ("pick", "host")))
def test_table_waits_for_missing_player_and_continues(tmp_path: Path, moment: str, returns: str) -> None:
    room, away = MOMENTS[moment](tmp_path / "table")
    n, due = room.game.n, room.draft.due
    room.wait(20 * room.timing.drop)
    host = next(guest for guest in room.players if guest is not away)
    room.table.lobby.own.add(host.identity.public)
    host.say(SubstituteFor(away.seat, "sensible"))
    room.play()
    assert (room.game.n, room.draft.due) == (n, due)
    if "pick" not in moment:
        assert room.game.awaited == (away.seat,)
    RETURNS[returns](room, away)
    room.carry()
    assert room.game.n > n or room.at(away.seat).client.may_move
    finish(room)


def events(updates: Iterable[Update]) -> list[tuple[Event, ...]]:
    """The events of each entry, as a client was sent them."""
    return [one.events for one in updates if isinstance(one, Happened)]


@pytest.mark.parametrize("players", [2, 3, 4, 7])
@pytest.mark.slow
def test_programs_killed_after_each_move_know_the_same_as_before(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        host = room.game.state, room.game.head
        states = [guest.state for guest in room.players]
        history = [events([*guest.client.past, *guest.client.updates]) for guest in room.players]
        room.kill_all()
        assert (room.game.state, room.game.head) == host
        assert [guest.state for guest in room.players] == states
        assert [events(guest.client.past) for guest in room.players] == history
        room.play(1)
    for guest in room.players:
        past = [event for entry in events(guest.client.past) for event in entry]
        own = [one for one in past if isinstance(one, Offered | Picked) and one.seat == guest.seat]
        assert own
        assert not any(HIDDEN in (*one.fields().values(), *one.fields().get("packet", ())) for one in own)
    finish(room)
