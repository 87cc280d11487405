"""The game that this program hosts: its table, its bots and substitute bots, and messages without a screen."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.bots import SUBSTITUTES, make_policy, make_substitute
from citadels_lan.bots.driving import drive
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.thinking import ThinkingPool, Unhurried
from citadels_lan.cli.console import Console, quoted, write_report
from citadels_lan.cli.open.options import DEFAULT_LEVEL
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.cli.profiles import Profiles
from citadels_lan.crypto.chance import rematch_seats
from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.engine import State
from citadels_lan.front.failures import because
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.resuming import check_alone
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.timing import Timing
from citadels_lan.systems.system import keep_loaded
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.record import NO_WINNER

if TYPE_CHECKING:
    from citadels_lan.net.host.journal import TableState

HEADLESS: Final = 60
"""Seconds at a table where nobody can be asked."""
LONGEST: Final = 86_400
POOL: Final = ThinkingPool()
"""Where substitutes think, whichever of this program's tables they sit at; it ends with the program."""


def takeover_of(console: Console, when: str | None, level: str | None, *, headless: bool) -> Takeover | None:
    """What the options say; None for never. Raises Failure."""
    level = level or "sensible"
    if level not in SUBSTITUTES:
        raise console.wrong(
            msg("--takeover-level is one of {levels}, not {word}."),
            levels=", ".join(SUBSTITUTES),
            word=quoted(level),
        )
    if when == "never":
        return None
    if when == "ask" or (when is None and not headless):
        return Takeover(make, None, level)
    return Takeover(make, HEADLESS if when is None else _seconds(console, when), level)


def asking() -> Takeover:
    """Where somebody sits at the host's screen, who says when."""
    return Takeover(make)


def received(state: "TableState | None") -> Takeover | None:
    """What held at the host from whom a game was taken over."""
    if state is None:
        return asking()
    return Takeover(make, state.takeover, state.level) if state.level in SUBSTITUTES else None


def make(level: str) -> Unhurried:
    """A bot of a level, which plays otherwise every time. KeyError for an unknown level."""
    return Unhurried(make_substitute(level, secrets.token_hex(16)), POOL)


def _seconds(console: Console, word: str) -> int:
    if (seconds := whole_number(word)) is not None and seconds <= LONGEST:
        return seconds
    raise console.wrong(
        msg("--takeover is a number of seconds up to {most}, ask or never, not {word}."),
        most=LONGEST,
        word=quoted(word),
    )


@contextlib.asynccontextmanager
async def standstills_told(console: Console, table: OpenTable) -> AsyncIterator[None]:
    """Inside, each standstill of a table is said, and its end."""
    # kept: cancelled below; what it says is only for the person
    telling = asyncio.get_running_loop().create_task(_tell(console, table))
    try:
        yield
    finally:
        telling.cancel()


async def _tell(console: Console, table: OpenTable) -> None:
    while True:
        await table.standstill.wait()
        table.standstill.clear()
        halted = table.table.playing.halted
        console.complain(because(console.texts, halted, {}) if halted else console.texts.say(GOES_ON))


GOES_ON = msg("The game goes on.")


NAMES: Final = ("Isotta", "Cosimo", "Bianca", "Tancredi", "Ginevra", "Ruggero", "Fiammetta", "Lapo")
LAST: Final = 2.0
"""Seconds that bots have to give up their seats to the next host."""
HOPELESS: Final = ("storage", "key_missing", "failed", "failed_report", "entry", "game_full")
"""Reasons after which a seat stays empty, whatever the host does."""


