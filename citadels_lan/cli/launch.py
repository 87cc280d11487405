"""Start a game from the options of a command: host or join it, and show it on screens or in line mode."""

import argparse
import asyncio
import contextlib
import errno
import ipaddress
import os
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from citadels_lan.cli.console import REFUSED, Console, Failure, OutputLost, wants_lines, write_report
from citadels_lan.cli.parser import LONGEST_NAME
from citadels_lan.cli.preferences import Profiles, load_preferences, save_preferences, transcripts_folder
from citadels_lan.line_mode import plain_async
from citadels_lan.platform.files import VARIABLE, data_folder
from citadels_lan.platform.logs import log_to_file
from citadels_lan.presenter import launcher as launching
from citadels_lan.texts import load, msg
from citadels_lan.ui import app_async, ask_name

if TYPE_CHECKING:  # The first frame of the home screen does not wait for the modules of a table.
    from citadels_lan.bots.pauses import Pauses
    from citadels_lan.cli.hosted import Hosted, HostOptions
    from citadels_lan.net.client.session import Session
    from citadels_lan.net.discovery.adverts import AdvertisedTable as Advertised
    from citadels_lan.net.discovery.table_list import Remembered, TableList
    from citadels_lan.net.host.handing_over import IncomingHandover
    from citadels_lan.net.wire.errors import Refusal
    from citadels_lan.net.wire.messages import Settings
    from citadels_lan.presenter.archive import PastGame
    from citadels_lan.presenter.invitation import Invitation


