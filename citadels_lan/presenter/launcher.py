"""The interface through which screens and line mode host and join games; and the tables that were found on
the network."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args, runtime_checkable

from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:  # The first frame of home does not load a table.
    from citadels_lan.bots.pauses import Pauses
    from citadels_lan.net.client.session import Session
    from citadels_lan.net.wire.messages import Settings

    from .archive import PastGame
    from .error_messages import Violation
    from .invitation import Invitation
    from .known_players import KnownPlayers

EDITION: Final = "2016"
"""The same value as the engine's `DEFAULT`. It is repeated here so that the home screen appears without
loading the engine."""


@dataclass(frozen=True)
class FoundTable:
    """A table that was found on the network. `host` is the name of its host. `mine`: a seat is reserved for
    this player, who can return without a code. `key` distinguishes several tables at one address. `needs` is
    the program version of the host if it differs from this one; then this player cannot join."""

    address: str
    host: str
    players: int
    places: int
    edition: str = EDITION
    started: bool = False
    mine: bool = False
    key: str = ""
    needs: str = ""

    @property
    def row(self) -> str:
        """The value that identifies this table in a list."""
        return self.key or self.address

    @property
    def place(self) -> str:
        """The address to pass to `Launcher.join`, which selects exactly this table."""
        return f"{self.address}#{self.key}" if self.key else self.address


SHOWN: Final = 12
"""How many tables a list shows at most, so that a computer which announces many tables cannot fill the
screen."""
ISOLATED: Final = msg(
    "No other computer answers: this network may separate its devices. Use the host's link, or connect all players"
    " to one phone's hotspot."
)
"""The hint that the network may isolate its devices from each other. It is only a hint, because a network on
which no one hosts looks the same."""
NEEDS: Final = msg("needs version {version}")
"""The state of a table whose host has another version of the program."""
NEEDS_UPDATE: Final = msg("{name} has version {version} of this program. Both need the same version.")
LATER: Final = msg("Too many wrong codes. You can try again in {seconds} s.")
"""The text of the countdown after too many wrong codes."""
NOW: Final = msg("You can try again now.")
MORE_TABLES: Final = msg("and {count} more: join those by address")
UNFINDABLE: Final = msg("Cannot search for games on this computer now. Join with the address or the link.")


def more(texts: Texts, tables: Sequence[FoundTable]) -> str:
    """Return a line with the number of tables that a list leaves out; "" if it shows all."""
    left = len(tables) - SHOWN
    return texts.say(MORE_TABLES, count=left) if left > 0 else ""


def playing(texts: Texts, table: FoundTable) -> str:
    """Return what this player can do at a table whose game has begun (watch, or return to the seat), or which
    version a table needs; "" for any other table."""
    if table.needs:
        return texts.say(NEEDS, version=clean(table.needs, 16))
    if not table.started:
        return ""
    return texts.say("playing: back to your seat") if table.mine else texts.say("playing: watch")


@dataclass(frozen=True)
class TableOptions:
    """The options of a table to be hosted, and the level of its bots."""

    settings: "Settings"
    level: str = "normal"


async def lessons(launcher: "Launcher") -> "Place":
    """Return a place at the table of the tutorial."""
    from .tutorial import TutorialSession

    return Place(TutorialSession(launcher.preferences.name))


def first_full_game() -> TableOptions:
    """Return the options of the game that follows the tutorial: the rulebook's first game, against three weak
    bots."""
    from citadels_lan.engine import from_scenario
    from citadels_lan.net.wire.messages import Settings

    return TableOptions(Settings(from_scenario("first_game", 4), 3), "easy")


Colours = Literal["dark", "light", "contrast"]
BOT_SPEEDS: Final = {"slow": msg("slow"), "normal": msg("normal"), "instant": msg("instant")}
"""The displayed name of each speed of bots."""


@dataclass(frozen=True)
class Preferences:
    """Settings that are saved between games."""

    name: str = ""
    unnamed: bool = False
    """Whether the player has not chosen a name yet, so that the home screen asks for it."""
    language: str = "en"
    dark: bool = True
    contrast: bool = False
    """Whether the colours have high contrast on a dark background."""
    ascii: bool = False
    alerts: bool = False
    edition: str = EDITION
    """The edition last played. It may be one that this version of the program does not know."""
    bot_speed: str = "normal"
    """One of BOT_SPEEDS; anything else counts as normal."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The keys that the player has changed, by the name of the command."""

    @property
    def colours(self) -> Colours:
        """Return the name of the palette that the preferences select."""
        return "contrast" if self.contrast else "dark" if self.dark else "light"

    def in_colours(self, step: int) -> "Preferences":
        """Return the preferences with another palette: the next one, or the previous one if `step` is
        negative."""
        order = get_args(Colours)
        colours = order[(order.index(self.colours) + step) % len(order)]
        return replace(self, dark=colours != "light", contrast=colours == "contrast")


class HostNotice:
    """A callback: `changed` is called with the invitation when this program becomes the host of a game that
    it did not host before."""

    def __init__(self) -> None:
        self.changed: Callable[[Invitation], None] = lambda _: None


