"""Exchanges of characters with the Theater at a sealed table, on purpose: by people, by bots, by who may not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.actions import Theater
from citadels_lan.net.client.drafting import Drafting
from citadels_lan.net.client.signing import signed
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.substitutes import Takeover
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import crash, held, verified
from .theater import asked, exchange, in_the_theater


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """The Theater is the first card of the deck."""
    with theater_on_top():
        yield


GAMES = {4: 1, 3: 4, 2: 9}
"""By number of players: a game in which somebody builds the Theater early."""


def theater(folder: Path, players: int = 4, takeover: Takeover | None = None) -> tuple[Room, Guest, Guest]:
    """A game in which the second of these may exchange a character with the third."""
    room = in_the_theater(folder, players, GAMES[players], takeover)
    owner = asked(room)
    assert owner is not None
    return room, owner, next(guest for guest in room.players if guest is not owner)


def seat_of(guest: Guest) -> int:
    assert guest.client.seat is not None
    return guest.client.seat


def concealed(guest: Guest) -> list[str]:
    """What a client knows its seat to hold that is not shown."""
    assert guest.client.state is not None
    return sorted(guest.client.state.players[seat_of(guest)].concealed)


@pytest.mark.slow
@pytest.mark.parametrize("players", quick(GAMES, 2))
def test_people_exchange_characters(tmp_path: Path, players: int) -> None:
    room, owner, other = theater(tmp_path / "table", players)
    before = concealed(owner), concealed(other)
    with mock.patch.object(Drafting, "asked", return_value=None):  # nobody replies yet to what is called then
        sent = owner.act(exchange(owner, other))
        assert sent.refusal is None
        after = concealed(owner), concealed(other)
    assert after != before
    assert sorted(after[0] + after[1]) == sorted(before[0] + before[1])
    assert HIDDEN not in held(owner) + held(other)
    if players > 3:
        assert after == before[::-1]
    for guest in room.players:
        told = [one.events for one in guest.client.updates if isinstance(one, Happened)]
        crash(guest)
        assert [one.events for one in guest.client.past if isinstance(one, Happened)] == told
    room.carry()
    to_the_end(room)


@pytest.mark.slow
def test_a_plain_move_begins_no_exchange(tmp_path: Path) -> None:
    """What is given comes with what a seat says in the draft; a move that has nothing of it is refused."""
    room, owner, other = theater(tmp_path / "table")
    log, n = owner.records.client_log, room.game.n
    assert log is not None
    owner.client.ask(signed(owner.records, log, seat_of(owner), str(Theater(seat_of(other)))))
    room.carry()
    assert room.game.n == n
    owner.act(exchange(owner, other))
    assert room.game.n > n
    to_the_end(room)


@pytest.mark.slow
def test_table_waits_for_a_player_who_has_to_give_a_character_back(tmp_path: Path) -> None:
    room, owner, other = theater(tmp_path / "table")
    before = concealed(owner)
    other.cut()
    owner.act(exchange(owner, other))
    assert room.draft.due == ("hand", (other.client.seat,))
    assert room.game.awaited == (other.client.seat,)
    n = room.game.n
    room.wait(20 * room.timing.drop)
    assert room.game.n == n
    other.join()
    room.carry()
    assert concealed(owner) != before
    to_the_end(room)


def go_on(room: Room, until: Callable[[], bool]) -> None:
    """Play until something holds; of the players nobody exchanges characters."""
    while not until():
        assert not room.game.closed
        guest = asked(room)
        if guest is not None and guest.viewer is not None and guest.client.may_move:
            guest.act(Theater())
        elif room.move() is None:
            room.wait(1.0)


def to_the_end(room: Room) -> None:
    """Play to an end that is verified."""
    go_on(room, lambda: room.game.closed)
    assert verified(room) == (0, [])
