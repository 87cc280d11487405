"""Exchanges of characters with the Theater at a sealed table, on purpose: by people, by bots, by who may not."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.engine import HIDDEN, Action, Choice, State
from citadels_lan.engine.actions import Theater
from citadels_lan.net.client.draft.drafting import Drafting
from citadels_lan.net.client.moves import signed
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.stand_ins import Takeover
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import Deaf, crash, held, verified
from .theater import asked, exchange, in_the_theater, longing, step

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
def test_whoever_is_gone_gives_nothing_in_return(tmp_path: Path) -> None:
    room, owner, other = theater(tmp_path / "table")
    before = concealed(owner)
    other.cut()
    owner.act(exchange(owner, other))
    assert room.game.draft.due == ("hand", other.client.seat)
    assert room.game.awaited == (other.client.seat,)
    n = room.game.n
    with mock.patch.object(Drafting, "asked", return_value=None):
        room.wait(room.timing.drop / 2)
        assert room.game.n == n
        room.wait(room.timing.drop)
        assert concealed(owner) == before
    other.join()
    room.carry()
    to_the_end(room)


class Longing(Deaf):
    """A bot that exchanges characters whenever it may."""

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return longing(choices, self.dice)


def let_stand_in() -> Takeover:
    bot = Longing(random.Random(3))
    return Takeover(lambda level: {"sensible": bot}[level], 60.0)


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


@pytest.mark.slow
def test_a_stand_in_exchanges_characters(tmp_path: Path) -> None:
    room, owner, _ = theater(tmp_path / "table", takeover=let_stand_in())
    owner.act(Theater())
    owner.cut()
    drafts = room.game.draft.drafts
    assert drafts is not None
    go_on(room, lambda: bool(drafts.record.swaps))
    assert drafts.record.given[0].by == owner.client.seat
    owner.join()
    room.carry()
    assert HIDDEN not in concealed(owner)
    to_the_end(room)


@pytest.mark.slow
def test_an_owner_begins_no_exchange_with_what_its_stand_in_has_drafted(tmp_path: Path) -> None:
    room, owner, _ = theater(tmp_path / "table", takeover=let_stand_in())
    owner.act(Theater())
    seat = seat_of(owner)
    owner.cut()
    drafts = room.game.draft.drafts
    assert drafts is not None
    go_on(room, lambda: seat in drafts.now.stints and any(done.seat == seat for done in drafts.record.steps))
    owner.join()
    room.carry()
    while asked(room) is not owner:
        assert step(room)
    assert owner.client.choices() == [Theater()]
    assert HIDDEN not in concealed(owner)
    owner.act(Theater())
    to_the_end(room)
