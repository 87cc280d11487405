"""The launcher, which opens and joins tables for the front ends, and the tables found on the network."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, runtime_checkable

from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:  # The first frame of home does not load a table.
    from citadels_lan.bots.driving import Pauses
    from citadels_lan.net.client.session import Session
    from citadels_lan.net.wire.messages import Settings

    from .archive import PastGame
    from .error_messages import Violation
    from .invitation import Invitation
    from .known_players import KnownPlayers

EDITION: Final = "2016"
"""The engine's `DEFAULT`, for which the first frame need not load the engine."""


def _settings() -> "Settings":
    from citadels_lan.net.wire.messages import Settings

    return Settings()


def _nobody() -> "KnownPlayers":
    from .known_players import NOBODY

    return NOBODY


@dataclass(frozen=True)
class FoundTable:
    """A table found on the network. `host` is the name of its host; `mine`: a seat there is reserved for this
    player, who needs no code to come back. `key` distinguishes tables at the same address. `needs` is the version
    of the program with which this table can be joined, if it is another one than this."""

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
        """What lists know the table by."""
        return self.key or self.address

    @property
    def place(self) -> str:
        """What `Launcher.join` takes to join exactly this table."""
        return f"{self.address}#{self.key}" if self.key else self.address


SHOWN: Final = 12
"""The number of tables in a list: a computer that announces a hundred tables hides only its own."""
ISOLATED: Final = msg(
    "No other computer answers: this network may separate its devices. Use the host's link, or connect all players"
    " to one phone's hotspot."
)
"""The sentence for a network that may isolate its devices. A network without a host looks the same."""
NEEDS: Final = msg("needs version {version}")
"""The state of a table whose host has another version of the program."""
NEEDS_UPDATE: Final = msg("{name} has version {version} of this program. Both need the same version.")
LATER: Final = msg("Too many wrong codes. You can try again in {seconds} s.")
"""The countdown after too many wrong codes."""
NOW: Final = msg("You can try again now.")
MORE_TABLES: Final = msg("and {count} more; join those by address")
UNFINDABLE: Final = msg("Tables cannot be looked for on this machine now: join by address or by link.")


def more(texts: Texts, tables: Sequence[FoundTable]) -> str:
    """A line about the tables that do not fit into a list; empty if all fit."""
    left = len(tables) - SHOWN
    return texts.say(MORE_TABLES, count=left) if left > 0 else ""


def playing(texts: Texts, table: FoundTable) -> str:
    """What can be done at a table whose game has begun, or which needs another program; empty for any other."""
    if table.needs:
        return texts.say(NEEDS, version=clean(table.needs, 16))
    if not table.started:
        return ""
    return texts.say(msg("playing: back to your seat")) if table.mine else texts.say(msg("playing already: watch"))


@dataclass(frozen=True)
class TableOptions:
    """The table to open, and the level of its bots."""

    settings: "Settings" = field(default_factory=_settings)
    level: str = "normal"


async def lessons(launcher: "Launcher") -> "Place":
    """A place at the table of the tutorial."""
    from .tutorial import TutorialSession

    return Place(TutorialSession(launcher.preferences.name))


def first_full_game() -> TableOptions:
    """The game after the tutorial: the first game of the book against three bots that let one win."""
    from citadels_lan.engine import from_scenario
    from citadels_lan.net.wire.messages import Settings

    return TableOptions(Settings(from_scenario("first_game", 4), 3), "easy")


Colours = Literal["dark", "light", "contrast"]
BOT_SPEEDS: Final = {"slow": msg("slow"), "normal": msg("normal"), "instant": msg("instant")}
"""How long bots wait before their moves, and its name for the player."""


@dataclass(frozen=True)
class Preferences:
    """Settings that are saved between games."""

    name: str = ""
    unnamed: bool = False
    """Whether the player has not chosen the name: home asks for it once."""
    language: str = "en"
    dark: bool = True
    contrast: bool = False
    """High contrast, which is dark."""
    ascii: bool = False
    alerts: bool = False
    edition: str = EDITION
    """The edition last played; this version may not know it."""
    bot_speed: str = "normal"
    """One of BOT_SPEEDS; anything else counts as normal."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The keys that the player has changed, by the names of the commands."""

    @property
    def colours(self) -> Colours:
        """The palette."""
        return "contrast" if self.contrast else "dark" if self.dark else "light"


class HostNotice:
    """Calls `changed` with the new invitation when this program becomes the host of the game."""

    def __init__(self) -> None:
        self.changed: Callable[[Invitation], None] = lambda _: None


@dataclass(frozen=True)
class Place:
    """A seat at a table, its invitation if this program hosts it, and the known players. `notice` is for the
    player, at the beginning. `pauses` are those of the bots, if this program opened the table."""

    session: "Session"
    invitation: "Invitation | None" = None
    known: "KnownPlayers" = field(default_factory=_nobody)
    hosting: HostNotice | None = None
    notice: str = ""
    pauses: "Pauses | None" = None


class CannotOpen(Exception):
    """A table cannot be opened or joined. `text` is a sentence in the user's language with the next step."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class CodeWanted(CannotOpen):
    """The table requires its code: none was given, or a wrong one. Ask the player and join again, after `seconds`
    if there were too many wrong codes. `notice` is for the player in any case: that there is no free seat."""

    def __init__(self, text: str, seconds: int = 0, notice: str = "") -> None:
        super().__init__(text)
        self.seconds = seconds
        self.notice = notice


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
        """Whether no other computer answered while searching for tables."""

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots, the best last."""

    def remember(self, preferences: Preferences) -> None:
        """Save preferences."""

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


NAME_ASKED: Final = msg("What should other players call you?")
LONGEST_NAME: Final = 24
"""The most columns of a name that is typed here."""


def remember_name(launcher: Launcher, name: str) -> None:
    """Save the name of the player, who is not asked again; an empty one keeps the name."""
    kept = launcher.preferences
    launcher.remember(replace(kept, name=clean(name.strip(), LONGEST_NAME) or kept.name, unnamed=False))


def remember_language(launcher: Launcher, language: str) -> None:
    """Save the language."""
    launcher.remember(replace(launcher.preferences, language=language))


def remember_edition(launcher: Launcher, edition: str) -> None:
    """Save the edition last played."""
    launcher.remember(replace(launcher.preferences, edition=edition))


@dataclass(frozen=True)
class SeenTable:
    """A table as it was found last; `gone`: it was not found again."""

    table: FoundTable
    gone: bool = False


class SeenTables:
    """All tables found so far, in the order of their appearance. A table that disappears keeps its place."""

    def __init__(self) -> None:
        self._tables: dict[str, SeenTable] = {}

    def update(self, found: Sequence[FoundTable]) -> None:
        """Take the tables that exist now; new ones with an own seat come first."""
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
