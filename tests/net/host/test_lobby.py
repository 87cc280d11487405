"""A table before its game: seats, names and their signatures, settings, the beginning."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.report.report_text import figures, text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signatures import claim
from citadels_lan.engine import TableConfig
from citadels_lan.net.client.updates import Chatted
from citadels_lan.net.host.lobby import Core, Lobby
from citadels_lan.net.wire.messages import (
    Bye,
    Claim,
    Configure,
    Ready,
    SeedCommit,
    SeedPart,
    Settings,
    Start,
    Welcome,
    encode,
)
from tests.effort import one_case
from tests.facts import first_table
from tests.net.room import Guest, Room, holding_back, refusals, rejects, talk, updates

OWNER, GUEST, STRANGER = (bytes([number]) * 32 for number in range(3))


def sitting() -> Lobby:
    """Return a lobby with the host's player and one other player."""
    lobby = Lobby(first_table(3, 1))
    lobby.own.add(OWNER)
    lobby.sit(OWNER, "Ann", SeatKind.PLAYER)
    lobby.sit(GUEST, "Bea", SeatKind.PLAYER)
    return lobby


# Seats


def test_seats_are_reserved_only_if_there_are_enough() -> None:
    people = [(bytes([number]) * 32, f"Player {number}") for number in range(3)]
    lobby = Lobby(first_table(3, 1))
    with rejects("seats_taken") as reason:
        lobby.keep(people)
    assert reason.value.details == {"seated": 3, "players": 2}
    assert lobby.places == []
    lobby.keep(people[:2])
    assert [(place.key, place.name) for place in lobby.places] == people[:2]


@one_case("address", ["", "192.168.1.7", "fe80::7%eth0", "somewhere", "127.0.0.1"])
def test_stranger_cannot_sit_as_host_or_bot_and_remote_client_cannot_be_a_browser_guest(address: str) -> None:
    lobby = sitting()
    for kind in (SeatKind.HOST, SeatKind.BOT, SeatKind.GUEST):
        if kind == SeatKind.GUEST and address == "127.0.0.1":
            continue
        for key in (STRANGER, GUEST):
            with rejects("owner_only"):
                lobby.sit(key, "Bea", kind, address)
    assert [place.kind for place in lobby.places] == [SeatKind.PLAYER, SeatKind.PLAYER]


def test_seats_for_the_hosts_bots_are_reserved(tmp_path: Path) -> None:
    room = Room(tmp_path, 4, bots=2)
    room.seat("Anna", "Bea")
    bot = Guest(room, "Robot", bot=True)
    with rejects("owner_only"):
        bot.join()
    with rejects("table_full"):
        Guest(room, "Carla").join()
    room.table.lobby.own.add(bot.identity.public)
    bot.join()
    assert room.table.lobby.seats()[2].bot
    assert room.table.lobby.seats()[2].ready
    assert room.watch("Carla").client.seat is None


@pytest.mark.parametrize("begun", [False, True])
def test_browser_guest_may_be_disconnected_briefly_and_keeps_the_seat(tmp_path: Path, begun: bool) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    bea = Guest(room, "Bea")
    bea.records.profile = replace(bea.records.profile, kind=SeatKind.GUEST)
    bea.address = "127.0.0.1"
    room.guests.append(bea.join())
    room.carry()
    if begun:
        room.start()
    bea.cut()
    room.wait(room.timing.away / 2)
    assert not room.table.lobby.seats()[1].away
    assert not anna.client.roster.away
    room.wait(room.timing.away)
    assert room.table.lobby.seats()[1].away
    assert list(anna.client.roster.away) == ([1] if begun else [])
    bea.join()
    room.carry()
    assert not anna.client.roster.away
    if begun:  # a guest who leaves is away at once
        bea.tell(Bye("left"))
        room.carry()
        assert list(anna.client.roster.away) == [1]


def test_spectator_never_has_the_name_of_a_player(tmp_path: Path) -> None:
    """The spectator gets another name, also if the player joins later."""
    room = Room(tmp_path, 2)
    watcher = room.watch("Be\u200ba")
    anna, _ = room.seat("Anna", "Bea")[1:]
    talk(watcher, "hello")
    assert updates(anna, Chatted) == [Chatted(None, "Bea 2", "hello")]


