"""The view of the table that a session shows: immutable, replaced with each change, as new as the last update."""

import asyncio
import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.engine import acting
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.client.view import TableView
from tests.net.playing import QUICK, random_action, seated, until


def test_view_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        TableView().paused = True  # type: ignore[misc]


async def test_reader_of_an_update_sees_a_view_that_is_as_new(tmp_path: Path) -> None:
    seen: list[tuple[int, TableView]] = []

    async def read(session: Session) -> None:
        dice = random.Random(1)
        async for update in session.updates():
            if isinstance(update, Happened):
                seen.append((update.n, session.table))
            if session.table.head.n >= 40:
                return
            if session.table.choices:
                await session.act(random_action(session.table.choices, dice))

    async with seated(tmp_path, 2) as (_, sessions):
        await sessions[0].start()
        async with asyncio.TaskGroup() as readers:
            for session in sessions:
                readers.create_task(read(session))
    assert len(seen) > 20
    assert all(table.head.n >= n and table.state is not None for n, table in seen)


async def test_own_move_changes_the_view_at_once(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (_, sessions), asyncio.TaskGroup() as moving:
        await sessions[0].start()
        await until(lambda: any(session.table.choices for session in sessions))
        (mover,) = (session for session in sessions if session.table.choices)
        before = mover.table
        assert before.state is not None
        assert before.seat in acting(before.state)
        move = moving.create_task(mover.act(random_action(before.choices, random.Random(1))))
        await asyncio.sleep(0)
        assert mover.table.choices == (), "the move is on its way"
        assert before.choices, "an older view stays as it is"
        await move
        assert mover.table.head.n > before.head.n


async def test_view_stays_the_same_while_nothing_changes(tmp_path: Path) -> None:
    timing = replace(QUICK, ping=0.02, noise=0.02)
    async with seated(tmp_path, 2, timing=timing) as (_, sessions):
        await sessions[0].start()
        await until(lambda: any(session.table.choices for session in sessions))
        await asyncio.sleep(0.3)
        before = [session.table for session in sessions]
        await asyncio.sleep(0.3)  # for some pings and much noise, and their answers
        assert all(session.table is table for session, table in zip(sessions, before, strict=True))


async def test_view_tells_of_a_lost_connection_and_of_the_end(tmp_path: Path) -> None:
    async with seated(tmp_path, 2) as (table, sessions):
        guest = sessions[1]
        assert (guest.table.status, guest.table.names) == ("lobby", ("Ada", "Player 1"))
        guest.connection.abort("lost")
        await until(lambda: guest.table.status == "connecting")
        await until(lambda: guest.table.status == "lobby")
        assert guest.table.addresses[0] == table.address
        await guest.leave()
        assert guest.table.status == "lost"
        assert guest.table.reason is not None
        assert guest.table.reason.code == "left"
