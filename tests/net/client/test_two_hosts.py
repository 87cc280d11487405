"""Two programs go on with copies of one journal, and guests are split over both: nobody means any harm, and both
sign. Real sockets; the second one is opened past the look around that `check_alone` takes."""

import asyncio
import contextlib
import random
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import Action, Event, State
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from tests.extras.second import load
from tests.facts import first_game
from tests.net.playing import QUICK, join, play, random_action, until


def check(*paths: Path) -> int:
    """The exit code of the second verifier."""
    return int(load().main([str(path) for path in paths]))


class Bot:
    """Moves for whoever is gone."""

    deaf = True

    def told(self, view: State, event: Event) -> None:
        raise AssertionError("who is deaf is told nothing")

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, random.Random(seat))


@contextlib.asynccontextmanager
async def table_of(folder: Path, *, resume: Path | None = None, bots: bool = True) -> AsyncIterator[OpenTable]:
    """A table at which nobody of this program sits; `bots` move for players who are away."""
    takeover = Takeover(lambda _: Bot(), 0.0)
    async with open_table(
        Settings(first_game(3)),
        folder,
        host="127.0.0.1",
        port=0,
        timing=QUICK,
        resume=resume,
        unattended=True,
        takeover=takeover if bots else None,
    ) as table:
        yield table


@contextlib.asynccontextmanager
async def begun(folder: Path, *, bots: bool = True) -> AsyncIterator[tuple[OpenTable, list[Session]]]:
    """A game that has come to a decision of one seat; everybody has all of it."""
    async with contextlib.AsyncExitStack() as stack:
        table = await stack.enter_async_context(table_of(folder / "host", bots=bots))
        sessions = [await join(table, folder / str(seat), f"Player {seat}") for seat in range(3)]
        for session in sessions:
            stack.push_async_callback(session.leave)
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(play(session, seat, until=20))
        await until(lambda: len({session.table.head for session in sessions}) == 1 and bool(asked(sessions)))
        yield table, sessions


def asked(sessions: Sequence[Session]) -> list[Session]:
    return [session for session in sessions if session.table.choices]


async def back_at(table: OpenTable, session: Session, folder: Path) -> Session:
    """Somebody comes back there, with all files of before."""
    return await Session.join(table.address, data_dir=folder / str(session.table.seat), name="Back", timing=QUICK)


async def split(folder: Path, first: OpenTable, sessions: list[Session], second: OpenTable) -> tuple[Path, Path]:
    """Whoever has to move stays with the first host and moves; somebody else comes to the second one, which lets a
    bot move. The files of both."""
    mover = asked(sessions)[0]
    other = next(session for session in sessions if session is not mover)
    n = mover.table.head.n
    await other.leave()
    await mover.act(random_action(mover.table.choices, random.Random(1)))
    there = await back_at(second, other, folder)
    await until(lambda: there.table.head.n > n)
    await there.leave()
    staying = [session for session in sessions if session is not other]
    while mover.table.head.n < there.table.head.n:  # the first host is not behind the second one
        await until(lambda: bool(asked(staying)) or mover.table.head.n >= there.table.head.n)
        for one in asked(staying):
            await one.act(random_action(one.table.choices, random.Random(1)))
    assert mover.table.transcript is not None
    assert there.table.transcript is not None
    return mover.table.transcript, there.table.transcript


def copy_of(table: OpenTable, folder: Path) -> Path:
    folder.mkdir()
    return Path(shutil.copy(table.journal, folder / "copy.journal"))


def told(paths: Sequence[Path]) -> tuple[int, set[str]]:
    report = verify(paths)
    return report.code, {finding.code for finding in report.findings if finding.kind == "proof"}


async def test_two_files_of_two_hosts_are_the_proof(tmp_path: Path) -> None:
    async with (
        begun(tmp_path) as (first, sessions),
        table_of(tmp_path / "host", resume=copy_of(first, tmp_path / "copy")) as second,
    ):
        files = await split(tmp_path, first, sessions, second)
    assert [told([path])[1] for path in files] == [set(), set()], "each is one history"
    assert told(files) == (1, {"two_histories"})
    assert check(*files) == 1


async def test_whoever_meets_both_has_the_proof_alone_and_that_host_stops(tmp_path: Path) -> None:
    stopped: Refusal | None = None
    alarm: Refusal | None = None
    path = tmp_path
    try:
        async with begun(tmp_path) as (first, sessions):
            async with table_of(tmp_path / "host", resume=copy_of(first, tmp_path / "copy")) as second:
                _, path = await split(tmp_path, first, sessions, second)
            mover = next(session for session in sessions if session.table.status == "playing")
            other = next(session for session in sessions if session.table.transcript == path)
            n = mover.table.head.n
            with pytest.raises(Refusal) as turned:
                await back_at(first, other, tmp_path)
            alarm = turned.value
            await until(lambda: first.table.stopped is not None)
            assert first.table.game is not None
            assert first.table.game.n == n, "nothing is signed after that"
            await asyncio.Event().wait()
    except Refusal as reason:
        stopped = reason
    assert alarm is not None
    assert (alarm.code, alarm.transcript) == ("two_histories", path)
    assert stopped is not None
    assert stopped.code == "signed_elsewhere"
    assert "Resume from the newest copy only." in str(stopped)
    assert read(path).alarm is not None


async def test_host_stops_when_a_client_has_later_entries(tmp_path: Path) -> None:
    """The others are told why, and keep looking for the host."""
    stopped: Refusal | None = None
    async with begun(tmp_path, bots=False) as (first, sessions):
        journal = copy_of(first, tmp_path / "copy")
        mover = asked(sessions)[0]
        other = next(session for session in sessions if session is not mover)
        await other.leave()
        await mover.act(random_action(mover.table.choices, random.Random(1)))
        for session in sessions:
            await session.leave()
        try:
            async with table_of(tmp_path / "host", resume=journal, bots=False) as second:
                there = await back_at(second, other, tmp_path)
                n = there.table.head.n
                with pytest.raises(Refusal) as turned:
                    await back_at(second, mover, tmp_path)
                async for update in there.updates():
                    if update == Disconnected("older_host"):
                        break
                assert second.table.game is not None
                assert second.table.game.n == n
                await asyncio.Event().wait()
        except Refusal as reason:
            stopped = reason
        assert turned.value.code == "older_host"
        assert there.table.status == "connecting"
        await there.leave()
        assert stopped is not None
        assert stopped.code == "later_entries"
        assert mover.table.transcript is not None
        assert told([mover.table.transcript])[1] == set()
