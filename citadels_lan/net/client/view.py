"""The view of a table that a session shows. Screens, line mode, web guests and bots read only this."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from citadels_lan.engine import Action, Choice, State
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

from .updates import PlayAgain

Status: TypeAlias = Literal["connecting", "lobby", "playing", "over", "lost"]


class HeldAnswer(Struct, frozen=True):
    """An answer about a sealed marker that waits until `until` on the loop's clock. `chosen` is set if the person
    has chosen it."""

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
    """The own seat, None for spectators. In the lobby it may still change."""
    lobby: tuple[Seat, ...] = ()
    """Who sits at the table, by seat: name, bot, ready, away, owner."""
    names: tuple[str, ...] = ()
    """The names by seat."""
    owner: bool = False
    """Whether this session may configure and start."""
    settings: Settings = Settings()
    """What the table plays."""
    called_off: int = 0
    """How many starts of this table were called off."""
    away: tuple[int, ...] = ()
    """The seats whose players are away."""
    substituted: tuple[int, ...] = ()
    """The seats for which bots of the host move, by the log."""
    taken_over: bool = False
    """Whether a bot of the host plays the own seat although this client is connected, until `take_back`."""
    state: State | None = None
    """What this seat may know; None before the game."""
    beginning: State | None = None
    """What this seat knew before anything had happened; None before the game. What has happened since then is told
    by the session's `past` and `updates`."""
    waiting: tuple[int, ...] = ()
    """The seats that the table waits for."""
    choices: Sequence[Choice] = ()
    """What this seat may do now; empty where it is not asked, or a move is on its way."""
    answer: HeldAnswer | None = None
    """The answer about a sealed marker that waits for its time; None where none does."""
    paused: bool = False
    """Whether somebody has paused the game."""
    ending: tuple[int, ...] = ()
    """The seats whose players agree to end the game without a result."""
    halted: str = ""
    """Why the game stands still, a code of `reasons`. Empty where it goes on."""
    words: tuple[str, ...] = ()
    """Four words that are the same for all who have the same history; empty before the first round."""
    record_closed: bool = False
    """Whether the record of the game is closed. Only then the game has a winner."""
    transcript: Path | None = None
    """The file; complete once `status` is over."""
    again: PlayAgain | None = None
    """The table at which the same people play again, once the host has opened one."""
    head: LogHead = LogHead()
    """How far the log is."""
    game_id: bytes = b""
    """The id of the game, 16 bytes."""
    fp: bytes = b""
    """The fingerprint of the host's certificate, 32 bytes."""
    addresses: tuple[Address, ...] = ()
    """Where the host may be, first where it was last."""