class Address(NamedTuple):
    """A host, by name or IP address, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class BadFile(launching.CannotOpen):
    """A file that the user named, such as a journal, has invalid content."""


class NoSeat(launching.CannotOpen):
    """There is no seat for this player: the table is full, or the game has begun. The player can still
    watch."""


USUAL_PORT: Final = 47110
SCHEME: Final = "citadels"
HOST_NAME: Final = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_-]{1,63})*\.?")
ALMOST_NUMBER: Final = re.compile(r"(?=.*[oil])[0-9oil]{1,3}(\.[0-9oil]{1,3}){3}")
"""Matches an IPv4 address in which letters stand for digits, such as l for 1."""
DIGITS: Final = str.maketrans("oil", "011")
LINK: Final = re.compile(rf"{SCHEME}:(/|$)", re.IGNORECASE)
CUT_LINK: Final = msg("The link is incomplete. Copy it again, up to its last character.")
NO_ADDRESS: Final = msg(
    "Invalid address {word}. Write it like 192.168.1.20, 192.168.1.20:47110 or citadels://192.168.1.20:47110/."
)
NUMBERS_ONLY: Final = re.compile(r"[0-9.]+")
PATIENCE: Final = 5.0
"""Within this many seconds every game on a network is announced."""
SECOND: Final = msg("Another terminal uses your key, so your friends see you as a new player.")
HEARD: Final = 1.5
"""Seconds to find the tables on this network; and again, to ask them whether they have the new code."""
CODES: Final = 16
"""Largest number of tables that are asked whether they have a new code."""
KINDS: Final[dict[str, type[launching.CannotOpen]]] = {
    **dict.fromkeys(("not_journal", "journal_version", "journal_rules", "journal_damaged"), BadFile),
    **dict.fromkeys(("playing", "table_full"), NoSeat),
    **dict.fromkeys(("code_needed", "wrong_code", "too_many_tries", "too_many_guesses"), launching.CodeWanted),
}
"""For each code of a rejection: the class of the error that is raised."""


class TableLauncher:
    """Hosts or joins one game at a time, for one player. `data` holds the keys; transcripts are written to `out`.

    `guest`: this program runs on a host's computer for a player elsewhere. `watching`: the player only watches
    the next game that is joined. `code` is tried there first. `journal` is that of the game that was
    last hosted here."""

    def __init__(self, console: Console, preferences: launching.Preferences, data: Path, out: Path) -> None:
        self.preferences = preferences
        self.guest, self.watching, self.code = False, False, ""
        self.data = data
        self.out = out
        self.console = console
        self.session: Session | None = None
        self.journal: Path | None = None
        self.isolated = False
        self._announced: dict[str, Advertised] = {}
        self._search: TableList | None = None
        self._answered: Address | None = None
        self._hosted: Hosted | None = None
        self._earlier: list[Hosted] = []
        self._hosting = launching.HostNotice()
        self._profiles: Profiles | None = None

    def remember(self, preferences: launching.Preferences) -> None:
        """Save preferences for the next start."""
        before, self.preferences = self.preferences, preferences
        self._pauses.speed = preferences.bot_speed
        if preferences.language != before.language:
            self.console = Console(load(preferences.language))
        save_preferences(before, preferences)

    @cached_property
    def _pauses(self) -> "Pauses":
        """The pauses of the bots, whose speed follows the preferences."""
        from citadels_lan.bots.pauses import Pauses

        return Pauses(self.preferences.bot_speed)

    # Games of this machine

    def finished(self) -> "Sequence[PastGame]":
        """Return the transcripts of games played here, the newest first."""
        from citadels_lan.presenter.archive import transcripts

        return transcripts(self.out)

    def unfinished(self) -> "Sequence[PastGame]":
        """Return the games that were hosted here when this computer or its program stopped, the newest first."""
        from citadels_lan.presenter.archive import unfinished

        return unfinished(self.data / "tables")

    async def go_on(self, game: "PastGame") -> launching.Place:
        """Resume an unfinished game. Raises CannotOpen."""
        return await self.open(replace(self.game(), resume=game.path))

    # Hosting

    def game(self, settings: "Settings | None" = None, levels: Sequence[str] = ()) -> "HostOptions":
        """Return the options of a new game on the network, with this player and with a bot for each of
        `levels`. For a resumed game, its journal has the settings."""
        from citadels_lan.cli.hosted import HostOptions
        from citadels_lan.net.wire.messages import Settings

        name, pauses = self.preferences.name, self._pauses
        return HostOptions(settings or Settings(), tuple(levels), name, self.data, self.out, pauses=pauses)

    async def host(self, options: launching.TableOptions) -> launching.Place:
        """Host a game on the network and join it."""
        from citadels_lan.cli.hosted import takeover_of

        game = self.game(options.settings, [options.level] * options.settings.bots)
        return await self.open(replace(game, takeover=takeover_of(None, "sensible", headless=False)))

    async def alone(self, options: launching.TableOptions) -> launching.Place:
        """Host a game on this machine only, with bots in all other seats, and begin it at once."""
        from msgspec.structs import replace as changed

        bots = options.settings.players - 1
        game = self.game(changed(options.settings, bots=bots), [options.level] * bots)
        return await self.open(replace(game, network=False, begin=True))

    async def open(self, options: "HostOptions") -> launching.Place:
        """Host a game and join it. Raises CannotOpen."""
        hosted = await self.serve(options)
        if hosted.me is None:
            await self.close()
            raise launching.CannotOpen(self.console.texts.say("No key on this computer has a seat in that game."))
        return self._place(hosted.me, hosted.second, hosted)

    def _place(self, session: "Session", second: bool, hosted: "Hosted | None" = None) -> launching.Place:
        """Return the `Place` (what the screens need) of a session; `second`: another program on this computer
        uses the player's key."""
        from citadels_lan.presenter.known_players import at_table

        notice = self.console.texts.say(SECOND) if second and not self.guest else ""
        invitation = self._invitation(hosted) if hosted is not None and hosted.options.network else None
        pauses = hosted.options.pauses if hosted is not None else None
        return launching.Place(session, invitation, at_table(self.data), self._hosting, notice, pauses)

    async def serve(self, options: "HostOptions") -> "Hosted":
        """Host a game, whether a player joins it here or not. Raises CannotOpen."""
        from citadels_lan.cli.hosted import Hosted

        await self.close()
        if options.code and options.network and options.resume is None and options.admission is None:
            await self._check_code(options.code)
        options.pauses.resume()
        with self._explained(options.port):
            self._hosted = Hosted(replace(options, heir=self._heir if options.network else None))
            await self._hosted.open()
        self.journal = self._hosted.table.journal
        return self._hosted

    async def _check_code(self, code: str) -> None:
        """Raise CannotOpen if a table on this network already has `code`: friends could not tell the two
        tables apart."""
        from citadels_lan.net.discovery.table_list import everywhere
        from citadels_lan.net.join.handshake import has_code
        from citadels_lan.net.join.join_code import Secret

        async with everywhere() as search:
            await asyncio.sleep(HEARD)
            tables = [
                table for table in search.tables.values() if table.advert.state == "lobby" and table.addresses
            ]
        secret = Secret("code", code)
        asking = (has_code(*table.addresses[0], secret, HEARD) for table in tables[:CODES])
        for table, same in zip(tables, await asyncio.gather(*asking), strict=False):
            if same:
                text = msg("--code: {name}'s game already uses these words. Choose others.")
                raise launching.CannotOpen(self.console.texts.say(text, name=table.advert.name))

    @cache  # noqa: B019 - one for each launcher, which lives as long as the program
    def _heir(self) -> "IncomingHandover":
        """Return the object with which this program receives games that other hosts hand over."""
        from citadels_lan.net.host.handing_over import IncomingHandover

        return IncomingHandover(self.data / "tables", self._take_over)

    async def _take_over(self, path: Path) -> tuple[str, int]:
        """Serve a game that was handed over to this player, and return its address. Raises Refusal, OSError."""
        from citadels_lan.cli.hosted import Hosted, received_takeover
        from citadels_lan.net.host.journal import read

        lobby = read(path).lobby
        state = lobby.state if lobby is not None else None
        game = replace(
            self.game(), resume=path, received=True, title=self.preferences.name, heir=self._heir,
            announce=state is None or state.announce, takeover=received_takeover(state),
        )  # fmt: skip
        hosted = Hosted(game)
        await hosted.open()
        if self._hosted is not None:
            # Its bots still play, now at the new table.
            self._earlier.append(self._hosted)
        self._hosted, self.journal = hosted, hosted.table.journal
        self._hosting.changed(self._invitation(hosted))
        return hosted.table.address

    def _invitation(self, hosted: "Hosted") -> "Invitation":
        from citadels_lan.presenter.invitation import Invitation

        reachable, table, guests = addresses(hosted), hosted.table, hosted.options.web
        link = partial(table.link, reachable[0].host) if reachable else None
        web = partial(guests.link, reachable[0].host, table) if reachable and guests is not None else None
        return Invitation(tuple(map(str, reachable)), table.join_code, link, web, table, table.hand_to)

    # Joining

    async def browse(self) -> AsyncGenerator[Sequence[launching.FoundTable] | None, None]:
        """Yield the list of games on this network that can be joined or watched, whenever it changes. Games
        in which this player has a seat come first. Yield None while this computer cannot search. The hosts of
        earlier games are also asked directly."""
        from citadels_lan.net.discovery.adverts import ranked
        from citadels_lan.net.discovery.interfaces import here
        from citadels_lan.net.discovery.table_list import everywhere

        loop = asyncio.get_running_loop()
        async with everywhere(known=self._remembered.hosts()) as self._search:
            search = self._search
            yield ()
            nets, since = [net for interface in here() for net in interface.nets], loop.time()
            async for _ in search.news():
                tables = ranked(tuple(search.tables.values()), nets)
                self._announced = {listed(table).key: table for table in tables}
                self.isolated = search.isolated and loop.time() - since > PATIENCE
                running = [table for table in tables if table.advert.state != "over"]
                # This player has a seat at a table if there is a transcript of it.
                own = {each.name[:16] for each in self.out.glob("*-[a-i]*.ctr")}
                games = [listed(table, table.advert.game_id.hex()[:16] in own) for table in running]
                yield sorted(games, key=lambda game: not game.mine) if search.works else None

    def ended(self, address: str = "") -> "PastGame | None":
        """Return the game that was joined last (with `address`: last at this address); None if it is not
        over."""
        last = self._remembered.last()
        if last is None or not any(address in ("", each[0], str(Address(*each))) for each in last[1]):
            return None
        return next((game for game in self.finished() if game.game == last[0].hex() and game.over), None)

    @property
    def _remembered(self) -> "Remembered":
        from citadels_lan.net.discovery.table_list import Remembered

        return Remembered(self.data / "tables.json")

    async def join(self, address: str, code: str) -> launching.Place:
        """Join the game at `address`, which was found or typed by the player; watch it if there is no
        seat."""
        from citadels_lan.presenter.join_form import read_place

        address, named = read_place(address)
        try:
            where, fp = self.where(address)
        except Failure as failure:
            raise launching.CannotOpen(failure.text) from None
        code, self.code = code or named or self.code, ""
        try:
            return await self.sit(where, code=code, fp=fp, watching=self.watching)
        except NoSeat as no_seat:
            try:
                return await self.sit(where, code=code, fp=fp, watching=True)
            except launching.CodeWanted as wanted:
                raise launching.CodeWanted(wanted.text, wanted.seconds, no_seat.text) from None
        except launching.CodeWanted:
            raise
        except launching.CannotOpen:
            # A host that has ended does not stay in the list until it has been silent for long enough.
            if self._search is not None and fp:
                self._search.ask_at(fp)
            raise

    def where(self, address: str) -> tuple[Sequence[Address], bytes]:
        """Return the addresses of a table and the fingerprint of its certificate. If a table was found on
        this network at `address` (which may be a `FoundTable.place`): all its addresses and its fingerprint.
        Otherwise: `address` alone, and b"". Raises Failure for a wrong address."""
        # Two tables may be announced at one address: one of them is of a host that has ended.
        typed, _, key = address.partition("#")
        here = (table for table in self._announced.values() if listed(table).address == typed)
        announced = self._announced.get(key) or next(here, None)
        if announced is None or (not key and announced.advert.state == "over"):
            return [read_address(self.console, address)], b""
        return [Address(*each) for each in announced.addresses], announced.advert.fp

    async def sit(
        self,
        where: Sequence[Address],
        *,
        watching: bool = False,
        bot: bool = False,
        code: str = "",
        fp: bytes = b"",
    ) -> launching.Place:
        """Join or watch another host's game at the first address of `where` that answers. `code`: the words,
        the token or the link. `fp`: the fingerprint of the announced certificate. Raises CannotOpen;
        CodeWanted if the code is missing or wrong."""
        from citadels_lan.crypto.log import SeatKind
        from citadels_lan.net.client.session import Session
        from citadels_lan.net.discovery.table_list import locate

        await self.close()
        # A player who reconnects reaches the host at the address that answered before.
        first, *others = sorted(where, key=lambda address: address != self._answered)
        with self._explained(), contextlib.ExitStack() as stack:
            profiles = stack.enter_context(contextlib.closing(Profiles(self.data)))
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
                others=[(each.host, each.port) for each in others],
                heir=None if self.guest or bot or watching else self._heir,
            )
            stack.pop_all()  # The session uses the profile until `close`.
            self._answered = Address(*self.session.table.addresses[0])
            self._remembered.keep(self.session.table.game_id, self.session.table.addresses)
            self._profiles, self.watching = profiles, False
        return self._place(self.session, profiles.second and not bot)

    # Playing again, and the end

    @property
    def may_again(self) -> bool:
        """Whether a rematch is possible: this program hosted the last game, or the host of the last game has
        opened the next one."""
        if self._hosted is not None and not self._hosted.handed:
            return True
        session = self._session_elsewhere
        return session is not None and session.table.again is not None

    @property
    def _session_elsewhere(self) -> "Session | None":
        """Return the session of this player at the table of another host, also of a host to whom this program
        handed its game; None if there is none."""
        return self._hosted.me if self._hosted is not None and self._hosted.handed else self.session

    async def again(self, *, drawn: bool = False) -> launching.Place:
        """Host the next game for the same people, with the same seats, or seats drawn by lot if `drawn`. If
        another host has opened the next game, join it. Raises CannotOpen."""
        if self._hosted is not None and not self._hosted.handed:
            former, self._hosted = self._hosted, None
            return await self.open(await former.rematch(drawn=drawn))
        from citadels_lan.net.wire.errors import Refusal

        session = self._session_elsewhere
        assert session is not None
        assert session.table.again is not None
        host, next_table = session.table.addresses[0][0], session.table.again
        place = await self.sit([Address(host, next_table.port)])
        assert self.session is not None
        if (self.session.table.game_id, self.session.table.fp) != (next_table.game, next_table.fp):
            await self.close()
            with self._explained():
                raise Refusal("other_host")
        return place

    async def close(self, *, failed: bool = False) -> None:
        """Leave the table, and close it if this program hosts it. `failed`: see `Hosted.fail`."""
        if failed and self._hosted is not None:
            self._hosted.fail()
        if self.session is not None:
            self._remembered.keep(self.session.table.game_id, self.session.table.addresses)
            await self.session.leave()
            self.session = None
        if self._profiles is not None:
            self._profiles.close()
            self._profiles = None
        # The newest table closes before the bots of the older ones leave it.
        for hosted in (self._hosted, *reversed(self._earlier)):
            if hosted is not None:
                await hosted.close()
        self._hosted, self._earlier = None, []

    @contextlib.contextmanager
    def _explained(self, port: int | None = None) -> Iterator[None]:
        """Context that replaces errors of the network or the system by a CannotOpen with a sentence for the
        player. `port` is the port that was to be opened."""
        from citadels_lan.net.wire.errors import Refusal
        from citadels_lan.presenter.error_messages import GRAVE, Violation, alarm_lines, why
        from citadels_lan.web.beside import CannotServe

        try:
            yield
        except Refusal as reason:
            # A contradiction is evidence against the host: the player sees an alarm, not an error.
            if reason.code in GRAVE:
                violation = Violation(reason.code, reason.details, reason.transcript)
                alarm = "\n".join(alarm_lines(self.console.texts, violation))
                raise launching.Contradiction(alarm, violation) from None
            text, kind = why(self.console.texts, reason), KINDS.get(reason.code, launching.CannotOpen)
            if kind is launching.CodeWanted:
                raise launching.CodeWanted(text, int(reason.details.get("seconds", 0))) from None
            raise kind(text) from None
        except CannotServe as error:
            text = msg("Cannot open port {port} for browsers: {reason}. Choose another one with --web PORT.")
            raise launching.CannotOpen(self.console.texts.say(text, port=error.port, reason=error)) from None
        except OSError as error:
            raise launching.CannotOpen(_system_error(self.console, error, port)) from None


