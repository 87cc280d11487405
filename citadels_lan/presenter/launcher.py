"""The interface through which screens and line mode host and join games, and the tables found on the network."""

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
"""Equals the engine's `DEFAULT`. It is repeated here so that the first frame need not load the engine."""


@dataclass(frozen=True)
class FoundTable:
    """A table found on the network. `host` is the name of its host. `mine`: a seat is reserved for this player,
    who needs no code to come back. `key` distinguishes tables at the same address. `needs` is the version of
    the program that is required, if it differs from this one."""

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
        """The key of this table in lists."""
        return self.key or self.address

    @property
    def place(self) -> str:
        """The value with which `Launcher.join` joins exactly this table."""
        return f"{self.address}#{self.key}" if self.key else self.address


SHOWN: Final = 12
"""Most tables in a list. A computer that announces a hundred tables hides only its own."""
ISOLATED: Final = msg(
    "No other computer answers: this network may separate its devices. Use the host's link, or connect all players"
    " to one phone's hotspot."
)
"""The sentence for a network that may isolate its devices. A network without any host looks the same."""
NEEDS: Final = msg("needs version {version}")
"""The state of a table whose host has another version of the program."""
NEEDS_UPDATE: Final = msg("{name} has version {version} of this program. Both need the same version.")
LATER: Final = msg("Too many wrong codes. You can try again in {seconds} s.")
"""The countdown after too many wrong codes."""
NOW: Final = msg("You can try again now.")
MORE_TABLES: Final = msg("and {count} more: join those by address")
UNFINDABLE: Final = msg("Cannot search for games on this computer now. Join with the address or the link.")


def more(texts: Texts, tables: Sequence[FoundTable]) -> str:
    """Return a line with the number of tables that do not fit into a list; empty if all fit."""
    left = len(tables) - SHOWN
    return texts.say(MORE_TABLES, count=left) if left > 0 else ""


def playing(texts: Texts, table: FoundTable) -> str:
    """Return what this player can do at a table whose game has begun (watch, or go back to the seat), or
    which version the table needs; empty for any other table."""
    if table.needs:
        return texts.say(NEEDS, version=clean(table.needs, 16))
    if not table.started:
        return ""
    return texts.say("playing: back to your seat") if table.mine else texts.say("playing: watch")


@dataclass(frozen=True)
class TableOptions:
    """The table to open, and the level of its bots."""

    settings: "Settings"
    level: str = "normal"


async def lessons(launcher: "Launcher") -> "Place":
    """Return a seat at the table of the tutorial."""
    from .tutorial import TutorialSession

    return Place(TutorialSession(launcher.preferences.name))


def first_full_game() -> TableOptions:
    """Return the options of the game after the tutorial: the first game of the rulebook against three weak
    bots."""
    from citadels_lan.engine import from_scenario
    from citadels_lan.net.wire.messages import Settings

    return TableOptions(Settings(from_scenario("first_game", 4), 3), "easy")


Colours = Literal["dark", "light", "contrast"]
BOT_SPEEDS: Final = {"slow": msg("slow"), "normal": msg("normal"), "instant": msg("instant")}
"""The names of the speeds of bots for the player."""


@dataclass(frozen=True)
class Preferences:
    """Settings that are saved between games."""

    name: str = ""
    unnamed: bool = False
    """Whether the player has not chosen a name yet. The home screen asks for it once."""
    language: str = "en"
    dark: bool = True
    contrast: bool = False
    """High contrast on a dark background."""
    ascii: bool = False
    alerts: bool = False
    edition: str = EDITION
    """The edition last played. This version may not know it."""
    bot_speed: str = "normal"
    """One of BOT_SPEEDS; anything else counts as normal."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The keys that the player has changed, by the names of the commands."""

    @property
    def colours(self) -> Colours:
        """Return the palette that the preferences select."""
        return "contrast" if self.contrast else "dark" if self.dark else "light"

    def in_colours(self, step: int) -> "Preferences":
        """Return the preferences with the next palette, or the previous one."""
        order = get_args(Colours)
        colours = order[(order.index(self.colours) + step) % len(order)]
        return replace(self, dark=colours != "light", contrast=colours == "contrast")


class HostNotice:
    """Calls `changed` with the new invitation when this program becomes the host of the game."""

    def __init__(self) -> None:
        self.changed: Callable[[Invitation], None] = lambda _: None


