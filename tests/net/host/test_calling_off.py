"""A start that ends because a player leaves: all return to the lobby, and the next header lists the start."""

from pathlib import Path

import pytest

from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host.lobby import Core
from citadels_lan.net.wire.messages import SeedCommit, SeedPart, Start
from tests.net.room import Room, holding_back, rejects


class Restarting(Room):
    """A room whose table can begin again. `starts` counts that."""

    starts = 0

    def renew(self) -> Core:
        self.starts += 1
        self.core = Core(bytes([self.starts]) * 16, bytes([50 + self.starts]) * 32, self.core.host, self.core.fp)
        self.journal.clear()
        return self.core

    def all_return(self) -> None:
        """Let all clients connect to the new game."""
        for guest in self.guests:
            guest.restart()
        self.carry()
        self.ready()

    def call_off(self, kind: type[SeedCommit | SeedPart]) -> None:
        """Start, but the last player does not send this message, and is away for too long."""
        holding_back(self.guests[-1], kind)
        self.start()
        self.guests[-1].cut()
        self.wait(self.timing.drop + 2)


@pytest.fixture
def room(tmp_path: Path) -> Restarting:
    """Three players in a lobby."""
    made = Restarting(tmp_path, 3)
    made.table.renew = made.renew
    made.seat("Anna", "Bea", "Carla")
    return made


def test_player_who_leaves_before_sending_the_part_ends_the_start(room: Restarting) -> None:
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
    assert "one earlier start of this table ended" in " ".join(text(report).split())
    (game_figures,) = figures(report)["games"]
    assert game_figures["called_off"] == [{"head": start.head.hex(), "missing": [2]}]


def test_start_that_ends_before_commits_is_not_listed(room: Restarting) -> None:
    room.call_off(SeedCommit)
    assert room.table.game is None
    assert room.table.lobby.called_off == []
    room.all_return()
    room.guests[0].say(Start())
    assert not room.game.starting


def test_host_that_hides_a_called_off_start_gets_no_commitment(room: Restarting) -> None:
    room.call_off(SeedPart)
    room.table.lobby.called_off.clear()
    room.all_return()
    with rejects("not_agreed") as reason:
        room.guests[0].say(Start())
    assert reason.value.details == {"what": "called_off"}
    assert room.game.starting


def test_player_who_returns_in_time_ends_no_start(room: Restarting) -> None:
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
