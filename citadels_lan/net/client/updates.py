"""The immutable view of a table, and the updates that lead to it, in their order.

Screens, line mode, web guests and bots read only these.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine import Action, Choice, Event, State
from citadels_lan.engine.events import GameEnded
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal


class Connected(Struct, frozen=True):
    """The host can be reached (again)."""


class Disconnected(Struct, frozen=True):
    """The host cannot be reached. `reason` is one of `reasons`. The session tries again unless its status is
    `lost`."""

    reason: str = ""
    details: dict[str, str | int] = {}


class LobbyChanged(Struct, frozen=True):
    """A player came, left or is ready, or the host changed the settings."""


class Happened(Struct, frozen=True):
    """Entry `n` of the log. `line` is the move of `seat`, None if it is hidden; both are None if the table
    acted by itself. The state contains the `events` already, as this seat knows them. `openings` are those in
    the entry, each checked against its commitment."""

    n: int
    seat: int | None
    line: str | None
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()


class Cosigned(Struct, frozen=True):
    """After a round, or after the game (`over`): the `seats` have signed the same history, the `missing` seats
    have not. `words` are four check words, the same for all clients with this history; () if one seat did not
    give its word. `own`: this seat has signed, and the host has left that out. The players of the `protests`
    seats state that a bot moved for them although they were connected."""

    round: int
    words: tuple[str, ...]
    seats: tuple[int, ...]
    missing: tuple[int, ...]
    over: bool
    own: bool
    protests: tuple[int, ...] = ()


class SubstituteBegan(Struct, frozen=True):
    """A bot of the host plays a seat because its player is away, as the host states. `own`: it is this seat,
    although its client is connected."""

    seat: int
    level: str
    own: bool = False


class BackAgain(Struct, frozen=True):
    """The player of a seat plays again, after a bot of the host has made this number of `moves`. `here`: it
    is this seat, and its client was connected when the bot began."""

    seat: int
    moves: int
    here: bool = False


class HostChanged(Struct, frozen=True):
    """Entry `n`: the player at `seat` hosts the game from now on. `former` is the seat of the host before,
    None if that host did not play."""

    n: int
    seat: int
    former: int | None


PauseChanged: TypeAlias = wire.Paused
"""The game pauses, or continues. `seat` is the player who asked for it, None for the host."""
EndProposed: TypeAlias = wire.EndingSeats
"""The players of these seats agree to end the game without a result; none if no one proposes it any more."""
ClockSet: TypeAlias = wire.Clock
"""The decision timer: the `seconds` of each decision, and those of the present one that have `gone`."""
PlayAgain: TypeAlias = wire.Again
"""After the game: the host has opened another table for the same players. It listens at `port` of the same
computer, has the game id `game` and the certificate fingerprint `fp`, and reserves their seats."""


class Chatted(Struct, frozen=True):
    """A line of chat; `seat` is None for spectators."""

    seat: int | None
    name: str
    text: str


class Away(Struct, frozen=True):
    """The player of a seat has lost the connection, or is back."""

    seat: int
    away: bool


class Waiting(Struct, frozen=True):
    """`TableView.waiting` and `TableView.choices` may have changed."""


class Halted(Struct, frozen=True):
    """The game has stopped: the disk of the host or of this computer is full, a resumed host waits for a
    player on another computer, or a player has lied in a sealed draft. A lie ends the game for good. `code` is
    one of `reasons`, empty once the game continues."""

    code: str


class Ended(Struct, frozen=True):
    """The game is over and the transcript is complete and signed."""

    transcript: Path


class Alarm(Struct, frozen=True):
    """The client has proof that the host cheats, or the host contradicts itself. The transcript stays."""

    code: str
    details: dict[str, str | int] = {}


LogUpdate: TypeAlias = Happened | Cosigned | SubstituteBegan | BackAgain | HostChanged
"""The updates that follow from the log."""
ConnectionUpdate: TypeAlias = Connected | Disconnected | Halted | Ended | Alarm
TableUpdate: TypeAlias = (
    LobbyChanged | Chatted | Away | Waiting | PauseChanged | EndProposed | ClockSet | PlayAgain
)
Update: TypeAlias = LogUpdate | ConnectionUpdate | TableUpdate


def ends(update: Update) -> bool:
    """Whether an update is the last move of a game, or the closing of its record."""
    last = isinstance(update, Happened) and any(isinstance(event, GameEnded) for event in update.events)
    return last or isinstance(update, Ended)


Status: TypeAlias = Literal["connecting", "lobby", "playing", "over", "lost"]


class HeldAnswer(Struct, frozen=True):
    """An answer about a sealed marker that is sent at `until` on the loop's clock. `chosen`: the player has
    chosen it."""

    until: float
    action: Action
    chosen: bool


class LogHead(Struct, frozen=True):
    """The last entry of the log and its hash."""

    n: int = 0
    hash: bytes = b""


class TableView(Struct, frozen=True, kw_only=True):
    """One viewer's table at one moment. A session replaces it with every change.

    `status` is

        connecting   no connection (yet, or again)        lobby    seated, the game has not begun
        playing      in the game                          over     the last entry is in the transcript
        lost         the session has ended for good, for `reason`"""

    status: Status = "connecting"
    reason: Refusal | None = None
    """Why the session has ended for good; None while it has not."""
    seat: int | None = None
    """The seat of this viewer; None for spectators. In the lobby it may still change."""
    lobby: tuple[wire.Seat, ...] = ()
    """The players by seat: name, bot, ready, away, owner."""
    names: tuple[str, ...] = ()
    """The names by seat."""
    owner: bool = False
    """Whether this session may configure and start."""
    settings: wire.Settings = wire.Settings()
    """The settings of the game."""
    called_off: int = 0
    """How many starts of this table were called off."""
    away: tuple[int, ...] = ()
    """The seats whose players are away."""
    substituted: tuple[int, ...] = ()
    """The seats for which bots of the host move, by the log."""
    taken_over: bool = False
    """Whether a bot of the host plays this seat although this client is connected, until `take_back`."""
    state: State | None = None
    """The state as this seat may know it; None before the game."""
    beginning: State | None = None
    """The first state of the game, as this seat may know it; None before the game. The session's `past` and
    `updates` have all events since then."""
    waiting: tuple[int, ...] = ()
    """The seats that the table waits for."""
    choices: Sequence[Choice] = ()
    """The legal choices of this seat now; empty if it is not asked, or a move is on its way."""
    answer: HeldAnswer | None = None
    """The answer about a sealed marker that waits for its time, if there is one."""
    paused: bool = False
    """Whether the game pauses."""
    ending: tuple[int, ...] = ()
    """The seats whose players agree to end the game without a result."""
    halted: str = ""
    """Why the game has stopped, a code of `reasons`; empty while it continues."""
    words: tuple[str, ...] = ()
    """Four check words, the same for all clients with the same history; empty before the first round."""
    record_closed: bool = False
    """Whether the log is closed. Only then the game has a winner."""
    transcript: Path | None = None
    """The transcript file; complete once `status` is over."""
    again: PlayAgain | None = None
    """The table at which the same people play again, once the host has opened one."""
    head: LogHead = LogHead()
    """The last entry of the log."""
    game_id: bytes = b""
    """The id of the game, 16 bytes."""
    fp: bytes = b""
    """The fingerprint of the host's certificate, 32 bytes."""
    addresses: tuple[Address, ...] = ()
    """The possible addresses of the host, the last one first."""