def launcher_for(console: Console, options: argparse.Namespace) -> TableLauncher:
    """Return the launcher of a command with its options. Raises Failure."""
    log_to_file(verbose=getattr(options, "verbose", False))
    language = console.texts.language
    saved = load_preferences(launching.Preferences(language=language, unnamed=True))
    name, out = getattr(options, "name", None) or saved.name, getattr(options, "out", None)
    preferences = replace(
        saved, name=name or _login_name(), unnamed=saved.unnamed and not name, language=language,
        bot_speed=getattr(options, "bot_speed", None) or saved.bot_speed,
    )  # fmt: skip
    variable = "XDG_DATA_HOME" if os.environ.get("XDG_DATA_HOME") and not os.environ.get(VARIABLE) else VARIABLE
    data = _folder(console, variable, data_folder())
    transcripts = _folder(console, "--out", transcripts_folder() if out is None else Path(out).expanduser())
    return TableLauncher(console, preferences, data, transcripts)


def name_player(console: Console, launcher: TableLauncher, *, plain: bool) -> None:
    """Ask a player at the screens for a name, if none has been given."""
    if launcher.preferences.unnamed and not wants_lines(plain):
        asyncio.run(ask_name(console.texts, launcher))


def _login_name() -> str:
    import getpass

    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:LONGEST_NAME] if name.isprintable() and name else "player"


