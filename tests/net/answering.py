"""How long the host waits for answers about sealed markers: measured at a real table, over real sockets.

Somebody is asked about a marker. The host asks again and again (it answers each answer with a refusal, after which
the question is open as before) and takes the time from the question to the answer. Before each question lots
decide what the client knows: that this marker counts, or another one; all else is the same. The person differs as
much as can be: with the marker that counts it thinks for a random time, without it it answers at once or never.

    python -m tests.net.answering --tries 500
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final, TypeAlias
from unittest import mock

from msgspec.structs import replace

from citadels_lan.engine import TableConfig
from citadels_lan.net.client import answers
from citadels_lan.net.client.answers import PASS
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.audience import tell
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play, Refused

from .distributions import kolmogorov_smirnov, permutation_of_means
from .playing import QUICK, seated
from .steady import CAST, Wishes

ALPHA: Final = 0.01
SECRETS: Final = {"confiscate": "signed", "reveal": "flower"}
HELD: Final = 0.03
"""Seconds from the question to the answer in these tests."""
SPREAD: Final = 0.05
"""Seconds that are added to it at random, at most; a tenth of what it is in a game."""
ANSWERS: Final = {str(action) for action in PASS.values()}


Early: TypeAlias = dict[int, tuple[float, int]]
"""When the last answer came at each game, and as which entry."""


class Asked:
    """A table at which a session is asked about a marker; the answers get as far as the host's door."""

    def __init__(self, table: OpenTable, session: Session, verb: str) -> None:
        self.table = table
        self.session = session
        self.verb = verb
        self.arrived: asyncio.Future[tuple[float, int]] = asyncio.get_running_loop().create_future()

    def know(self, counts: bool) -> None:
        """Let the client believe that the marker counts, or another one."""
        state = self.session.state
        assert state is not None
        assert state.turn is not None
        secret = SECRETS[self.verb]
        placed = {"signed": "warrant", "flower": "threat"}[secret]
        others = [one.character for one in state.marks if one.kind == placed]
        wanted = next(one for one in others if (one == state.turn.character) == counts)
        state.marks = [one.but(character=wanted) if one.kind == secret else one for one in state.marks]

    async def again(self, counts: bool, held: float, dice: random.Random) -> float:
        """Ask once more; how long it took to answer."""
        loop = asyncio.get_running_loop()
        _, n = await self.arrived
        self.know(counts)
        self.arrived = loop.create_future()
        viewer = next(one for one in self.table.table.viewers if one.seat == self.session.seat)
        began = loop.time()
        tell(viewer, Refused(Play.type, n, "undecided", {}))
        person = loop.create_task(self._person(counts, held, dice))  # kept: awaited below
        at, _ = await self.arrived
        person.cancel()
        with contextlib.suppress(asyncio.CancelledError, Rejected):
            await person
        return at - began

    async def _person(self, counts: bool, held: float, dice: random.Random) -> None:
        """Whoever has the marker that counts thinks it over; who has not answers at once, or lets it be."""
        while not self.session.choices():  # noqa: ASYNC110 - it is seen from outside
            await asyncio.sleep(0.001)
        assert (len(self.session.choices()) == 2) == (counts or self.verb == "reveal")
        if counts:
            await asyncio.sleep(dice.uniform(0.1, 0.9) * HELD)
        elif held and dice.random() < 0.5:
            return
        await self.session.act(PASS[self.verb])


@contextlib.contextmanager
def answers_kept(asked: list[Asked]) -> Iterator[Early]:
    """The host takes the time of every answer and forgets it; gives the last one of every game."""
    early: Early = {}
    real = HostedGame.play

    def play(self: HostedGame, seat: int, move: Play) -> None:
        if move.what not in ANSWERS:
            real(self, seat, move)
            return
        early[id(self)] = came = (asyncio.get_running_loop().time(), move.n)
        if asked and not asked[0].arrived.done():
            asked[0].arrived.set_result(came)

    with mock.patch.object(HostedGame, "play", play):
        yield early


@contextlib.asynccontextmanager
async def asked_about(folder: Path, verb: str, held: float, early: Early) -> AsyncIterator[Asked]:
    """A table at which somebody is asked for the first time."""
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
            if not held:  # nobody answers by itself
                first = asyncio.get_running_loop().create_task(session.act(PASS[verb]))  # kept: awaited below
            yield asked
            if first is not None:
                first.cancel()
                with contextlib.suppress(asyncio.CancelledError, Rejected):
                    await first
            return
    raise AssertionError("nobody was asked")


async def _first_question(sessions: list[Session], verb: str, dice: random.Random) -> Session | None:
    """Play until somebody is asked that; None where the first round ends without."""
    wishes = Wishes(("magistrate",) if verb == "confiscate" else ("blackmailer",))
    async with asyncio.timeout(60):
        while True:
            await asyncio.sleep(0.001)
            state = sessions[0].state
            if state is not None and state.round > 1:
                return None
            for one in sessions:
                steps = one.state.steps if one.state is not None else []
                if steps and steps[-1].verb in SECRETS and steps[-1].seat == one.seat:
                    return one if steps[-1].verb == verb else None
            session = next((one for one in sessions if one.choices()), None)
            if session is None:
                continue
            with contextlib.suppress(Rejected):
                await session.act(wishes.action(session.choices(), dice))


async def times(folder: Path, verb: str, tries: int, held: float, seed: int) -> tuple[list[float], list[float]]:
    """So many times with the marker that counts, and so many without it, taken in random order."""
    kept: list[Asked] = []
    with mock.patch.object(answers, "SPREAD", SPREAD / HELD), answers_kept(kept) as early:
        async with asked_about(folder, verb, held, early) as asked:
            kept.append(asked)
            dice = random.Random(seed)
            order = [True, False] * tries
            dice.shuffle(order)
            found: dict[bool, list[float]] = {True: [], False: []}
            for counts in order:
                found[counts].append(await asked.again(counts, held, dice))
            return found[True], found[False]


def compared(one: list[float], other: list[float], seed: int) -> tuple[float, float]:
    """The p-values of both tests."""
    return kolmogorov_smirnov(one, other), permutation_of_means(one, other, random.Random(seed))


async def told_apart(folder: Path, verb: str, tries: int, held: float, runs: int = 3) -> list[tuple[float, float]]:
    """The p-values of the runs. Two groups can be told apart if a test rejects at ALPHA in every run: a first
    rejection may be chance, which happens in one of fifty runs, so it is looked at again, with new answers."""
    found: list[tuple[float, float]] = []
    for run in range(runs):
        found.append(compared(*await times(folder / str(run), verb, tries, held, run), run))
        if min(found[-1]) >= ALPHA:
            break
    return found


def main() -> int:
    """Print the p-values; the exit code is 1 if the groups can be told apart."""
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
