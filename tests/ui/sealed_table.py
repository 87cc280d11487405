"""A real table with the Magistrate and the Blackmailer, at which delayed answers are sent only when the test
says so."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.engine import Action, expand, from_scenario
from citadels_lan.engine.actions import Marks
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import HeldAnswer
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from citadels_lan.presenter.game import free
from tests.net.playing import until

CAST = ("magistrate", "blackmailer", "magician", "king", "bishop", "merchant", "architect", "warlord")
VERBS = {"magistrate": "confiscate", "blackmailer": "reveal"}
SLOW = Timing(ping=5.0, away=60.0, drop=120.0, retry=(0.02, 0.2), sealed=600.0, noise=0.0)
"""Times with which the answer of seat 0 is delayed until the test calls `send_now`. The other times are long,
because a player who reconnects on a busy machine would lose the delayed answer."""
OTHERS = replace(SLOW, sealed=0.02)
"""Times with which the answers of the other players are sent soon."""
TABLES = 20
"""How many games are played at most to find one with the wanted question. The keys, and therefore the random
numbers, differ in each game. In about one of twenty games no player gets the question."""


class SealedTable:
    """The table. Seat 0 picks the character `character` whenever it can; the other seats move at random.
    `counts`: seat 0 is to be asked about a signed marker, or if false, about one that is not signed."""

    def __init__(self, sessions: list[Session], character: str, counts: bool) -> None:
        self.sessions = sessions
        self.me = sessions[0]
        self.character = character
        self._dice = random.Random(5)
        self._wanted = counts

    @property
    def held(self) -> HeldAnswer:
        """The delayed answer of seat 0."""
        assert self.me.table.answer is not None
        return self.me.table.answer

    async def until_asked(self) -> bool:
        """Play until seat 0 is asked. Return False if the game ends before that."""
        while self.me.table.status != "over":
            if self.me.table.answer is not None:
                if self._verb() == VERBS[self.character] and free(self.me.table.choices) is self._wanted:
                    return True
                await self.send_now()
            for session in self.sessions:
                if session.table.choices and session.table.answer is None:
                    await self._move(session)
            await asyncio.sleep(0)
        return False

    async def _move(self, session: Session) -> None:
        actions = list(expand(session.table.choices))
        with contextlib.suppress(Rejected):
            await session.act(self._choose(session, actions))

    def _choose(self, session: Session, actions: list[Action]) -> Action:
        picks = [one for one in actions if one.verb == "pick"]
        if picks:
            own = [one for one in picks if self.character in str(one)]
            others = [one for one in picks if self.character not in str(one)]
            return self._dice.choice((own or picks) if session is self.me else (others or picks))
        marks = [one for one in actions if isinstance(one, Marks)]
        if marks:
            return max(marks, key=self._meets)
        for verb in ("build", "gather"):
            if found := [one for one in actions if one.verb == verb]:
                return self._dice.choice(found)
        left = [one for one in actions if one.verb != "end" and str(one) != "bribe yes"]
        return self._dice.choice(left or actions)

    def _meets(self, marks: Marks) -> int:
        """Return how many of the other players will meet a marker of the wanted kind. A test may look at all
        cards to find that out."""
        held = {
            key
            for session in self.sessions[1:]
            if session.table.state is not None and session.table.seat is not None
            for key in session.table.state.players[session.table.seat].concealed
        }
        counts, rest = {marks.chosen}, set(marks.characters) - {marks.chosen}
        return len(held & (counts if self._wanted else rest))

    def _verb(self) -> str:
        return (
            self.me.table.state.steps[-1].verb
            if self.me.table.state is not None and self.me.table.state.steps
            else ""
        )

    async def send_now(self) -> None:
        """Let the delay of the answer end, so that it is sent."""
        before = self.me.table.head.n
        answers = self.me._answers
        assert answers.held is not None
        assert answers.held.timer is not None
        answers.held.timer.cancel()
        answers._due()
        await until(lambda: self.me.table.head.n > before)


@contextlib.asynccontextmanager
async def sealed_table(folder: Path, character: str, *, counts: bool) -> AsyncIterator[SealedTable]:
    """Yield a table of four players at which seat 0 was asked about a marker and its answer is delayed."""
    for number in range(TABLES):
        async with _playing(folder / str(number)) as sessions:
            table = SealedTable(sessions, character, counts)
            if await table.until_asked():
                yield table
                return
    raise AssertionError("nobody was asked")


@contextlib.asynccontextmanager
async def _playing(folder: Path) -> AsyncIterator[list[Session]]:
    settings = Settings(replace(from_scenario("first_game", 4), cast=CAST))
    async with open_table(settings, folder / "host", host="127.0.0.1", port=0, timing=SLOW) as table:
        sessions = [await table.join("Ada", folder / "0")]
        for seat, name in enumerate(("Bruno", "Chiara", "Dario"), 1):
            sessions.append(
                await Session.join(table.address, data_dir=folder / str(seat), name=name, timing=OTHERS)
            )
            await sessions[-1].ready()
        await until(lambda: all(seat.ready or seat.owner for seat in sessions[0].table.lobby))
        await sessions[0].start()
        await until(lambda: all(session.table.state is not None for session in sessions))
        try:
            yield sessions
        finally:
            for session in sessions:
                await session.leave()
