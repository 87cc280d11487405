"""Sessions that play random legal moves over real sockets on this machine."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from citadels_lan.engine import Action, Choice, Deal, TableConfig
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from tests.facts import first_game
from tests.play.dice import eager

QUICK = Timing(ping=0.5, away=1.0, drop=3.0, handshake=5.0, frame=5.0, retry=(0.02, 0.2), sealed=0.02,
               cosign=1.0, words=1.0)  # fmt: skip


def random_action(choices: Sequence[Choice], dice: random.Random) -> Action:
    """Return a random legal action. It is mostly a build if one is possible, so that games end."""
    choice = eager(dice, choices)
    if not isinstance(choice, Deal):
        return choice
    actions = choice.actions()
    chosen = next(actions)
    for _, chosen in zip(range(dice.randrange(8)), actions, strict=False):  # noqa: B007
        pass
    return chosen


Choose = Callable[[Sequence[Choice], random.Random], Action]


async def play(session: Session, seed: int = 1, *, until: int = 10**9, choose: Choose = random_action) -> None:
    """Make moves until the game is over, the session ends, or the log has entry `until`."""
    dice = random.Random(seed)
    async for _ in session.updates():
        while choices := session.table.choices:
            if session.table.head.n >= until:
                return
            try:
                await session.act(choose(choices, dice))
            except Rejected as reason:
                if reason.code not in ("stale", "catching_up"):
                    raise
        if session.table.status == "over" or session.table.head.n >= until:
            return


@contextlib.asynccontextmanager
async def seated(
    folder: Path,
    players: int,
    *,
    timing: Timing = QUICK,
    config: TableConfig | None = None,
    takeover: Takeover | None = None,
) -> AsyncIterator[tuple[OpenTable, list[Session]]]:
    """Context with a table on loopback before its game: all seats are taken, and all players are ready."""
    settings = Settings(config or first_game(players))
    opening = open_table(settings, folder / "host", host="127.0.0.1", port=0, timing=timing, takeover=takeover)
    async with opening as table:
        sessions = [await table.join("Ada", folder / "0")]
        for seat in range(1, players):
            sessions.append(await join(table, folder / str(seat), f"Player {seat}", timing=timing))
        try:
            yield table, sessions
        finally:
            for session in sessions:
                await session.leave()


async def join(table: OpenTable, folder: Path, name: str, *, timing: Timing = QUICK, **options: object) -> Session:
    """Let a player on another computer join. The player is ready."""
    session = await Session.join(table.address, data_dir=folder, name=name, timing=timing, **options)  # type: ignore[arg-type]
    if session.table.seat is not None and session.table.status == "lobby":
        await session.ready()
    return session


async def play_all(sessions: Sequence[Session], seed: int = 1) -> None:
    """Let all sessions play to the end."""
    async with asyncio.TaskGroup() as tasks:
        for seat, session in enumerate(sessions):
            tasks.create_task(play(session, seed * 100 + seat))


async def until(holds: Callable[[], bool]) -> None:
    """Wait until `holds()` is True. For conditions that no update announces."""
    async with asyncio.timeout(120):
        while not holds():  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.002)


def reached(session: Session, n: int) -> Callable[[], bool]:
    """Return a condition for `until`: a session has entry `n`, or its game has ended."""
    return lambda: session.table.head.n >= n or session.table.status == "over"
