"""The same as in `test_state_machine`, smaller, over real sockets: sessions, a server, a journal on the disk."""

import asyncio
import contextlib
import random
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from citadels_lan.cli.open.hosting import make
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Rejected
from tests.effort import without_shrinking
from tests.facts import first_table
from tests.net.playing import QUICK, random_action, until
from tests.net.test_connections import Wire

PLAYERS = 2
who = st.integers(0, PLAYERS - 1)


class Machines:
    """A host and its players, each on a machine of its own as far as one process can show that: the host is behind
    a stretch of network, and whoever it has left finds it by `locate`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sessions: list[Session | None] = [None] * PLAYERS
        self.wire: Wire
        self.table: OpenTable
        self.dice = random.Random(1)
        self.taken: dict[int, str | bytes] = {}
        self._host = contextlib.AsyncExitStack()
        self._ways = contextlib.AsyncExitStack()

    @property
    def there(self) -> list[Session]:
        """The sessions that run."""
        return [session for session in self.sessions if session is not None]

    @property
    def game(self) -> HostedGame:
        """What the host plays."""
        assert self.table.table.game is not None
        return self.table.table.game

    async def begin(self) -> None:
        """Everybody is there, and the game begins."""
        await self.open(None)
        await self.lay()
        for seat in range(PLAYERS):
            await self.join(seat)
        for session in self.there:
            await session.ready()
        await until(lambda: all(session.table.head.n > 2 for session in self.there))

    async def open(self, journal: Path | None) -> None:
        """The host's program begins."""
        opening = open_table(
            first_table(PLAYERS), self.folder / "host", host="127.0.0.1", port=0, timing=QUICK,
            unattended=True, resume=journal, takeover=Takeover(make, 0.1, "random"),
        )  # fmt: skip
        self.table = await self._host.enter_async_context(opening)

    async def lay(self) -> None:
        """The host is at another address."""
        self.wire = await self._ways.enter_async_context(Wire(self.table).laid())

    async def kill_host(self, *, moved: bool) -> None:
        """The host is killed, which nobody is told, and goes on from its journal."""
        journal = self.table.journal
        self.wire.up = False
        self.wire.cut()
        await self._host.aclose()
        await self.open(journal)
        if moved:
            await self.lay()
        else:
            self.wire._table, self.wire.up = self.table, True

    async def locate(self, _: bytes) -> AsyncGenerator[Sequence[Address], None]:
        """Where the host is."""
        while True:
            yield (self.wire.address,)
            await asyncio.sleep(0.05)

    async def join(self, seat: int) -> None:
        """A client's program begins, if it does not run."""
        if self.sessions[seat] is None:
            self.sessions[seat] = await Session.join(
                self.wire.address, data_dir=self.folder / str(seat), name=f"Player {seat}", timing=QUICK,
                locate=self.locate,
            )  # fmt: skip

    async def kill(self, seat: int) -> None:
        """A client's program ends without a word."""
        session, self.sessions[seat] = self.sessions[seat], None
        if session is not None:
            session.connection.abort("lost")
            await session.leave()

    async def play(self, entries: int) -> None:
        """Whoever is there plays, until the log has so many entries more. With nobody there no round begins."""
        last = self.game.n + (entries if self.there else 0)
        async with asyncio.timeout(60):
            while self.game.n < last and not self.game.closed:
                for session in self.there:
                    await self.move(session)
                await asyncio.sleep(0.005)

    async def move(self, session: Session) -> None:
        """A move, if somebody is asked. Once it is taken it is in the log for good."""
        choices, client = session.table.choices, session.connection.client
        if not choices or client is None:
            return
        with contextlib.suppress(Rejected):
            await session.act(random_action(choices, self.dice))
            assert client.turn.sent is not None
            if client.turn.sent.taken:
                self.taken[client.turn.sent.play.n] = client.turn.sent.play.what

    async def settle(self) -> None:
        """Everybody comes back, and has all of the log."""
        for seat in range(PLAYERS):
            await self.join(seat)
        first = self.there[0]
        async with asyncio.timeout(60):
            while self.table.table.playing.pace.paused:
                await until(lambda: first.connection.up)
                with contextlib.suppress(Rejected):
                    await first.pause(False)
        await until(lambda: {session.table.head.hash for session in self.there} == {self.game.head})
        lost = [
            session.table.reason.code
            for session in self.there
            if session.table.status == "lost" and session.table.reason
        ]
        assert not lost, lost

    def check(self) -> None:
        """What holds at any time."""
        log = self.game.host_log
        for session in self.there:
            assert log.knows(session.table.head.n, session.table.head.hash)
        for n, what in self.taken.items():
            assert getattr(log.entry(n), "what", None) == what, f"the move {n} is lost"

    async def end(self) -> None:
        """All programs end, and nothing goes on; the files are in order."""
        for session in self.there:
            await session.leave()
        over = self.game.closed
        await self._ways.aclose()
        await self._host.aclose()
        await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})
        report = verify(sorted(self.folder.rglob("*.ctr")))
        assert (len(report.files), report.code) == (PLAYERS, 0 if over else 4)


class SurvivalOnSockets(RuleBasedStateMachine):
    """The machines; each rule is something that happens to them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.machines = Machines(Path(self.folder.name))
        self.begun = False

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Let it happen, as far as it goes now; everything else goes on meanwhile."""
        self.runner.run(work)

    @initialize()
    def begin(self) -> None:
        """The game begins."""
        self.do(self.machines.begin())
        self.begun = True

    @rule(entries=st.integers(1, 20))
    def play(self, entries: int) -> None:
        """So many entries."""
        if not self.machines.table.table.playing.pace.paused:
            self.do(self.machines.play(entries))

    @rule()
    def cut(self) -> None:
        """Every connection breaks."""
        self.machines.wire.cut()

    @rule(moved=st.booleans())
    def kill_host(self, moved: bool) -> None:
        """The host is killed and resumed, at the same place or at another one."""
        self.do(self.machines.kill_host(moved=moved))

    @rule(seat=who)
    def kill(self, seat: int) -> None:
        """A client is killed."""
        self.do(self.machines.kill(seat))

    @rule(seat=who)
    def join(self, seat: int) -> None:
        """It begins anew."""
        self.do(self.machines.join(seat))

    @rule()
    def settle(self) -> None:
        """Everybody comes back."""
        self.do(self.machines.settle())

    @rule(seat=who, paused=st.booleans())
    def pause(self, seat: int, paused: bool) -> None:
        """A pause begins or ends."""
        session = self.machines.sessions[seat]
        if session is not None and session.table.status == "playing":
            with contextlib.suppress(Rejected):
                self.do(session.pause(paused))

    @invariant()
    def holds(self) -> None:
        """After every step."""
        if self.begun:
            self.machines.check()

    def teardown(self) -> None:
        """At the end everybody comes back."""
        try:
            if self.begun:
                self.do(self.machines.settle())
                self.do(self.machines.play(3))
                self.do(self.machines.end())
        finally:
            self.runner.close()
            self.folder.cleanup()


@pytest.mark.slow
@pytest.mark.long
def test_nothing_is_lost_on_sockets() -> None:
    run_state_machine_as_test(SurvivalOnSockets, settings=without_shrinking(8))
