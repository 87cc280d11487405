"""Opening a table in this process: everything around a server, for the command line and for tests.

async with open_table(Settings(from_scenario("first_game", 5)), data_dir) as table:
    session = await table.join("Anna", data_dir)      # the owner: the host's own person, over loopback
    await table.over()

With `code=""` the table makes a join code: `table.join_code.words`, `.token`, `.guessed`, `.renew()`.
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
from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import Endorsement, Mismatch, Open, SeatKind, decode_entry
from citadels_lan.crypto.seats import endorse
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.succession import MakeHeir
from citadels_lan.net.discovery.adverts import Address, Advert
from citadels_lan.net.discovery.table_list import announce as tell_network
from citadels_lan.net.discovery.table_list import locate
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal, Report, check_room, no_report, no_room, note
from citadels_lan.net.wire.link import fingerprint_at
from citadels_lan.net.wire.messages import Again, Settings
from citadels_lan.net.wire.timing import Countdown, Timing
from citadels_lan.net.wire.tls import host_context, make_certificate
from citadels_lan.people import clean
from citadels_lan.platform.locks import Lock

from .game import HostedGame
from .journal import REMOVED, Content, Journal, LobbyRecord, SeatRecord, TableRecord, TableState, read, whole
from .listening import listen
from .lobby import Admission, Bans, Core, Lobby, TakenSeat
from .server import Server
from .substitutes import Takeover
from .table import HostTable

PATIENCE: Final = 1.0
"""Seconds to find other programs, and for them to answer."""
MOST: Final = 16
"""Try at most this many addresses: anyone may announce anything."""
MOVING: Final = 3.0
"""Seconds that clients have to come from the host before."""


class OpenTable:
    """A table that is being served. `port` is where, `fp` what it is known by. `join_code` lets in. `levels` are
    those of the host's bots by key, `journal` is the file to resume the table from.

    `changed` is set when what is announced is different, and when a player guesses the code or there is a new
    one; `code_changed` for the code alone, `standstill` when the game stops or continues
    (`table.halted`). The code that waits for it clears it. `unannounced` is set, for good, once a
    table cannot be announced on the network as it should: friends need its address or its link.
    """

    def __init__(
        self, server: Server, journal: Journal, port: int, timing: Timing, title: str, join_code: JoinCode
    ) -> None:
        self.server = server
        self.table = server.table
        self.join_code = join_code
        self.title = title
        self.fp = self.table.core.fp
        self.port = port
        self.levels: dict[bytes, str] = {}
        self.announce = False
        self.host = "127.0.0.1"
        self.changed = asyncio.Event()
        self.code_changed = asyncio.Event()
        self.unannounced = asyncio.Event()
        self.standstill = asyncio.Event()
        self._journal = journal
        self._timing = timing
        self._halted = ""
        self._over = asyncio.Event()
        self._advert = self.advert()
        self._token = join_code.token
        self.table.changed = self._look
        join_code.changed = self._look_at_code

    @property
    def game_id(self) -> bytes:
        """The id of the table's game; another one after a start that was called off."""
        return self.table.core.game

    @property
    def journal(self) -> Path:
        """The file to resume the table from."""
        return self._journal.path

    def play_at(self, key: bytes, level: str) -> None:
        """A bot of the host plays at this level, also after the table was resumed."""
        self.levels[key] = level
        self.note()

    @property
    def admission(self) -> Admission:
        """The join code and the bans, for the next table of this session."""
        return Admission(self.join_code, self.table.lobby.bans)

    def note(self) -> None:
        """Write down what is open about the table, where that has changed; a full disk gets it the next time."""
        with contextlib.suppress(OSError):
            self._journal.note(open_record(self.table.lobby, self.join_code, self.levels))

    def _look_at_code(self) -> None:
        # Only a new code lets removed players in again, and not a guess of the old one.
        if self.join_code.token != self._token:  # a new code: the owner may give it to a removed player
            self._token = self.join_code.token
            self.table.lobby.bans.removed.clear()
        self.note()
        self.changed.set()
        self.code_changed.set()

    def _look(self) -> None:
        self.note()
        if self.table.over:
            self._over.set()
        if self.table.halted != self._halted:
            self._halted = self.table.halted
            self.standstill.set()
        if (advert := self.advert()) != self._advert:
            self._advert = advert
            self.changed.set()

    def advert(self) -> Advert:
        """What is announced of this table; `changed` is set when it changes."""
        game, lobby = self.table.game, self.table.lobby
        config, owner = lobby.settings.config, lobby.owner
        name = self.title or next((place.name for place in lobby.places if place.key == owner), "")
        over = lobby.handed or (game is not None and game.closed)
        state = "lobby" if game is None else "over" if over else "playing"
        return Advert(self.game_id, name, len(lobby.places), config.players, state, config.edition, self.fp)

    def link(self, host: str) -> str:
        """The link for friends who reach this machine as `host`; it lets in without the words."""
        return self.join_code.link(host, self.port)

    @property
    def address(self) -> Address:
        """The address where this machine's own sessions connect."""
        return (self.host, self.port)

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
        self.table.lobby.own.add(Identity.load_or_create(data_dir / "identity.key").public)
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
        await self.table.handover.hand_over(names.index(name.casefold()), self._copy)

    def _copy(self) -> bytes:
        """The journal for a successor: without the secrets of this host, with its signatures, and with the state
        of the table."""
        clock, takeover, game = self.table.clock, self.table.takeover, self.table.game
        assert game is not None
        after = int(takeover.after) if takeover is not None and takeover.after is not None else None
        gone = self.table.decision_time(asyncio.get_running_loop().time())
        level = takeover.level if takeover is not None else ""
        state = TableState(clock.seconds, gone, clock.paused, after, level, self.announce)
        record = TableRecord(self.game_id, self.table.core.secret, bytes(32), b"", b"", 0)
        lobby = replace(open_record(self.table.lobby, self.join_code, self.levels), state=state)
        entries = (replace(entry, said=game.host_log.signature(entry.n)) for entry in game.host_log.written)
        return whole(record, lobby, entries)

    def play_again(self, at: "OpenTable") -> None:
        """After the game: send all viewers to the next table of this machine."""
        self.table.play_again(Again(at.port, at.game_id, at.fp))

    async def close(self) -> None:
        """The host closes the table: tell every viewer at once, and let no one join any more."""
        await self.server.free_port()
        self.table.audience.close()

    async def over(self) -> None:
        """Wait until the game is closed and every connected client has every entry, or until another player's
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
    unattended: bool = False,
    code: str | None = None,
    admission: Admission | None = None,
    people: Sequence[tuple[bytes, str]] = (),
    report: Report = no_report,
    takeover: Takeover | None = None,
) -> AsyncIterator[OpenTable]:
    """Serve a table while the context lasts. `host` is the address to listen on, None for all; `port` None is the
    usual port or a free one; `before` is the port of the last table of the same people, taken where it is free.
    `resume` is the journal of a game to continue; its settings count then, and its port if it is free.
    `announce` announces the table on the network, under `title` or else the owner's name; False answers only
    programs that know the game already, None no program.
    `unattended`: the game begins by itself once all seats are taken and all are ready. `code` None: no one
    needs a code; "" makes a code, other words are the code. `admission` is that of this session's last table:
    it counts, and `code` does not. A new table keeps seats for `people`, keys with names, in this order; they
    need no code. `report` writes down faults of this program. `takeover` says when bots move for players who
    are gone; None: never.

    Raises Refusal: settings that cannot be played, `bad_code`, `no_room` where there is none for a game, what
    `Journal.resume` says of one that cannot be resumed, `failed` or `failed_report` where this program has made a
    mistake; OSError where it cannot listen.
    """
    timing = timing or Timing()
    admission = admission or Admission(JoinCode.of(code), Bans())
    join_code, table, levels = admission.join_code, None, dict[bytes, str]()

    def close_journal() -> None:
        """Close the journal. That of a new table stays once its game has begun."""
        begun = table is None or table.game is not None or table.failed
        journal.close(remove=journal.new and not begun)

    with contextlib.ExitStack() as stack:
        if resume is not None:
            journal, content = Journal.resume(resume)
            stack.callback(close_journal)
            record = content.table
            if content.lobby is not None:
                levels = dict(content.lobby.levels)
                join_code = join_code if code else JoinCode(content.lobby.words, content.lobby.token)
            table = resumed(journal, content, timing, report, takeover)
            sockets = listen(host, port, record.port)
        else:
            lobby = Lobby(settings, admission.bans)
            lobby.keep(people)
            check_room(data_dir / "tables")
            sockets = listen(host, port, before)
            record = _new_record(sockets)
            core = core_of(record, _endorsed(record, data_dir))
            journal = _new_journal(data_dir, record, open_record(lobby, join_code, levels))
            stack.callback(close_journal)
            table = HostTable(core, lobby, journal.append, timing, report, takeover)
        for listening in sockets:
            stack.callback(listening.close)
        table.unattended = unattended
        server = Server(table, host_context(record.certified), timing, join_code)
        opened = OpenTable(server, journal, sockets[0].getsockname()[1], timing, clean_name(title), join_code)
        opened.levels = levels
        opened.announce = bool(announce)
        table.renew = lambda: _renewed(opened, journal, record, data_dir)
        if host is not None and host not in ("0.0.0.0", "::"):
            opened.host = host
        work = [server.run(sockets)]
        if announce is not None:
            work.append(_announce(opened, report, quiet=not announce))
        async with _beside(*work):
            yield opened


def _renewed(opened: OpenTable, journal: Journal, record: TableRecord, data_dir: Path) -> Core:
    """Another game id and secret for the same table, and a new file for its journal: the last start was called
    off. Raises Refusal: `no_room`, `bad_key`."""
    record = replace(record, game=os.urandom(16), secret=os.urandom(32))
    core = core_of(record, _endorsed(record, data_dir))
    lobby = open_record(opened.table.lobby, opened.join_code, opened.levels)
    journal.continue_in(_new_journal(data_dir, record, lobby))
    return core


async def _announce(opened: OpenTable, report: Report, *, quiet: bool) -> None:
    """Announce the table. A fault in that ends no game: friends can still type the address."""

    def note_announced(works: bool) -> None:
        if not works:
            opened.unannounced.set()

    try:
        await tell_network(opened.port, opened.advert, opened.changed, note_announced, quiet=quiet)
    except Exception as fault:
        note(report, "the table is not announced any more", fault)


@contextlib.asynccontextmanager
async def _beside(*work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run some work in parallel to the body of the context. If any of it fails, the body is cancelled and the
    context raises the error of the work."""
    try:
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(each) for each in work]
            try:
                yield
            finally:
                for task in running:
                    task.cancel()
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


