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
    """There is a connection to the host now."""


class Disconnected(Struct, frozen=True):
    """The connection to the host was lost, or an attempt to connect failed. `reason` is a code, one of
    `reasons`. The session tries again, unless its status is `lost`."""

    reason: str = ""
    details: dict[str, str | int] = {}


class LobbyChanged(Struct, frozen=True):
    """The lobby has changed: its players, who is ready, or the settings."""


class Happened(Struct, frozen=True):
    """Entry `n` of the log has events. If a player moved, `seat` is that player's, and `line` the move (None
    if this viewer does not know it). If the table acted by itself, both are None. `events` are as this viewer
    knows them; `TableView.state` already contains them. `openings` are those in the entry, each checked."""

    n: int
    seat: int | None
    line: str | None
    events: tuple[Event, ...]
    openings: tuple[Opening, ...] = ()


class Cosigned(Struct, frozen=True):
    """The players have co-signed a round, or the game (`over`). `seats` have signed the same history,
    `missing` have not. `words` are the four check words, the same for all clients with this history; () if
    one seat did not give its random word. `own`: this seat has signed, but the host has left its signature
    out. The players of the seats `protests` state that a bot moved for them while they were connected."""

    round: int
    words: tuple[str, ...]
    seats: tuple[int, ...]
    missing: tuple[int, ...]
    over: bool
    own: bool
    protests: tuple[int, ...] = ()


class SubstituteBegan(Struct, frozen=True):
    """A bot of the host plays a seat from now on. `own`: it is this viewer's seat, although its client was
    connected."""

    seat: int
    level: str
    own: bool = False


class BackAgain(Struct, frozen=True):
    """A player plays again after a bot of the host has made this number of `moves` for the seat. `here`: it
    is this viewer's seat, and its client was connected when the bot began."""

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
"""The game pauses or continues. `seat` is the player who asked for that, None for the host."""
EndProposed: TypeAlias = wire.EndingSeats
"""The players of these seats agree now to end the game without a result. Without seats: no player does any
more."""
ClockSet: TypeAlias = wire.Clock
"""The decision timer: the `seconds` for each decision, and how many of them have `gone` for the present
one."""
PlayAgain: TypeAlias = wire.Again
"""After the game: the host has opened another table for the same players. It listens at `port` of the same
computer, has the game id `game` and the certificate fingerprint `fp`, and reserves their seats."""


class Chatted(Struct, frozen=True):
    """A line of chat; `seat` is None for spectators."""

    seat: int | None
    name: str
    text: str


class Away(Struct, frozen=True):
    """The player of `seat` is not connected (`away` True), or is connected again."""

    seat: int
    away: bool


class Waiting(Struct, frozen=True):
    """The seats that the table waits for, or this seat's choices, may have changed."""


class Halted(Struct, frozen=True):
    """The game has stopped, or continues. `code`, one of `reasons`, says why: the disk of the host or of this
    computer is full; a resumed host waits for a player on another computer; or a player has lied in a sealed
    draft, which ends the game. Empty: the game continues."""

    code: str


class Ended(Struct, frozen=True):
    """The game is over and the transcript is complete and signed."""

    transcript: Path


class Alarm(Struct, frozen=True):
    """The client has proof that the host cheats, or that the host contradicts itself. The transcript keeps
    the proof."""

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
    """Return whether an update comes from the last move of a game, or from the entry that closes its log."""
    last = isinstance(update, Happened) and any(isinstance(event, GameEnded) for event in update.events)
    return last or isinstance(update, Ended)


Status: TypeAlias = Literal["connecting", "lobby", "playing", "over", "lost"]


class HeldAnswer(Struct, frozen=True):
    """An answer about a sealed marker that the client sends at `until`, in seconds of the event loop's clock.
    `chosen`: the player has chosen it."""

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
    """Whether this player may change the settings and start the game."""
    settings: wire.Settings = wire.Settings()
    """The settings of the game."""
    called_off: int = 0
    """How many starts of this table were called off."""
    away: tuple[int, ...] = ()
    """The seats whose players are away."""
    substituted: tuple[int, ...] = ()
    """The seats for which bots of the host move, by the log."""
    taken_over: bool = False
    """Whether a bot of the host plays this seat although this client is connected. `Session.take_back` ends
    that."""
    state: State | None = None
    """The state as this seat may know it; None before the game."""
    beginning: State | None = None
    """The first state of the game, as this seat may know it; None before the game. The session's `past` and
    `updates` have all events since then."""
    waiting: tuple[int, ...] = ()
    """The seats that the table waits for."""
    choices: Sequence[Choice] = ()
    """The legal choices of this seat now. Empty if it has nothing to decide, or the host has not answered its
    last move."""
    answer: HeldAnswer | None = None
    """The answer about a sealed marker that the client will send; None if there is none."""
    paused: bool = False
    """Whether the game pauses."""
    ending: tuple[int, ...] = ()
    """The seats whose players agree to end the game without a result."""
    halted: str = ""
    """The code (one of `reasons`) of why the game has stopped; empty while it continues."""
    words: tuple[str, ...] = ()
    """Four check words, the same for all clients with the same history; empty before the first round."""
    record_closed: bool = False
    """Whether the log is closed. Only then the game has a winner."""
    transcript: Path | None = None
    """The transcript file; complete once `status` is over."""
    again: PlayAgain | None = None
    """The table for a rematch, once the host has opened one; otherwise None."""
    head: LogHead = LogHead()
    """The last entry of the log."""
    game_id: bytes = b""
    """The id of the game, 16 bytes."""
    fp: bytes = b""
    """The fingerprint of the host's certificate, 32 bytes."""
    addresses: tuple[Address, ...] = ()
    """The possible addresses of the host; the one that worked last comes first."""
