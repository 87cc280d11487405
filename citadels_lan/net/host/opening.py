"""Opening a table in this process: everything around a server, for the command line and for tests.

async with open_table(Settings(from_scenario("first_game", 5)), data_dir) as table:
    session = await table.join("Anna", data_dir)      # the owner: the host's own person, over loopback
    await table.over()

With `code=""` the table has a door that asks for a code: `table.door.words`, `.token`, `.guessed`, `.renew()`.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.claims import endorse
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import Endorsement, Open, SeatKind, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import TableConfig
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.succession import MakeHeir
from citadels_lan.net.discovery.announcing import announce as tell_network
from citadels_lan.net.discovery.found import Address, Advert
from citadels_lan.net.join.door import Door
from citadels_lan.net.join.handshake import Versions
from citadels_lan.net.wire.certificates import make_certificate
from citadels_lan.net.wire.clean import clean, clean_name
from citadels_lan.net.wire.errors import Refusal, Report, check_room, no_report, no_room, note
from citadels_lan.net.wire.messages import Again, Settings
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import Certificate, host_context

from .bans import Admission, Bans
from .game import HostedGame, Keep
from .journal import REMOVED, Content, HandedRecord, Journal, LobbyRecord, SeatRecord, TableRecord
from .listening import listen
from .lobby import Core, Lobby, TakenSeat
from .server import Server
from .substitutes import Takeover
from .table import HostTable

MOVING: Final = 3.0
"""Seconds that clients have to come from the host before."""


class OpenTable:
    """A table that is being served. `port` is where, `fp` what it is known by; `door` has the code, `levels`
    those of the host's bots by key.

    `mind` does something for the table: where that breaks the table ends, and everybody hears why.
    `free_port` lets nobody in any more, so that the next table can have the port.
    `changed` is set when what is announced is different, and when somebody guesses the code or there is a new one;
    `door_changed` for the door alone, `standstill` when the game stands still or goes on (`table.halted`). Whoever
    waits for that clears it. `unannounced` is set, for good, once the network cannot be told of a table that is to
    be announced: friends need its address or its link.
    """

    def __init__(
        self,
        server: Server,
        table: HostTable,
        port: int,
        journals: list[Journal],
        timing: Timing,
        title: str,
        door: Door,
    ) -> None:
        self.mind = server.mind
        self.free_port = server.free_port
        self.table = table
        self.door = door
        self.title = title
        self.fp = table.core.fp
        self.port = port
        self.levels: dict[bytes, str] = {}
        self.host = "127.0.0.1"
        self.changed = asyncio.Event()
        self.door_changed = asyncio.Event()
        self.unannounced = asyncio.Event()
        self._journals = journals
        self._timing = timing
        self.standstill = asyncio.Event()
        self._halted = ""
        self._over = asyncio.Event()
        self._said = self._in_short()
        self._token = door.token
        table.changed = self._look
        door.changed = self._look_at_door

    @property
    def game_id(self) -> bytes:
        """What the table is known by; another one after a start that was called off."""
        return self.table.core.game

    @property
    def journal(self) -> Path:
        """The file to resume the table from."""
        return self._journals[-1].path

    def play_at(self, key: bytes, level: str) -> None:
        """A bot of the host's plays at this level, also after the table has come back."""
        self.levels[key] = level
        self.note()

    def continue_in(self, journal: Journal) -> None:
        """Close and remove the journal of a start that was called off, and write into this one."""
        self._journals[-1].close(remove=True)
        self._journals.append(journal)

    def append(self, written: Written) -> None:
        """Write an entry into the journal. Raises OSError."""
        self._journals[-1].append(written)

    @property
    def admission(self) -> Admission:
        """The door and the bans, for the next table of this session."""
        return Admission(self.door, self.table.lobby.bans)

    def note(self) -> None:
        """Write down what is open about the table, where that has changed; a full disk gets it the next time."""
        with contextlib.suppress(OSError):
            self._journals[-1].note(self.record())

    def record(self) -> LobbyRecord:
        """What the journal keeps of the lobby and the door."""
        return open_record(self.table.lobby, self.door, self.levels)

    def hand(self, record: HandedRecord) -> None:
        """Write where the next host listens. Raises OSError."""
        self._journals[-1].hand(record)

    def _look_at_door(self) -> None:
        if self.door.token != self._token:  # a new code: the owner may give it to a removed player
            self._token = self.door.token
            self.table.lobby.bans.removed.clear()
        self.note()
        self.changed.set()
        self.door_changed.set()

    def _look(self) -> None:
        self.note()
        if self.table.over:
            self._over.set()
        if self.table.halted != self._halted:
            self._halted = self.table.halted
            self.standstill.set()
        if self._in_short() != self._said:
            self._said = self._in_short()
            self.changed.set()

    def _in_short(self) -> tuple[bytes, int, TableConfig, str]:
        game, lobby = self.table.game, self.table.lobby
        handed = self.table.handing.handed
        over = (game is not None and game.closed) or (handed is not None and handed.serves)
        state = "lobby" if game is None else "over" if over else "playing"
        return self.game_id, len(lobby.places), lobby.settings.config, state

    def advert(self) -> Advert:
        """What is announced of this table; `changed` is set when it changes."""
        game_id, taken, config, state = self._in_short()
        places = self.table.lobby.places
        owner = next((place.name for place in places if place.key == self.table.lobby.owner), "")
        return Advert(game_id, self.title or owner, taken, config.players, state, config.edition, self.fp)

    def told(self, works: bool) -> None:
        """Whether the announcement works has been found out."""
        if not works:
            self.unannounced.set()

    def link(self, host: str) -> str:
        """The link for friends who reach this machine as `host`; it lets in without the words."""
        return self.door.link(host, self.port)

    @property
    def address(self) -> Address:
        """Where this machine's own sessions connect."""
        return (self.host, self.port)

    def invite(self, key: bytes) -> None:
        """Let a public key be one of the host's own: its person is the owner, its bots take the bots' seats."""
        self.table.lobby.own.add(key)

    async def join(
        self,
        name: str,
        data_dir: Path,
        *,
        out_dir: Path | None = None,
        bot: bool = False,
        heir: MakeHeir | None = None,
    ) -> Session:
        """A session of the host's own at this table: its person, or a bot. `heir` as for `Session.join`. Raises
        Refusal."""
        self.invite(Identity.load_or_create(data_dir / "identity.key").public)
        return await Session.join(
            self.address,
            data_dir=data_dir,
            out_dir=out_dir,
            name=name,
            kind=SeatKind.BOT if bot else SeatKind.HOST,
            timing=self._timing,
            report=self.table.report,
            heir=heir,
        )

    async def hand_to(self, name: str) -> None:
        """Hand the game over to the player with this name. Raises Refusal: this program is still the host."""
        names = [place.name.casefold() for place in self.table.lobby.places]
        if name.casefold() not in names:
            raise Refusal("no_player", name=clean_name(name))
        await self.table.handing.hand_over(names.index(name.casefold()))

    def play_again(self, at: "OpenTable") -> None:
        """After the game: tell everybody that it goes on at another table of this machine."""
        self.table.play_again(Again(at.port, at.game_id, at.fp))

    async def close(self) -> None:
        """The host closes the table: tell every viewer at once, and let no one join any more."""
        await self.free_port()
        self.table.close()

    async def over(self) -> None:
        """Wait until the game is closed and everyone who is connected has all of it, or until another player's
        program hosts it."""
        await self._over.wait()


