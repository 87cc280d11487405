"""A game that this program hosts: its table, its bots, and its substitute bots."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from citadels_lan.bots import LEVELS, SUBSTITUTES, make_policy
from citadels_lan.bots.pauses import NO_PAUSES, Pauses
from citadels_lan.bots.policy import Policy, tell
from citadels_lan.bots.thinking import ThinkingPool, Unhurried
from citadels_lan.cli.console import write_report
from citadels_lan.cli.game_config import DEFAULT_LEVEL
from citadels_lan.cli.preferences import Profiles
from citadels_lan.crypto.seed import rematch_seats
from citadels_lan.engine import Action, Choice, State
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.succession import MakeHeir
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.net.host.opening import OpenTable, check_alone, open_table
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from citadels_lan.platform.system import keep_loaded

if TYPE_CHECKING:
    from citadels_lan.net.host.journal import TableState
    from citadels_lan.web.beside import WebGuests

Think: TypeAlias = Callable[[Policy, State, int, Sequence[Choice]], Awaitable[Action]]
PATIENCE: Final = 100
"""After this many rejected moves in a row, the bot raises the error."""


def turn_key(state: State) -> tuple[object, ...]:
    """Return a value that identifies the current turn: it differs from turn to turn. () between turns."""
    turn = state.turn
    return () if turn is None else (state.round, state.calls, turn.seat, turn.character)


def _pass_on(session: Session, policy: Policy, known: State | None, update: Update) -> State | None:
    """Pass the events of `update` to a bot that remembers events, in order and each once. `known` is the
    bot's view before the update (None at the first call); return its view after the update."""
    if policy.ignores_events or not isinstance(update, Happened):
        return known
    past = () if known is not None else session.past
    known = session.table.beginning if known is None else known
    for happened in (*past, update):
        if known is not None and isinstance(happened, Happened):
            known = tell(policy, known, happened.events)
    return known


async def in_a_thread(policy: Policy, view: State, seat: int, choices: Sequence[Choice]) -> Action:
    """Return the choice of a plug-in bot, computed in a thread because the plug-in may be slow. The plug-in
    keeps its memory in this process. If it fails, return the choice of a heuristic bot, so that the game
    continues."""
    from citadels_lan.bots.arena.plugins import PluginFault
    from citadels_lan.bots.heuristics.policies import SensiblePolicy

    try:
        return await asyncio.to_thread(policy.choose, view, seat, choices)
    except PluginFault as fault:
        logging.getLogger(__name__).warning("the plug-in bot %s failed (%s)", fault.plugin, fault.code)
        return SensiblePolicy(view.tick).choose(view, seat, choices)


async def drive(
    session: Session, policy: Policy, *, pauses: Pauses = NO_PAUSES, think: Think | None = None
) -> None:
    """Play a seat until its session has no more updates. `think` computes the bot's choice elsewhere (in a
    thread or process); None: in the event loop, which is blocked meanwhile.

    If a move is rejected, such as after a lost connection, the bot waits for the next update.
    """
    refusals, known = 0, None
    turn: tuple[object, ...] = ()
    async for update in session.updates():
        known = _pass_on(session, policy, known, update)
        table = session.table
        if table.choices and table.state is not None and table.seat is not None:
            before, turn = turn, turn_key(table.state)
            await pauses.wait(table.state, table.seat, begins=turn != before)
        table = session.table
        view, seat, choices = table.state, table.seat, table.choices
        if view is None or seat is None or not choices:
            continue
        if not policy.ignores_events and (known is None or known.tick < view.tick):
            continue  # The view contains events that the bot has not received.
        action = await think(policy, view, seat, choices) if think else policy.choose(view, seat, choices)
        now = session.table.state
        if now is None or now.tick != view.tick:
            # The table has changed while the bot was thinking, and an update about that follows.
            continue
        try:
            await session.act(action)
            refusals = 0
        except Rejected:
            refusals += 1
            if refusals > PATIENCE:
                raise


HEADLESS: Final = 60
"""Seconds before a substitute bot moves for an absent player at a host without a player, where no one can be
asked."""
POOL: Final = ThinkingPool()
"""The processes of the substitute bots of all games; they end with the program."""
NAMES: Final = ("Isotta", "Cosimo", "Bianca", "Tancredi", "Ginevra", "Ruggero", "Fiammetta", "Lapo")
HOPELESS: Final = ("storage", "key_missing", "failed", "failed_report", "entry", "game_full")
"""Codes of errors after which a bot's seat stays empty, because the host cannot fix the cause."""
LOOPBACK: Final = "127.0.0.1"
LOOK: Final = 0.3
"""Seconds between two checks of the settings that the host can change."""
LAST: Final = 2.0
"""Seconds that clients get to receive the end of a game, and that bots get to leave their seats to the next
host."""
ALONE: Final = Timing(sealed=0.0, noise=0.0)
"""The timing of a game on this computer alone, in which no one observes how long an answer takes."""