# Settings, and the beginning


def test_only_the_owner_starts_the_game_and_only_when_all_are_ready(tmp_path: Path) -> None:
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


def test_only_the_owner_changes_the_settings(tmp_path: Path) -> None:
    room = Room(tmp_path, 4)
    anna, bea, _ = room.seat("Anna", "Bea", "Carla")
    bea.say(Ready(True))
    bea.say(Configure(first_table(3)))
    assert refusals(bea) == ["owner_only"]
    bad = {"seats_taken": first_table(2), "one_character_per_rank": Settings(TableConfig(3, ("king",)))}
    for code, settings in bad.items():
        anna.say(Configure(settings))
        assert refusals(anna) == [code]
    anna.say(Configure(first_table(3)))
    assert refusals(anna) == []
    assert bea.client.roster.lobby is not None
    assert bea.client.roster.lobby.settings.players == 3
    assert not bea.client.roster.lobby.seats[1].ready


# Signatures of the names


def claiming(
    guest: Guest, name: str, signed: str = "", identity: Identity | None = None, **other: object
) -> Claim:
    """Return a guest's claim of `name`. `signed`: the name that is signed instead; `identity`: the key that
    signs; `other`: other signed fields."""
    core = guest.room.core
    kind: object = guest.records.profile.kind
    fields = {"game": core.game, "fp": core.fp, "host": core.host.public, "name": signed or name, "kind": kind}
    return Claim(name, claim(identity or guest.identity, **(fields | other)))  # type: ignore[arg-type]


def unclaimed(folder: Path) -> tuple[Room, Guest, Guest]:
    """Return a room with Anna, its owner, and Bea, who is ready but has not signed her name."""
    room = Room(folder, 2)
    (anna,) = room.seat("Anna")
    bea = Guest(room, "Bea").join()
    room.guests.append(bea)
    bea.hear()
    bea.client.out.clear()
    bea.say(Ready(True))
    return room, anna, bea


def test_game_starts_when_all_players_have_signed_their_names(tmp_path: Path) -> None:
    room, anna, bea = unclaimed(tmp_path)
    bea.say(claiming(bea, "Anna"))  # it may arrive after the table has given another name
    assert refusals(bea) == []
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]
    assert [place.name for place in room.table.lobby.places] == ["Anna", "Bea"]
    bea.say(claiming(bea, "Bea"))
    anna.say(Start())
    assert refusals(anna) == refusals(bea) == []
    before = [place.claim for place in room.table.lobby.places]
    anna.say(claiming(anna, "Somebody"))
    assert [place.claim for place in room.table.lobby.places] == before, "no claim counts during the game"
    assert refusals(anna) == []


WRONG: dict[str, dict[str, object]] = {
    "another name in the signature": {"signed": "Anna"},
    "a bot's": {"kind": SeatKind.BOT},
    "of another game": {"game": bytes(16)},
    "of another certificate": {"fp": bytes(32)},
    "of another host": {"host": bytes(32)},
    "by another key": {"identity": Identity(bytes([99]) * 32)},
}


def test_invalid_signatures_of_names_are_rejected(tmp_path: Path) -> None:
    _, anna, bea = unclaimed(tmp_path)
    for what, wrong in WRONG.items():
        bea.say(claiming(bea, "Bea", **wrong))  # type: ignore[arg-type]
        assert refusals(bea) == ["signature"], what
    watcher = bea.room.watch("Wanda")
    for guest in (anna, watcher):
        guest.say(claiming(bea, "Bea"))
    assert refusals(anna) == ["signature"]
    anna.say(Start())
    assert refusals(anna) == ["not_ready"]


def test_unattended_table_starts_when_all_names_are_signed(tmp_path: Path) -> None:
    room, anna, bea = unclaimed(tmp_path)
    room.table.unattended = True
    anna.say(Ready(True))
    room.wait(5)
    assert room.table.game is None
    bea.say(claiming(bea, "Bea"))
    room.wait(2)
    assert room.table.game is not None
    assert room.play(3).game.n > 3


