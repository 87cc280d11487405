"""A start that ends because a player leaves: everybody is back in the lobby, and the next header lists it."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import CALLED_OFF, CalledOff, Commits, Open, decode_entry
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.lobby import Core
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import SeedCommit, SeedPart, Start
from tests.net.room import Guest, Room

from .test_cosigning import holding_back


class Restarting(Room):
    """A room whose table can begin again."""

    starts = 0

    def renew(self) -> Core:
        self.starts += 1
        self.core = Core(bytes([self.starts]) * 16, bytes([50 + self.starts]) * 32, self.core.host, self.core.fp)
        self.journal.clear()
        return self.core

    def come_back(self, *guests: Guest) -> None:
        """Their programs connect again, as a session does."""
        for guest in guests:
            guest.records.close()
            guest.open()
            guest.join()
        self.carry()
        for guest in guests:
            self.table.lobby.ready(guest.identity.public, True)

    def call_off(self, kind: type[SeedCommit | SeedPart]) -> None:
        """The last player does not give this, and is gone for too long."""
        last = self.guests[-1]
        holding_back(last, kind)
        for guest in self.guests:
            self.table.lobby.ready(guest.identity.public, True)
        self.guests[0].say(Start())
        last.cut()
        self.wait(self.timing.drop + 2)


@pytest.fixture
def room(tmp_path: Path) -> Restarting:
    """Three players in a lobby."""
    made = Restarting(tmp_path, 3)
    made.table.renew = made.renew
    made.seat("Anna", "Bea", "Carla")
    return made


def test_a_player_who_leaves_before_giving_the_part_ends_the_start(room: Restarting) -> None:
    game = room.core.game
    room.call_off(SeedPart)
    assert room.table.game is None
    assert room.core.game != game
    assert [guest.port.code for guest in room.guests[:2]] == ["called_off", "called_off"]
    (start,) = room.table.lobby.called_off
    assert start.missing == (2,)
    room.come_back(*room.guests)
    assert [guest.client.roster.lobby.called_off for guest in room.guests] == [1, 1, 1]  # type: ignore[union-attr]
    room.guests[0].say(Start())
    assert room.table.game is not None
    assert not room.game.starting
    header = room.game.host_log.header
    assert header.called_off == (start,)
    room.play()
    assert room.game.closed
    path = room.guests[1].records.path
    assert path is not None
    report = verify([path])
    assert (report.code, report.findings) == (0, ())
    assert "one earlier start of this table ended" in " ".join(text(report).split())
    (found,) = figures(report)["games"]
    assert found["called_off"] == [{"hash": start.head.hex(), "missing": ["c"]}]


def test_a_start_that_ends_before_commits_is_not_listed(room: Restarting) -> None:
    room.call_off(SeedCommit)
    assert room.table.game is None
    assert room.table.lobby.called_off == []
    room.come_back(*room.guests)
    room.guests[0].say(Start())
    assert not room.game.starting


def test_a_host_that_hides_a_called_off_start_gets_no_commitment(room: Restarting) -> None:
    room.call_off(SeedPart)
    room.table.lobby.called_off.clear()
    room.come_back(*room.guests)
    with pytest.raises(Refusal) as reason:
        room.guests[0].say(Start())
    assert (reason.value.code, reason.value.details) == ("not_agreed", {"what": "called_off"})
    assert room.game.starting


def test_a_header_with_fewer_called_off_starts_than_the_lobby_showed_is_refused(room: Restarting) -> None:
    room.table.lobby.called_off.append(CalledOff(bytes(32), (1,)))
    room.table.audience.tell_lobby()
    room.carry()
    room.table.lobby.called_off.clear()
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
        guest.client.roster.change = lambda news: []  # type: ignore[method-assign]
    with pytest.raises(Refusal) as reason:
        room.guests[0].say(Start())
    assert reason.value.details == {"what": "called_off"}


def test_a_player_who_comes_back_in_time_ends_nothing(room: Restarting) -> None:
    last = room.guests[-1]
    again = holding_back(last, SeedPart)
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    room.guests[0].say(Start())
    last.cut()
    room.wait(room.timing.drop - 5)
    again()
    last.records.close()
    last.open()
    last.join()
    room.carry()
    assert room.table.game is not None
    assert not room.game.starting
    assert room.table.lobby.called_off == []


def test_the_parts_are_in_the_record_of_the_first_deal_and_survive_a_crash(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    assert [bool(written.parts) for written in room.journal[:3]] == [False, False, True]
    assert [type(decode_entry(written.public)) for written in room.journal[:2]] == [Open, Commits]
    seed = room.game.host_log.seed()
    again = HostedGame.restore(room.journal, room.core.secret, room.core.host, lambda _: None)
    assert again.host_log.seed() == seed
    assert again.state == room.game.state


def test_a_host_that_is_killed_before_the_first_deal_gets_the_same_parts(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    seed = room.game.host_log.seed()
    room.restart(2)
    assert room.game.starting
    for guest in room.players:
        guest.records.close()
        for path in guest.folder.glob("*.ctr"):
            path.unlink()  # what it had of the first deal was never sent by an honest host
        guest.open()
        guest.join()
    room.carry()
    assert not room.game.starting
    assert room.game.host_log.seed() == seed


def test_a_table_with_too_many_called_off_starts_starts_no_more(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    room.table.lobby.called_off = [CalledOff(bytes([one]) * 32, ()) for one in range(CALLED_OFF)]
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    with pytest.raises(Refusal) as reason:
        room.table.lobby.check_start(room.guests[0].identity.public)
    assert reason.value.code == "called_off_often"
