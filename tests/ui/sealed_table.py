"""A real table with the Magistrate and the Blackmailer, where answers wait until they are sent on."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

from citadels_lan.engine import Action, expand
from citadels_lan.engine.actions import Marks
from citadels_lan.net.answers import Held
from citadels_lan.net.hosting import open_table
from citadels_lan.net.messages import Settings
from citadels_lan.net.reasons import Rejected
from citadels_lan.net.session import Session
from citadels_lan.net.viewers import Timing
from citadels_lan.ui.sealed import free
from tests.net.playing import QUICK, until

CAST = ("magistrate", "blackmailer", "magician", "king", "bishop", "merchant", "architect", "warlord")
VERBS = {"magistrate": "confiscate", "blackmailer": "reveal"}
SLOW = Timing(ping=0.5, away=5.0, drop=9.0, retry=(0.02, 0.2), sealed=600.0, noise=0.0)
"""Nothing is sent by itself here: `send_now` does it."""


class SealedTable:
    """The person sits at seat 0 and plays one character whenever it can be had; the others move at random."""

    def __init__(self, sessions: list[Session], character: str) -> None:
        self.sessions = sessions
        self.me = sessions[0]
        self.character = character
        self._dice = random.Random(5)
        self._wanted = True

    async def until_asked(self, wanted: bool) -> Held:
        """Play on until the person is asked about a marker: the one that counts, or (False) one that does not."""
        self._wanted = wanted
        async with asyncio.timeout(60):
            while self.me.status != "over":
                if (held := self.me.answer) is not None:
                    if self._verb() == VERBS[self.character] and free(self.me.choices()) is wanted:
                        return held
                    await self.send_now()
                for session in self.sessions:
                    if session.choices() and session.answer is None:
                        await self._move(session)
                await asyncio.sleep(0)
        raise AssertionError

    async def _move(self, session: Session) -> None:
        actions = list(expand(session.choices()))
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
        """How many of the others will meet a marker that is wanted: a test may look into their cards."""
        held = {
            key
            for session in self.sessions[1:]
            if session.state is not None and session.seat is not None
            for key in session.state.players[session.seat].concealed
        }
        counts, rest = {marks.chosen}, set(marks.characters) - {marks.chosen}
        return len(held & (counts if self._wanted else rest))

    def _verb(self) -> str:
        return self.me.state.steps[-1].verb if self.me.state is not None and self.me.state.steps else ""

    async def send_now(self) -> None:
        """The time of the answer has come."""
        held, before = self.me.answer, self.me.head.n
        assert held is not None
        held.timer.cancel()
        self.me._answers._due()
        await until(lambda: self.me.head.n > before)


@contextlib.asynccontextmanager
async def sealed_table(folder: Path, character: str) -> AsyncIterator[SealedTable]:
    """Four at a table, playing."""
    settings = Settings(players=4, cast=CAST)
    async with open_table(settings, folder / "host", host="127.0.0.1", port=0, timing=SLOW) as table:
        sessions = [await table.join("Ada", folder / "0")]
        for seat, name in enumerate(("Bruno", "Chiara", "Dario"), 1):
            sessions.append(
                await Session.join(
                    table.address, data_dir=folder / str(seat), name=name, timing=QUICK, compare=False
                )
            )
            await sessions[-1].ready()
        await until(lambda: all(seat.ready or seat.owner for seat in sessions[0].lobby))
        await sessions[0].start()
        await until(lambda: all(session.state is not None for session in sessions))
        try:
            yield SealedTable(sessions, character)
        finally:
            for session in sessions:
                await session.leave()
