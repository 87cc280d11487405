"""Players who are gone in the middle of a sealed draft: they are left out of it, once or twice, and it goes on as
far as somebody has what is needed."""

import random
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.draft.record import DraftRecord
from citadels_lan.crypto.log import DraftWithout
from citadels_lan.net.client.draft.drafting import Drafting
from citadels_lan.net.host.stand_ins import Takeover
from tests.effort import quick
from tests.net.room import Guest, Room

from .rooms import Deaf, sealed, sealed_room, verified


def table(folder: Path, players: int) -> Room:
    """A game whose host lets bots move for those who are gone for a minute."""
    bot = Deaf(random.Random(3))
    return sealed_room(folder, sealed(players), 1, Takeover(lambda level: {"sensible": bot}[level], 60.0))


def at(room: Room, seat: int) -> Guest:
    return next(guest for guest in room.players if guest.client.seat == seat)


def first_draft(room: Room) -> DraftRecord:
    drafts = room.game.draft.drafts
    assert drafts is not None
    return drafts.rounds[min(drafts.rounds)].record


def without(room: Room) -> list[int]:
    """The seats without which the draft has gone on, in order."""
    return [entry.seat for entry in room.game.host_log.entries() if isinstance(entry, DraftWithout)]


def play_out(room: Room) -> None:
    """Play to an end that is verified."""
    while not room.game.closed:
        n = room.game.n
        room.play()
        room.wait(70.0)
        assert room.game.n > n or room.game.closed
    assert verified(room) == (0, [])


def everybody(room: Room) -> None:
    """Whoever was gone is back."""
    for guest in room.players:
        if guest.viewer is None:
            guest.join()
    room.carry()


@pytest.mark.parametrize("players", quick([2, 3], 2))
def test_a_player_is_left_out_of_both_picks(tmp_path: Path, players: int) -> None:
    room = table(tmp_path / "table", players)
    room.play(1)
    seat = room.game.draft.due[1]
    at(room, seat).cut()
    with mock.patch.object(Drafting, "asked", return_value=None):
        while first_draft(room).due[0] != "over":
            room.play()
            room.wait(70.0)
    assert without(room) == [seat, seat]
    assert not room.game.state.players[seat].concealed
    everybody(room)
    play_out(room)


@pytest.mark.slow
def test_a_dealer_who_is_gone_before_its_pick_ends_the_draft(tmp_path: Path) -> None:
    """Nobody else has the packet."""
    room = table(tmp_path / "table", 4)
    dealer = room.game.draft.due[1]
    assert first_draft(room).dealer == dealer == room.game.state.crown
    at(room, dealer).cut()
    while len(without(room)) < 2:
        n = room.game.n
        room.wait(70.0)
        assert room.game.n > n
    assert without(room) == [dealer, dealer]
    assert first_draft(room).due[0] == "over"
    assert not first_draft(room).steps
    everybody(room)
    play_out(room)


@pytest.mark.slow
def test_who_has_made_a_packet_and_who_is_to_pick_from_it_are_gone(tmp_path: Path) -> None:
    room = table(tmp_path / "table", 4)
    maker = room.game.draft.due[1]
    room.play(1)
    receiver = room.game.draft.due[1]
    at(room, maker).cut()
    at(room, receiver).cut()
    while len(without(room)) < 2:
        n = room.game.n
        room.wait(70.0)
        assert room.game.n > n
    assert without(room) == [receiver, maker]
    assert [done.seat for done in first_draft(room).steps] == [maker]
    everybody(room)
    play_out(room)


@pytest.mark.slow
def test_the_packet_goes_on_once_who_has_made_it_is_back(tmp_path: Path) -> None:
    room = table(tmp_path / "table", 4)
    maker = room.game.draft.due[1]
    room.play(1)
    receiver = room.game.draft.due[1]
    at(room, receiver).cut()
    at(room, maker).cut()
    while room.game.draft.due != ("again", maker):
        room.wait(1.0)
    at(room, maker).join()
    room.carry()
    what, third = room.game.draft.due
    assert (what, third in (maker, receiver)) == ("pick", False)
    assert without(room) == [receiver]
    everybody(room)
    play_out(room)