def _new_journal(data_dir: Path, record: TableRecord, lobby: LobbyRecord) -> Journal:
    """Raises Refusal: `no_room`."""
    path = data_dir / "tables" / f"{record.game.hex()}.journal"
    try:
        return Journal.create(path, record, lobby)
    except OSError:
        raise no_room(path.parent) from None


def open_record(lobby: Lobby, join_code: JoinCode, levels: Mapping[bytes, str]) -> LobbyRecord:
    """Return the record of an open table for its journal."""
    places = tuple(SeatRecord(each.key, each.name, each.kind, each.ready, each.claim) for each in lobby.places)
    own, removed = tuple(sorted(lobby.own)), tuple(sorted(lobby.bans.removed)[:REMOVED])
    open_to = (tuple(sorted(levels.items())), join_code.words, join_code.token, removed)
    return LobbyRecord(lobby.settings, places, own, *open_to, tuple(lobby.called_off), handed=lobby.handed)


def _endorsed(record: TableRecord, data_dir: Path) -> Endorsement:
    """The word of the person who runs this host. Raises Refusal: `bad_key`; OSError where there can be no key."""
    try:
        identity = Identity.load_or_create(data_dir / "identity.key")
    except BadKey:
        raise Refusal("bad_key") from None
    return endorse(identity, record.game, record.certified.fp, Identity(record.host).public)


