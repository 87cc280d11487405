"""A resumed host signs no number twice: another program may have continued with a copy of its journal."""

import shutil
from pathlib import Path

import pytest

from citadels_lan import PROGRAM
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.journal import Journal
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.resuming import check_alone
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import SubstituteFor
from tests.facts import RULES as OWN
from tests.facts import first_table
from tests.net.host.table.looking import refusals
from tests.net.playing import QUICK, join, until
from tests.net.room import Guest, Room


def copied(table: OpenTable, folder: Path) -> Path:
    folder.mkdir()
    return Path(shutil.copy(table.journal, folder / table.journal.name))


async def refused(journal: Path) -> Refusal:
    with pytest.raises(Refusal) as turned:
        await check_alone(journal)
    return turned.value


@pytest.mark.usefixtures("on_loopback")
async def test_a_copy_is_not_opened_beside_its_table(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0) as table:
        copy = copied(table, tmp_path / "copy")
        reason = await refused(copy)
        assert reason.details == {"address": f"127.0.0.1:{table.port}"}
        assert "two histories" in str(reason)
        await check_alone(table.journal)  # which is locked, and says so when it is resumed
        with pytest.raises(Refusal, match="in use"):
            Journal.resume(table.journal)
    await check_alone(copy)


@pytest.mark.usefixtures("on_loopback")
async def test_a_table_at_another_port_is_heard_of(tmp_path: Path) -> None:
    """By whoever knows its game, as a machine elsewhere would hear it."""
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0) as table:
        journal = copied(table, tmp_path / "copy")
        port = table.port
    again = {"resume": journal, "announce": True}
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, **again) as table:  # type: ignore[arg-type]
        assert table.port != port == read_journal(journal).table.port
        reason = await refused(copied(table, tmp_path / "second"))
        assert reason.code == "open_elsewhere"
        assert str(reason.details["address"]).endswith(f":{table.port}")


@pytest.mark.usefixtures("on_loopback")
async def test_another_table_at_its_port_is_none_of_it(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "one", host="127.0.0.1", port=0) as table:
        journal, port = copied(table, tmp_path / "copy"), table.port
    async with open_table(first_table(2), tmp_path / "two", host="127.0.0.1", port=port):
        await check_alone(journal)


# Other rules


async def test_journal_with_other_rules_is_rejected_with_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal stays as it is: the program that it names can resume it."""
    async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table:
        async with await join(table, tmp_path / "a", "Anna") as anna, await join(table, tmp_path / "b", "Bruno"):
            await anna.start()
            await until(lambda: anna.table.head.n > 0)
        journal = table.journal
    before = journal.read_bytes()
    monkeypatch.setitem(RULES, "2016", bytes(32))
    with pytest.raises(Refusal) as turned:
        async with open_table(first_table(2), tmp_path / "host", host="127.0.0.1", port=0, resume=journal):
            pass
    assert turned.value.code == "journal_rules"
    assert f"Resume it with {PROGRAM} (rules {OWN.hex()[:8]})." in str(turned.value)
    assert journal.read_bytes() == before


# A client with later entries


class Hosting(Room):
    """A table whose first player is the host's own person."""

    def _table(self) -> HostTable:
        table = HostTable(self.core, Lobby(self.settings), self.journal.append, self.timing)
        table.lobby.own.add(Guest(self, "Player 0").identity.public)
        return table


def come_back(room: Room, *guests: Guest) -> None:
    for guest in guests:
        guest.join()
    room.carry()


def test_host_with_fewer_entries_than_a_client_stops_and_signs_nothing(tmp_path: Path) -> None:
    room = Hosting(tmp_path, 3).begin().play(10)
    while (anna := next(guest for guest in room.players if guest.client.may_move)) is room.players[0]:
        room.move()
    others = [guest for guest in room.players if guest is not anna]
    for guest in others:
        guest.cut()
    older = list(room.journal)
    anna.act(room.choice(anna))
    later, files = list(room.journal), anna.records.head
    assert len(later) > len(older)
    room.restart(len(older))
    come_back(room, *others)
    with pytest.raises(Refusal) as turned:
        anna.join()
    assert turned.value.code == "fork"
    assert turned.value.details["n"] == len(older)
    assert str(room.table.stopped) == (
        f"{anna.name} has later entries of this game ({len(later) - len(older)})."
        " Resume from the newest copy of the journal."
    )
    room.wait(120)
    assert room.journal == older, "nothing is signed any more"
    assert anna.client.trust.turned_away(turned.value) is turned.value, "an honest host is not accused"
    assert [one for one in anna.client.updates if isinstance(one, Alarm)] == []
    assert anna.records.head == files
    room.journal[:] = later
    room.restart()
    come_back(room, *room.players)
    assert room.play().game.closed
    assert [verify([guest.records.path]).code for guest in room.players if guest.records.path] == [0, 0, 0]


def test_own_player_with_later_entries_is_sent_the_reason(tmp_path: Path) -> None:
    room = Hosting(tmp_path, 2).begin().play(10)
    room.restart(len(room.journal) - 3)
    with pytest.raises(Refusal) as turned:
        room.players[0].join()
    assert turned.value is room.table.stopped
    assert turned.value.details == {"name": "Player 0", "count": 3}


def test_spectator_with_later_entries_stops_the_host(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    watcher = room.watch("Wanda")
    room.play(10)
    room.restart(len(room.journal) - 3)
    with pytest.raises(Refusal):
        watcher.join()
    assert room.table.stopped is not None
    assert room.table.stopped.details == {"name": "Wanda", "count": 3}


def test_host_without_its_entries_begins_no_other_game(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    n = len(room.journal)
    room.restart(0)
    with pytest.raises(Refusal):
        room.players[0].join()
    assert room.table.stopped is not None
    assert room.table.stopped.details["count"] == n
    for place in room.table.lobby.places:
        place.ready, place.away, place.claim = True, False, bytes(64)
    with pytest.raises(Refusal, match="later entries"):
        room.table._start(None)


def test_longer_file_without_the_hosts_signature_stops_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(10)
    anna = room.players[0]
    room.restart(len(room.journal) - 3)
    client_log = anna.records.client_log
    assert client_log is not None
    client_log.signature = bytes(64)
    with pytest.raises(Refusal) as turned:
        anna.join()
    assert turned.value.code == "fork"
    assert room.table.stopped is None


# Nobody from another computer is here


def test_resumed_host_signs_nothing_before_a_player_of_another_computer_is_here(tmp_path: Path) -> None:
    room = Hosting(tmp_path, 3).begin().play(12)
    while not room.players[0].client.may_move:
        room.move()
    own, *others = room.players
    room.restart()
    come_back(room, own)
    n = room.game.n
    sent = own.act(room.choice(own))
    room.wait(120)
    assert (room.game.n, sent.settled) == (n, False)
    assert set(own.client.roster.awaited) == {guest.client.seat for guest in others}
    assert own.client.notices.halted == "resumed"
    come_back(room, others[0])
    assert sent.taken, "what was sent meanwhile is done then"
    assert own.client.notices.halted == ""


def test_person_at_a_resumed_host_may_continue_without_others(tmp_path: Path) -> None:
    room = Hosting(tmp_path, 3).begin().play(12)
    while not room.players[0].client.may_move:
        room.move()
    own, guest, _ = room.players
    room.restart()
    come_back(room, own)
    guest.client.ask(SubstituteFor(0, ""))
    n = room.game.n
    own.say(SubstituteFor(guest.client.seat or 1, ""))
    assert refusals(own) == []
    own.act(room.choice(own))
    assert room.game.n > n
    assert own.client.notices.halted == ""
