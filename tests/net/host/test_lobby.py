"""Who may sit at a table, and who is sent away from it."""

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.wire.errors import Refusal
from tests.facts import first_table

OWNER, GUEST = bytes(32), bytes([1]) * 32


def sitting() -> Lobby:
    """A lobby of the host's person and a guest."""
    lobby = Lobby(first_table(3, 1))
    lobby.own.add(OWNER)
    lobby.sit(OWNER, "Ann", SeatKind.PLAYER)
    lobby.sit(GUEST, "Bea", SeatKind.PLAYER)
    return lobby


def test_a_guest_can_be_sent_away_and_nobody_of_the_host() -> None:
    lobby = sitting()
    lobby.remove(OWNER, GUEST)
    with pytest.raises(Refusal) as refused:
        lobby.remove(OWNER, OWNER)
    assert refused.value.code == "own_seat"
    assert lobby.bans.removed == {GUEST}


def test_seats_are_kept_for_no_more_people_than_there_are_seats() -> None:
    people = [(bytes([number]) * 32, f"Player {number}") for number in range(3)]
    lobby = Lobby(first_table(3, 1))
    with pytest.raises(Refusal) as refused:
        lobby.keep(people)
    assert (refused.value.code, refused.value.details) == ("seats_taken", {"seated": 3, "players": 2})
    assert lobby.places == []
    lobby.keep(people[:2])
    assert [(place.key, place.name) for place in lobby.places] == people[:2]


@pytest.mark.parametrize("address", ["", "192.168.1.7", "fe80::7%eth0", "somewhere"])
@pytest.mark.parametrize("kind", [kind for kind in SeatKind if kind != SeatKind.PLAYER])
def test_client_on_another_computer_sits_as_player_only(kind: SeatKind, address: str) -> None:
    lobby = sitting()
    stranger = bytes([2]) * 32
    with pytest.raises(Refusal) as refused:
        lobby.sit(stranger, "Mallory", kind, address)
    assert refused.value.code == "owner_only"
    with pytest.raises(Refusal):
        lobby.sit(GUEST, "Bea", kind, address)
    assert [place.kind for place in lobby.places] == [SeatKind.PLAYER, SeatKind.PLAYER]


def test_clients_on_the_hosts_computer_may_be_guests_and_no_bots() -> None:
    lobby = Lobby(first_table(3))
    lobby.sit(GUEST, "Bea", SeatKind.GUEST, "127.0.0.1")
    assert [place.kind for place in lobby.places] == [SeatKind.GUEST]
    for kind in (SeatKind.BOT, SeatKind.HOST):
        with pytest.raises(Refusal):
            lobby.sit(bytes([2]) * 32, "Mallory", kind, "127.0.0.1")
