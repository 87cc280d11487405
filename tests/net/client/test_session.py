"""A session: its view, the updates about its connection, and its requests."""

import asyncio
import random
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.engine import acting
from citadels_lan.net.client.connection import JoinRequest
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected, Happened, TableView
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal, Rejected
from tests.net.playing import QUICK, random_action, seated, until
from tests.net.room import Room


async def test_view_is_at_least_as_new_as_the_update_being_read(tmp_path: Path) -> None:
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


async def test_move_of_the_player_changes_the_view_at_once(tmp_path: Path) -> None:
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
        assert before.choices, "an older view does not change"
        await move
        assert mover.table.head.n > before.head.n


def test_client_that_is_catching_up_makes_no_move(tmp_path: Path) -> None:
    anna = next(guest for guest in Room(tmp_path, 2).begin().players if guest.client.may_move)
    action = anna.room.choice(anna)
    anna.client.trust.target = anna.records.n + 1
    with pytest.raises(Rejected) as rejected:
        anna.client.move(action)
    assert rejected.value.code == "catching_up"
    assert anna.client.out == []
    anna.client.trust.target = anna.records.n
    assert anna.client.move(action).play.n == anna.records.n + 1


async def test_warning_about_a_host_is_reported_once(tmp_path: Path) -> None:
    session = Session(JoinRequest(Profile("Ann"), Identity(bytes(32)), tmp_path, tmp_path, timing=QUICK))
    for code in ("older_host", "older_host", "other_host"):
        session._report(Refusal(code))
    session._updates.put_nowait(None)
    reported = [update async for update in session.updates()]
    assert reported == [Disconnected("older_host"), Disconnected("other_host")]
