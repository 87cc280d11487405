"""Names in the lobby: everybody signs the own one before a game can begin, persons and bots."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Open, SeatKind, decode_entry
from citadels_lan.crypto.seats import claim, claimed
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Claim, Ready, Start, Welcome, encode
from tests.effort import one_case
from tests.facts import first_table
from tests.net.playing import QUICK, join, play_all, until
from tests.net.room import Guest, Room

from .table.looking import refusals


def claiming(guest: Guest, name: str, signed: str | None = None, **other: object) -> Claim:
    """A guest's claim of a name, signed as it should be or with something else in it."""
    core = guest.room.core
    fields = {
        "game": core.game,
        "fp": core.fp,
        "host": core.host.public,
        "name": signed or name,
        "kind": guest.records.profile.kind,
    }
    identity = other.pop("identity", guest.identity)
    assert isinstance(identity, Identity)
    return Claim(name, claim(identity, **(fields | other)))  # type: ignore[arg-type]


def silent(room: Room, name: str, bot: bool = False) -> Guest:
    """Somebody who sits down, is ready and has not claimed the name yet."""
    guest = Guest(room, name, bot=bot)
    room.guests.append(guest.join())
    guest.hear()
    guest.client.out.clear()
    room.carry()
    guest.say(Ready(True))
    return guest


def lobby(folder: Path) -> tuple[Room, Guest, Guest]:
    """Anna, who may start, and Bea, whose claim is missing."""
    room = Room(folder, 2)
    (anna,) = room.seat("Anna")
    return room, anna, silent(room, "Bea")


def test_nothing_begins_before_all_have_claimed_their_names(tmp_path: Path) -> None:
    room, anna, bea = lobby(tmp_path)
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]
    assert room.table.game is None
    bea.say(claiming(bea, "Bea"))
    anna.say(Start())
    assert refusals(anna) == refusals(bea) == []
    assert room.play().game.closed


WRONG = {
    "another name in the signature": {"signed": "Anna"},
    "a bot's": {"kind": SeatKind.BOT},
    "of another game": {"game": bytes(16)},
    "of another certificate": {"fp": bytes(32)},
    "of another host": {"host": bytes(32)},
    "by another key": {"identity": Identity(bytes([99]) * 32)},
}


@one_case("wrong", WRONG.values(), ids=WRONG)
def test_a_claim_that_is_none_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    _, anna, bea = lobby(tmp_path)
    bea.say(claiming(bea, "Bea", **wrong))  # type: ignore[arg-type]
    assert refusals(bea) == ["signature"]
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]


def test_a_claim_of_another_name_than_the_tables_does_not_count(tmp_path: Path) -> None:
    """It may be on its way still when the table has given another name: nobody is blamed."""
    room, anna, bea = lobby(tmp_path)
    bea.say(claiming(bea, "Anna"))
    assert refusals(bea) == []
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]
    assert [place.name for place in room.table.lobby.places] == ["Anna", "Bea"]


def test_nobody_claims_the_seat_of_another(tmp_path: Path) -> None:
    _, anna, bea = lobby(tmp_path)
    watcher = bea.room.watch("Wanda")
    for guest in (anna, watcher):
        guest.say(claiming(bea, "Bea"))
    assert refusals(anna) == ["signature"]
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]


def test_a_claim_in_the_game_changes_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    before = [place.claim for place in room.table.lobby.places]
    anna.say(claiming(anna, "Somebody"))
    assert [place.claim for place in room.table.lobby.places] == before
    assert refusals(anna) == []


@pytest.mark.slow
def test_bots_claim_theirs_as_bots(tmp_path: Path) -> None:
    room = Room(tmp_path, 3, bots=1)
    anna, bea = room.seat("Anna", "Bea")
    robot = Guest(room, "Robot", bot=True)
    room.table.lobby.own.add(robot.identity.public)
    room.guests.append(robot.join())
    room.carry()
    bea.say(Ready(True))
    anna.say(Start())
    assert refusals(anna) == []
    entry = decode_entry(room.journal[0].public)
    assert isinstance(entry, Open)
    assert [player.bot for player in entry.header.players] == [False, False, True]
    assert all(claimed(entry.header, seat) for seat in range(3))
    assert room.play().game.closed


@pytest.mark.slow
def test_a_name_that_the_table_has_already_is_claimed_with_its_number(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    other = Guest(room, "anna")
    other.name = "Anna"
    other.open()
    room.guests.append(other.join())
    room.carry()
    other.say(Ready(True))
    anna.say(Start())
    assert refusals(anna) == []
    assert room.game.host_log.header.players[1].name == "Anna 2"
    assert room.play().game.closed


def test_a_table_that_nobody_attends_begins_once_all_claims_are_there(tmp_path: Path) -> None:
    room, anna, bea = lobby(tmp_path)
    room.table.unattended = True
    anna.say(Ready(True))
    room.wait(5)
    assert room.table.game is None
    bea.say(claiming(bea, "Bea"))
    room.wait(2)
    assert room.table.game is not None
    assert room.play().game.closed


@pytest.mark.slow
async def test_an_unattended_table_over_real_connections(tmp_path: Path) -> None:
    options: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "timing": QUICK, "unattended": True}
    async with open_table(first_table(2), tmp_path / "host", **options) as table:
        sessions = [await join(table, tmp_path / name, name) for name in ("Anna", "Bea")]
        await until(lambda: all(one.table.state is not None for one in sessions))
        await play_all(sessions)
        assert sessions[0].table.head == sessions[1].table.head
        for one in sessions:
            await one.leave()


def test_nobody_signs_a_name_that_is_not_the_own_one(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna = Guest(room, "Anna").join()
    anna.port.waiting.clear()
    anna.port.send(encode(Welcome(0, True, 0, "Bea")))
    with pytest.raises(Refusal) as turned:
        anna.hear()
    assert (turned.value.code, turned.value.details) == ("not_agreed", {"what": "own_name"})
    assert not anna.client.out


def test_who_comes_back_to_the_lobby_by_another_name_has_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    bea.cut()
    bea.name = "Carla"
    bea.open()
    bea.join()
    room.carry()
    assert [place.name for place in room.table.lobby.places] == ["Anna", "Carla"]
    bea.say(Ready(True))
    anna.say(Start())
    assert [player.name for player in room.game.host_log.header.players] == ["Anna", "Carla"]
    assert room.play().game.closed


def test_kind_of_host_player_is_rejected_from_other_computer(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.seat("Anna")
    claiming_host = Guest(room, "Bea")
    claiming_host.records.profile = replace(claiming_host.records.profile, kind=SeatKind.HOST)
    with pytest.raises(Refusal) as refused:
        claiming_host.join()
    assert refused.value.code == "owner_only"
    room.table.lobby.own.add(claiming_host.identity.public)
    claiming_host.join()
    kinds = [seat.kind for seat in room.table.lobby.seats()]
    assert kinds == [SeatKind.PLAYER, SeatKind.HOST]


def test_player_who_returns_with_another_kind_must_sign_it(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    assert all(place.claim for place in room.table.lobby.places)
    bea.cut()
    bea.records.profile = replace(bea.records.profile, kind=SeatKind.GUEST)
    bea.address = "127.0.0.1"
    bea.join()
    assert [bool(place.claim) for place in room.table.lobby.places] == [True, False]
    room.carry()
    assert all(place.claim for place in room.table.lobby.places)
    bea.say(Ready(True))
    anna.say(Start())
    game = room.table.game
    assert game is not None
    assert [one.kind for one in game.host_log.header.players] == [SeatKind.PLAYER, SeatKind.GUEST]
