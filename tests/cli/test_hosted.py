"""Games that this program hosts: their seats, what happens after an internal error, and the rematch."""

import asyncio
import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from citadels_lan.bots import make_policy
from citadels_lan.bots.policy import Forgetful
from citadels_lan.cli.console import Console
from citadels_lan.cli.hosted import Hosted, HostOptions, drive
from citadels_lan.cli.launch import Address, TableLauncher, broken_off
from citadels_lan.crypto.codec import frame
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import joint_seed
from citadels_lan.crypto.transcript import hear, read
from citadels_lan.net.client.session import Session
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.presenter.launcher import CannotOpen, Preferences
from citadels_lan.texts import load
from tests.facts import first_table
from tests.net.playing import until


def options(home: Path, players: int, bots: int, *, begin: bool = False) -> HostOptions:
    """Return the options of a game on this machine that Anna hosts, with this many players, some of them
    bots."""
    table = first_table(players, bots)
    return HostOptions(table, ("random",) * bots, "Anna", home / "data", home / "out", network=False, begin=begin)


async def start(session: Session) -> None:
    """Let the host start the game, again and again until all players have signed their names and the game
    begins."""
    while session.table.status == "lobby":
        with contextlib.suppress(Rejected):
            await session.start()
        await asyncio.sleep(0.01)


async def test_lobby_resumes_after_an_internal_error_and_is_deleted_when_the_host_closes_it(
    tmp_path: Path,
) -> None:
    hosted = Hosted(options(tmp_path, 4, 1))
    await hosted.open()
    await until(lambda: len(hosted.table.table.lobby.places) == 2)
    code, journal, names = (
        hosted.table.join_code.code,
        hosted.table.journal,
        hosted.me.table.names if hosted.me else (),
    )
    hosted.fail()
    await hosted.close()
    assert journal.exists()
    again = Hosted(replace(options(tmp_path, 4, 1), name="Somebody else", resume=journal))
    await again.open()
    await until(lambda: len(again.table.table.lobby.places) == 2)
    assert again.table.join_code.code == code
    assert [place.name for place in again.table.table.lobby.places] == list(names)
    await again.close()
    another = Hosted(options(tmp_path, 4, 1))
    await another.open()
    await another.close()
    assert not another.table.journal.exists()


async def test_host_adds_bots_in_the_lobby(tmp_path: Path) -> None:
    hosted = Hosted(options(tmp_path, 4, 1))
    await hosted.open()
    me = hosted.me
    assert me is not None
    await until(lambda: len(me.table.lobby) == 2)
    await me.configure(changed(me.table.settings, bots=3))
    await until(lambda: len(me.table.lobby) == 4)
    assert len(set(me.table.names)) == 4
    await start(me)
    await until(lambda: me.table.state is not None)
    await hosted.close()


CARD = "a card of somebody's hand"


class Broken(Forgetful):
    """A bot that raises an error when it has to choose."""

    def choose(self, *_: object) -> object:
        raise KeyError(CARD)


