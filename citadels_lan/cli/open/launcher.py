"""Opens and joins games for the front ends, and for commands without a screen."""

import argparse
import asyncio
import contextlib
import errno
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.addresses import Address, read_address
from citadels_lan.cli.console import REFUSED, Console, Failure, write_report
from citadels_lan.cli.open.options import folder, player_name
from citadels_lan.cli.open.wanted import CALM, PAUSE, Wanted
from citadels_lan.cli.preferences import load_preferences, preferences_file, save_preferences
from citadels_lan.cli.profiles import Profiles, transcripts_folder
from citadels_lan.front.launcher import (
    CannotOpen,
    CodeWanted,
    Contradiction,
    FoundTable,
    HostNotice,
    Place,
    Preferences,
    TableOptions,
)
from citadels_lan.systems.files import data_folder
from citadels_lan.systems.logs import log_to_file
from citadels_lan.texts import load, msg

if TYPE_CHECKING:  # the first frame of home waits for nothing of a table
    from citadels_lan.cli.open.hosting import Hosted
    from citadels_lan.front.archive import PastGame
    from citadels_lan.front.invitation import Invitation
    from citadels_lan.net.client.session import Session
    from citadels_lan.net.discovery.finding import Remembered, TableList
    from citadels_lan.net.discovery.found import AdvertisedTable as Advertised
    from citadels_lan.net.host.inheriting import Inheritance
    from citadels_lan.net.wire.errors import Refusal


class BadFile(CannotOpen):
    """A file is not what it should be."""


class NoAnswer(CannotOpen):
    """There is no table at that address."""


class NoSeat(CannotOpen):
    """There is no seat for this person: the table is full, or the game has begun. Watching is possible."""


PATIENCE: Final = 5.0
"""Seconds in which every table of a network has been heard."""
KINDS: Final = {
    "not_journal": BadFile,
    "journal_version": BadFile,
    "journal_rules": BadFile,
    "journal_damaged": BadFile,
    "unreachable": NoAnswer,
    "not_citadels": NoAnswer,
    "no_answer": NoAnswer,
    "playing": NoSeat,
    "table_full": NoSeat,
    "code_needed": CodeWanted,
    "wrong_code": CodeWanted,
}