def _folder(console: Console, option: str, path: Path) -> Path:
    """Create a folder if necessary, check that it can be written, and return it. Raises Failure."""
    import tempfile

    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or failure
        text = msg("Cannot write to {path} ({why}). Choose another folder with {option}.")
        raise console.failure(text, option=option, path=path, why=why) from None
    return path


def broken_off(console: Console, error: "Refusal | OSError") -> Failure:
    """Return the failure of a command whose table closed, because of `error`, before its game began."""
    from citadels_lan.presenter.error_messages import why

    text = _system_error(console, error) if isinstance(error, OSError) else why(console.texts, error)
    return Failure(REFUSED, text)


def _system_error(console: Console, error: OSError, port: int | None = None) -> str:
    say = console.texts.say
    if error.errno == errno.EADDRINUSE and port:
        return say(
            "Another program uses port {port}. Choose another port, or none to use any free one.", port=port
        )
    if error.errno in (errno.EACCES, errno.EPERM) and port:
        return say("The system does not allow port {port}. Choose one above 1023.", port=port)
    reason = error.strerror or type(error).__name__
    return say("Cannot host the game: {reason}.", reason=reason)


def addresses(hosted: "Hosted") -> tuple[Address, ...]:
    """Return the addresses at which others reach a table, IPv4 first."""
    from citadels_lan.net.discovery.interfaces import here, numbers

    # A link-local address needs the name of the guest's interface, which differs from the host's.
    usable = [number for number in numbers(here()) if not number.lower().startswith("fe80")]
    return tuple(Address(number, hosted.table.port) for number in usable)


