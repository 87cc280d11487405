"""The same people play again: one key at the host's, one at each guest's, over real sockets."""

import asyncio
import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.bots import make_policy
from citadels_lan.bots.driving import drive
from citadels_lan.cli.addresses import Address
from citadels_lan.cli.console import Console
from citadels_lan.cli.open.launcher import TableLauncher
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.crypto.chance import joint_seed
from citadels_lan.crypto.log import Close, decode_delta, decode_entry
from citadels_lan.crypto.packing import frame
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import hear, read
from citadels_lan.front.launcher import CannotOpen, Place, Preferences
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import PlayAgain
from citadels_lan.net.join.door import Door
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.texts import load
from tests.facts import first_table
from tests.net.playing import until


def launcher(home: Path, name: str) -> TableLauncher:
    return TableLauncher(Console(load("en")), Preferences(name=name), home / name / "data", home / name / "out")


def wanted(home: Path) -> Wanted:
    """A table of Anna's for two people and a bot, on the network but not announced."""
    settings = first_table(3, 1)
    return Wanted(settings, ("random",), "Anna", home / "Anna" / "data", home / "Anna" / "out", announce=False)


async def play(*launchers: TableLauncher) -> None:
    """Everybody is ready, the owner begins, and bots play for the people to the end."""
    sessions = [one.session or (one._hosted and one._hosted.me) for one in launchers]
    people = [one for one in sessions if isinstance(one, Session)]
    await until(lambda: len(people[0].table.lobby) == 3 and not any(seat.away for seat in people[0].table.lobby))
    for session in people:
        await session.ready()
    while people[0].table.status == "lobby":
        with contextlib.suppress(Rejected):
            await people[0].start()
        await asyncio.sleep(0.01)
    async with asyncio.TaskGroup() as tasks:
        minds = [make_policy("random", one.table.names[0]) for one in people]
        playing = [
            tasks.create_task(drive(one, mind, later=Rejected)) for one, mind in zip(people, minds, strict=True)
        ]
        await until(lambda: all(one.table.status == "over" for one in people))
        for task in playing:
            task.cancel()


@contextlib.asynccontextmanager
async def table(home: Path) -> AsyncIterator[tuple[TableLauncher, TableLauncher]]:
    """Anna's table, and Bruno at it, who has given the code."""
    anna, bruno = launcher(home, "Anna"), launcher(home, "Bruno")
    try:
        hosted = await anna.serve(wanted(home))
        await bruno.sit([Address("127.0.0.1", hosted.table.port)], code=hosted.table.door.code)
        yield anna, bruno
    finally:
        await bruno.close()
        await anna.close()


def own(place: Place) -> Session:
    assert isinstance(place.session, Session)
    return place.session


def assert_proven(home: Path) -> None:
    """Two games of three seats, each transcript whole."""
    files = sorted(home.glob("*/out/*.ctr"))
    assert len(files) == 6
    assert verify(files).code == 0


def seats_from_the_seed(folder: Path) -> list[str]:
    """The names of the two people in the order that the record of the closed game gives for a rematch."""
    path = next(folder.glob("*.ctr"))
    audit = hear(read(path)).audit
    assert audit.secret is not None
    seed = joint_seed(audit.committed_head, audit.secret, audit.parts)
    people = {one.key: one.name for one in audit.table.players if not one.bot}

    def key(one: bytes) -> bytes:
        return hmac.digest(seed, frame("chance", "rematch/0/table/0", one.hex(), bytes(1)), hashlib.sha256)

    return [people[one] for one in sorted(people, key=key)]


@pytest.mark.slow
async def test_two_games_of_the_same_people(tmp_path: Path) -> None:
    async with table(tmp_path) as (anna, bruno):
        await play(anna, bruno)
        assert bruno.session is not None
        first, code = bruno.session.table.game_id, anna._hosted and anna._hosted.table.door.code
        port = anna._hosted and anna._hosted.table.port
        assert anna.may_again
        assert not bruno.may_again, "before the host has opened the next table"
        order = seats_from_the_seed(tmp_path / "Anna" / "out")
        place = await anna.again(drawn=True)
        assert place.invitation is not None
        assert place.invitation.door.code == code
        assert anna._hosted is not None
        assert anna._hosted.table.port == port, "friends who know the address need no other"
        await until(lambda: bruno.may_again)
        again = own(await bruno.again())
        assert again.table.game_id == own(place).table.game_id != first
        assert list(again.table.names[:2]) == order, (
            "the seats follow from the seed of the game before, bots come behind"
        )
        await play(anna, bruno)
    assert_proven(tmp_path)


@pytest.mark.slow
async def test_removed_key_and_wrong_codes_are_remembered_at_the_rematch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same key, with the same code; and an address that has been wrong twice."""
    monkeypatch.setattr("citadels_lan.cli.open.hosting.LAST", 0.0)
    now = asyncio.get_running_loop().time()

    def guess(door: Door) -> str:
        with pytest.raises(Refusal) as refused:
            door.judge(door.knock("10.0.0.9", "code", now), lambda: False, now)
        return refused.value.code

    async with table(tmp_path) as (anna, bruno):
        assert anna._hosted is not None
        me, door = anna._hosted.me, anna._hosted.table.door
        assert me is not None
        await until(lambda: any(seat.name == "Bruno" for seat in me.table.lobby))
        await me.remove([seat.name for seat in me.table.lobby].index("Bruno"))
        assert [guess(door), guess(door)] == ["wrong_code"] * 2
        await anna.again()
        again = anna._hosted.table
        assert (again.door.code, again.door.token) == (door.code, door.token)
        with pytest.raises(CannotOpen, match="sent you away"):
            await bruno.sit([Address("127.0.0.1", again.port)], code=door.code)
        assert [guess(again.door), guess(again.door)] == ["wrong_code", "too_many_tries"]
        again.door.renew()
        await bruno.sit([Address("127.0.0.1", again.port)], code=again.door.code)


@pytest.mark.slow
async def test_who_loses_the_connection_at_the_end_is_let_in_until_it_has_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the port where its table was it would find another one."""
    asked, cut = asyncio.Event(), asyncio.Event()
    take, wait = Client._entry, Connection.pause

    def take_or_break(client: Client, body: bytes) -> None:
        last = isinstance(decode_entry(decode_delta(body).public), Close)
        if last and bruno.session is not None and client is bruno.session.connection.client and not cut.is_set():
            cut.set()
            raise OSError("the cable is out")
        take(client, body)

    async def wait_for_the_host(connection: Connection) -> None:
        await asked.wait()
        await wait(connection)

    monkeypatch.setattr(Client, "_entry", take_or_break)
    monkeypatch.setattr(Connection, "pause", wait_for_the_host)
    async with table(tmp_path) as (anna, bruno), asyncio.TaskGroup() as tasks:
        playing = tasks.create_task(play(anna, bruno))
        await cut.wait()
        assert bruno.session is not None
        assert not bruno.session.connection.up
        asked.set()
        await anna.again()
        await playing
        await until(lambda: bruno.may_again)
        assert bruno.session.table.status == "over"


@pytest.mark.slow
async def test_a_table_that_is_not_the_one_that_was_announced_is_left(tmp_path: Path) -> None:
    async with table(tmp_path) as (anna, bruno):
        hosted, session = anna._hosted, bruno.session
        assert hosted is not None
        assert session is not None
        announced = PlayAgain(hosted.table.port, session.table.game_id, bytes(32))
        session.table = replace(session.table, again=announced)
        with pytest.raises(CannotOpen):
            await bruno.again()
        assert bruno.session is None
