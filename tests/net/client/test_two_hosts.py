"""Two programs host copies of one journal, each with some of the players, without bad intent: both sign. Real
sockets; the second host skips the search for another host (`check_alone`)."""

import asyncio
import contextlib
import random
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import Action, State
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from tests.extras.second import load
from tests.facts import first_game
from tests.net.playing import QUICK, join, play, random_action, until


class Bot:
    """A substitute bot that moves at random."""

    deaf = True

    def told(self, *_: object) -> None:
        raise AssertionError("a deaf bot is sent nothing")

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        return random_action(choices, random.Random(seat))


@contextlib.asynccontextmanager
async def table_of(folder: Path, resume: Path | None = None) -> AsyncIterator[OpenTable]:
    """A table without a player of this program. Bots move for players who are away."""
    takeover = Takeover(lambda _: Bot(), 0.0)
    here = {"host": "127.0.0.1", "port": 0, "timing": QUICK, "unattended": True}
    async with open_table(Settings(first_game(3)), folder, resume=resume, takeover=takeover, **here) as table:  # type: ignore[arg-type]
        yield table


@contextlib.asynccontextmanager
async def begun(folder: Path) -> AsyncIterator[tuple[OpenTable, list[Session], Path]]:
    """A game that waits for one seat, whose clients have all entries. Yields the table, its sessions and a copy of
    its journal."""
    async with contextlib.AsyncExitStack() as stack:
        table = await stack.enter_async_context(table_of(folder / "host"))
        sessions = [await join(table, folder / str(seat), f"Player {seat}") for seat in range(3)]
        for session in sessions:
            stack.push_async_callback(session.leave)
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(play(session, seat, until=20))
        await until(lambda: len({session.table.head for session in sessions}) == 1 and bool(asked(sessions)))
        yield table, sessions, Path(shutil.copy(table.journal, folder / "copy.journal"))


def asked(sessions: Sequence[Session]) -> list[Session]:
    return [session for session in sessions if session.table.choices]


async def move(session: Session) -> None:
    await session.act(random_action(session.table.choices, random.Random(1)))


async def back_at(table: OpenTable, session: Session, folder: Path) -> Session:
    """The player of a session returns to this table, with all files."""
    return await Session.join(table.address, data_dir=folder / str(session.table.seat), name="Back", timing=QUICK)


async def split(folder: Path, sessions: list[Session], second: OpenTable) -> list[Path]:
    """The player who has to move stays with the first host and moves. Another one joins the second host, where
    a bot moves. Return the files of both."""
    mover = asked(sessions)[0]
    other = next(session for session in sessions if session is not mover)
    n = mover.table.head.n
    await other.leave()
    await move(mover)
    there = await back_at(second, other, folder)
    await until(lambda: there.table.head.n > n)
    await there.leave()
    staying = [session for session in sessions if session is not other]
    while mover.table.head.n < there.table.head.n:  # the first host must not be behind the second one
        await until(lambda: bool(asked(staying)) or mover.table.head.n >= there.table.head.n)
        for session in asked(staying):
            await move(session)
    return [path for path in (mover.table.transcript, there.table.transcript) if path is not None]


def proofs(*paths: Path) -> set[str]:
    return {finding.code for finding in verify(paths).findings if finding.kind == "proof"}


async def test_player_who_meets_both_hosts_has_the_proof_and_the_host_stops(tmp_path: Path) -> None:
    stopped: Refusal | None = None
    try:
        async with begun(tmp_path) as (first, sessions, journal):
            async with table_of(tmp_path / "host", resume=journal) as second:
                files = await split(tmp_path, sessions, second)
            assert [proofs(path) for path in files] == [set(), set()], "each is one history"
            assert proofs(*files) == {"two_histories"}
            assert load().main([str(path) for path in files]) == 1, "the second verifier agrees"
            other = next(session for session in sessions if session.table.transcript == files[1])
            await until(lambda: bool(asked(sessions)))  # no bot has to move
            assert first.table.game is not None
            n = first.table.game.n
            with pytest.raises(Refusal) as turned:
                await back_at(first, other, tmp_path)
            await until(lambda: first.table.stopped is not None)
            assert first.table.game.n == n, "nothing is signed after that"
            await asyncio.Event().wait()
    except Refusal as reason:
        stopped = reason
    assert (turned.value.code, turned.value.transcript) == ("two_histories", files[1])
    assert stopped is not None
    assert stopped.code == "signed_elsewhere"
    assert read(files[1]).alarm is not None