class Bots:
    """Bots in seats of a table. `tasks` runs them; each plays until its session ends. `failed` is why the first
    of them had to give up, once one had to; a fault in one breaks the table."""

    def __init__(
        self, profiles: Profiles, table: OpenTable, tasks: asyncio.TaskGroup, out: Path | None, pause: float = 0.0
    ) -> None:
        self.sessions: list[Session] = []
        self.failed: asyncio.Future[Refusal] = asyncio.get_running_loop().create_future()
        self._profiles = profiles
        self._table = table
        self._tasks = tasks
        self._out = out
        self._pause = pause
        self._pool = ThinkingPool()
        self._driving: list[asyncio.Task[None]] = []

    async def seat(self, levels: Sequence[str]) -> None:
        """One bot of each level takes a seat. Raises Refusal, OSError."""
        for level in levels:
            name = NAMES[len(self.sessions) % len(NAMES)]
            session = await self._table.join(name, self._profiles.bot(), out_dir=self._out, bot=True)
            self.play(session, level)

    def play(self, session: Session, level: str) -> None:
        """A bot plays this session's seat."""
        policy = make_policy(level, secrets.token_hex(16))
        if session.table.seat is not None and session.table.lobby[session.table.seat].bot:
            self._table.play_at(session.identity.public, level)
        self.sessions.append(session)
        self._driving.append(
            self._tasks.create_task(self._table.server.mind(partial(self._drive, session, policy)))
        )

    async def ended(self) -> None:
        """Wait until all bots have played to the end of the game."""
        for driving in self._driving:
            await asyncio.wait((driving,))

    async def _drive(self, session: Session, policy: Policy) -> None:
        reason: Refusal | None
        try:
            await drive(session, policy, later=Rejected, pause=self._pause, think=self._pool.choose)
            reason = session.table.reason
        except Rejected as refused:
            if refused.code not in HOPELESS:
                raise
            reason = refused
        if reason is not None and reason.code in HOPELESS and not self.failed.done():
            self.failed.set_result(reason)

    async def give_up(self) -> None:
        """The game is hosted elsewhere and this program ends: let substitute bots of the host play these seats."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST):
                for session in self.sessions:
                    with contextlib.suppress(Refusal):
                        await session.hand_over()

    async def leave(self) -> None:
        """All bots get up."""
        for session in self.sessions:
            await session.leave()
        self._pool.close()


def tell_result(console: Console, session: Session) -> None:
    """Who won, as a session knows it."""
    if session.table.state is not None:
        tell_scores(console, session.table.state, session.table.names, closed=session.table.record_closed)


def tell_scores(console: Console, state: State, names: Sequence[str], *, closed: bool) -> None:
    """Who won, and the points of all players, best first. While the record is not `closed`: the points by seat,
    and that there is no winner."""
    if not state.scores:
        console.say(msg("The game was not finished."))
        return
    if not closed:
        for seat, score in enumerate(state.scores):
            console.line(f"{names[seat]}: {_points(console, score.total)}")
        console.say(NO_WINNER)
        return
    ranked = sorted(
        range(len(state.scores)), key=lambda seat: (seat not in state.winners, -state.scores[seat].total)
    )
    for place, seat in enumerate(ranked, 1):
        console.line(f"{place}. {names[seat]}: {_points(console, state.scores[seat].total)}")


def _points(console: Console, count: int) -> str:
    return console.texts.plural("{count} point", "{count} points", count)


def tell_transcripts(console: Console, sessions: Sequence[Session]) -> None:
    """Where the transcripts are."""
    for session in sessions:
        if session.table.transcript is not None:
            console.say(msg("Transcript: {path}"), path=session.table.transcript)


LOOPBACK: Final = "127.0.0.1"
LOOK: Final = 0.3
"""Seconds between two looks at what the owner has changed."""
LAST_WORDS: Final = 2.0
"""Seconds that everybody has to fetch the end of a game before the next table takes over."""
ALONE: Final = Timing(sealed=0.0, noise=0.0)
"""At a table on this machine alone nobody watches, and nobody hides anything by the time it takes."""


class Hosted:
    """A table being served. `me` is the session of its person; `table` and `bots` are there once it is open."""

    table: OpenTable
    bots: Bots

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.me: Session | None = None
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open it and seat everybody. Raises Refusal, OSError."""
        # kept: the table's own, until `close` has waited for it; `open` and `over` raise what it raises.
        self._task = asyncio.get_running_loop().create_task(self._run())
        await asyncio.shield(self._opened)

    async def over(self) -> None:
        """Wait until the game is over and everybody has all of it. Raises what ended the table before that, or
        why one of its bots cannot go on: Turned, OSError."""
        assert self._task is not None
        failed = self.bots.failed
        over = asyncio.get_running_loop().create_task(self._over())  # kept: awaited when it is done
        try:
            await asyncio.wait((over, self._task, failed), return_when=asyncio.FIRST_COMPLETED)
            if over.done():
                return await over
            if failed.done():
                raise failed.result()
            await self._task
        finally:
            over.cancel()

    async def _over(self) -> None:
        """Wait for the end of the game; after a handover, until this program's bots have played it to the end."""
        await self.table.over()
        if self.handed:
            await self.bots.ended()

    @property
    def handed(self) -> bool:
        """Whether another player's program hosts the game now."""
        return self._opened.done() and self.table.table.handing.handed

    async def wanted_again(self, *, drawn: bool) -> Wanted:
        """The next table for the people of this one: what it plays, its code, their seats, in the same order or
        drawn anew. Whoever has lost the connection before the end of the game has some time to fetch it: then this
        one lets nobody in any more, since the next one has its port; when that is open they are told of it, and
        this one closes."""
        await self._serve_the_rest()
        await self.table.server.free_port()
        lobby, wanted = self.table.table.lobby, self.wanted
        people = [(place.key, place.name) for place in lobby.places if not place.bot]
        if drawn:
            people = self._drawn_seats(people)
        level = wanted.levels[-1] if wanted.levels else DEFAULT_LEVEL
        return replace(
            wanted,
            settings=lobby.settings,
            levels=(level,) * lobby.settings.bots,
            port=None,
            before=self.table.port if wanted.network else None,
            resume=None,
            received=False,
            admission=self.table.admission,
            people=tuple(people) if wanted.network else (),
            once_open=self._make_way,
        )

    def _drawn_seats(self, people: list[tuple[bytes, str]]) -> list[tuple[bytes, str]]:
        """The people in the order that the seed of this game gives, so that anyone can check it."""
        game = self.table.table.game
        seed = game.host_log.seed() if game is not None else None
        if seed is None:
            return people
        names = dict(people)
        return [(key, names[key]) for key in rematch_seats(seed, names)]

    async def _make_way(self, at: OpenTable) -> None:
        """The table at which it goes on is open: send everybody there."""
        self.table.play_again(at)
        await self._serve_the_rest()
        await self.close()

    async def _serve_the_rest(self) -> None:
        """Whoever comes back in time gets the end of the game; the others may ask for it later."""
        with contextlib.suppress(TimeoutError, Refusal, OSError):
            async with asyncio.timeout(LAST_WORDS):
                await self.over()

    def fail(self) -> None:
        """This program ends by a fault: players are sent that, and the journal is kept, also in the lobby."""
        if self._opened.done() and not self._opened.cancelled() and self._opened.exception() is None:
            self.table.table.fail(Refusal("failed"))

    async def close(self) -> None:
        """Everybody gets up and the table is gone."""
        self._closing.set()
        if self._task is not None:
            await asyncio.wait((self._task,))
            self._task.exception()  # whoever plays has been told by the session

    async def _run(self) -> None:
        try:
            await self._serve()
        except asyncio.CancelledError:
            self._opened.cancel()
            raise
        except BaseException as error:
            failure = _first(error)
            if self._opened.done():
                raise failure from None
            self._opened.set_exception(failure)

    async def _serve(self) -> None:
        wanted = self.wanted
        if wanted.resume is not None and wanted.network and not wanted.received:
            await check_alone(wanted.resume)
        with closing(Profiles(wanted.data)) as profiles:
            async with (
                open_table(
                    wanted.settings,
                    wanted.data,
                    host=None if wanted.network else LOOPBACK,
                    port=wanted.port if wanted.network else 0,
                    before=wanted.before,
                    resume=wanted.resume,
                    announce=wanted.announce if wanted.network else None,
                    title=wanted.title,
                    unattended=wanted.name is None,
                    timing=Timing(clock=wanted.clock) if wanted.network else ALONE,
                    code=wanted.code if wanted.network else None,
                    admission=wanted.admission,
                    people=wanted.people,
                    report=partial(write_report, "host"),
                    takeover=wanted.takeover,
                ) as self.table,
                asyncio.TaskGroup() as tasks,
            ):
                keep_loaded()
                if wanted.once_open is not None:
                    await wanted.once_open(self.table)
                self.bots = Bots(profiles, self.table, tasks, wanted.out, wanted.pause)
                filling = tasks.create_task(self.table.server.mind(self._fill_seats))
                try:
                    async with wanted.web.at(self.table) if wanted.web is not None else contextlib.nullcontext():
                        if not wanted.received and not self.table.table.handing.stops:
                            await (self._take_up(profiles) if wanted.resume else self._seat(profiles))
                        self._opened.set_result(None)
                        await self._closing.wait()
                        await self.table.close()  # before anyone of this program leaves, and guests' browsers
                finally:
                    filling.cancel()
                    if self.handed:
                        await self.bots.give_up()
                    if self.me is not None:
                        await self.me.leave()
                    await self.bots.leave()

    async def _seat(self, profiles: Profiles) -> None:
        """The person and the bots of a new table."""
        wanted = self.wanted
        if wanted.name is not None:
            self.me = await self.table.join(wanted.name, profiles.person(), out_dir=wanted.out, heir=wanted.heir)
        await self.bots.seat(wanted.levels)
        if wanted.begin and self.me is not None:
            await self.me.start()

    async def _fill_seats(self) -> None:
        """Bots for the seats that the owner gives to bots while the table waits."""
        await asyncio.shield(self._opened)
        level = self.wanted.levels[-1] if self.wanted.levels else DEFAULT_LEVEL
        while self.table.table.game is None:
            lobby = self.table.table.lobby
            seated = sum(place.bot and place.key in lobby.own for place in lobby.places)
            with contextlib.suppress(Refusal):  # somebody may have taken the seat, or the game begun
                await self.bots.seat((level,) * (lobby.settings.bots - seated))
            await asyncio.sleep(LOOK)

    async def _take_up(self, profiles: Profiles) -> None:
        """Those who sat here before come back to their seats, found by their keys."""
        wanted = self.wanted
        places = self.table.table.lobby.places
        own = self.table.table.lobby.own or {place.key for place in places}
        names = {place.key: place.name for place in places}
        bots = {place.key for place in places if place.bot and place.key in own}
        for home in profiles.known():
            key = _public(home)
            if key not in own or not profiles.claim(home):
                continue
            if key in bots:
                session = await self.table.join(names[key], home, out_dir=wanted.out, bot=True)
                self.bots.play(session, self.table.levels.get(key, DEFAULT_LEVEL))
            elif wanted.name is not None and self.me is None:
                self.me = await self.table.join(
                    names.get(key, wanted.name), home, out_dir=wanted.out, heir=wanted.heir
                )


def _public(home: Path) -> bytes:
    try:
        return Identity.load_or_create(home / "identity.key").public
    except (BadKey, OSError):
        return b""


def _first(error: BaseException) -> BaseException:
    """The error itself, or the first of those that ended several tasks."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
