"""What a session tells whoever sits at it, in the order in which it happens."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine import Event


@dataclass(frozen=True)
class Connected:
    """The host can be reached (again)."""


@dataclass(frozen=True)
class Disconnected:
    """The host cannot be reached. `reason` is one of `reasons`; the session goes on trying unless its status is
    `lost`."""

    reason: str = ""
    details: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class LobbyChanged:
    """Somebody came, went, is ready, or the owner changed the settings."""


@dataclass(frozen=True)
class Happened:
    """Entry `n` of the log: `line` is the move of `seat`, None where it stays hidden; both are None where the
    table acted by itself. `events` are told as this seat is told them, and are part of the state already.
    `openings` are those in the entry, each checked against what its seat had committed to."""

    n: int
    seat: int | None
    line: str | None
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()


@dataclass(frozen=True)
class Cosigned:
    """Before a round: `seats` have signed the same history and given their shares; `words` are four words that are
    the same for all who have it. `left_out` seats were away, by the host's word; `own` tells that this seat was
    left out although it had sent its share, and `disputing` are the seats that say so of an earlier round."""

    round: int
    words: tuple[str, ...]
    seats: tuple[int, ...]
    left_out: tuple[int, ...]
    own: bool = False
    disputing: tuple[int, ...] = ()


@dataclass(frozen=True)
class Restarted:
    """Before a round: the parts of the `missing` seats have not come, and who takes part is asked anew, with new
    parts of all."""

    round: int
    missing: tuple[int, ...]


@dataclass(frozen=True)
class StoodIn:
    """A bot of the host moves for a seat whose player is gone, says the host. `own`: for this seat, although it is
    here; it has taken itself back already."""

    seat: int
    level: str
    own: bool = False


@dataclass(frozen=True)
class BackAgain:
    """The player of a seat moves itself again, after a bot of the host has made so many `moves` for it.
    `disputes`: it says in the log that it was there all the time. `here`: it is this seat, and was there."""

    seat: int
    moves: int
    disputes: bool = False
    here: bool = False


@dataclass(frozen=True)
class PauseChanged:
    """The game pauses, or goes on; `seat` has said so, None where the host does."""

    paused: bool
    seat: int | None


@dataclass(frozen=True)
class ClockSet:
    """The host wishes for decisions within so many `seconds`, and of this one's so many are `gone`."""

    seconds: int
    gone: int


@dataclass(frozen=True)
class CaughtUp:
    """After coming back: the state shown meanwhile was the right one, and all entries up to `n` are there."""

    n: int


@dataclass(frozen=True)
class Chatted:
    """Somebody said something; `seat` is None for spectators."""

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
    """Who is waited for may have changed (`Session.waiting`), and so what one may do (`Session.choices`)."""


@dataclass(frozen=True)
class Halted:
    """The game stands still: a disk is full, the host's or that of this machine; a resumed host waits for a
    player on another computer; or somebody has lied in a sealed draft, which is for good. `code` is one of
    `reasons`; empty once it goes on."""

    code: str


@dataclass(frozen=True)
class Ended:
    """The game is over and the transcript is complete and signed."""

    transcript: Path


@dataclass(frozen=True)
class PlayAgain:
    """After the game: the host has opened another table for the same people. It listens at `port` of the same
    machine, is known by `game` and `fp`, and keeps the seats of those who sat at this one."""

    port: int
    game: bytes
    fp: bytes


@dataclass(frozen=True)
class Alarm:
    """Something that must not be: a proof failed, or the host contradicts itself. The transcript stays."""

    code: str
    details: dict[str, str | int] = field(default_factory=dict)


Update: TypeAlias = (
    Connected
    | Disconnected
    | LobbyChanged
    | Happened
    | Cosigned
    | Restarted
    | StoodIn
    | BackAgain
    | PauseChanged
    | ClockSet
    | CaughtUp
    | Chatted
    | Away
    | Waiting
    | Halted
    | Ended
    | PlayAgain
    | Alarm
)
