"""Opening a table in this process: everything around a server, for the command line and for tests.

async with open_table(Settings(from_scenario("first_game", 5)), data_dir) as table:
    session = await table.join("Anna", data_dir)      # the owner: the host's own person, over loopback
    await table.over()

With `code=""` the table makes a join code: `table.join_code.words`, `.token`, `.guessed`, `.renew()`.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Mismatch, SeatKind
from citadels_lan.crypto.signatures import endorse
from citadels_lan.net.client.session import Session, own_identity
from citadels_lan.net.client.succession import MakeHeir
from citadels_lan.net.discovery.adverts import Address, Advert
from citadels_lan.net.discovery.table_list import announce as tell_network
from citadels_lan.net.discovery.table_list import locate
from citadels_lan.net.host.connections import Server
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.join.join_code import JoinCode, link
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal, Report, check_room, no_report, no_room, note
from citadels_lan.net.wire.link import fingerprint_at, host_context, listen, make_certificate
from citadels_lan.net.wire.messages import Again, Settings
from citadels_lan.net.wire.timing import Countdown, Timing
from citadels_lan.platform.files import Lock

from .journal import Content, Journal, LobbyRecord, TableRecord, TableState, check_first, open_record, read, whole
from .lobby import Core, Lobby, TakenSeat
from .substitutes import Takeover
from .table import HostTable

PATIENCE: Final = 1.0
"""Seconds for finding programs on the network that may serve a table, and for each of their answers."""
MOST: Final = 16
"""Most addresses that are asked for this, because anyone can announce any address."""
MOVING: Final = 3.0
"""Seconds after a handover that clients have to connect to the successor."""


class OpenTable:
    """A table that is being served. It listens at `port`; `fp` is the fingerprint of its certificate.
    `levels` are the levels of the host's bots by key, and `journal` is the file from which the table can be
    resumed.

    Three events are set for readers, who clear them. `changed`: the announcement has changed, a player is
    guessing the join code, or there is a new code. `code_changed`: something about the code has changed.
    `standstill`: the game has stopped or continues (see `table.halted`). `unannounced` is set, and stays set,
    if the table cannot be announced on the network; players then need its address or link."""

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
        self.table.changed = self._look
        join_code.changed = self._look_at_code

    @property
    def game_id(self) -> bytes:
        """The id of the table's game. It changes after a called-off start."""
        return self.table.core.game

    @property
    def journal(self) -> Path:
        """The file from which the table can be resumed."""
        return self._journal.path

    def play_at(self, key: bytes, level: str) -> None:
        """Record the level of one of the host's bots, so that a resumed table knows it."""
        self.levels[key] = level
        self.note()

    def note(self) -> None:
        """Write the lobby to the journal if it has changed. If the disk is full, the next call tries
        again."""
        with contextlib.suppress(OSError):
            self._journal.note(open_record(self.table.lobby, self.join_code, self.levels))

    def _look_at_code(self) -> None:
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
        """Return the present announcement of this table. When it changes, `changed` is set."""
        game, lobby = self.table.game, self.table.lobby
        config, owner = lobby.settings.config, lobby.owner
        name = self.title or next((place.name for place in lobby.places if place.key == owner), "")
        over = lobby.handed or (game is not None and game.closed)
        state = "lobby" if game is None else "over" if over else "playing"
        return Advert(self.game_id, name, len(lobby.places), config.players, state, config.edition, self.fp)

    def link(self, host: str) -> str:
        """Return the link with which friends join without typing the code, if this computer is `host` for
        them."""
        return link(host, self.port, self.join_code.token)

    @property
    def address(self) -> Address:
        """The address at which sessions of this program connect to the table."""
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
        """Join this table as the host's player, or with `bot` as one of the host's bots. `heir` is as in
        `Session.join`. Raises Refusal."""
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
        """Hand the game over to the player with this name. Raises Refusal if that fails: this program is
        still the host."""
        names = [place.name.casefold() for place in self.table.lobby.places]
        if name.casefold() not in names:
            raise Refusal("no_player", name=clean_name(name))
        await self.table.handover.hand_over(names.index(name.casefold()), self._copy)

    def _copy(self) -> bytes:
        """Return a journal for a successor: without this host's signing key, with its signatures of the
        entries, and with the `TableState`."""
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
        """After the game: send all viewers the address of the rematch, which is the table `at` of this
        program."""
        self.table.play_again(Again(at.port, at.game_id, at.fp))

    async def close(self) -> None:
        """Close the table at once: disconnect all viewers, and let no one join."""
        await self.server.free_port()
        self.table.audience.close()

    async def over(self) -> None:
        """Wait until the game is closed and every connected client has every entry, or until another program
        is the host."""
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
    admission: JoinCode | None = None,
    people: Sequence[tuple[bytes, str]] = (),
    report: Report = no_report,
    takeover: Takeover | None = None,
) -> AsyncIterator[OpenTable]:
    """Context in which a table is served.

    `host` is the address to listen on; None: all. `port` None: the port `before` if it is free (that of the
    last table of these people), else the usual port, else any. `resume` is the journal of a game to continue:
    its settings replace `settings`, and its port is used if it is free. `announce` True: announce the table,
    with the name `title` or the owner's name. False: answer only programs that know the game's id. None:
    neither. `unattended`: the game begins by itself once all seats are taken and all players are ready.
    `code` None: no code. "": make a new one. Otherwise: the words of the code. `admission` is the join code
    of this session's last table, used instead of `code`. A new table reserves seats for `people` (keys and
    names, in this order), who need no code. `report` writes files about faults of this program. `takeover`
    says when substitute bots move for absent players; None: never.

    Raises Refusal: for settings that cannot be played; `bad_code`; `no_room` if the disk is full; the reasons
    of `Journal.resume`; `failed` or `failed_report` after a fault of this program. Raises OSError if it
    cannot listen."""
    timing = timing or Timing()
    join_code, table, levels = admission or JoinCode.of(code), None, dict[bytes, str]()

    def close_journal() -> None:
        """Close the journal. The file of a new table is removed if its game has not begun."""
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
            join_code.bans = table.lobby.bans
            sockets = listen(host, port, record.port)
        else:
            lobby = Lobby(settings, join_code.bans)
            lobby.keep(people)
            check_room(data_dir / "tables")
            sockets = listen(host, port, before)
            certificate, at = make_certificate(), sockets[0].getsockname()[1]
            game, secret, seed = os.urandom(16), os.urandom(32), os.urandom(32)
            record = TableRecord(game, secret, seed, certificate.der, certificate.key, at)
            core = core_of(record, data_dir)
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
    """Return a new identity for a table whose start was called off. From now on `journal` writes a new file.
    Raises Refusal: `no_room`, `bad_key`."""
    record = replace(record, game=os.urandom(16), secret=os.urandom(32))
    core = core_of(record, data_dir)
    lobby = open_record(opened.table.lobby, opened.join_code, opened.levels)
    journal.continue_in(_new_journal(data_dir, record, lobby))
    return core