@dataclass(frozen=True)
class Place:
    """What a player gets when a table is opened or joined: the session, the invitation if this program hosts
    the table, and the known players. `notice` is shown to the player first. `pauses` are the pauses between
    moves of bots, if this program opened the table."""

    session: "Session"
    invitation: "Invitation | None" = None
    known: "KnownPlayers | None" = None
    hosting: HostNotice | None = None
    notice: str = ""
    pauses: "Pauses | None" = None


class CannotOpen(Exception):
    """A table cannot be opened or joined. `text` tells the user why, and what to do next."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class CodeWanted(CannotOpen):
    """The table requires a code, but no code or a wrong one was given. Ask the player for it and join again;
    after too many wrong codes only after `seconds`. `notice` must also be shown: no seat is free."""

    def __init__(self, text: str, seconds: int = 0, notice: str = "") -> None:
        super().__init__(text)
        self.seconds = seconds
        self.notice = notice


class Contradiction(CannotOpen):
    """The host's log contradicts the transcript that this seat has stored. The player does not join; `alarm`
    is shown."""

    def __init__(self, text: str, alarm: "Violation") -> None:
        super().__init__(text)
        self.alarm = alarm


@runtime_checkable
class Archive(Protocol):
    """A launcher that can also list the finished games in this computer's files."""

    def finished(self) -> "Sequence[PastGame]":
        """Return the games in the transcripts, the newest first."""


@runtime_checkable
class Resumer(Protocol):
    """A launcher that can also resume games that this computer hosted."""

    def unfinished(self) -> "Sequence[PastGame]":
        """Return the games in the journals that can be resumed, the newest first."""

    async def go_on(self, game: "PastGame") -> Place:
        """Resume a game and join it. Raises CannotOpen."""


class Launcher(Protocol):
    """Hosts and joins games. All methods that open a table raise CannotOpen if that fails."""

    @property
    def preferences(self) -> Preferences: ...

    @property
    def isolated(self) -> bool:
        """Whether no other computer answered while this program searched for tables."""

    def remember(self, preferences: Preferences) -> None:
        """Save the preferences."""

    def browse(self) -> AsyncIterator[Sequence[FoundTable] | None]:
        """Yield the tables on the network now, and again after each change; None while searching is
        impossible."""

    async def host(self, options: TableOptions) -> Place:
        """Host a game on the network and join it."""

    async def alone(self, options: TableOptions) -> Place:
        """Host a game on this computer in which bots have all other seats; join it and start it."""

    async def join(self, address: str, code: str) -> Place:
        """Join the table at `address`: a `FoundTable.place`, or an address or link that the player typed. If
        no seat is free, join as a spectator. `code` is the typed text (words, token or link), "" if the
        player was not asked yet. Raises CodeWanted if the table requires a code."""

    @property
    def may_again(self) -> bool:
        """Whether a rematch with the people of the last table is possible: this program hosted it, or its
        host has already opened the next table."""

    async def again(self, *, drawn: bool = False) -> Place:
        """Join the rematch. If this program hosted the last table, it opens the next one, with the same seats
        or with `drawn` ones. Otherwise join the table that the host has opened."""

    async def close(self, *, failed: bool = False) -> None:
        """Leave the table, and if this program hosts it, close it. `failed`: the program ends because of an
        internal error. Then the table can be resumed, even from the lobby, and the players receive the error
        instead of the usual closing message."""


NAME_ASKED: Final = msg("What should other players call you?")
LONGEST_NAME: Final = 24
"""The maximal width of a name that is typed in this program, in columns."""


def remember_name(launcher: Launcher, name: str) -> None:
    """Save the name of the player, and do not ask for it again. If `name` is empty, the old name stays."""
    kept = launcher.preferences
    launcher.remember(replace(kept, name=clean(name.strip(), LONGEST_NAME) or kept.name, unnamed=False))


def remember_language(launcher: Launcher, language: str) -> None:
    """Save the language as a preference."""
    launcher.remember(replace(launcher.preferences, language=language))


@dataclass(frozen=True)
class SeenTable:
    """A table on the network as it was last found. `gone`: the host no longer announces it."""

    table: FoundTable
    gone: bool = False


class SeenTables:
    """All tables found since the program started, in the order in which they appeared. A table that is gone
    keeps its line."""

    def __init__(self) -> None:
        self._tables: dict[str, SeenTable] = {}

    def update(self, found: Sequence[FoundTable]) -> None:
        """Update the list with the tables that are announced now. New tables with a seat reserved for this
        player come first."""
        # A table with a reserved seat is the most likely one to join.
        there = {table.row: table for table in sorted(found, key=lambda table: not table.mine)}
        # The same program that hosts again replaces its table before.
        places = {table.address for table in found}
        for row, seen in list(self._tables.items()):
            if row not in there and seen.table.address in places:
                del self._tables[row]
                continue
            gone = row not in there
            self._tables[row] = SeenTable(there.pop(row, seen.table), gone)
        self._tables |= {row: SeenTable(table) for row, table in there.items()}

    def __iter__(self) -> Iterator[SeenTable]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)