async def test_error_in_a_bot_is_reported_without_its_cards(
    tmp_path: Path, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citadels_lan.cli.hosted.make_policy", lambda *_: Broken())
    hosted = Hosted(options(tmp_path, 3, 2))
    await hosted.open()
    me = hosted.me
    assert me is not None
    hosted.play(me, "random")
    await until(lambda: len(me.table.lobby) == 3)
    await start(me)
    with pytest.raises(Refusal) as refused:
        await hosted.over()
    await until(lambda: me.table.reason is not None)
    await hosted.close()
    (report,) = (own_folders / "log").glob("citadels-lan-*.log")
    text = report.read_text(encoding="utf-8")
    assert "KeyError" in text
    assert CARD not in text
    assert f"The report is in {report}." in broken_off(Console(load("en")), refused.value).text
    assert me.table.reason is not None
    assert me.table.reason.details == {"path": str(report)}


# The rematch: the host and the guest each press one key, over real sockets


@contextlib.asynccontextmanager
async def table(home: Path) -> AsyncIterator[tuple[TableLauncher, TableLauncher]]:
    """Yield the launchers of Anna and Bruno. Anna hosts a table for two people and a bot, and Bruno has
    joined it with the code."""
    console = Console(load("en"))
    anna, bruno = (
        TableLauncher(console, Preferences(name=name), home / name / "data", home / name / "out")
        for name in ("Anna", "Bruno")
    )
    game = HostOptions(first_table(3, 1), ("random",), "Anna", anna.data, anna.out, announce=False)
    try:
        hosted = await anna.serve(game)
        await bruno.sit([Address("127.0.0.1", hosted.table.port)], code=hosted.table.join_code.code)
        yield anna, bruno
    finally:
        await bruno.close()
        await anna.close()


async def play(anna: TableLauncher, bruno: TableLauncher) -> None:
    """Start the game when both are ready; bots play for them to the end."""
    assert anna._hosted is not None
    people = [anna._hosted.me, bruno.session]
    sessions = [session for session in people if session is not None]
    await until(
        lambda: len(sessions[0].table.lobby) == 3 and not any(seat.away for seat in sessions[0].table.lobby)
    )
    for session in sessions:
        await session.ready()
    await start(sessions[0])
    async with asyncio.TaskGroup() as tasks:
        playing = [
            tasks.create_task(drive(session, make_policy("random", session.table.names[0])))
            for session in sessions
        ]
        await until(lambda: all(session.table.status == "over" for session in sessions))
        for task in playing:
            task.cancel()


def assert_proven(home: Path) -> None:
    """Check that the stored transcripts are those of two games with three seats each, and that all of them
    verify."""
    files = sorted(home.glob("*/out/*.ctr"))
    assert len(files) == 6
    assert verify(files).code == 0


def seats_from_the_seed(folder: Path) -> list[str]:
    """Return the names of the two people in the order of their seats in the rematch, computed from the closed
    record in `folder`."""
    audit = hear(read(next(folder.glob("*.ctr")))).audit
    assert audit.secret is not None
    seed = joint_seed(audit.committed_head, audit.secret, audit.parts)
    people = {player.key: player.name for player in audit.table.players if not player.bot}

    def order(key: bytes) -> bytes:
        return hmac.digest(seed, frame("chance", "rematch/0/table/0", key.hex(), bytes(1)), hashlib.sha256)

    return [people[key] for key in sorted(people, key=order)]


@pytest.mark.slow
@pytest.mark.parametrize("renamed", [False, True])
async def test_rematch_of_a_resumed_game_keeps_the_name_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: bool
) -> None:
    monkeypatch.setattr("citadels_lan.cli.hosted.LAST", 0.0)  # the table waits for no player
    game = replace(options(tmp_path, 2, 1, begin=True), network=True, announce=False)
    first = Hosted(game)
    await first.open()
    await first.close()
    hosted = Hosted(replace(game, name="login", resume=first.table.journal, renamed=renamed))
    await hosted.open()
    assert (await hosted.rematch(drawn=False)).name == ("login" if renamed else "Anna")
    await hosted.close()


@pytest.mark.slow
async def test_rematch_keeps_the_players_the_code_and_the_port(tmp_path: Path) -> None:
    async with table(tmp_path) as (anna, bruno):
        await play(anna, bruno)
        assert anna._hosted is not None
        assert bruno.session is not None
        first, code, port = bruno.session.table.game_id, anna._hosted.table.join_code.code, anna._hosted.table.port
        assert anna.may_again
        assert not bruno.may_again, "before the host has opened the next table"
        order = seats_from_the_seed(tmp_path / "Anna" / "out")
        place = await anna.again(drawn=True)
        assert place.invitation is not None
        assert place.invitation.join_code.code == code
        assert anna._hosted.table.port == port, "friends who know the address need no other"
        await until(lambda: bruno.may_again)
        again = (await bruno.again()).session
        assert again.table.game_id == place.session.table.game_id != first
        assert list(again.table.names[:2]) == order, "the seats follow from the seed, bots come last"
        await play(anna, bruno)
    assert_proven(tmp_path)


@pytest.mark.slow
async def test_removed_keys_and_wrong_codes_still_count_in_the_rematch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The removed key is rejected with the same code, and so is an address that was wrong twice."""
    monkeypatch.setattr("citadels_lan.cli.hosted.LAST", 0.0)
    now = asyncio.get_running_loop().time()

    def guess(door: JoinCode) -> str:
        with pytest.raises(Refusal) as refused:
            door.check(door.begin("10.0.0.9", "code", now), lambda: False, now)
        return refused.value.code

    async with table(tmp_path) as (anna, bruno):
        assert anna._hosted is not None
        me, door = anna._hosted.me, anna._hosted.table.join_code
        assert me is not None
        await until(lambda: any(seat.name == "Bruno" for seat in me.table.lobby))
        await me.remove([seat.name for seat in me.table.lobby].index("Bruno"))
        assert [guess(door), guess(door)] == ["wrong_code"] * 2
        await anna.again()
        again = anna._hosted.table
        assert (again.join_code.code, again.join_code.token) == (door.code, door.token)
        with pytest.raises(CannotOpen, match="removed you"):
            await bruno.sit([Address("127.0.0.1", again.port)], code=door.code)
        assert [guess(again.join_code), guess(again.join_code)] == ["wrong_code", "too_many_tries"]
        again.join_code.renew()
        await bruno.sit([Address("127.0.0.1", again.port)], code=again.join_code.code)