async def _announce(opened: OpenTable, report: Report, *, quiet: bool) -> None:
    """Announce the table until cancelled. An error does not end the game, because players can still type the
    address."""

    def note_announced(works: bool) -> None:
        if not works:
            opened.unannounced.set()

    try:
        await tell_network(opened.port, opened.advert, opened.changed, note_announced, quiet=quiet)
    except Exception as fault:
        note(report, "the table is not announced any more", fault)


@contextlib.asynccontextmanager
async def _beside(*work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Context that runs each coroutine of `work` at the same time as its body. If one of them fails, the body
    is cancelled, and the context raises the error."""
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
    """Create the journal of a new table. Raises Refusal: `no_room`."""
    path = data_dir / "tables" / f"{record.game.hex()}.journal"
    try:
        return Journal.create(path, record, lobby)
    except OSError:
        raise no_room(path.parent) from None


# Resuming a journal
#
# Two programs must not sign two histories with copies of one journal by mistake. So a host looks for another
# program that has the same table open before it resumes a journal. While it plays, a client may show a later or
# another entry with the host's own signature: then the host stops (`table`).


async def check_alone(journal: Path) -> None:
    """Check that no program on the network or on this computer serves the table of a journal, by asking the
    addresses where it may be. If another program on this computer has locked the journal, do nothing:
    `Journal.resume` reports that. Raises Refusal: `open_elsewhere` if the table is served at such an address,
    or a reason of `journal.read`; OSError."""
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
    """Yield the addresses where a table may be, each once: this computer with the table's last port, then
    those that are announced."""
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
    """Return the table with the content of a journal. Raises Refusal: `journal_damaged`, `journal_rules`,
    `handed`, `not_handed`."""
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
            check_first(record, content.entries, journal.path)
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


def _check_handed(table: HostTable, game: HostedGame, content: Content, path: Path) -> None:
    """Check that this host may continue the game of a journal. Raises Malformed if the journal contradicts
    itself. Raises Refusal: `not_handed` if this host never received the *handover* to it, `handed` if the
    next host has received the game."""
    state = content.state
    if state == "not_handed":
        raise Refusal("not_handed", path=str(path))
    own = state != "own" or game.host_log.audit.hosts.now.fp == table.core.fp
    if not own or not content.table.certified.usable:
        raise Malformed("the table's secrets are of another game")
    table.audience.game, table.handover.handed = game, state == "handed"
    if table.lobby.handed and (now := table.handover.now) is not None:
        raise now


def core_of(record: TableRecord, data_dir: Path | None = None) -> Core:
    """Return the identity of the table in a journal. With `data_dir` (for a new game), the player with the
    key in that folder endorses the host's key. Raises Refusal: `bad_key`, `storage`."""
    host, fp = Identity(record.host), record.certified.fp
    endorsement = endorse(own_identity(data_dir), record.game, fp, host.public) if data_dir is not None else None
    return Core(record.game, record.secret, host, fp, endorsement)
