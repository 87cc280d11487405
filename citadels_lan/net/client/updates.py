"""The updates of a session, in the order in which things happen."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine import Event
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.wire import messages as wire


@dataclass(frozen=True)
class Connected:
    """The host can be reached (again)."""


@dataclass(frozen=True)
class Disconnected:
    """The host cannot be reached. `reason` is one of `reasons`; the session keeps trying unless its status is
    `lost`."""

    reason: str = ""
    details: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class LobbyChanged:
    """A player came, left or is ready, or the owner changed the settings."""


@dataclass(frozen=True)
class Happened:
    """Entry `n` of the log: `line` is the move of `seat`, None if it stays hidden; both are None if the table
    acted by itself. `events` are those that this seat knows, and are part of the state already. `openings`
    are those in the entry, each checked against the commitment of its seat."""

    n: int
    seat: int | None
    line: str | None
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()


@dataclass(frozen=True)
class Cosigned:
    """After a round, or after the game (`over`): the `seats` have signed the same history, the `missing` seats
    have not; `words` are four check words, the same for all who have this history, or () if one seat did not give
    its word. `own`: this seat has signed, and the host has left that out. The players of the `protests` seats say
    that a bot moved for them although they were connected."""

    round: int
    words: tuple[str, ...]
    seats: tuple[int, ...]
    missing: tuple[int, ...]
    over: bool
    own: bool
    protests: tuple[int, ...] = ()


@dataclass(frozen=True)
class SubstituteBegan:
    """A bot of the host plays a seat whose player is away, as the host says. `own`: it is this seat, although its
    client is connected."""

    seat: int
    level: str
    own: bool = False


@dataclass(frozen=True)
class BackAgain:
    """The player of a seat plays again, after a bot of the host has made so many `moves` for it. `here`: it is
    this seat, and its client was connected when the bot began."""

    seat: int
    moves: int
    here: bool = False


@dataclass(frozen=True)
class HostChanged:
    """Entry `n`: the game is hosted by the player at `seat` from now on, and no longer by the one at `former`,
    None if no player was that host."""

    n: int
    seat: int
    former: int | None


PauseChanged: TypeAlias = wire.Paused
"""The game pauses, or continues; `seat` has asked for that, None if the host has."""
EndProposed: TypeAlias = wire.EndingSeats
"""The players of these seats agree to end the game without a result; none if no one proposes it any more."""
ClockSet: TypeAlias = wire.Clock
"""The host wishes for decisions within so many `seconds`; of the present one so many are `gone`."""
PlayAgain: TypeAlias = wire.Again
"""After the game: the host has opened another table for the same people. It listens at `port` of the same machine,
is known by `game` and `fp`, and keeps the seats of those who sat at this one."""


@dataclass(frozen=True)
class Chatted:
    """A line of chat; `seat` is None for spectators."""

    seat: int | None
    name: str
    text: str


@dataclass(frozen=True)
class Away:
    """The player of a seat has lost the connection, or is back."""

    seat: int
    away: bool


@dataclass(frozen=True)
class Waiting:
    """Who is waited for may have changed (`TableView.waiting`), and so what one may do
    (`TableView.choices`)."""


@dataclass(frozen=True)
class Halted:
    """The game has stopped: the disk of the host or of this computer is full, a resumed host waits for a
    player on another computer, or a player has lied in a sealed draft, which is final. `code` is one of
    `reasons`, empty once the game continues."""

    code: str


@dataclass(frozen=True)
class Ended:
    """The game is over and the transcript is complete and signed."""

    transcript: Path


@dataclass(frozen=True)
class Alarm:
    """A proof has failed, or the host contradicts itself. The transcript stays."""

    code: str
    details: dict[str, str | int] = field(default_factory=dict)


Update: TypeAlias = (
    Connected
    | Disconnected
    | LobbyChanged
    | Happened
    | Cosigned
    | SubstituteBegan
    | BackAgain
    | HostChanged
    | PauseChanged
    | EndProposed
    | ClockSet
    | Chatted
    | Away
    | Waiting
    | Halted
    | Ended
    | PlayAgain
    | Alarm
)


def ends(update: Update) -> bool:
    """Whether an update is the last move of a game, or the close of its record."""
    last = isinstance(update, Happened) and any(isinstance(event, GameEnded) for event in update.events)
    return last or isinstance(update, Ended)