def _new_record(sockets: Sequence[socket.socket]) -> TableRecord:
    certificate = make_certificate()
    port = sockets[0].getsockname()[1]
    return TableRecord(os.urandom(16), os.urandom(32), os.urandom(32), certificate.der, certificate.key, port)


# Resuming a journal
#
# Two programs must not sign two histories with copies of one journal by mistake. So a host looks for another
# program that has the same table open before it resumes a journal. While it plays, a client may show a later or
# another entry with the host's own signature: then the host stops (`table`).


async def check_alone(journal: Path) -> None:
    """Raises Refusal: `open_elsewhere` if the table of a journal answers on this machine or on the network; what
    `read` says of a journal; OSError. A file that is open itself is rejected when it is resumed."""
    # The table of a locked journal is open in this computer, which `Journal.resume` reports.
    lock = Lock.take(journal)
    if lock is None:
        return
    lock.close()
    record = read(journal).table
    own = record.certified.fp
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for address in _heard_of(record):
                if await fingerprint_at(*address, PATIENCE) == own:
                    raise Refusal("open_elsewhere", address=f"{address[0]}:{address[1]}")


async def _heard_of(record: TableRecord) -> AsyncIterator[Address]:
    """The addresses where the table may be, each once: its last port on this machine, then what is announced."""
    tried = {("127.0.0.1", record.port)}
    if record.port:
        yield ("127.0.0.1", record.port)
    async with contextlib.aclosing(locate(record.game)) as heard:
        async for addresses in heard:
            for address in addresses:
                if address not in tried and len(tried) < MOST:
                    tried.add(address)
                    yield address


