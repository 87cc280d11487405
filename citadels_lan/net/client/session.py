"""A seat at a table (or a place to watch from), for screens, plain lines and bots alike.

    session = await Session.join(address, data_dir=..., name="Anna")        # Turned(code, details) if it cannot be
    async for update in session.updates(): ...                             # one reader; see `updates`
    session.choices()                       # what this seat may do now, () where it is not asked
    await session.act(action)               # returns once the move is in the log; Rejected(code, details)
    await session.leave()

The session answers for the seed, acknowledges, writes the transcript and comes back by itself after a lost
connection; a move that was on its way then is in the log exactly once. `status` says where things are:

    connecting   no connection (yet, or again)        lobby    seated, the game has not begun
    playing      in the game                          over     the last entry is in the transcript
    lost         ended for good: `reason` says why
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.engine import Action
from citadels_lan.net.join.door import read_secret
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Configure, Message, Ready, Role, Say, Settings, Start
from citadels_lan.net.wire.noise import NoiseMaker
from citadels_lan.net.wire.reporting import Report, no_report
from citadels_lan.net.wire.timing import Timing

from .answers import Held
from .connection import Address, Connection, Locate
from .updates import Update


class Session(Connection):
    """One seat at one table. Use `join`; then everything here is for a single event loop."""

    @classmethod
    async def join(
        cls,
        address: Address,
        *,
        data_dir: Path,
        name: str,
        out_dir: Path | None = None,
        role: Role = "player",
        bot: bool = False,
        timing: Timing | None = None,
        locate: Locate | None = None,
        compare: bool = True,
        code: str = "",
        report: Report = no_report,
        others: Sequence[Address] = (),
    ) -> Self:
        """Join a table at `address`, or at the first of the `others` that answers. The identity is
        `data_dir/identity.key`, made when there is none; two sessions at one table need two. Transcripts go to
        `out_dir`, by default `data_dir/transcripts`. `code` are the words of the table as a person types them, or
        its token, or its whole link. `compare`: compare heads with the other clients by multicast. `report` writes
        down faults of this program. Raises Refusal: on account of the code `code_needed`, `wrong_code`,
        `too_many_tries`, `locked`, `code_unasked`, and all the others."""
        secret = read_secret(code)
        shown = clean_name(name)
        if not shown:
            raise Refusal("no_name")
        try:
            identity = Identity.load_or_create(data_dir / "identity.key")
        except BadKey:
            raise Refusal("bad_key") from None
        except OSError:
            raise Refusal("storage", path=str(data_dir)) from None
        session = cls(Profile(shown, role, bot), identity, data_dir, out_dir)
        session.addresses, session.locate, session._secret = (address, *others), locate, secret
        session.report = report
        session.timing = timing or session.timing
        session._compares = compare
        session._noise = NoiseMaker(session._send, session.timing.noise)
        # kept: the session's own, until `_stop` has awaited it.
        session._task = asyncio.get_running_loop().create_task(session._run())
        try:
            await asyncio.shield(session._joined)
        except BaseException as error:
            if isinstance(error, Refusal):
                error.transcript = error.transcript or session.transcript
            await session._stop()
            raise
        return session

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    async def updates(self) -> AsyncIterator[Update]:
        """What happens, from the joining on, to one reader; ends with the session."""
        while (update := await self._updates.get()) is not None:
            yield update

    # What the person does

    async def act(self, action: Action) -> None:
        """Make a move; returns once it is in the log, however often the connection breaks. Raises Rejected."""
        if self._client is None or self._link is None:
            raise Rejected("lost")
        if self._answers.held is not None:
            await asyncio.shield(self._answers.choose(action))
            return
        sent = self._client.move(action)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._moving = (sent, future)
        self._flush()
        await future

    @property
    def answer(self) -> Held | None:
        """The answer about a sealed marker that waits for its time; None where none does."""
        return self._answers.held

    async def chat(self, text: str) -> None:
        """Say something to everybody. Raises Rejected: `empty`, `too_fast`."""
        shown = clean_chat(text)
        if not shown:
            raise Rejected("empty")
        await self._ask(Say(shown), answered=False)

    async def ready(self, flag: bool = True) -> None:
        """Say that one is ready, or not any more."""
        await self._ask(Ready(flag))

    async def configure(self, settings: Settings) -> None:
        """Play something else. Raises Rejected, also where the rules do not allow it."""
        await self._ask(Configure(settings))

    async def start(self) -> None:
        """Begin. Raises Rejected: `owner_only`, `seats_free`, `not_ready`."""
        await self._ask(Start())

    async def leave(self) -> None:
        """End the session. In the lobby the seat is free then; in a game it waits for this key to come back."""
        if self._link is not None:
            self._link.close("left")
        await self._stop()

    async def _ask(self, message: Message, *, answered: bool = True) -> None:
        """Send, and wait for the lobby that comes of it, or the refusal."""
        if self._client is None or self._link is None:
            raise Rejected("lost")
        self._client.ask(message)
        if not answered:
            self._flush()
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asking[message.type] = future
        self._flush()
        await future