def listed(table: "Advertised", mine: bool = False) -> launching.FoundTable:
    """Return an advertised table in the form in which lists show it; `mine`: this player has a seat at it."""
    advert = table.advert
    address = str(Address(*table.addresses[0])) if table.addresses else ""
    playing, needs = advert.state != "lobby", "" if table.speaks else advert.program or "?"
    seats = (advert.taken, advert.seats, advert.edition, playing, mine)
    return launching.FoundTable(address, advert.name, *seats, (advert.game_id + advert.fp).hex(), needs)


async def show(
    console: Console,
    launcher: TableLauncher,
    opening: Callable[[], Awaitable[launching.Place]] | None = None,
    *,
    plain: bool,
    piped: bool = False,
    joining: str = "",
) -> int:
    """Show the home screen or, with `opening`, the table that it opens. Close the table at the end, and
    return the exit code. `joining`: the address of a table for which the home screen asks for the code.
    `piped`: the screens are for a guest's browser, at the other end of the pipes, and have no home screen.
    Raises CannotOpen."""
    run = plain_async if (plain if piped else wants_lines(plain)) else app_async
    try:
        return await run(console.texts, launcher, opening, piped=piped, joining=joining)
    except Exception:
        # Players are sent an error instead of a farewell, and the journal stays.
        await launcher.close(failed=True)
        raise
    finally:
        await launcher.close()
        if not piped and (text := _how_to_resume(launcher)) is not None:
            with contextlib.suppress(OutputLost, OSError):
                launcher.console.line(f"\n{text}")  # The terminal may have written ^C.