def resumed(
    journal: Journal, content: Content, timing: Timing, report: Report, takeover: Takeover | None
) -> HostTable:
    """Return the table of a journal. Raises Refusal: `journal_damaged`, `journal_rules`, `handed`,
    `not_handed`."""
    record, kept = content.table, content.lobby or LobbyRecord(Settings())
    lobby = Lobby(kept.settings)
    lobby.own = set(kept.own)
    lobby.bans.removed.update(kept.removed)
    lobby.called_off = list(kept.called_off)
    lobby.places = [
        TakenSeat(place.key, place.name, place.kind, place.ready, True, place.claim) for place in kept.places
    ]
    table = HostTable(core_of(record), lobby, journal.append, timing, report, takeover)
    try:
        if content.entries:
            check_resumed(record, content.entries, journal.path)
            game = HostedGame.restore(content.entries, record.secret, table.core.host, journal.append)
            lobby.handed = kept.handed
            _check_handed(table, game, content, journal.path)
            received = game.host_log.signs and game.host_log.audit.hosts.now.first > game.n
            if received and (state := kept.state) is not None:  # this program has just taken the game over
                now = asyncio.get_running_loop().time()
                table.audience.quiet_until = now + MOVING
                table.clock = Countdown(state.clock, now - state.gone, stopped=now if state.paused else None)
            table.resume(game, received=received)
    except (Malformed, Mismatch) as fault:
        # Records that are whole and contradict each other: the game cannot continue from there.
        at = content.records[fault.n - 1] if isinstance(fault, Mismatch) else content.records[0]
        raise Refusal("journal_damaged", path=str(journal.path), record=at) from None
    return table


def check_resumed(record: TableRecord, entries: Sequence[Written], path: Path) -> None:
    """Check that the first entry is of these rules, and of the table whose secrets the journal has. Raises
    Malformed, or Refusal: `journal_rules`."""
    first = decode_entry(entries[0].public) if entries else None
    if not isinstance(first, Open):
        raise Malformed("the log does not begin with a table")
    header = first.header
    if header.rules != RULES.get(header.edition):
        rules = header.rules.hex()[:8]
        raise Refusal("journal_rules", path=str(path), program=clean(header.program, 64), rules=rules)
    own = (record.game, host_commitment(record.game, record.secret))
    if (header.game_id, header.hostcommit) != own:
        raise Malformed("the table's secrets are of another game")


def _check_handed(table: HostTable, game: HostedGame, content: Content, path: Path) -> None:
    """Check that this host may continue the game, and not another one. Raises Malformed, or Refusal:
    `not_handed`, and `handed` if the next host has the *handover*."""
    state = content.state
    if state == "not_handed":
        raise Refusal("not_handed", path=str(path))
    own = state != "own" or game.host_log.audit.hosts.now.fp == table.core.fp
    if not own or not content.table.certified.usable:
        raise Malformed("the table's secrets are of another game")
    table.audience.game, table.handover.handed = game, state == "handed"
    if table.lobby.handed and (now := table.handover.now) is not None:
        raise now


def core_of(record: TableRecord, endorsement: Endorsement | None = None) -> Core:
    """Return what the table is made of."""
    return Core(record.game, record.secret, Identity(record.host), record.certified.fp, endorsement)
