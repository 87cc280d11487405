"""What the screens need of a seat at a table, and of whoever opens tables for them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from citadels_lan.engine import Action, Choice, Event, State


@dataclass(frozen=True)
class Connected:
    """The host can be reached (again)."""


@dataclass(frozen=True)
class Disconnected:
    """The host cannot be reached; the session goes on trying."""

    reason: str = ""


@dataclass(frozen=True)
class LobbyChanged:
    """Somebody came, went, is ready, or the host changed the settings."""


@dataclass(frozen=True)
class Happened:
    """Entry `n` of the log: `line` is the move of `seat`, both None where the table acted by itself."""

    n: int
    seat: int | None
    line: str | None
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Chatted:
    """Somebody said something."""

    seat: int | None
    name: str
    text: str


@dataclass(frozen=True)
class Away:
    """The player of a seat has lost the connection, or is back."""

    seat: int
    away: bool


@dataclass(frozen=True)
class Ended:
    """The game is over and this seat's transcript is complete."""


@dataclass(frozen=True)
class Alarm:
    """Something that must not be: a proof failed, the host contradicts itself."""

    code: str
    params: dict[str, object] = field(default_factory=dict)


Update: TypeAlias = Connected | Disconnected | LobbyChanged | Happened | Chatted | Away | Ended | Alarm


@dataclass(frozen=True)
class LobbySeat:
    """Who sits where before the game."""

    name: str
    ready: bool = False
    bot: bool = False
    host: bool = False


@dataclass(frozen=True)
class Lobby:
    """A table before the game: `code` and `addresses` are what friends need to join."""

    seats: tuple[LobbySeat, ...] = ()
    places: int = 0
    scenario: str = "first_game"
    code: str = ""
    addresses: tuple[str, ...] = ()
    host: bool = False


@dataclass(frozen=True)
class Verdict:
    """What the proof says of a player."""

    seat: int
    proven: bool
    code: str = ""


Status: TypeAlias = Literal["lobby", "playing", "ended", "lost"]


class TableSession(Protocol):
    """One seat at one table. `state` is what this seat may know; None before the game."""

    @property
    def seat(self) -> int | None: ...
    @property
    def state(self) -> State | None: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def lobby(self) -> Lobby: ...
    @property
    def status(self) -> Status: ...
    @property
    def verdicts(self) -> Sequence[Verdict]: ...
    @property
    def transcript(self) -> Path | None: ...

    def choices(self) -> Sequence[Choice]:
        """What this seat may do now; empty where it is not its move."""
        ...

    def updates(self) -> AsyncIterator[Update]: ...
    async def act(self, action: Action) -> None: ...
    async def chat(self, text: str) -> None: ...
    async def ready(self, flag: bool) -> None: ...
    async def start(self) -> None: ...
    async def leave(self) -> None: ...
