"""Measure at a real table, over real sockets, how long the host waits for answers about sealed markers.

The host asks a player about a marker again and again: it rejects each answer, so the question stays open. The
tool measures the time from each question to its answer. Before each question the tool decides at random what
the client knows: either this marker counts (it is signed or has the flower), or another one does. All else is
the same. The players differ as much as they can: with the marker that counts they think for a random time,
without it they answer at once or never.

    python -m tools.answering --tries 500
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

from msgspec.structs import replace

from citadels_lan.engine import TableConfig
from citadels_lan.net.client import session
from citadels_lan.net.client.client import PASS
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.audience import tell
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play, Refused
from tests.net.playing import QUICK, seated
from tests.net.steady import CAST, Wishes
from tools.distributions import kolmogorov_smirnov, permutation_of_means

ALPHA: Final = 0.01
SECRETS: Final = {"confiscate": "signed", "reveal": "flower"}
HELD: Final = 0.03
"""Seconds that a client needs from the question to its answer in this measurement."""
SPREAD: Final = 0.05
"""Largest number of random seconds that a client adds to HELD; a tenth of its value in a real game."""
MOMENT: Final = 0.001
"""Seconds in which sent data certainly arrives on this computer."""
TABLES: Final = 5
"""The number of tables that are asked at the same time."""
ANSWERS: Final = {str(action) for action in PASS.values()}


Early: TypeAlias = dict[int, tuple[float, int]]
"""For each game: when its last answer arrived, and which entry the answer would have become."""


class Asked:
    """A table at which the host asks one session about a marker again and again. The host records when each
    answer arrives, and drops the answer."""

    def __init__(self, table: OpenTable, session: Session, verb: str) -> None:
        self.table = table
        self.session = session
        self.verb = verb
        self.arrived: asyncio.Future[tuple[float, int]] = asyncio.get_running_loop().create_future()

    def know(self, counts: bool) -> None:
        """Change the client's knowledge: the marker in question is the one that counts (signed, or with the
        flower), or another one is."""
        state = self.session.table.state
        assert state is not None
        assert state.turn is not None
        secret = SECRETS[self.verb]
        placed = {"signed": "warrant", "flower": "threat"}[secret]
        others = [one.character for one in state.marks if one.kind == placed]
        wanted = next(one for one in others if (one == state.turn.character) == counts)
        state.marks = [one.but(character=wanted) if one.kind == secret else one for one in state.marks]
        client = self.session.connection.client
        assert client is not None
        client.view._show_own(state)

    async def again(self, counts: bool, held: float, dice: random.Random) -> float:
        """Ask the question once more. Return the seconds until the answer."""
        loop = asyncio.get_running_loop()
        _, n = await self.arrived
        self.know(counts)
        self.arrived = loop.create_future()
        viewer = next(one for one in self.table.table.audience.viewers if one.seat == self.session.table.seat)
        began = loop.time()
        tell(viewer, Refused(Play.type, n, "undecided", {}))
        person = loop.create_task(self._person(counts, held, dice))  # kept: awaited below
        await asyncio.wait((self.arrived, person), return_when=asyncio.FIRST_COMPLETED)
        if not self.arrived.done():
            await person  # raises its fault, if there is one
        at, _ = await self.arrived
        person.cancel()
        with contextlib.suppress(asyncio.CancelledError, Rejected):
            await person
        return at - began

    async def _person(self, counts: bool, held: float, dice: random.Random) -> None:
        """Answer as a person would. If the marker counts: after some thinking. Otherwise: at once, or
        never."""
        while not self.session.table.choices:  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.001)
        assert (len(self.session.table.choices) == 2) == (counts or self.verb == "reveal")
        if counts:
            await asyncio.sleep(dice.uniform(0.1, 0.9) * HELD)
        elif held and dice.random() < 0.5:
            return
        # On a busy machine the time of the answer may pass meanwhile. The answer has then left by itself.
        with contextlib.suppress(Rejected) if held else contextlib.nullcontext():
            await self.session.act(PASS[self.verb])


@contextlib.contextmanager
def answers_kept(tables: list[Asked]) -> Iterator[Early]:
    """Make each host record the time of every answer and drop the answer. Yield the last answer of each game."""
    early: Early = {}
    real = HostedGame.play

    def play(self: HostedGame, seat: int, move: Play) -> None:
        if move.what not in ANSWERS:
            real(self, seat, move)
            return
        early[id(self)] = came = (asyncio.get_running_loop().time(), move.n)
        for asked in tables:
            if asked.table.table.game is self and not asked.arrived.done():
                asked.arrived.set_result(came)

    with mock.patch.object(HostedGame, "play", play):
        yield early


@contextlib.contextmanager
def clock_of_timers() -> Iterator[None]:
    """Context in which the clock of the event loop stands still. If no data arrives, the clock jumps to the
    next timer. So other load on the machine changes no measured time, and no real time passes. On Linux and
    macOS every loop of CPython has `_selector`."""
    loop: Any = asyncio.get_running_loop()
    now, select = loop.time(), loop._selector.select

    def select_at_once(timeout: float | None = None) -> Any:
        nonlocal now
        arrived = select(0) or select(timeout if timeout is None else min(timeout, MOMENT))
        if not arrived and timeout is not None:
            now += timeout
        return arrived

    with (
        mock.patch.object(loop._selector, "select", select_at_once),
        mock.patch.object(loop, "time", side_effect=lambda: now),
    ):
        yield


@contextlib.asynccontextmanager
async def asked_about(folder: Path, verb: str, held: float, early: Early) -> AsyncIterator[Asked]:
    """Return a table at which a player is asked about a marker for the first time."""
    for number in range(40):
        config = TableConfig(4, CAST)
        timing = replace(QUICK, sealed=held)
        async with seated(folder / str(number), 4, timing=timing, config=config) as (table, sessions):
            await sessions[0].start()
            session = await _first_question(sessions, verb, random.Random(number))
            if session is None:
                continue
            asked = Asked(table, session, verb)
            if (came := early.get(id(table.table.game))) is not None:
                asked.arrived.set_result(came)
            first = None
            if not held:  # no player answers by itself
                first = asyncio.get_running_loop().create_task(session.act(PASS[verb]))  # kept: awaited below
            yield asked
            if first is not None:
                first.cancel()
                with contextlib.suppress(asyncio.CancelledError, Rejected):
                    await first
            return
    raise AssertionError("nobody was asked")


async def _first_question(sessions: list[Session], verb: str, dice: random.Random) -> Session | None:
    """Play until a player is asked a question with this verb, and return that player's session. Return None
    if the first round ends before that."""
    wishes = Wishes(("magistrate",) if verb == "confiscate" else ("blackmailer",))
    async with asyncio.timeout(60):
        while True:
            await asyncio.sleep(0.001)
            state = sessions[0].table.state
            if state is not None and state.round > 1:
                return None
            for one in sessions:
                steps = one.table.state.steps if one.table.state is not None else []
                if steps and steps[-1].verb in SECRETS and steps[-1].seat == one.table.seat:
                    return one if steps[-1].verb == verb else None
            session = next((one for one in sessions if one.table.choices), None)
            if session is None:
                continue
            with contextlib.suppress(Rejected):
                await session.act(wishes.action(session.table.choices, dice))


async def times(folder: Path, verb: str, tries: int, held: float, seed: int) -> tuple[list[float], list[float]]:
    """Measure `tries` answers about the marker that counts, and as many about a marker that does not, in
    random order. Return the seconds of both groups."""
    found: dict[bool, list[float]] = {True: [], False: []}
    kept: list[Asked] = []

    async def ask(asked: Asked, dice: random.Random) -> None:
        order = [True, False] * (tries // TABLES)
        dice.shuffle(order)
        for counts in order:
            found[counts].append(await asked.again(counts, held, dice))

    async with AsyncExitStack() as stack:
        stack.enter_context(mock.patch.object(session, "SPREAD", SPREAD / HELD))
        early = stack.enter_context(answers_kept(kept))
        for number in range(TABLES):
            kept.append(await stack.enter_async_context(asked_about(folder / str(number), verb, held, early)))
        stack.enter_context(clock_of_timers())
        async with asyncio.TaskGroup() as tasks:
            for number, asked in enumerate(kept):
                tasks.create_task(ask(asked, random.Random(seed * TABLES + number)))
    return found[True], found[False]


def compared(one: list[float], other: list[float], seed: int) -> tuple[float, float]:
    """Return the p-values of both statistical tests (`tools.distributions`) for two groups of times."""
    return kolmogorov_smirnov(one, other), permutation_of_means(one, other, random.Random(seed))


async def told_apart(folder: Path, verb: str, tries: int, held: float, runs: int = 3) -> list[tuple[float, float]]:
    """Measure up to `runs` times, and return the two p-values of each run. Stop after a run in which no test
    rejects. The groups can be distinguished only if every run has a p-value below ALPHA: a single one may be
    chance (one of fifty runs)."""
    found: list[tuple[float, float]] = []
    for run in range(runs):
        found.append(compared(*await times(folder / str(run), verb, tries, held, run), run))
        if min(found[-1]) >= ALPHA:
            break
    return found


def main() -> int:
    """Print the p-values. Return 1 if the two groups can be distinguished, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=500)
    parser.add_argument("--held", type=float, default=HELD)
    options = parser.parse_args()
    failed = False
    for verb in SECRETS:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(told_apart(Path(folder), verb, options.tries, options.held))
        failed |= min(found[-1]) < ALPHA
        values = ", ".join(f"KS {one:.4f} means {other:.4f}" for one, other in found)
        print(f"{verb}: {options.tries} answers each, held for {options.held} s: p = {values}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
