"""A resumed host continues its game. It never signs a second entry with the same number, because another
program may have continued the game."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from citadels_lan import PROGRAM
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.journal import Journal
from citadels_lan.net.host.opening import OpenTable, check_alone, open_table
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.messages import Start, SubstituteFor
from citadels_lan.texts.refusals import CONNECTION
from tests.effort import one_case
from tests.facts import RULES as OWN
from tests.facts import first_table
from tests.net.playing import QUICK, join, until
from tests.net.room import Guest, Room, full, refusals, rejects

HERE: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "timing": QUICK}


def copied(table: OpenTable, folder: Path) -> Path:
    """Copy the journal of an open table. Return the path of the copy."""
    folder.mkdir()
    return Path(shutil.copy(table.journal, folder / table.journal.name))


# Contents of the journal


async def test_journal_with_other_rules_is_rejected_with_the_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal stays unchanged: the program version that it names can resume it."""
    async with (
        open_table(first_table(2), tmp_path / "host", **HERE) as table,
        await join(table, tmp_path / "a", "Anna") as anna,
        await join(table, tmp_path / "b", "Bruno"),
    ):
        await anna.start()
        await until(lambda: anna.table.head.n > 0)
    before = table.journal.read_bytes()
    monkeypatch.setitem(RULES, "2016", bytes(32))
    with rejects("journal_rules") as reason:
        async with open_table(first_table(2), tmp_path / "host", **HERE, resume=table.journal):
            pass
    assert f"Resume it with {PROGRAM} (rules {OWN.hex()[:8]})." in CONNECTION["journal_rules"].format(
        **reason.value.details
    )
    assert table.journal.read_bytes() == before


async def test_removed_player_stays_removed_until_there_is_a_new_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = bytes(range(32))
    async with open_table(first_table(3, 1), tmp_path, **HERE, code="") as table:
        owner = await table.join("Anna", tmp_path / "anna")
        table.table.lobby.remove(owner.identity.public, key)
        with monkeypatch.context() as disk:
            disk.setattr(table._journal, "note", full)
            table.note()  # a full disk does not end the table
        table.note()
        await owner.leave()
        journal = copied(table, tmp_path / "copy")
    for removed in ({key}, set()):
        async with open_table(first_table(3, 1), tmp_path, **HERE, resume=journal) as again:
            assert again.table.lobby.bans.removed == removed
            again.join_code.renew()


# Kills


@one_case("entries", [1, 2, 3, 4, 5])
def test_host_killed_while_the_seed_is_made_continues(tmp_path: Path, entries: int) -> None:
    class Killed(BaseException):
        pass

    room = Room(tmp_path, 3)
    room.seat("Anna", "Bea", "Carla")
    room.ready()
    keep = room.journal.append

    def die_at(written: Any) -> None:
        if len(room.journal) >= entries:
            raise Killed
        keep(written)

    room.table._keep = die_at
    room.guests[0].client.ask(Start())
    with pytest.raises(Killed):
        room.play(20)
    room.restart()
    come_back(room, *room.guests)
    assert room.play(6).game.state.round == 1
    assert {guest.records.head for guest in room.guests} == {room.game.head}


# A client with later entries


class Hosting(Room):
    """A room whose first player is the host's own player."""

    def _table(self) -> HostTable:
        table = super()._table()
        table.lobby.own.add(Guest(self, "Player 0").identity.public)
        return table


def come_back(room: Room, *guests: Guest) -> None:
    for guest in guests:
        guest.join()
    room.carry()


def test_host_with_fewer_entries_than_a_client_stops_and_signs_nothing(tmp_path: Path) -> None:
    room = Hosting(tmp_path, 3).begin().play(10)
    while (anna := room.mover) is room.players[0]:
        room.move()
    others = [guest for guest in room.players if guest is not anna]
    for guest in others:
        guest.cut()
    older = list(room.journal)
    anna.act(room.choice(anna))
    later, head = list(room.journal), anna.records.head
    room.restart(len(older))
    come_back(room, *others)
    with rejects("fork") as reason:
        anna.join()
    assert reason.value.details["n"] == len(older)
    assert room.table.stopped is not None
    assert room.table.stopped.details == {"name": anna.name, "count": len(later) - len(older)}
    room.wait(120)
    assert room.journal == older
    assert anna.client.trust.turned_away(reason.value) is reason.value, "an honest host is not accused"
    assert [one for one in anna.client.updates if isinstance(one, Alarm)] == []
    assert anna.records.head == head
    room.journal[:] = later
    room.restart()
    come_back(room, *room.players)
    assert room.play().game.closed
    assert room.verified() == (0, [])


@pytest.mark.parametrize("who", ["own player", "spectator"])
def test_hosts_player_or_spectator_with_later_entries_stops_the_host(tmp_path: Path, who: str) -> None:
    room = Hosting(tmp_path, 2).begin()
    guest = room.players[0] if who == "own player" else room.watch("Wanda")
    room.play(10).restart(len(room.journal) - 3)
    with rejects("later_entries" if who == "own player" else "fork"):
        guest.join()
    assert room.table.stopped is not None
    assert room.table.stopped.details == {"name": guest.name, "count": 3}


def test_host_that_lost_its_entries_starts_no_other_game(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    n = len(room.journal)
    room.restart(0)
    with rejects("fork"):
        room.players[0].join()
    assert room.table.stopped is not None
    assert room.table.stopped.details["count"] == n
    for place in room.table.lobby.places:
        place.ready, place.away, place.claim = True, False, bytes(64)
    with rejects("later_entries"):
        room.table._start(None)


def test_longer_file_without_the_hosts_signature_does_not_stop_the_host(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(10)
    anna = room.players[0]
    room.restart(len(room.journal) - 3)
    assert anna.records.client_log is not None
    anna.records.client_log.signature = bytes(64)
    with rejects("fork"):
        anna.join()
    assert room.table.stopped is None


# No player of another computer is connected


@pytest.mark.parametrize("continued", [False, True])
def test_resumed_host_signs_nothing_until_it_or_a_remote_player_continues(tmp_path: Path, continued: bool) -> None:
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
    assert set(own.client.roster.awaited) == {guest.seat for guest in others}
    assert own.client.notices.halted == "resumed"
    if continued:
        own.say(SubstituteFor(others[0].seat, ""))
        assert refusals(own) == []
    else:
        come_back(room, others[0])
    assert sent.taken, "the host held the move"
    assert own.client.notices.halted == ""


@pytest.mark.slow
@pytest.mark.usefixtures("on_loopback")
async def test_copy_of_a_journal_is_not_resumed_while_its_table_is_open(tmp_path: Path) -> None:
    async with open_table(first_table(2), tmp_path / "host", **HERE) as table:
        journal, port = copied(table, tmp_path / "copy"), table.port
        with rejects("open_elsewhere") as reason:
            await check_alone(journal)
        assert reason.value.details == {"address": f"127.0.0.1:{port}"}
        await check_alone(table.journal)  # which is locked, so that it cannot be resumed
        with rejects("journal_used"):
            Journal.resume(table.journal)
    await check_alone(journal)
    async with open_table(first_table(2), tmp_path / "two", **HERE | {"port": port}):
        await check_alone(journal)