def test_client_signs_only_its_own_name(tmp_path: Path) -> None:
    anna = Guest(Room(tmp_path, 2), "Anna").join()
    anna.port.waiting.clear()
    anna.port.send(encode(Welcome(0, True, 0, "Bea")))
    with rejects("not_agreed") as reason:
        anna.hear()
    assert reason.value.details == {"what": "own_name"}
    assert not anna.client.out


@pytest.mark.parametrize("what", ["name", "kind"])
def test_player_who_returns_to_the_lobby_with_another_name_or_kind_signs_it(tmp_path: Path, what: str) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    bea.stop()
    bea.name, bea.address = ("Carla", "192.168.1.2") if what == "name" else ("Bea", "127.0.0.1")
    bea.open()
    if what == "kind":
        bea.records.profile = replace(bea.records.profile, kind=SeatKind.GUEST)
    bea.join()
    assert [bool(place.claim) for place in room.table.lobby.places] == [True, False]
    room.carry()
    bea.say(Ready(True))
    anna.say(Start())
    player = room.game.host_log.header.players[1]
    assert (player.name, player.kind) == (bea.name, bea.records.profile.kind)


class Restarting(Room):
    """A room whose table can start again after a called-off start. `starts` counts the starts."""

    starts = 0

    def renew(self) -> Core:
        self.starts += 1
        self.core = Core(bytes([self.starts]) * 16, bytes([50 + self.starts]) * 32, self.core.host, self.core.fp)
        self.journal.clear()
        return self.core

    def all_return(self) -> None:
        """Let all clients join the next start."""
        for guest in self.guests:
            guest.restart()
        self.carry()
        self.ready()

    def call_off(self, kind: type[SeedCommit | SeedPart]) -> None:
        """Start a game whose last player does not send this kind of message and disconnects, until the start
        is called off."""
        holding_back(self.guests[-1], kind)
        self.start()
        self.guests[-1].cut()
        self.wait(self.timing.drop + 2)


@pytest.fixture
def room(tmp_path: Path) -> Restarting:
    """Return a room with three players in the lobby."""
    made = Restarting(tmp_path, 3)
    made.table.renew = made.renew
    made.seat("Anna", "Bea", "Carla")
    return made


def test_player_who_leaves_before_sending_the_seed_part_ends_the_start(room: Restarting) -> None:
    game = room.core.game
    room.call_off(SeedPart)
    assert room.table.game is None
    assert room.core.game != game
    assert [guest.port.code for guest in room.guests[:2]] == ["called_off", "called_off"]
    (start,) = room.table.lobby.called_off
    assert start.missing == (2,)
    room.all_return()
    assert [guest.client.roster.lobby.called_off for guest in room.guests] == [1, 1, 1]  # type: ignore[union-attr]
    room.guests[0].say(Start())
    assert room.table.game is not None
    assert not room.game.starting
    header = room.game.host_log.header
    assert header.called_off == (start,)
    room.play()
    assert room.game.closed
    report = verify([room.guests[1].path])
    assert (report.code, report.findings) == (0, ())
    assert "one start of this game was cancelled" in " ".join(text(report).split())
    (game_figures,) = figures(report)["games"]
    assert game_figures["called_off"] == [{"head": start.head.hex(), "missing": [2]}]


def test_start_that_ends_before_all_commitments_is_not_listed_as_called_off(room: Restarting) -> None:
    room.call_off(SeedCommit)
    assert room.table.game is None
    assert room.table.lobby.called_off == []
    room.all_return()
    room.guests[0].say(Start())
    assert not room.game.starting


def test_client_sends_no_commitment_if_the_host_hides_a_called_off_start(room: Restarting) -> None:
    room.call_off(SeedPart)
    room.table.lobby.called_off.clear()
    room.all_return()
    with rejects("not_agreed") as reason:
        room.guests[0].say(Start())
    assert reason.value.details == {"what": "called_off"}
    assert room.game.starting


def test_player_who_reconnects_in_time_does_not_end_the_start(room: Restarting) -> None:
    last = room.guests[-1]
    again = holding_back(last, SeedPart)
    room.start()
    last.cut()
    room.wait(room.timing.drop - 5)
    again()
    last.restart()
    room.carry()
    assert room.table.game is not None
    assert not room.game.starting
    assert room.table.lobby.called_off == []