@dataclass(frozen=True)
class Place:
    """A seat at a table, its invitation if this program hosts it, and the known players. `notice` is shown to
    the player at first. `pauses` are those of the bots, if this program opened the table."""

    session: "Session"
    invitation: "Invitation | None" = None
    known: "KnownPlayers | None" = None
    hosting: HostNotice | None = None
    notice: str = ""
    pauses: "Pauses | None" = None


class CannotOpen(Exception):
    """A table cannot be opened or joined. `text` is a sentence in the user's language with the next step."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class CodeWanted(CannotOpen):
    """The table requires its code, and none or a wrong one was given. Ask the player and join again, after
    `seconds` if there were too many wrong codes. `notice` is shown in any case: no seat is free."""

    def __init__(self, text: str, seconds: int = 0, notice: str = "") -> None:
        super().__init__(text)
        self.seconds = seconds
        self.notice = notice


class Contradiction(CannotOpen):
    """The host's log contradicts the transcript of this seat. The player does not join, and sees `alarm`."""

    def __init__(self, text: str, alarm: "Violation") -> None:
        super().__init__(text)
        self.alarm = alarm


@runtime_checkable
class Archive(Protocol):
    """A launcher that also knows the games that were played on this computer."""

    def finished(self) -> "Sequence[PastGame]":
        """Return the transcripts of finished games, the newest first."""


@runtime_checkable
class Resumer(Protocol):
    """A launcher that can also resume tables that this computer hosted when the program stopped."""

    def unfinished(self) -> "Sequence[PastGame]":
        """Return the journals of unfinished games, the newest first."""

    async def go_on(self, game: "PastGame") -> Place:
        """Resume a game and join it. Raises CannotOpen."""


class Launcher(Protocol):
    """Hosts and joins games. The methods raise CannotOpen."""

    @property
    def preferences(self) -> Preferences: ...

    @property
    def isolated(self) -> bool:
        """Whether no other computer answered while searching for tables."""

    def remember(self, preferences: Preferences) -> None:
        """Save the preferences."""

    def browse(self) -> AsyncIterator[Sequence[FoundTable] | None]:
        """Yield the tables on this network, again whenever they change; None while it is impossible to search."""

    async def host(self, options: TableOptions) -> Place:
        """Host a game on the network and join it."""

    async def alone(self, options: TableOptions) -> Place:
        """Host a game on this computer with bots in all other seats, join it and begin."""

    async def join(self, address: str, code: str) -> Place:
        """Join a table that was found, or an address or link that the player typed; watch if no seat is free.
        `code` is the words, token or link as typed, "" before the player was asked. Raises CodeWanted if the
        table needs one."""

    @property
    def may_again(self) -> bool:
        """Whether the people of the last table can play again: this program hosted it, or its host has opened
        the next table."""

    async def again(self, *, drawn: bool = False) -> Place:
        """Join the next table for the same people: one that this program opens, with the same seats or with
        `drawn` ones, or the host's."""

    async def close(self, *, failed: bool = False) -> None:
        """Leave the table, and close it if this program hosts it. `failed`: this program ends by a fault. Then
        the table can be resumed, even before its game, and the players are sent the fault instead of a
        farewell."""


NAME_ASKED: Final = msg("What should other players call you?")
LONGEST_NAME: Final = 24
"""Most columns of a name that is typed here."""


def remember_name(launcher: Launcher, name: str) -> None:
    """Save the name of the player, who is not asked again. An empty name keeps the old one."""
    kept = launcher.preferences
    launcher.remember(replace(kept, name=clean(name.strip(), LONGEST_NAME) or kept.name, unnamed=False))


def remember_language(launcher: Launcher, language: str) -> None:
    """Save the language as a preference."""
    launcher.remember(replace(launcher.preferences, language=language))


@dataclass(frozen=True)
class SeenTable:
    """A table on the network as it was last found. `gone`: it is no longer announced."""

    table: FoundTable
    gone: bool = False


class SeenTables:
    """All tables found so far, in the order of their appearance. A table that disappears keeps its place."""

    def __init__(self) -> None:
        self._tables: dict[str, SeenTable] = {}

    def update(self, found: Sequence[FoundTable]) -> None:
        """Take the tables that are announced now. New ones with a reserved seat come first."""
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
