"""Players who are away in a sealed draft: the table waits for them, names them, and no bot plays for them."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import SubstituteFor
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import Deaf, sealed, sealed_room, verified


def table(folder: Path, players: int) -> Room:
    """A game whose host would let bots play for players who are away for a minute, if the draft were open."""
    bot = Deaf(random.Random(3))
    return sealed_room(folder, sealed(players), 1, Takeover(lambda level: {"sensible": bot}[level], 60.0))


def at(room: Room, seat: int) -> Guest:
    return next(guest for guest in room.players if guest.client.seat == seat)


def due(room: Room) -> int:
    """The one seat that has to say something."""
    what, (seat,) = room.draft.due
    assert what
    return seat


def replying(room: Room) -> int:
    """A seat that has to reply to the call to come."""
    return room.game.state.inquiry.seats[0] if room.game.state.inquiry is not None else -1


WAITS: dict[str, tuple[int, Callable[[Room], int]]] = {
    "the first pick": (0, due),
    "a pick": (2, due),
    "the last pick": (3, due),
}


@pytest.mark.parametrize("when", quick(sorted(WAITS), "a pick"))
def test_table_waits_for_a_pick_without_a_substitute(tmp_path: Path, when: str) -> None:
    room = table(tmp_path / "table", 4)
    moves, seat_of = WAITS[when]
    room.play(moves)
    seat = seat_of(room)
    at(room, seat).cut()
    n = room.game.n
    for _ in range(3):
        room.wait(200.0)
        room.play()
    assert room.game.n == n
    assert due(room) == seat
    ask = next(guest for guest in room.players if guest.viewer is not None and guest.client.seat != seat)
    room.players[0].client.ask(SubstituteFor(seat, "sensible"))
    if room.players[0].viewer is not None:
        room.players[0].speak()
    assert room.game.n == n
    assert ask.viewer is not None
    at(room, seat).join()
    room.carry()
    room.play()
    assert room.game.closed
    assert verified(room) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4, 7])
def test_table_waits_for_what_no_player_chooses(tmp_path: Path, players: int) -> None:
    """A deal, a reply, the beginning of a round: a seat that is away says what is due when it is back."""
    room = table(tmp_path / "table", players)
    dice, waited = random.Random(players), set()
    while not room.game.closed and room.game.state.round < 4:
        away = dice.choice(room.players)
        away.cut()
        room.play(dice.randrange(1, 6))
        while room.game.cosigning:
            room.wait(30.0)
        if room.game.awaited:
            assert room.game.awaited == (away.client.seat,)
            waited.add(room.draft.due[0])
            n = room.game.n
            room.wait(300.0)
            assert room.game.n == n
        away.join()
        room.carry()
    assert {"call", "begin"} <= waited
    room.play()
    assert verified(room) == (0, [])
