"""A seat at a table (or a place to watch from), for screens, plain lines and bots alike.

    session = await Session.join(address, data_dir=..., name="Anna")        # Refusal(code, details)
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
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Action, Choice, State, acting
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.clean import clean_chat
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, no_report
from citadels_lan.net.wire.messages import (
    Configure,
    LobbyNews,
    Message,
    Pause,
    Ready,
    Remove,
    Role,
    Seat,
    Settings,
    Start,
    SubstituteFor,
)
from citadels_lan.net.wire.timing import Timing

from .answers import Held
from .client import Client
from .connection import Locate
from .life import Life
from .newcomer import Newcomer, newcomer
from .succession import MakeHeir
from .updates import PlayAgain, Update

Status: TypeAlias = Literal["connecting", "lobby", "playing", "over", "lost"]


class LogHead(Struct, frozen=True):
    """How far the log is: the last entry and its hash."""

    n: int
    hash: bytes


class Session:
    """One seat at one table. Use `join`; then everything here is for a single event loop."""

    def __init__(
        self,
        who: Newcomer,
        addresses: Sequence[Address],
        *,
        timing: Timing,
        fp: bytes,
        locate: Locate | None,
        report: Report,
        heir: MakeHeir | None = None,
    ) -> None:
        self.identity = who.identity
        self._life = Life(who, addresses, timing=timing, fp=fp, locate=locate, report=report, heir=heir)
        self.connection = self._life.connection

    @property
    def reason(self) -> Refusal | None:
        """Why it has ended for good; None while it has not."""
        return self._life.reason

    @classmethod
    async def join(
        cls,
        address: Address,
        *,
        data_dir: Path,
        name: str,
        out_dir: Path | None = None,
        role: Role = "player",
        kind: SeatKind = SeatKind.PLAYER,
        timing: Timing | None = None,
        locate: Locate | None = None,
        code: str = "",
        report: Report = no_report,
        others: Sequence[Address] = (),
        fp: bytes = b"",
        heir: MakeHeir | None = None,
    ) -> Self:
        """Join a table at `address`, or at the first of the `others` that answers; `fp` is the fingerprint of its
        certificate where that is known, and whoever has another one is not the host. The identity is
        `data_dir/identity.key`, made when there is none; two sessions at one table need two. Transcripts go to
        `out_dir`, by default `data_dir/transcripts`. `code` are the words of the table as a person types them, or
        its token, or its whole link. `report` writes down faults of this program. `kind` says who plays the seat.
        `heir` makes what takes the game over if its host hands it to this seat.
        Raises Refusal: on account of the code `code_needed`, `wrong_code`,
        `too_many_tries`, `too_many_guesses`, `code_unasked`, and all the others."""
        session = cls(
            newcomer(name, role, kind, code, data_dir, out_dir),
            (address, *others),
            timing=timing or Timing(),
            fp=fp,
            locate=locate,
            report=report,
            heir=heir,
        )
        await session.begin()
        return session

    async def begin(self) -> None:
        """Start, and wait for the lobby. Raises Refusal."""
        await self._life.begin()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    async def updates(self) -> AsyncIterator[Update]:
        """What happens, from the joining on, to one reader; ends with the session."""
        while (update := await self._life.updates.get()) is not None:
            yield update

    # What is known, at any time

    @property
    def client(self) -> Client | None:
        """What is known of the table; None before a host has answered."""
        return self.connection.client

    @property
    def addresses(self) -> Sequence[Address]:
        """Where the host may be, first where it was last."""
        return self.connection.addresses

    @property
    def address(self) -> Address:
        """Where the host is, or was last."""
        return self.addresses[0]

    @property
    def seat(self) -> int | None:
        """The own seat, None for spectators. In the lobby it may still change."""
        return self.client.seat if self.client else None

    @property
    def state(self) -> State | None:
        """What this seat may know; None before the game."""
        return self.client.state if self.client else None

    @property
    def beginning(self) -> State | None:
        """What this seat knew before anything had happened; None before the game. What has happened since then is
        told by `past` and `updates`."""
        return self.client.view.beginning if self.client else None

    @property
    def settings(self) -> Settings:
        """What the table plays."""
        return (self.client.company.settings if self.client else None) or Settings()

    @property
    def lobby(self) -> Sequence[Seat]:
        """Who sits at the table, by seat: name, bot, ready, away, owner."""
        return self.client.company.seats if self.client else ()

    @property
    def called_off(self) -> int:
        """How many starts of this table were called off."""
        return self._news.called_off if self._news else 0

    @property
    def names(self) -> Sequence[str]:
        """The names by seat."""
        return [seat.name for seat in self.lobby]

    @property
    def owner(self) -> bool:
        """Whether this session may configure and start."""
        host = self.client.records.hosts_of_log.now.seat if self.client is not None else None
        return self._news is not None and (self._news.owner if host is None else self.seat == host)

    @property
    def away(self) -> Sequence[int]:
        """The seats whose players are away."""
        return self.client.company.away if self.client else ()

    @property
    def substituted(self) -> Sequence[int]:
        """The seats for which bots of the host move, by the log."""
        return self.client.company.substituted if self.client else ()

    @property
    def taken_over(self) -> bool:
        """Whether a bot of the host plays the own seat although this client is connected, until `take_back`."""
        return self.client is not None and self.client.duties.taken_over

    @property
    def paused(self) -> bool:
        """Whether somebody has paused the game."""
        return self.client is not None and self.client.beside.paused

    @property
    def ending(self) -> Sequence[int]:
        """The seats whose players agree to end the game without a result."""
        return self.client.beside.ending if self.client is not None else ()

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that the table waits for."""
        if self.client is None or self.client.closed:
            return ()
        if self.client.company.awaited or self.state is None:
            return self.client.company.awaited
        return acting(self.state)

    @property
    def status(self) -> Status:
        """Where things are; see above."""
        client = self.client
        if client is not None and client.closed:
            return "over"
        if self.reason is not None:
            return "lost"
        if client is None or not self.connection.up:
            return "connecting"
        return "playing" if client.state is not None else "lobby"

    @property
    def record_closed(self) -> bool:
        """Whether the record of the game is closed."""
        return self.client is not None and self.client.closed

    @property
    def halted(self) -> str:
        """Why the game stands still, a code of `reasons`: a disk is full. Empty where it goes on."""
        return self.client.beside.halted if self.client else ""

    @property
    def words(self) -> Sequence[str]:
        """Four words that are the same for all who have the same history; () before the first round."""
        cosigned = self.client.chronicle.cosigned if self.client else None
        return cosigned.words if cosigned else ()

    @property
    def past(self) -> Sequence[Update]:
        """What happened before this session began, where the transcript has it; `updates` goes on from there."""
        return self.client.past if self.client else ()

    @property
    def head(self) -> LogHead:
        """How far the log is."""
        records = self.client.records if self.client else None
        return LogHead(records.n, records.head) if records else LogHead(0, b"")

    @property
    def game_id(self) -> bytes:
        """The id of the game, 16 bytes."""
        return self.client.records.game.id if self.client else b""

    @property
    def again(self) -> PlayAgain | None:
        """The table at which the same people play again, once the host has opened one."""
        return self.client.beside.again if self.client else None

    @property
    def fp(self) -> bytes:
        """The fingerprint of the host's certificate, 32 bytes."""
        return self.client.records.game.fp if self.client else b""

    @property
    def transcript(self) -> Path | None:
        """The file; complete once `status` is over."""
        return self.client.records.path if self.client else None

    def choices(self) -> Sequence[Choice]:
        """What this seat may do now; () where it is not asked, or a move is on its way."""
        client = self.client
        return client.choices() if client is not None and self.connection.up else ()

    @property
    def answer(self) -> Held | None:
        """The answer about a sealed marker that waits for its time; None where none does."""
        return self._life.answers.held

    @property
    def _news(self) -> LobbyNews | None:
        return self.client.company.lobby if self.client else None

    # What the person does

    async def act(self, action: Action) -> None:
        """Make a move; returns once it is in the log, however often the connection breaks. Raises Rejected."""
        client = self._connected()
        if self._life.answers.held is not None:
            await asyncio.shield(self._life.answers.choose(action))
            return
        answered = self._life.requests.move(client.move(action))
        self._life.pass_on()
        await answered

    async def chat(self, text: str) -> None:
        """Say something to everybody. Raises Rejected: `empty`, `too_fast`."""
        shown = clean_chat(text)
        if not shown:
            raise Rejected("empty")
        self._connected().say(shown, int(time.time()))
        self._life.pass_on()

    async def ready(self, flag: bool = True) -> None:
        """Say that one is ready, or not any more."""
        await self._ask(Ready(flag))

    async def configure(self, settings: Settings) -> None:
        """Play something else. Raises Rejected, also where the rules do not allow it."""
        await self._ask(Configure(settings))

    async def start(self) -> None:
        """Begin. Raises Rejected: `owner_only`, `seats_free`, `not_ready`."""
        await self._ask(Start())

    async def substitute(self, seat: int, level: str = "") -> None:
        """Let a bot of this level (the table's own for none) play for a player who is away; for the host's own
        player. Raises Rejected."""
        await self._ask(SubstituteFor(seat, level))

    async def hand_over(self) -> None:
        """Leave a game, and let a bot of the host move for the own seat from now on. Raises Rejected."""
        client = self._connected()
        try:
            await self._ask(SubstituteFor(client.seat if client.seat is not None else 0, ""))
        except Rejected:
            if client.farewell is None or client.farewell.code != "left":  # which is how the host says yes
                raise

    async def take_back(self) -> None:
        """Take the own seat back from a bot of the host, which plays it although this client is connected. Raises
        Rejected."""
        self._connected().take_back()
        self._life.pass_on()

    async def pause(self, paused: bool) -> None:
        """Begin a pause, or end it. Raises Rejected."""
        await self._ask(Pause(paused))

    def end_game(self, agrees: bool = True) -> None:
        """Agree to end the game without a result, or not any more. It ends once all players who are here agree,
        but for the one that a sealed draft waits for. Raises Rejected."""
        self._connected().end(agrees=agrees)
        self._life.pass_on()

    async def remove(self, seat: int) -> None:
        """Send somebody away from the lobby, for the owner. Raises Rejected."""
        if seat < len(self.lobby):
            await self._ask(Remove(self.lobby[seat].key))

    async def leave(self) -> None:
        """End the session. In the lobby the seat is free then; in a game it waits for this key to come back."""
        self.connection.leave()
        await self._life.stop()

    async def _ask(self, message: Message) -> None:
        """Send, and wait for what comes of it, or the refusal."""
        self._connected().ask(message)
        answered = self._life.requests.ask(message)
        self._life.pass_on()
        await answered

    def _connected(self) -> Client:
        """The client of a session whose host can be reached, and has told nothing false. Raises Rejected."""
        if self.client is None or not self.connection.up:
            raise Rejected("lost")
        return self.client
