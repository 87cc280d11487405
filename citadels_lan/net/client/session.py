"""A seat at a table (or a place to watch from), for screens, plain lines and bots alike.

    session = await Session.join(address, data_dir=..., name="Anna")        # Refusal(code, details)
    async for update in session.updates(): ...                             # one reader; see `updates`
    session.table.choices                   # what this seat may do now, () where it is not asked
    await session.act(action)               # returns once the move is in the log; Rejected(code, details)
    await session.leave()

The session answers for the seed, acknowledges, writes the transcript and comes back by itself after a lost
connection; a move that was on its way then is in the log exactly once. What is known of the table is in `table`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Action
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.join.door import read_secret
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, no_report
from citadels_lan.net.wire.timing import Timing

from .client import Client
from .search import JoinRequest, Locate
from .session_loop import SessionLoop
from .succession import MakeHeir
from .updates import Update
from .view import TableView


class Session:
    """One seat at one table. Use `join`; then everything here is for a single event loop."""

    def __init__(self, request: JoinRequest, heir: MakeHeir | None = None) -> None:
        self.table = TableView(addresses=request.addresses)
        """The table as it is now, at least as new as the last update."""
        self.identity = request.identity
        self._loop = SessionLoop(request, self._show, heir)
        self.connection = self._loop.connection

    def _show(self, table: TableView) -> None:
        self.table = table

    @classmethod
    async def join(
        cls,
        address: Address,
        *,
        data_dir: Path,
        name: str,
        out_dir: Path | None = None,
        role: wire.Role = "player",
        kind: SeatKind = SeatKind.PLAYER,
        timing: Timing | None = None,
        locate: Locate | None = None,
        code: str = "",
        report: Report = no_report,
        others: Sequence[Address] = (),
        fp: bytes = b"",
        heir: MakeHeir | None = None,
    ) -> Self:
        """Join a table at `address`, or at the first of the `others` that answers. `fp` is the fingerprint of
        the host's certificate if it is known; a host with another one is refused. The identity is
        `data_dir/identity.key`, made if there is none; two sessions at one table need two. Transcripts go
        to `out_dir`, by default `data_dir/transcripts`. `code` are the words of the table as a person
        types them, or its token, or its whole link. `report` writes down faults of this program. `kind`
        tells whether a person or a bot plays. `heir` makes what takes the game over if its host hands it
        to this seat. Raises Refusal: on account of the code `code_needed`, `wrong_code`, `too_many_tries`,
        `too_many_guesses`, `code_unasked`, and all the others."""
        secret, clean = read_secret(code), clean_name(name)
        if not clean:
            raise Refusal("no_name")
        request = JoinRequest(
            Profile(clean, role, kind),
            own_identity(data_dir),
            out_dir or data_dir / "transcripts",
            data_dir / "games",
            secret,
            (address, *others),
            fp,
            timing or Timing(),
            locate,
            report,
        )
        session = cls(request, heir)
        await session.begin()
        return session

    async def begin(self) -> None:
        """Start, and wait for the lobby. Raises Refusal."""
        await self._loop.begin()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    async def updates(self) -> AsyncIterator[Update]:
        """Yield the updates, from the joining on, to one reader. Ends with the session."""
        while (update := await self._loop.updates.get()) is not None:
            yield update

    @property
    def past(self) -> Sequence[Update]:
        """The updates before this session began, if the transcript has some; `updates` continues them."""
        client = self.connection.client
        return client.past if client else ()

    # What the person does

    async def act(self, action: Action) -> None:
        """Make a move; returns once it is in the log, however often the connection breaks. Raises Rejected."""
        client = self._connected()
        if self._loop.answers.held is not None:
            await asyncio.shield(self._loop.choose(action))
            return
        answered = self._loop.requests.move(client.move(action))
        self._loop.pass_on()
        await answered

    async def chat(self, text: str) -> None:
        """Send a line to all players and spectators. Raises Rejected: `empty`, `too_fast`."""
        line = clean_chat(text)
        if not line:
            raise Rejected("empty")
        self._connected().say(line, int(time.time()))
        self._loop.pass_on()

    async def ready(self, flag: bool = True) -> None:
        """Say that one is ready, or not any more."""
        await self._ask(wire.Ready(flag))

    async def configure(self, settings: wire.Settings) -> None:
        """Play something else. Raises Rejected, also where the rules do not allow it."""
        await self._ask(wire.Configure(settings))

    async def start(self) -> None:
        """Begin. Raises Rejected: `owner_only`, `seats_free`, `not_ready`."""
        await self._ask(wire.Start())

    async def substitute(self, seat: int, level: str = "") -> None:
        """Let a bot of this level (the table's own for none) play for a player who is away; for the host's own
        player. Raises Rejected."""
        await self._ask(wire.SubstituteFor(seat, level))

    async def hand_over(self) -> None:
        """Leave a game, and let a bot of the host move for the own seat from now on. Raises Rejected."""
        client = self._connected()
        try:
            await self._ask(wire.SubstituteFor(client.seat if client.seat is not None else 0, ""))
        except Rejected:
            farewell = client.trust.farewell
            if farewell is None or farewell.code != "left":  # which is how the host says yes
                raise

    async def take_back(self) -> None:
        """Take the own seat back from a bot of the host, which plays it although this client is connected. Raises
        Rejected."""
        self._connected().take_back()
        self._loop.pass_on()

    async def pause(self, paused: bool) -> None:
        """Begin a pause, or end it. Raises Rejected."""
        await self._ask(wire.Pause(paused))

    def end_game(self, agrees: bool = True) -> None:
        """Agree to end the game without a result, or not any more. It ends once all connected players agree.
        Raises Rejected."""
        self._connected().end(agrees=agrees)
        self._loop.pass_on()

    async def remove(self, seat: int) -> None:
        """Remove a player from the lobby, for the owner. Raises Rejected."""
        if seat < len(lobby := self.table.lobby):
            await self._ask(wire.Remove(lobby[seat].key))

    async def leave(self) -> None:
        """End the session. In the lobby the seat is free then; in a game it waits for this key to come back."""
        self.connection.leave()
        await self._loop.stop()

    async def _ask(self, message: wire.Message) -> None:
        """Send a request, and wait until the host grants it. Raises Rejected."""
        self._connected().ask(message)
        answered = self._loop.requests.ask(message)
        self._loop.pass_on()
        await answered

    def _connected(self) -> Client:
        """The client of a session whose host can be reached, and has told nothing false. Raises Rejected."""
        client = self.connection.client
        if client is None or not self.connection.up:
            raise Rejected("lost")
        return client


def own_identity(data_dir: Path) -> Identity:
    """The identity `data_dir/identity.key`, made when there is none. Raises Refusal: `bad_key`, `storage`."""
    try:
        return Identity.load_or_create(data_dir / "identity.key")
    except BadKey:
        raise Refusal("bad_key") from None
    except OSError:
        raise Refusal("storage", path=str(data_dir)) from None
