"""Resuming a table from its journal.

Two programs must not sign two histories with copies of one journal by mistake. So a host looks for another program
that has the same table open before it resumes a journal. While it plays, a client may show a later or another
entry with the host's own signature: then the host stops (`table`).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Endorsement, Mismatch, Open, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.discovery.finding import locate
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal, Report
from citadels_lan.net.wire.link import fingerprint_at
from citadels_lan.net.wire.messages import Settings
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import Certificate
from citadels_lan.people import clean
from citadels_lan.systems.locks import Lock

from .game import HostedGame
from .journal import Content, Journal, LobbyRecord, TableRecord, read
from .lobby import Core, Lobby, TakenSeat
from .substitutes import Takeover
from .table import HostTable

PATIENCE: Final = 1.0
"""Seconds to find other programs, and for them to answer."""
MOST: Final = 16
"""Try at most this many addresses: anyone may announce anything."""


async def check_alone(journal: Path) -> None:
    """Raises Refusal: `open_elsewhere` if the table of a journal answers on this machine or on the network; what
    `read` says of a journal; OSError. A file that is open itself is rejected when it is resumed."""
    lock = Lock.take(journal)
    if lock is None:
        return
    lock.close()
    record = read(journal).table
    own = certificate_of(record).fp
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


MOVING: Final = 3.0
"""Seconds that clients have to come from the host before."""


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
                table.playing.pace.continue_from(state.clock, state.gone, now, paused=state.paused)
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
    if not own or not certificate_of(content.table).usable:
        raise Malformed("the table's secrets are of another game")
    table.audience.game, table.handing.handed = game, state == "handed"
    if table.lobby.handed and (now := table.handing.now) is not None:
        raise now


def certificate_of(record: TableRecord) -> Certificate:
    """Return the table's certificate with its key."""
    return Certificate(record.certificate, record.key)


def core_of(record: TableRecord, endorsement: Endorsement | None = None) -> Core:
    """Return what the table is made of."""
    return Core(record.game, record.secret, Identity(record.host), certificate_of(record).fp, endorsement)