@contextlib.asynccontextmanager
async def open_table(
    settings: Settings,
    data_dir: Path,
    *,
    host: str | None = None,
    port: int | None = None,
    before: int | None = None,
    timing: Timing | None = None,
    resume: Path | None = None,
    announce: bool | None = None,
    title: str = "",
    loopback: bool = False,
    unattended: bool = False,
    code: str | None = None,
    admission: Admission | None = None,
    people: Sequence[tuple[bytes, str]] = (),
    report: Report = no_report,
    takeover: Takeover | None = None,
) -> AsyncIterator[OpenTable]:
    """Serve a table while the context lasts. `host` is the address to listen on, None for all; `port` None is the
    usual port or a free one; `before` is the port of the last table of the same people, taken where it is free.
    `resume` is the journal of a game to go on with; its settings count then, and its port if it is free.
    `announce` tells the network, under `title` or else
    the owner's name; False tells only who knows the game already, None nobody; `loopback`: on this machine alone.
    `unattended`: the game begins by itself once all seats are taken and all are ready. `code` None lets in whoever
    reaches the port; "" makes a code, other words are the code. `admission` is that of this session's last table:
    it counts, and `code` does not. `people` are keys with names for whom a new table keeps seats, in this order;
    they need no code. `report` writes down faults of this program. `takeover` says when bots move for players who
    are gone; None: never.

    Raises Refusal: settings that cannot be played, `bad_code`, `no_room` where there is none for a game, what
    `Journal.resume` says of one that cannot be resumed, `failed` or `failed_report` where this program has made a
    mistake; OSError where it cannot listen.
    """
    timing = timing or Timing()
    admission = admission or Admission(Door.of(code), Bans())
    door, bans = admission.door, admission.bans
    journals: list[Journal] = []
    table: HostTable | None = None

    def close_journal() -> None:
        """Close the last journal; that of a new table stays once its game has begun."""
        begun = table is None or table.game is not None or table.failed
        for last in journals[-1:]:
            last.close(remove=not begun and (resume is None or len(journals) > 1))

    with contextlib.ExitStack() as stack:
        stack.callback(close_journal)
        if resume is not None:
            journal, content = Journal.resume(resume)
            journals.append(journal)
            record = content.table
            if not code and content.lobby is not None:
                door = Door.again(content.lobby.words, content.lobby.token)
            table = _resumed(journal, content, timing, report, takeover)
            sockets = _again(host, port, record.port)
            levels = dict(content.lobby.levels) if content.lobby is not None else {}
        else:
            lobby, levels = Lobby(settings, bans), dict[bytes, str]()
            lobby.keep(people)
            check_room(data_dir / "tables")
            sockets = _again(host, port, before)
            record = _new_record(sockets)
            core = _core(record, _endorsed(record, data_dir))
            journal = _new_journal(data_dir, record, open_record(lobby, door, levels))
            journals.append(journal)
            table = HostTable(core, lobby, journal.append, timing, report, takeover)
        for listening in sockets:
            stack.callback(listening.close)
        table.unattended = unattended
        server = Server(table, host_context(_certificate(record)), Versions(), timing, door)
        opened = OpenTable(server, table, sockets[0].getsockname()[1], journals, timing, clean_name(title), door)
        opened.levels = levels
        table.handing.record, table.handing.note = opened.record, opened.hand
        table.handing.announce = bool(announce)
        table.renew = lambda: renewed(opened, record, data_dir)
        if host is not None and host not in ("0.0.0.0", "::"):
            opened.host = host
        async with _beside(server.run(sockets)):
            if announce is None:
                yield opened
                return
            async with _beside(_announce(opened, report, quiet=not announce, loopback=loopback)):
                yield opened