def _how_to_resume(launcher: TableLauncher) -> str | None:
    """Return a sentence on how to resume the game that was hosted here; None if that game is over or was
    handed over."""
    from citadels_lan.presenter.archive import of_journal

    texts, journal = launcher.console.texts, launcher.journal
    game = of_journal(journal) if journal is not None else None
    if journal is None or game is None or game.handed is not None:
        return None
    command = "citadels-lan host --resume"
    if journal not in [game.path for game in launcher.unfinished()]:
        command = f"{command} {journal}"
    return texts.say("The game is saved. To resume it, run `{command}`.", command=command)


# Addresses


def read_address(console: Console, word: str) -> Address:
    """Return the address in `192.168.1.20`, `laptop.local:5000`, `[fe80::1%eth0]:47110` or a link
    `citadels://…`, with or without spaces around it. Raises Failure."""
    word = word.strip()
    wrong = console.failure(CUT_LINK if LINK.match(word) else NO_ADDRESS, word=repr(word))
    if word.rstrip("/").lower() == f"{SCHEME}:":
        raise wrong
    try:
        link = word if "://" in word else f"{SCHEME}://{_bracketed(word)}"
        parts = urlsplit(link)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if (
        parts.scheme != SCHEME
        or not host
        or parts.username is not None
        or port == 0
        or parts.path not in ("", "/")
    ):
        raise wrong
    if ALMOST_NUMBER.fullmatch(host):
        number = host.translate(DIGITS)
        raise console.failure(
            msg("Invalid address {word}. Did you mean {number}?"), word=repr(word), number=number
        )
    if not (_is_number(host) or (HOST_NAME.fullmatch(host) and not NUMBERS_ONLY.fullmatch(host))):
        raise wrong
    return Address(host, port or USUAL_PORT)


def _bracketed(word: str) -> str:
    """Put a bare IPv6 address in brackets, as a link requires."""
    return f"[{word}]" if word.count(":") > 1 and not word.startswith("[") else word


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
