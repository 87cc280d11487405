"""Bots at the tables of this program, and what is said when a game is over."""

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from citadels_lan.bots import make_policy
from citadels_lan.bots.driving import drive
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.thinking.pool import ThinkingPool
from citadels_lan.cli.console import Console
from citadels_lan.cli.profiles import Profiles
from citadels_lan.engine import State
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.texts import msg
from citadels_lan.texts.record import NO_WINNER

NAMES: Final = ("Isotta", "Cosimo", "Bianca", "Tancredi", "Ginevra", "Ruggero", "Fiammetta", "Lapo")
LAST: Final = 2.0
"""Seconds that bots have to give up their seats to the next host."""
HOPELESS: Final = ("storage", "key_missing", "failed", "failed_report", "entry", "game_full")
"""Reasons after which a seat stays empty, whatever the host does."""


class Bots:
    """Bots in seats of a table. `tasks` runs them; each plays until its session ends. `failed` is why the first
    of them had to give up, once one had to; a fault in one breaks the table."""

    def __init__(
        self, profiles: Profiles, table: OpenTable, tasks: asyncio.TaskGroup, out: Path | None, pause: float = 0.0
    ) -> None:
        self.sessions: list[Session] = []
        self.failed: asyncio.Future[Refusal] = asyncio.get_running_loop().create_future()
        self._profiles = profiles
        self._table = table
        self._tasks = tasks
        self._out = out
        self._pause = pause
        self._pool = ThinkingPool()
        self._driving: list[asyncio.Task[None]] = []

    async def seat(self, levels: Sequence[str]) -> None:
        """One bot of each level takes a seat. Raises Refusal, OSError."""
        for level in levels:
            name = NAMES[len(self.sessions) % len(NAMES)]
            session = await self._table.join(name, self._profiles.bot(), out_dir=self._out, bot=True)
            self.play(session, level)

    def play(self, session: Session, level: str) -> None:
        """A bot plays this session's seat."""
        policy = make_policy(level, secrets.token_hex(16))
        if session.seat is not None and session.lobby[session.seat].bot:
            self._table.play_at(session.identity.public, level)
        self.sessions.append(session)
        self._driving.append(self._tasks.create_task(self._table.mind(partial(self._drive, session, policy))))

    async def ended(self) -> None:
        """Wait until all bots have played to the end of the game."""
        for driving in self._driving:
            await asyncio.wait((driving,))

    async def _drive(self, session: Session, policy: Policy) -> None:
        reason: Refusal | None
        try:
            await drive(session, policy, later=Rejected, pause=self._pause, think=self._pool.choose)
            reason = session.reason
        except Rejected as refused:
            if refused.code not in HOPELESS:
                raise
            reason = refused
        if reason is not None and reason.code in HOPELESS and not self.failed.done():
            self.failed.set_result(reason)

    async def give_up(self) -> None:
        """The game is hosted elsewhere and this program ends: let substitute bots of the host play these seats."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST):
                for session in self.sessions:
                    with contextlib.suppress(Refusal):
                        await session.hand_over()

    async def leave(self) -> None:
        """All bots get up."""
        for session in self.sessions:
            await session.leave()
        self._pool.close()


def tell_result(console: Console, session: Session) -> None:
    """Who won, as a session knows it."""
    if session.state is not None:
        tell_scores(console, session.state, session.names, closed=session.record_closed)


def tell_scores(console: Console, state: State, names: Sequence[str], *, closed: bool) -> None:
    """Who won, and the points of all players, best first. While the record is not `closed`: the points by seat,
    and that there is no winner."""
    if not state.scores:
        console.say(msg("The game was not finished."))
        return
    if not closed:
        for seat, score in enumerate(state.scores):
            console.line(f"{names[seat]}: {_points(console, score.total)}")
        console.say(NO_WINNER)
        return
    ranked = sorted(
        range(len(state.scores)), key=lambda seat: (seat not in state.winners, -state.scores[seat].total)
    )
    for place, seat in enumerate(ranked, 1):
        console.line(f"{place}. {names[seat]}: {_points(console, state.scores[seat].total)}")


def _points(console: Console, count: int) -> str:
    return console.texts.plural("{count} point", "{count} points", count)


def tell_transcripts(console: Console, sessions: Sequence[Session]) -> None:
    """Where the transcripts are."""
    for session in sessions:
        if session.transcript is not None:
            console.say(msg("Transcript: {path}"), path=session.transcript)