@dataclass(frozen=True)
class HostOptions:
    """A game to host. `levels` has one level for each bot, `name` is the player at the host. If `name` is
    None, the host does not play, and the game begins by itself when all seats are taken.

    `announce`: announce it on the network, under `title` or else the name; otherwise only players who know
    the game find it. If `port` is None, the default port is used; `before` is the port of the last game of
    the same people. `resume` is the journal of a game to continue; `received`: the previous host has just
    handed that game over to this program. `pauses` are those of the bots. `begin`: begin the game at once,
    because all seats are taken. `renamed`: the player has asked for `name`, which then replaces the one in
    the lobby of `resume`. `code` is the join code, as `open_table` takes it. `admission` has the join code,
    the bans and the wrong codes of the last game, for a rematch. `people` are keys and names for which seats
    are reserved. `once_open` is called before any session of this program joins. `heir` makes the object that
    receives games from other hosts. `takeover` says when substitute bots move for absent players; None:
    never. `clock` is the decision time in seconds; 0 for none. `web` lets guests join with a browser.
    """

    settings: Settings
    levels: tuple[str, ...]
    name: str | None
    data: Path
    out: Path
    network: bool = True
    announce: bool = True
    title: str = ""
    port: int | None = None
    before: int | None = None
    resume: Path | None = None
    pauses: Pauses = field(default_factory=Pauses)
    begin: bool = False
    code: str | None = field(default="", repr=False)
    admission: JoinCode | None = None
    takeover: Takeover | None = None
    clock: int = 0
    people: tuple[tuple[bytes, str], ...] = ()
    web: "WebGuests | None" = None
    received: bool = False
    heir: MakeHeir | None = None
    renamed: bool = False
    once_open: Callable[[OpenTable], Awaitable[None]] | None = None

    @property
    def level(self) -> str:
        """The level of a bot that is added later: that of the last bot, or else the default."""
        return self.levels[-1] if self.levels else DEFAULT_LEVEL


def takeover_of(when: int | str | None, level: str, *, headless: bool) -> Takeover | None:
    """Return when substitute bots of `level` play for absent players. `when` is the value of `--takeover`: a
    number of seconds; "ask" (the host decides); "never"; None for the default, which is HEADLESS seconds at a
    `headless` host and otherwise "ask". Return None for "never"."""
    if when == "never":
        return None
    if when is None and headless:
        when = HEADLESS
    return Takeover(make, when if isinstance(when, int) else None, level)


def received_takeover(state: "TableState | None") -> Takeover | None:
    """Return when substitute bots play for absent players in a game that another host handed over to this
    program. `state` has the setting of the previous host; if `state` is None, return the default. Return None
    if this program has no substitute bots of the level in `state`."""
    if state is None:
        return Takeover(make)
    return Takeover(make, state.takeover, state.level) if state.level in SUBSTITUTES else None


def make(level: str) -> Unhurried:
    """Return a substitute bot of a level, with a random seed. Raises KeyError for an unknown level."""
    return Unhurried(SUBSTITUTES[level](secrets.token_hex(16)), POOL)


