"""What opens tables for the screens. The command line provides it, so that no screen knows of hosts and bots."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol, runtime_checkable

from citadels_lan.engine import DEFAULT, from_scenario
from citadels_lan.texts import Texts, msg

from .acquaintances import NOBODY, Acquaintances
from .alarm import Violation
from .archive import PastGame
from .table_session import Invitation, Settings, TableSession


@dataclass(frozen=True)
class FoundTable:
    """A table found on the network. `host` is the name of whoever opened it; `mine` where a seat there is kept for
    this person, who needs no code to come back to it."""

    address: str
    host: str
    players: int
    places: int
    edition: str = DEFAULT
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
    """What is said of the tables that a list has no place for; empty where all are shown."""
    left = len(tables) - SHOWN
    return texts.say(MORE_TABLES, count=left) if left > 0 else ""


def playing(texts: Texts, table: FoundTable) -> str:
    """What can be done at a table whose game has begun."""
    return texts.say(msg("playing: back to your seat")) if table.mine else texts.say(msg("playing already: watch"))


@dataclass(frozen=True)
class TableOptions:
    """What table to open, and the level of its bots. `guided`: the game is explained while it is played, and the
    bots leave time to read."""

    settings: Settings = field(default_factory=Settings)
    level: str = "normal"
    guided: bool = False


def first_lesson() -> TableOptions:
    """The table at which the game is learned: the first game of the book against three bots that let one win."""
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
    edition: str = DEFAULT
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
    """A place at a table, what friends need to come to it where this program opened it, and whom the person
    knows. `guided`: the game there is explained, whatever the person prefers."""

    session: TableSession
    invitation: Invitation | None = None
    known: Acquaintances = NOBODY
    guided: bool = False
    hosting: HostNotice | None = None


class CannotOpen(Exception):
    """A table cannot be opened or joined. `text` is a sentence in the user's language that says what to do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class CodeWanted(CannotOpen):
    """The table asks for its code: none was given, or a wrong one. To be tried again with what a person types."""


class Contradiction(CannotOpen):
    """What the host says contradicts the transcript of this seat: not a table to sit at, but something to see."""

    def __init__(self, text: str, alarm: Violation) -> None:
        super().__init__(text)
        self.alarm = alarm


@runtime_checkable
class Archive(Protocol):
    """A launcher that also knows the games that were played on this machine."""

    def finished(self) -> Sequence[PastGame]:
        """Their transcripts, the newest first."""
        ...


@runtime_checkable
class Resumer(Protocol):
    """A launcher that also opens the tables again that were open on this machine when it stopped."""

    def unfinished(self) -> Sequence[PastGame]:
        """Their journals, the newest first."""
        ...

    async def go_on(self, game: PastGame) -> Place:
        """Open one again and sit at it. Raises CannotOpen."""
        ...


class Launcher(Protocol):
    """Opens tables. The methods raise CannotOpen."""

    @property
    def preferences(self) -> Preferences: ...

    @property
    def isolated(self) -> bool:
        """Whether nothing was heard of any other machine while tables were looked for."""
        ...

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots, the best last."""
        ...

    def remember(self, preferences: Preferences) -> None:
        """Keep preferences for the next time."""
        ...

    def browse(self) -> AsyncIterator[Sequence[FoundTable] | None]:
        """The tables on this network, again whenever they change; None while they cannot be looked for here."""
        ...

    async def host(self, options: TableOptions) -> Place:
        """Open a table on the network and sit at it."""
        ...

    async def alone(self, options: TableOptions) -> Place:
        """Open a table on this machine, with bots in all the other seats, and begin."""
        ...

    async def join(self, address: str, code: str) -> Place:
        """Sit at a table found, or at an address or link that somebody typed; watch where there is no seat.
        `code`: the words as somebody typed them, the token or the link; "" where nobody was asked yet. Raises
        CodeWanted where one is needed."""
        ...

    @property
    def may_again(self) -> bool:
        """Whether the people of the last table can play again: it was opened here, or its host has opened the
        next."""
        ...

    async def again(self, *, drawn: bool = False) -> Place:
        """The next table for the same people: one of one's own, with the seats as they were or `drawn`, or the one
        that the host has opened."""
        ...

    async def close(self, *, failed: bool = False) -> None:
        """The table has been left: close it if this program opened it. `failed`: this program ends by a fault, so
        the table stays resumable, also before its game, and its players are sent that instead of a farewell."""
        ...


def as_preferred(launcher: Launcher, place: Place) -> Place:
    """A place with the game explained also where the person prefers that."""
    return replace(place, guided=place.guided or launcher.preferences.guide)


def remember_language(launcher: Launcher, language: str) -> None:
    """Keep the language for the next time."""
    launcher.remember(replace(launcher.preferences, language=language))


def remember_edition(launcher: Launcher, edition: str) -> None:
    """Keep for the next time what table was opened."""
    launcher.remember(replace(launcher.preferences, edition=edition))
