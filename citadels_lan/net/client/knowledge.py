"""What a session knows of its table, to be read at any time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from citadels_lan.engine import Choice, State, acting, decisions
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import LobbyNews, Seat, Settings

from .client import Client
from .updates import Update

Status: TypeAlias = Literal["connecting", "lobby", "playing", "over", "lost"]


class LogHead(Struct, frozen=True):
    """How far the log is: the last entry and its hash."""

    n: int
    hash: bytes


class Knowledge:
    """The reading side of a session. `reason` says why it has ended for good, where it has."""

    def __init__(self) -> None:
        self._client: Client | None = None
        self._link: Link | None = None
        self._ended = False
        self.reason: Refusal | None = None

    @property
    def seat(self) -> int | None:
        """The own seat, None for spectators. In the lobby it may still change."""
        return self._client.seat if self._client else None

    @property
    def state(self) -> State | None:
        """What this seat may know; None before the game."""
        return self._client.state if self._client else None

    @property
    def settings(self) -> Settings:
        """What the table plays."""
        return self._news.settings if self._news else Settings()

    @property
    def lobby(self) -> Sequence[Seat]:
        """Who sits at the table, by seat: name, bot, ready, away, owner."""
        return self._news.seats if self._news else ()

    @property
    def names(self) -> Sequence[str]:
        """The names by seat."""
        return [seat.name for seat in self.lobby]

    @property
    def spectators(self) -> int:
        """How many watch."""
        return self._news.spectators if self._news else 0

    @property
    def owner(self) -> bool:
        """Whether this session may configure and start."""
        return self._news is not None and self._news.owner

    @property
    def away(self) -> Sequence[int]:
        """The seats whose players are away."""
        return self._client.away if self._client else ()

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that the table waits for."""
        if self._client is None or self._client.closed:
            return ()
        if self._client.awaited or self.state is None:
            return self._client.awaited
        return acting(self.state)

    @property
    def status(self) -> Status:
        """Where things are; see above."""
        client = self._client
        if client is not None and client.closed:
            return "over"
        if self._ended:
            return "lost"
        if client is None or self._link is None:
            return "connecting"
        return "playing" if client.state is not None else "lobby"

    @property
    def words(self) -> Sequence[str]:
        """Four words that are the same for all who have the same history; () before the first round."""
        cosigned = self._client.cosigned if self._client else None
        return cosigned.words if cosigned else ()

    @property
    def past(self) -> Sequence[Update]:
        """What happened before this session began, where the transcript has it; `updates` goes on from there."""
        return self._client.past if self._client else ()

    @property
    def head(self) -> LogHead:
        """How far the log is."""
        records = self._client.records if self._client else None
        return LogHead(records.n, records.head) if records else LogHead(0, b"")

    @property
    def game_id(self) -> bytes:
        """The id of the game, 16 bytes."""
        return self._client.records.game.id if self._client else b""

    @property
    def transcript(self) -> Path | None:
        """The file; complete once `status` is over."""
        return self._client.records.path if self._client else None

    def choices(self) -> Sequence[Choice]:
        """What this seat may do now; () where it is not asked, or a move is on its way."""
        client = self._client
        if client is None or self._link is None or not client.may_move or client.seat is None:
            return ()
        return decisions(client.state).get(client.seat, ()) if client.state else ()

    @property
    def _news(self) -> LobbyNews | None:
        return self._client.lobby if self._client else None
