"""Whole games with a sealed draft, in memory and over real sockets on this machine."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.bots.levels import make_policy
from citadels_lan.cli.hosted import drive
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import HIDDEN
from citadels_lan.net.client.own_seat import Drafting
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.messages import Settings
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.facts import first_table
from tests.net.playing import QUICK, join, play, play_all, seated, until
from tests.net.room import Guest
from tests.net.sealed_draft.rooms import (
    GAMES,
    exchange,
    finish,
    held,
    saving,
    sealed,
    sealed_room,
    sealed_theater,
    theater,
    unseen,
)

WHOLE_GAMES = [(4, "2016"), (2, "2016"), (3, "2016"), (7, "2016"), (8, "2016"), (4, "classic"), (4, "dark_city")]


@pytest.mark.parametrize(("players", "edition"), quick(WHOLE_GAMES, (2, "2016")))
def test_host_knows_no_hidden_character_and_no_file_contains_an_opening(
    tmp_path: Path, players: int, edition: str
) -> None:
    room = sealed_room(tmp_path / "table", sealed(players, edition))
    while room.move() is not None:
        assert unseen(room)
        assert not any(HIDDEN in held(guest) for guest in room.players)
    assert room.game.closed
    assert room.verified() == (0, [])
    assert {read(guest.path).own for guest in room.players} == {()}


def exchanged(table: OpenTable) -> bool:
    """Return whether two players have exchanged characters."""
    game = table.table.game
    drafts = game.host_log.audit.drafts if game is not None else None
    return drafts is not None and any(len(record.given) > 1 for record in drafts.rounds)


def code(sessions: list[Session]) -> int:
    """Return the exit code of `verify` for the files of these sessions."""
    return verify([session.table.transcript for session in sessions if session.table.transcript is not None]).code


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 2])
async def test_players_exchange_characters_over_sockets(tmp_path: Path, players: int) -> None:
    with theater_on_top():
        async with seated(tmp_path, players, config=sealed_theater(players)) as (table, sessions):
            await sessions[0].start()
            async with asyncio.TaskGroup() as tasks:
                wishing = [tasks.create_task(play(one, at, choose=saving)) for at, one in enumerate(sessions)]
                await until(lambda: exchanged(table))
                for task in wishing:
                    task.cancel()
            async with asyncio.timeout(60):
                await play_all(sessions)
                await table.over()
        assert code(sessions) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), [(3, "classic"), (5, "dark_city")])
async def test_bots_play_a_whole_game_over_sockets(tmp_path: Path, players: int, edition: str) -> None:
    async with seated(tmp_path, players, config=sealed(players, edition)) as (table, sessions):
        watcher = await join(table, tmp_path / "watcher", "Wanda", role="spectator")
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(drive(session, make_policy("sensible", str(seat))))
            await table.over()
            for session in (*sessions, watcher):
                await session.leave()
        assert len({session.table.head for session in (*sessions, watcher)}) == 1
    assert code([*sessions, watcher]) == 0


async def test_owner_chooses_a_sealed_draft_in_the_lobby(tmp_path: Path) -> None:
    async with open_table(first_table(3), tmp_path / "host", host="127.0.0.1", port=0, timing=QUICK) as table:
        owner = await table.join("Ada", tmp_path / "0")
        await owner.configure(Settings(sealed(3)))
        guests = [await join(table, tmp_path / str(seat), f"Player {seat}") for seat in (1, 2)]
        await owner.start()
        await until(lambda: all(one.table.head.n > 3 for one in (owner, *guests)))
        assert table.table.game is not None
        assert table.table.game.host_log.header.draft == 1
        for session in (*guests, owner):
            await session.leave()


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """Put the Theater on top of the deck in some tests."""
    with theater_on_top():
        yield


def concealed(guest: Guest) -> list[str]:
    """Return the hidden characters of a seat, as its client knows them."""
    return sorted(guest.state.players[guest.seat].concealed)


@pytest.mark.parametrize("players", quick(GAMES, 2))
def test_exchange_moves_characters_and_is_the_same_after_a_restart(tmp_path: Path, players: int) -> None:
    room, owner, other = theater(tmp_path / "table", players)
    before = concealed(owner), concealed(other)
    with mock.patch.object(Drafting, "asked", return_value=None):  # so no client replies to the next call
        assert owner.act(exchange(owner, other)).refusal is None
        after = concealed(owner), concealed(other)
    assert after != before
    assert sorted(after[0] + after[1]) == sorted(before[0] + before[1])
    assert HIDDEN not in held(owner) + held(other)
    if players > 3:
        assert after == before[::-1]
    for guest in room.players:
        sent = [one.events for one in guest.client.updates if isinstance(one, Happened)]
        guest.restart()
        assert [one.events for one in guest.client.past if isinstance(one, Happened)] == sent
    room.carry()
    finish(room)