class Hosted:
    """A game that this program serves. `me` is the session of the player at this computer, `bots` are the
    sessions of the bots. `table` exists after `open`. `failed` gets the error of the first bot that fails."""

    table: OpenTable

    def __init__(self, options: HostOptions) -> None:
        loop = asyncio.get_running_loop()
        self.options = options
        self.me: Session | None = None
        self.bots: list[Session] = []
        self.failed: asyncio.Future[Refusal] = loop.create_future()
        self._profiles = Profiles(options.data)
        self._pool = ThinkingPool()
        self._tasks = asyncio.TaskGroup()
        self._playing: list[asyncio.Task[None]] = []
        self._opened: asyncio.Future[None] = loop.create_future()
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the table and let the player and the bots join. Raises Refusal, OSError."""
        # kept: the table's own, until `close` has waited for it; `open` and `over` raise what it raises.
        self._task = asyncio.get_running_loop().create_task(self._run())
        # A caller that is cancelled must not cancel the table, which `close` awaits.
        await asyncio.shield(self._opened)

    async def over(self) -> None:
        """Wait until the game is over and all clients have received it. Raises Refusal or OSError if the
        table closed before the game was over, or if a bot cannot continue."""
        assert self._task is not None
        over = asyncio.get_running_loop().create_task(self._over())  # kept: awaited when it is done
        try:
            await asyncio.wait((over, self._task, self.failed), return_when=asyncio.FIRST_COMPLETED)
            if over.done():
                return await over
            if self.failed.done():
                raise self.failed.result()
            await self._task
        finally:
            over.cancel()

    async def _over(self) -> None:
        """Wait for the end of the game. If the game was handed over, also wait until the bots of this program
        have played it to its end."""
        await self.table.over()
        if self.handed:
            for playing in self._playing:
                await asyncio.wait((playing,))

    @property
    def handed(self) -> bool:
        """Whether another player's program hosts the game now."""
        return self._opened.done() and self.table.table.handover.handed

    @property
    def second(self) -> bool:
        """Whether the player's key is in use by another program on this computer."""
        return self.options.resume is None and self._profiles.second

    async def rematch(self, *, drawn: bool) -> HostOptions:
        """Return the options of the next game for the same people: same settings, same code, and the same
        seats, or seats drawn by lot if `drawn`.

        Clients that lost the connection before the end of the game get some time to receive it. Then this
        table stops listening, because the next table needs its port. This table closes when the next one is
        open.
        """
        await self._serve_the_end()
        await self.table.server.free_port()
        lobby = self.table.table.lobby
        people = [(place.key, place.name) for place in lobby.places if not place.bot]
        own = "" if self.me is None or self.options.renamed else dict(people).get(self.me.identity.public, "")
        return replace(
            self.options,
            name=own or self.options.name,  # a resumed game was joined under the name in its journal
            settings=lobby.settings,
            levels=(self.options.level,) * lobby.settings.bots,
            port=None,
            before=self.table.port if self.options.network else None,
            resume=None,
            received=False,
            admission=self.table.join_code,
            people=tuple(self._drawn_seats(people) if drawn else people) if self.options.network else (),
            once_open=self._make_way,
        )

    def _drawn_seats(self, people: list[tuple[bytes, str]]) -> list[tuple[bytes, str]]:
        """Return `people` in a random order, computed from the seed of this game so that every client can
        check it."""
        game = self.table.table.game
        # The seed is known when the record is closed.
        seed = game.host_log.seed() if game is not None else None
        if seed is None:
            return people
        names = dict(people)
        return [(key, names[key]) for key in rematch_seats(seed, names)]

    async def _make_way(self, next_table: OpenTable) -> None:
        """Send all clients to `next_table`, the table of the next game, and close this table."""
        self.table.play_again(next_table)
        await self._serve_the_end()
        await self.close()

    async def _serve_the_end(self) -> None:
        with contextlib.suppress(TimeoutError, Refusal, OSError):
            async with asyncio.timeout(LAST):
                await self.over()

    def fail(self) -> None:
        """End the table because of an internal error: inform the players, and keep the journal."""
        if self._opened.done() and not self._opened.cancelled() and self._opened.exception() is None:
            self.table.table.fail(Refusal("failed"))

    async def close(self) -> None:
        """Close the table; all sessions of this program leave."""
        self._closing.set()
        if self._task is not None:
            await asyncio.wait((self._task,))
            self._task.exception()  # The session has shown it to the player.

    async def _run(self) -> None:
        try:
            await self._serve()
        except asyncio.CancelledError:
            self._opened.cancel()
            raise
        except BaseException as error:
            first = error
            while isinstance(first, BaseExceptionGroup):  # The first of those that ended several tasks.
                first = first.exceptions[0]
            if self._opened.done():
                raise first from None
            self._opened.set_exception(first)

    async def _serve(self) -> None:
        options = self.options
        if options.resume is not None and options.network and not options.received:
            # The same table may be open on another computer, with a copy of the journal.
            await check_alone(options.resume)
        with closing(self._profiles), closing(self._pool):
            async with self._open_table() as self.table, self._tasks:
                keep_loaded()  # Garbage collection would look through all imports, which pauses the game.
                if options.once_open is not None:
                    await options.once_open(self.table)
                filling = self._tasks.create_task(self.table.server.mind(self._fill_seats))
                guests = options.web.at(self.table) if options.web is not None else contextlib.nullcontext()
                try:
                    async with guests:
                        if not options.received and not self.table.table.handover.stops:
                            await (self._take_seats() if options.resume else self._seat())
                        self._opened.set_result(None)
                        await self._closing.wait()
                        # The table closes before any session here leaves, and before the guests' browsers.
                        await self.table.close()
                finally:
                    filling.cancel()
                    if self.handed:
                        await self._hand_bots_over()
                    for session in filter(None, (self.me, *self.bots)):
                        await session.leave()

    def _open_table(self) -> contextlib.AbstractAsyncContextManager[OpenTable]:
        options, network = self.options, self.options.network
        return open_table(
            options.settings,
            options.data,
            host=None if network else LOOPBACK,
            port=options.port if network else 0,
            before=options.before,
            resume=options.resume,
            announce=options.announce if network else None,
            title=options.title,
            unattended=options.name is None,
            timing=Timing(clock=options.clock) if network else ALONE,
            code=options.code if network else None,
            admission=options.admission,
            people=options.people,
            report=partial(write_report, "host"),
            takeover=options.takeover,
        )

    async def _seat(self) -> None:
        """Let the player and the bots join a new table. (For a resumed table see `_take_seats`.)"""
        options = self.options
        if options.name is not None:
            await self._join(options.name, self._profiles.person())
        await self._seat_bots(options.levels)
        if options.begin and self.me is not None:
            await self.me.start()
            while self.me.table.state is None and self.me.table.reason is None:  # noqa: ASYNC110 - no lobby is shown
                await asyncio.sleep(0.01)

    async def _join(self, name: str, home: Path) -> None:
        self.me = await self.table.join(name, home, out_dir=self.options.out, heir=self.options.heir)

    async def _seat_bots(self, levels: Sequence[str]) -> None:
        """Add one bot for each of `levels`, and let it join. Raises Refusal, OSError."""
        for level in levels:
            await self._join_bot(NAMES[len(self.bots) % len(NAMES)], self._profiles.bot(), level)

    async def _join_bot(self, name: str, home: Path, level: str) -> None:
        self.play(await self.table.join(name, home, out_dir=self.options.out, bot=True), level)

    def play(self, session: Session, level: str) -> None:
        """Let a bot of `level` play the seat of a session, in a task that ends with the session. An error in
        this task ends the table."""
        if session.table.seat is not None and session.table.lobby[session.table.seat].bot:
            self.table.play_at(session.identity.public, level)
        self.bots.append(session)
        policy = make_policy(level, secrets.token_hex(16))
        think = in_a_thread if level in LEVELS.plugins else self._pool.choose
        self._playing.append(
            self._tasks.create_task(self.table.server.mind(partial(self._drive, session, policy, think)))
        )

    async def _drive(self, session: Session, policy: Policy, think: Think) -> None:
        try:
            await drive(session, policy, pauses=self.options.pauses, think=think)
            reason = session.table.reason
        except Rejected as rejected:
            # Any other rejection is an error of the bot, which ends the table.
            if rejected.code not in HOPELESS:
                raise
            reason = rejected
        if reason is not None and reason.code in HOPELESS and not self.failed.done():
            self.failed.set_result(reason)

    async def _hand_bots_over(self) -> None:
        """Let substitute bots of the next host play the seats of this program's bots, because this program
        ends."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST):
                for session in self.bots:
                    with contextlib.suppress(Refusal):
                        await session.hand_over()

    async def _fill_seats(self) -> None:
        """Add bots in the lobby while the host wants more of them than there are."""
        await asyncio.shield(self._opened)
        while self.table.table.game is None:
            lobby = self.table.table.lobby
            seated = sum(place.bot and place.key in lobby.own for place in lobby.places)
            with contextlib.suppress(Refusal):  # A player may have taken the seat, or the game has begun.
                await self._seat_bots((self.options.level,) * (lobby.settings.bots - seated))
            await asyncio.sleep(LOOK)

    async def _take_seats(self) -> None:
        """Let the player and the bots of a resumed table take their seats, found by their keys."""
        lobby, name = self.table.table.lobby, self.options.name
        places = {place.key: place for place in lobby.places}
        own = lobby.own or places.keys()
        for home, key in self._profiles.known():
            if key not in own or not self._profiles.claim(home):
                continue
            place = places.get(key)
            if place is not None and place.bot:
                level = self.table.levels.get(key, DEFAULT_LEVEL)  # It may be that of a plug-in.
                await self._join_bot(place.name, home, level if level in LEVELS else DEFAULT_LEVEL)
            elif name is not None and self.me is None:
                keep = place is not None and not (self.options.renamed and self.table.table.game is None)
                await self._join(place.name if place is not None and keep else name, home)