class TableLauncher:
    """Opens one table at a time, for one person. `data` holds the keys, `out` gets the transcripts."""

    def __init__(self, console: Console, preferences: Preferences, data: Path, out: Path) -> None:
        self.preferences = preferences
        self.guest = False
        """Whether this program runs on a host's computer for somebody elsewhere."""
        self.data = data
        self.out = out
        self.console = console
        self.session: Session | None = None
        self.journal: Path | None = None
        """That of the table opened here last."""
        self.isolated = False
        self._announced: dict[str, Advertised] = {}
        self._answered: Address | None = None
        self._hosted: Hosted | None = None
        self._earlier: list[Hosted] = []
        self._hosting = HostNotice()
        self._profiles: Profiles | None = None

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots, the best last."""
        from citadels_lan.bots import LEVELS

        return tuple(LEVELS)

    def remember(self, preferences: Preferences) -> None:
        """Keep preferences for the next time."""
        before, self.preferences = self.preferences, preferences
        if preferences.language != before.language:
            self.console = Console(load(preferences.language))
        save_preferences(preferences_file(), before, preferences)

    def finished(self) -> "Sequence[PastGame]":
        """The transcripts of games played here, the newest first."""
        from citadels_lan.front.archive import transcripts

        return transcripts(self.out)

    def unfinished(self) -> "Sequence[PastGame]":
        """The tables that were open here when this machine or its program stopped, the newest first."""
        from citadels_lan.front.archive import unfinished

        return unfinished(self.data / "tables")

    async def go_on(self, game: "PastGame") -> Place:
        """Open one of them again and sit at it. Raises CannotOpen."""
        from citadels_lan.net.wire.messages import Settings

        name = self.preferences.name
        return await self.open(Wanted(Settings(), (), name, self.data, self.out, resume=game.path, pause=PAUSE))

    async def browse(self) -> AsyncGenerator[Sequence[FoundTable] | None, None]:
        """The tables on this network, again whenever they change; None while they cannot be looked for."""
        from citadels_lan.net.discovery.found import ranked
        from citadels_lan.net.discovery.interfaces import own_nets

        async with self.everywhere() as found:
            yield ()
            nets, since = own_nets(), asyncio.get_running_loop().time()
            async for _ in found.news():
                tables = ranked(tuple(found.tables.values()), nets)
                self._announced = {listed(table).address: table for table in reversed(tables)}
                self.isolated = found.isolated and asyncio.get_running_loop().time() - since > PATIENCE
                yield self._listed(tables) if found.works else None

    def _listed(self, tables: "Iterable[Advertised]") -> Sequence[FoundTable]:
        """Those that one may come to; first of all where this person has a seat."""
        found = [listed(table, self.keeps_seat(table)) for table in tables if table.advert.state != "over"]
        return tuple(sorted(found, key=lambda table: not table.mine))

    def everywhere(self) -> "TableList":
        """The tables that are found now; the machines of earlier tables are asked, too."""
        from citadels_lan.net.discovery.finding import everywhere

        return everywhere(known=self._remembered.hosts())

    @property
    def _remembered(self) -> "Remembered":
        from citadels_lan.net.discovery.finding import Remembered

        return Remembered(self.data / "tables.json")

    def keeps_seat(self, table: "Advertised") -> bool:
        """Whether this person has a seat at a table: there is a transcript of it."""
        return any(self.out.glob(f"{table.advert.game_id.hex()[:16]}-[a-i]*.ctr"))

    async def host(self, options: TableOptions) -> Place:
        """Open a table on the network and sit at it."""
        return await self.open(self._wanted(options, network=True))

    async def alone(self, options: TableOptions) -> Place:
        """Open a table on this machine, with bots in all the other seats, and begin."""
        from msgspec.structs import replace as changed

        settings = changed(options.settings, bots=options.settings.players - 1)
        wanted = self._wanted(replace(options, settings=settings), network=False)
        place = await self.open(replace(wanted, pause=CALM) if options.guided else wanted)
        return replace(place, guided=options.guided)

    def _wanted(self, options: TableOptions, *, network: bool) -> Wanted:
        from citadels_lan.cli.open.hosting import asking

        settings, name = options.settings, self.preferences.name
        levels = (options.level,) * settings.bots
        return Wanted(
            settings,
            levels,
            name,
            self.data,
            self.out,
            network=network,
            pause=PAUSE,
            begin=not network,
            takeover=asking() if network else None,
        )

    async def open(self, wanted: Wanted) -> Place:
        """Open a table and sit at it. Raises CannotOpen."""
        from citadels_lan.front.acquaintances import at_table

        hosted = await self.serve(wanted)
        if hosted.me is None:
            await self.close()
            raise CannotOpen(self.console.texts.say("None of the keys on this machine has a seat at that table."))
        invitation = self._invitation(hosted) if wanted.network else None
        return Place(hosted.me, invitation, at_table(self.data), hosting=self._hosting)

    @cache  # noqa: B019 - one for each launcher, which lives as long as the program
    def _heir(self) -> "Inheritance":
        """Return the part of this program that takes games over from other hosts."""
        from citadels_lan.net.host.inheriting import Inheritance

        return Inheritance(self.data / "tables", self._take_over)

    async def _take_over(self, path: Path) -> tuple[str, int]:
        """Serve a game that was handed over to this person. Raises Refusal, OSError."""
        from citadels_lan.cli.open.hosting import Hosted, received
        from citadels_lan.net.host.journal import read
        from citadels_lan.net.wire.messages import Settings

        name, lobby = self.preferences.name, read(path).lobby
        state = lobby.state if lobby is not None else None
        hosted = Hosted(
            Wanted(
                Settings(), (), name, self.data, self.out, resume=path, received=True, title=name, pause=PAUSE,
                announce=state is None or state.announce, heir=self._heir, takeover=received(state),
            )
        )  # fmt: skip
        await hosted.open()
        if self._hosted is not None:
            self._earlier.append(self._hosted)
        self._hosted, self.journal = hosted, hosted.table.journal
        self._hosting.changed(self._invitation(hosted))
        return hosted.table.address

    def _invitation(self, hosted: "Hosted") -> "Invitation":
        from citadels_lan.front.invitation import Invitation

        found, table = addresses(hosted), hosted.table
        link = partial(table.link, found[0].host) if found else None
        guests = hosted.wanted.web if found else None
        web = partial(guests.link, found[0].host, table) if guests is not None else None
        return Invitation(tuple(map(str, found)), table.door, link, web, table, table.hand_to)

    async def serve(self, wanted: Wanted) -> "Hosted":
        """Open a table, whether anybody sits at it here or not. Raises CannotOpen."""
        from citadels_lan.cli.open.hosting import Hosted

        await self.close()
        with self._explained(wanted.port):
            self._hosted = Hosted(replace(wanted, heir=self._heir if wanted.network else None))
            await self._hosted.open()
        self.journal = self._hosted.table.journal
        return self._hosted

    async def join(self, address: str, code: str) -> Place:
        """Sit at a table found, or at an address that somebody typed; where there is no seat, watch."""
        from citadels_lan.front.join_form import read_place

        address, named = read_place(address)
        try:
            where, fp = self.where(address)
        except Failure as failure:
            raise CannotOpen(failure.text) from None
        code = code or named
        try:
            return await self.sit(where, code=code, fp=fp)
        except NoSeat:
            return await self.sit(where, code=code, fp=fp, watching=True)

    def where(self, address: str) -> tuple[Sequence[Address], bytes]:
        """Return all addresses of a table, and the fingerprint of its certificate, if it was found on this network
        at `address`; otherwise this address alone, and no fingerprint. Raises Failure for a wrong address."""
        announced = self._announced.get(address)
        if announced is None:
            return [read_address(self.console, address)], b""
        return [Address(*one) for one in announced.addresses], announced.advert.fp

    async def sit(
        self,
        where: Sequence[Address],
        *,
        watching: bool = False,
        bot: bool = False,
        code: str = "",
        fp: bytes = b"",
    ) -> Place:
        """Sit at a table of somebody else, or watch it, at the first of its addresses that answers. `code` are its
        words, its token or its link; `fp` is its certificate's fingerprint where it was announced. Raises
        CannotOpen, CodeWanted where that is asked for or wrong."""
        from citadels_lan.crypto.log import SeatKind
        from citadels_lan.front.acquaintances import at_table
        from citadels_lan.net.client.session import Session
        from citadels_lan.net.discovery.finding import locate

        await self.close()
        first, *others = sorted(where, key=lambda address: address != self._answered)
        with self._explained(), contextlib.ExitStack() as stack:
            profiles = stack.enter_context(closing(Profiles(self.data)))
            self.session = await Session.join(
                (first.host, first.port),
                data_dir=profiles.bot() if bot else profiles.person(),
                out_dir=self.out,
                name=self.preferences.name,
                role="spectator" if watching else "player",
                kind=SeatKind.GUEST if self.guest else SeatKind.PLAYER,
                locate=partial(locate, remembered=self._remembered),
                code=code,
                fp=fp,
                report=partial(write_report, "join"),
                others=[(one.host, one.port) for one in others],
                heir=None if self.guest or bot or watching else self._heir,
            )
            stack.pop_all()
            self._answered = Address(*self.session.table.addresses[0])
            self._remembered.keep(self.session.table.game_id, self.session.table.addresses)
            self._profiles = profiles
        return Place(self.session, known=at_table(self.data), hosting=self._hosting)

    @property
    def may_again(self) -> bool:
        """Whether the people of the last table can play again: it was opened here, or its host has opened the
        next."""
        if self._hosted is not None and not self._hosted.handed:
            return True
        session = self._session_elsewhere
        return session is not None and session.table.again is not None

    @property
    def _session_elsewhere(self) -> "Session | None":
        """The session of this person at the table of another host."""
        return self._hosted.me if self._hosted is not None and self._hosted.handed else self.session

    async def again(self, *, drawn: bool = False) -> Place:
        """The next table for the same people. Where the last one was opened here so is this one, with the seats as
        they were or `drawn`; else it is the one that the host has opened. Raises CannotOpen."""
        if self._hosted is not None and not self._hosted.handed:
            former, self._hosted = self._hosted, None
            return await self.open(await former.wanted_again(drawn=drawn))
        from citadels_lan.front.failures import why
        from citadels_lan.net.wire.errors import Refusal

        session = self._session_elsewhere
        assert session is not None
        assert session.table.again is not None
        there, next_table = session.table.addresses[0][0], session.table.again
        place = await self.sit([Address(there, next_table.port)])
        assert self.session is not None
        if (self.session.table.game_id, self.session.table.fp) != (next_table.game, next_table.fp):
            await self.close()
            raise CannotOpen(why(self.console.texts, Refusal("other_host")))
        return place

    async def close(self, *, failed: bool = False) -> None:
        """The table has been left: close it if this program opened it. `failed`: see `Hosted.fail`."""
        if failed and self._hosted is not None:
            self._hosted.fail()
        if self.session is not None:
            self._remembered.keep(self.session.table.game_id, self.session.table.addresses)
            await self.session.leave()
            self.session = None
        if self._profiles is not None:
            self._profiles.close()
            self._profiles = None
        for hosted in (self._hosted, *reversed(self._earlier)):
            if hosted is not None:
                await hosted.close()
        self._hosted, self._earlier = None, []

    @contextmanager
    def _explained(self, port: int | None = None) -> Iterator[None]:
        """What the network says, as a sentence."""
        from citadels_lan.front.failures import GRAVE, Violation, alarm_lines, why
        from citadels_lan.net.wire.errors import Refusal
        from citadels_lan.web.beside import CannotServe

        try:
            yield
        except Refusal as reason:
            if reason.code in GRAVE:
                found = Violation(reason.code, reason.details, reason.transcript)
                raise Contradiction("\n".join(alarm_lines(self.console.texts, found)), found) from None
            raise KINDS.get(reason.code, CannotOpen)(why(self.console.texts, reason)) from None
        except CannotServe as error:
            said = msg("Browsers cannot come in at port {port}: {reason}. Choose another one: --web PORT.")
            raise CannotOpen(self.console.texts.say(said, port=error.port, reason=error)) from None
        except OSError as error:
            raise CannotOpen(os_sentence(self.console, error, port)) from None


def broken_off(console: Console, error: "Refusal | OSError") -> Failure:
    """How a command ends whose table has ended before its game."""
    from citadels_lan.front.failures import why

    text = os_sentence(console, error) if isinstance(error, OSError) else why(console.texts, error)
    return Failure(REFUSED, text)


def os_sentence(console: Console, error: OSError, port: int | None = None) -> str:
    """What the system refused, in a sentence."""
    say = console.texts.say
    if error.errno == errno.EADDRINUSE and port:
        return say("Port {port} is used by another program: choose another one, or none to get any.", port=port)
    if error.errno in (errno.EACCES, errno.EPERM) and port:
        return say("This system does not let you use port {port}: choose one above 1023.", port=port)
    reason = error.strerror or type(error).__name__
    return say("The table cannot be opened: {reason}.", reason=reason)


def addresses(hosted: "Hosted") -> tuple[Address, ...]:
    """Where others reach a table, IPv4 first."""
    from citadels_lan.net.discovery.interfaces import here, numbers

    usable = [number for number in numbers(here()) if not number.lower().startswith("fe80")]
    return tuple(Address(number, hosted.table.port) for number in usable)


def listed(table: "Advertised", mine: bool = False) -> FoundTable:
    """A table found, as a list of tables shows it; `mine` where this person has a seat there."""
    advert = table.advert
    address = str(Address(*table.addresses[0])) if table.addresses else ""
    return FoundTable(
        address, advert.name, advert.taken, advert.seats, advert.edition, advert.state != "lobby", mine
    )


def launcher_for(console: Console, options: argparse.Namespace) -> TableLauncher:
    """What opens tables for this person."""
    log_to_file()
    language = console.texts.language
    preferences = load_preferences(preferences_file(), Preferences(language=language))
    name = player_name(console, getattr(options, "name", None), preferences.name)
    data = folder(console, "XDG_DATA_HOME", None, data_folder())
    out: Path = folder(console, "--out", getattr(options, "out", None), transcripts_folder())
    return TableLauncher(console, replace(preferences, name=name, language=language), data, out)
