"""Sealed drafts over real sockets: owners who come back, a host that comes back, a pause, the Theater."""

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar
from unittest import mock

import pytest

from citadels_lan.cli.open.takeover import make
from citadels_lan.crypto.audit.drafts import Drafts
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import HIDDEN, acting
from citadels_lan.engine.events import Offered
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from tests.net.playing import QUICK, Choose, join, play, play_all, random_action, reached, seated, until

from .rooms import sealed
from .theater import longing, saving, sealed_theater

pytestmark = pytest.mark.slow
T = TypeVar("T")


def drafts_at(table: OpenTable) -> Drafts:
    """The drafts of the game that a host plays."""
    game = table.table.game
    assert game is not None
    assert game.draft.drafts is not None
    return game.draft.drafts


def somebody_decides(table: OpenTable) -> bool:
    """Whether nothing happens at a table before a player moves who is there."""
    game = table.table.game
    return game is not None and any(game.stint(seat) is None for seat in acting(game.state))


def last(table: OpenTable) -> int:
    """The last entry."""
    game = table.table.game
    assert game is not None
    return game.n


def exchanged(table: OpenTable) -> bool:
    """Whether characters were exchanged."""
    game = table.table.game
    drafts = game.draft.drafts if game is not None else None
    return drafts is not None and any(one.record.swaps for one in drafts.rounds.values())


async def play_until(
    sessions: Sequence[Session], holds: Callable[[], bool], choose: Choose = random_action
) -> None:
    """Everybody plays until something holds."""
    playing = [
        # kept: cancelled and awaited below
        asyncio.get_running_loop().create_task(play(one, seed, choose=choose))
        for seed, one in enumerate(sessions)
    ]
    await until(holds)
    for one in playing:
        one.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


def concealed(session: Session) -> list[str]:
    """What a session knows its seat to hold that is not shown."""
    state, seat = session.state, session.seat
    assert state is not None
    assert seat is not None
    return list(state.players[seat].concealed)


def has_drafted(table: OpenTable, seat: int) -> bool:
    """Whether a stand-in has picked for a seat what is not shown yet, and so have all others."""
    game = table.table.game
    drafts = game.draft.drafts if game is not None else None
    if drafts is None:
        return False
    live = any(holding.live for holding in drafts.record.holdings.get(seat, ()))
    return seat in drafts.now.stints and live and drafts.record.due[0] == "over"


def verified(sessions: Sequence[Session]) -> int:
    """The exit code for the files of some sessions."""
    return verify([session.transcript for session in sessions if session.transcript is not None]).code


async def test_an_owner_and_its_host_come_back_in_a_round_that_a_stand_in_has_drafted(tmp_path: Path) -> None:
    takeover, config = Takeover(make, 0.2), sealed(3)
    opening = {"host": "127.0.0.1", "timing": QUICK, "takeover": takeover}
    async with open_table(Settings(config), tmp_path / "host", port=0, **opening) as table:  # type: ignore[arg-type]
        me = await table.join("Ada", tmp_path / "0")
        others = [await join(table, tmp_path / str(seat), f"Player {seat}") for seat in (1, 2)]
        await me.start()
        away, seat, port = others[1], others[1].seat, table.port
        assert seat is not None
        await play_until([me, *others], lambda: me.head.n > 20)
        while True:
            await away.leave()
            await play_until([me, others[0]], lambda: has_drafted(table, seat))
            away = await join(table, tmp_path / "2", "Player 2")
            await until(lambda: somebody_decides(table))
            await until(reached(away, last(table)))
            if has_drafted(table, seat):
                break
        await until(lambda: bool(concealed(away)) and HIDDEN not in concealed(away))
        known = concealed(away)
        handed = [
            event
            for happened in away.past
            if isinstance(happened, Happened)
            for event in happened.events
            if isinstance(event, Offered) and event.seat == seat
        ]
        assert HIDDEN not in handed[0].packet
        await away.leave()
        journal = table.journal
    again = open_table(Settings(config), tmp_path / "host", port=port, resume=journal, **opening)  # type: ignore[arg-type]
    async with again as table:
        away = await join(table, tmp_path / "2", "Player 2")
        await until(lambda: me.connection.up and others[0].connection.up)
        await until(lambda: away.state is not None and HIDDEN not in concealed(away))
        assert concealed(away) == known
        sessions = [me, others[0], away]
        await play_all(sessions)
        async with asyncio.timeout(30):
            await table.over()
        for session in sessions:
            await session.leave()
    assert verified(sessions) == 0


async def test_a_pick_during_a_pause_is_refused(tmp_path: Path) -> None:
    async with seated(tmp_path, 3, config=sealed(3)) as (table, sessions):
        await sessions[0].start()
        await until(lambda: any(session.choices() for session in sessions))
        chooser = next(session for session in sessions if session.choices())
        choice, n = longing(chooser.choices(), random.Random(1)), chooser.head.n
        await sessions[0].pause(True)
        await until(lambda: chooser.paused)
        assert chooser.client is not None
        chooser.client.beside.paused = False  # as if it had not heard of that yet
        with pytest.raises(Rejected) as refused:
            await chooser.act(choice)
        assert refused.value.code == "paused"
        assert chooser.head.n == n
        await sessions[0].pause(False)
        await chooser.act(choice)
        await until(lambda: chooser.head.n > n)
        assert drafts_at(table).record.steps[0].seat == chooser.seat


def theater_on_top(self: SeededChance, label: str, items: Sequence[T]) -> list[T]:
    """The first hand has the Theater."""
    found = SHUFFLED(self, label, items)
    if label == "districts":
        found.sort(key=lambda card: card == "theater")
    return found


SHUFFLED = SeededChance.shuffle


@pytest.mark.parametrize("players", [4, 2])
async def test_characters_are_exchanged(tmp_path: Path, players: int) -> None:
    with mock.patch.object(SeededChance, "shuffle", theater_on_top):
        async with seated(tmp_path, players, config=sealed_theater(players)) as (table, sessions):
            await sessions[0].start()
            await play_until(sessions, lambda: exchanged(table), saving)
            await play_all(sessions)
            async with asyncio.timeout(30):
                await table.over()
        assert verified(sessions) == 0
