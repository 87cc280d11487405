"""What the front ends need of a seat at a table: `net.session.Session` has it, and so has a fake in tests."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from citadels_lan.engine import Action, Choice, State
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.client.answers import Held
from citadels_lan.net.client.updates import (
    Alarm,
    Away,
    BackAgain,
    CaughtUp,
    Chatted,
    ClockSet,
    Connected,
    Cosigned,
    Disconnected,
    Ended,
    EndProposed,
    Halted,
    Happened,
    HostChanged,
    LobbyChanged,
    PauseChanged,
    PlayAgain,
    SubstituteBegan,
    Update,
    Waiting,
)
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

if TYPE_CHECKING:  # who joins a table needs no host's side of one
    from citadels_lan.net.host.opening import OpenTable


class TableSession(Protocol):
    """One seat at one table, or a place to watch from. The methods that ask for something raise Refusal."""

    @property
    def seat(self) -> int | None:
        """The own seat; None for spectators."""
        ...

    @property
    def state(self) -> State | None:
        """What this seat may know; None before the game."""
        ...

    @property
    def beginning(self) -> State | None:
        """What this seat knew before anything had happened; None before the game."""
        ...

    @property
    def settings(self) -> Settings: ...

    @property
    def lobby(self) -> Sequence[Seat]: ...

    @property
    def names(self) -> Sequence[str]: ...

    @property
    def owner(self) -> bool:
        """Whether this session may configure and start."""
        ...

    @property
    def away(self) -> Sequence[int]: ...

    @property
    def ending(self) -> Sequence[int]:
        """The seats whose players agree to end the game without a result."""
        ...

    @property
    def waiting(self) -> Sequence[int]:
        """The seats that the table waits for."""
        ...

    @property
    def substituted(self) -> Sequence[int]:
        """The seats for which bots of the host move."""
        ...

    @property
    def taken_over(self) -> bool:
        """Whether a bot of the host plays the own seat although this client is connected."""
        ...

    @property
    def paused(self) -> bool: ...

    @property
    def again(self) -> PlayAgain | None:
        """The table at which the same people play again, once the host has opened one."""
        ...

    @property
    def transcript(self) -> Path | None: ...

    @property
    def reason(self) -> Refusal | None:
        """Why the session has ended for good, where it has."""
        ...

    @property
    def record_closed(self) -> bool:
        """Whether the host has closed the record of the game. Only then the game has a winner."""
        ...

    @property
    def halted(self) -> str:
        """Why the game stands still, a code; empty where it goes on."""
        ...

    @property
    def called_off(self) -> int:
        """How many starts of this table were called off."""
        ...

    @property
    def words(self) -> Sequence[str]:
        """Four words, the same for all who have the same history; () before the first round."""
        ...

    @property
    def past(self) -> Sequence[Update]:
        """What happened before the first of `updates`, where this seat was here before."""
        ...

    @property
    def answer(self) -> Held | None:
        """The answer about a sealed marker that waits for its time; None where none does."""
        ...

    def choices(self) -> Sequence[Choice]:
        """What this seat may do now; empty where it is not asked."""
        ...

    def updates(self) -> AsyncIterator[Update]: ...

    async def act(self, action: Action) -> None: ...

    async def chat(self, text: str) -> None: ...

    async def ready(self, flag: bool = True) -> None: ...

    async def configure(self, settings: Settings) -> None: ...

    async def start(self) -> None: ...

    async def substitute(self, seat: int, level: str) -> None: ...

    async def hand_over(self) -> None: ...

    async def take_back(self) -> None: ...

    async def pause(self, paused: bool) -> None: ...

    def end_game(self, agrees: bool) -> None: ...

    async def remove(self, seat: int) -> None: ...

    async def leave(self) -> None: ...


@dataclass(frozen=True)
class Invitation:
    """What friends need to find a table: where it listens, and its code if it has one. `lines` are more to show,
    such as a QR. `link` has the address and what lets in; `table` is the table itself, whose door may get
    a new code (`table.door`, `table.door_changed`). `web` says what friends with a browser open, as it is now;
    None where they cannot come with one. `hand_to` hands the game over to the player of this name."""

    addresses: tuple[str, ...] = ()
    code: str = ""
    lines: tuple[str, ...] = ()
    link: str = ""
    table: "OpenTable | None" = None
    web: Callable[[], str] | None = None
    hand_to: Callable[[str], Awaitable[None]] | None = None


def ends(update: Update) -> bool:
    """Whether an update is the last move of a game, or the close of its record."""
    last = isinstance(update, Happened) and any(isinstance(event, GameEnded) for event in update.events)
    return last or isinstance(update, Ended)


__all__ = [
    "Alarm",
    "Away",
    "BackAgain",
    "CaughtUp",
    "Chatted",
    "ClockSet",
    "Connected",
    "Cosigned",
    "Disconnected",
    "EndProposed",
    "Ended",
    "Halted",
    "Happened",
    "Held",
    "HostChanged",
    "Invitation",
    "LobbyChanged",
    "PauseChanged",
    "PlayAgain",
    "Seat",
    "Settings",
    "SubstituteBegan",
    "TableSession",
    "Update",
    "Waiting",
    "ends",
]
