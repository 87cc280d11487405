"""The launcher, which opens and joins tables for the front ends, and the tables found on the network."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:  # the first frame of home waits for nothing of a table
    from citadels_lan.net.client.session import Session
    from citadels_lan.net.wire.messages import Settings

    from .acquaintances import Acquaintances
    from .archive import PastGame
    from .failures import Violation
    from .invitation import Invitation

EDITION: Final = "2016"
"""The engine's `DEFAULT`, for which the first frame need not load the engine."""


def _settings() -> "Settings":
    from citadels_lan.net.wire.messages import Settings

    return Settings()


def _nobody() -> "Acquaintances":
    from .acquaintances import NOBODY

    return NOBODY


@dataclass(frozen=True)
class FoundTable:
    """A table found on the network. `host` is the name of its host; `mine`: a seat there is reserved for this
    player, who needs no code to come back."""

    address: str
    host: str
    players: int
    places: int
    edition: str = EDITION
    started: bool = False
    mine: bool = False


SHOWN: Final = 12
"""So many tables are shown in a list: whoever announces a hundred hides none but its own."""
ISOLATED: Final = msg(
    "No other computer answers: this network may separate its devices. Use the host's link, or connect all players"
    " to one phone's hotspot."
)
"""What a network that isolates its devices looks like. Without a host, any network looks the same."""
MORE_TABLES: Final = msg("and {count} more; join those by address")
UNFINDABLE: Final = msg("Tables cannot be looked for on this machine now: join by address or by link.")


def more(texts: Texts, tables: Sequence[FoundTable]) -> str:
    """A line about the tables that do not fit into a list; empty if all fit."""
    left = len(tables) - SHOWN
    return texts.say(MORE_TABLES, count=left) if left > 0 else ""


def playing(texts: Texts, table: FoundTable) -> str:
    """What can be done at a table whose game has begun."""
    return texts.say(msg("playing: back to your seat")) if table.mine else texts.say(msg("playing already: watch"))


@dataclass(frozen=True)
class TableOptions:
    """The table to open, and the level of its bots. `guided`: the tutorial is on; the bots leave time to read."""

    settings: "Settings" = field(default_factory=_settings)
    level: str = "normal"
    guided: bool = False


def first_lesson() -> TableOptions:
    """The table at which the game is learned: the first game of the book against three bots that let one win."""
    from citadels_lan.engine import from_scenario
    from citadels_lan.net.wire.messages import Settings

    return TableOptions(Settings(from_scenario("first_game", 4), 3), "easy", guided=True)


Colours = Literal["dark", "light", "contrast"]


@dataclass(frozen=True)
class Preferences:
    """What is remembered between games."""

    name: str = ""
    language: str = "en"
    dark: bool = True
    contrast: bool = False
    """High contrast, which is dark."""
    ascii: bool = False
    alerts: bool = False
    edition: str = EDITION
    """The one last played; it may be one that another version knows."""
    guide: bool = False
    """Whether each game is explained while it is played."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The keys that the person has given to commands of the table, by the names of the commands."""

    @property
    def colours(self) -> Colours:
        """Which of the palettes."""
        return "contrast" if self.contrast else "dark" if self.dark else "light"


class HostNotice:
    """Hears when this program has become the host of the game: `changed` is called with the new invitation."""

    def __init__(self) -> None:
        self.changed: Callable[[Invitation], None] = lambda _: None


@dataclass(frozen=True)
class Place:
    """A seat at a table, its invitation if this program hosts it, and the known players. `guided`: the tutorial is
    on, whatever the preferences say."""

    session: "Session"
    invitation: "Invitation | None" = None
    known: "Acquaintances" = field(default_factory=_nobody)
    guided: bool = False
    hosting: HostNotice | None = None


class CannotOpen(Exception):
    """A table cannot be opened or joined. `text` is a sentence in the user's language with the next step."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class CodeWanted(CannotOpen):
    """The table asks for its code: none was given, or a wrong one. To be tried again with what a person types."""


class Contradiction(CannotOpen):
    """The host's log contradicts the transcript of this seat. The player does not join but sees `alarm`."""

    def __init__(self, text: str, alarm: "Violation") -> None:
        super().__init__(text)
        self.alarm = alarm


@runtime_checkable
class Archive(Protocol):
    """A launcher that also knows the games that were played on this machine."""

    def finished(self) -> "Sequence[PastGame]":
        """Their transcripts, the newest first."""


@runtime_checkable
class Resumer(Protocol):
    """A launcher that also opens the tables again that were open on this machine when it stopped."""

    def unfinished(self) -> "Sequence[PastGame]":
        """Their journals, the newest first."""

    async def go_on(self, game: "PastGame") -> Place:
        """Open one again and sit at it. Raises CannotOpen."""


class Launcher(Protocol):
    """Opens tables. The methods raise CannotOpen."""

    @property
    def preferences(self) -> Preferences: ...

    @property
    def isolated(self) -> bool:
        """Whether nothing was heard of any other machine while tables were looked for."""

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots, the best last."""

    def remember(self, preferences: Preferences) -> None:
        """Keep preferences for the next time."""

    def browse(self) -> AsyncIterator[Sequence[FoundTable] | None]:
        """The tables on this network, again whenever they change; None while they cannot be looked for here."""

    async def host(self, options: TableOptions) -> Place:
        """Open a table on the network and sit at it."""

    async def alone(self, options: TableOptions) -> Place:
        """Open a table on this machine, with bots in all the other seats, and begin."""

    async def join(self, address: str, code: str) -> Place:
        """Join a table that was found, or an address or link that the player typed; watch if no seat is free.
        `code`: the words, token or link as typed; "" before the player was asked. Raises CodeWanted if the table
        needs one."""

    @property
    def may_again(self) -> bool:
        """Whether the people of the last table can play again: it was opened here, or its host has opened the
        next."""

    async def again(self, *, drawn: bool = False) -> Place:
        """Join the next table for the same people: an own one, with the same seats or with `drawn` ones, or the
        host's."""

    async def close(self, *, failed: bool = False) -> None:
        """The table has been left: close it if this program opened it. `failed`: this program ends by a fault, so
        the table stays resumable, also before its game, and its players are sent that instead of a farewell."""


def as_preferred(launcher: Launcher, place: Place) -> Place:
    """A place with the game explained also where the person prefers that."""
    return replace(place, guided=place.guided or launcher.preferences.guide)


def remember_language(launcher: Launcher, language: str) -> None:
    """Keep the language for the next time."""
    launcher.remember(replace(launcher.preferences, language=language))


def remember_edition(launcher: Launcher, edition: str) -> None:
    """Keep for the next time what table was opened."""
    launcher.remember(replace(launcher.preferences, edition=edition))


@dataclass(frozen=True)
class SeenTable:
    """A table as it was found last; `gone` once it is not there any more."""

    table: FoundTable
    gone: bool = False


class SeenTables:
    """All tables seen so far. A new one comes below the others, one that goes leaves its line, and comes back
    there."""

    def __init__(self) -> None:
        self._tables: dict[str, SeenTable] = {}

    def update(self, found: Sequence[FoundTable]) -> None:
        """Take the tables that exist now; new ones with an own seat come first."""
        there = {table.address: table for table in sorted(found, key=lambda table: not table.mine)}
        for address, seen in self._tables.items():
            gone = address not in there
            self._tables[address] = SeenTable(there.pop(address, seen.table), gone)
        self._tables |= {address: SeenTable(table) for address, table in there.items()}

    def __iter__(self) -> Iterator[SeenTable]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)