def renewed(opened: OpenTable, record: TableRecord, data_dir: Path) -> tuple[Core, Keep]:
    """Another game id and secret for the same table, and a journal for them: the last start was called off. Raises
    Refusal: `no_room`, `bad_key`."""
    record = replace(record, game=os.urandom(16), secret=os.urandom(32))
    core = _core(record, _endorsed(record, data_dir))
    lobby = open_record(opened.table.lobby, opened.door, opened.levels)
    opened.continue_in(_new_journal(data_dir, record, lobby))
    return core, opened.append


async def _announce(opened: OpenTable, report: Report, *, quiet: bool, loopback: bool) -> None:
    """Tell the network. A mistake of ours in that takes nobody's game away: friends can still type the address."""
    try:
        await tell_network(opened.port, opened.advert, opened.changed, opened.told, quiet=quiet, loopback=loopback)
    except Exception as fault:
        note(report, "the table is not announced any more", fault)


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Something that goes on beside the body of the context. If it cannot, the body is cancelled and the context
    raises what it raised. (A TaskGroup would wrap whatever the body raises.)"""
    body = asyncio.current_task()
    assert body is not None
    task = asyncio.get_running_loop().create_task(work)  # kept: what it raises is raised below

    def stop(done: asyncio.Task[None]) -> None:
        if _broken(done):
            body.cancel()

    task.add_done_callback(stop)
    try:
        yield
    except asyncio.CancelledError:
        if not _broken(task):
            raise
        body.uncancel()
    finally:
        task.remove_done_callback(stop)
        task.cancel()
        await asyncio.wait([task])
    if (reason := _broken(task)) is not None:
        raise reason


def _broken(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None


def _again(host: str | None, port: int | None, before: int | None) -> list[socket.socket]:
    """The port of before, so that the others find back; any other if that is taken now."""
    if port is not None or before is None:
        return listen(host, port)
    try:
        return listen(host, before)
    except OSError:
        return listen(host, None)


def _new_journal(data_dir: Path, record: TableRecord, lobby: LobbyRecord) -> Journal:
    """Raises Refusal: `no_room`."""
    path = data_dir / "tables" / f"{record.game.hex()}.journal"
    try:
        return Journal.create(path, record, lobby)
    except OSError:
        raise no_room(path.parent) from None


def open_record(lobby: Lobby, door: Door, levels: Mapping[bytes, str]) -> LobbyRecord:
    """What the journal keeps of an open table."""
    places = tuple(SeatRecord(each.key, each.name, each.kind, each.ready, each.claim) for each in lobby.places)
    own, removed = tuple(sorted(lobby.own)), tuple(sorted(lobby.bans.removed)[:REMOVED])
    open_to = (tuple(sorted(levels.items())), door.words, door.token, removed)
    return LobbyRecord(lobby.settings, places, own, *open_to, tuple(lobby.called_off))


def _resumed(
    journal: Journal, content: Content, timing: Timing, report: Report, takeover: Takeover | None
) -> HostTable:
    record, kept = content.table, content.lobby or LobbyRecord(Settings())
    lobby = Lobby(kept.settings)
    lobby.own = set(kept.own)
    lobby.bans.removed.update(kept.removed)
    lobby.called_off = list(kept.called_off)
    lobby.places = [
        TakenSeat(place.key, place.name, place.kind, place.ready, True, place.claim) for place in kept.places
    ]
    table = HostTable(_core(record), lobby, journal.append, timing, report, takeover)
    try:
        if content.entries:
            _check_resumed(record, content.entries, journal.path)
            game = HostedGame.restore(content.entries, record.secret, table.core.host, journal.append)
            _check_handed(table, game, content, journal.path)
            received = game.host_log.signs and game.host_log.audit.hosts.now.first > game.n > 0
            if received and (state := kept.state) is not None:  # this program has just taken the game over
                now = asyncio.get_running_loop().time()
                table.audience.quiet_until = now + MOVING
                table.playing.pace.continue_from(state.clock, state.gone, now, paused=state.paused)
            table.resume(game, received=received)
    except (Malformed, Mismatch) as fault:
        # Records that are whole and contradict each other: the game cannot continue from there.
        at = content.records[fault.n - 1] if isinstance(fault, Mismatch) else content.records[0]
        raise Refusal("journal_damaged", path=str(journal.path), record=at) from None
    return table


def _check_resumed(record: TableRecord, entries: Sequence[Written], path: Path) -> None:
    """That the first entry is of this version, and of the host whose secrets the journal has."""
    first = decode_entry(entries[0].public)
    if not isinstance(first, Open):
        raise Malformed("the log does not begin with a table")
    header = first.header
    if header.rules != RULES.get(header.edition):
        rules = header.rules.hex()[:8]
        raise Refusal("journal_rules", path=str(path), program=clean(header.program, 64), rules=rules)
    own = (record.game, host_commitment(record.game, record.secret))
    if (header.game_id, header.hostcommit) != own or not _certificate(record).usable:
        raise Malformed("the table's secrets are of another game")


def _check_handed(table: HostTable, game: HostedGame, content: Content, path: Path) -> None:
    """Whether this host may continue the game: another one may have it. Raises Malformed, or Refusal:
    `not_handed`, and `handed` if the next host serves the game."""
    now, state = game.host_log.audit.hosts.now, content.state
    if state == "not_handed":
        raise Refusal("not_handed", path=str(path))
    if state == "own" and now.fp != table.core.fp:
        raise Malformed("the table's secrets are of another game")
    if state == "handed" and (content.handed is None or content.handed.serves):
        raise Refusal("handed", name=game.host_log.header.players[now.seat or 0].name, n=now.first - 1)
    if state == "handed":
        table.handing.handed = content.handed


def _certificate(record: TableRecord) -> Certificate:
    return Certificate(record.certificate, record.key)


def _core(record: TableRecord, endorsement: Endorsement | None = None) -> Core:
    return Core(record.game, record.secret, Identity(record.host), _certificate(record).fp, endorsement)


def _endorsed(record: TableRecord, data_dir: Path) -> Endorsement:
    """The word of the person who runs this host. Raises Refusal: `bad_key`; OSError where there can be no key."""
    try:
        identity = Identity.load_or_create(data_dir / "identity.key")
    except BadKey:
        raise Refusal("bad_key") from None
    return endorse(identity, record.game, _certificate(record).fp, Identity(record.host).public)


def _new_record(sockets: Sequence[socket.socket]) -> TableRecord:
    certificate = make_certificate()
    port = sockets[0].getsockname()[1]
    return TableRecord(os.urandom(16), os.urandom(32), os.urandom(32), certificate.der, certificate.key, port)
