"""The program of a player takes the game over from its host: the successor's side.

It copies the journal, replays it completely, and compares it with its own transcript. Only then it makes a key and
a certificate, opens a port, and signs that it accepts. It is the host once its own journal has the *handover*;
then it opens the table from that journal, as `host --resume` does."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from citadels_lan.crypto.chain import entry_signed
from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.handover import sign_accept
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Handover, Open, decode_entry
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.replay import compare_own
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.succession import Heir, OwnLog
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.certificates import make_certificate
from citadels_lan.net.wire.errors import Refusal, check_room
from citadels_lan.net.wire.messages import Accept
from citadels_lan.net.wire.tls import host_context
from citadels_lan.systems.files import sync_folder, write_private

from .game import HostedGame
from .journal import Content, Journal, parse, read, whole
from .listening import listen

GREETING: Final = 3.0
"""Seconds for TLS with a program that tries the port."""

Opening: TypeAlias = Callable[[Path], Awaitable[Address]]
"""Serves the game of a journal, and says where this program reaches it. Raises Refusal, OSError."""


class Inheritance(Heir):
    """Takes games over into the folder `tables`, and serves them by `opening`. `host` and `port` are where to
    listen, None for all addresses and the usual port."""

    def __init__(self, tables: Path, opening: Opening, host: str | None = None, port: int | None = None) -> None:
        self._tables = tables
        self._opening = opening
        self._where = host, port
        self._answering: list[asyncio.Server] = []
        self._unused: Path | None = None
        self._handed: Path | None = None

    async def prepare(self, copy: bytes, own: OwnLog) -> Accept:
        """Check the journal, store it, and open a port. Raises Refusal: why this program declines."""
        self.drop()
        content = await asyncio.to_thread(check_copy, copy, own)
        certificate, key = make_certificate(), Identity(secret := os.urandom(32))
        try:
            check_room(self._tables)
            sockets, context = listen(*self._where), host_context(certificate)
            port = sockets[0].getsockname()[1]
            for listening in sockets:
                server = await asyncio.start_server(
                    lambda _, writer: writer.close(), sock=listening, ssl=context, ssl_handshake_timeout=GREETING
                )
                self._answering.append(server)
            table = replace(
                content.table, host=secret, certificate=certificate.der, key=certificate.key, port=port
            )
            assert content.lobby is not None
            lobby = replace(content.lobby, own=(own.identity.public,))
            self._unused = self._tables / f"{own.game.hex()}-{own.n + 1}.journal"
            write_private(self._unused, whole(table, lobby, content.entries), replace=True)
            sync_folder(self._tables)
        except OSError:
            raise Refusal("no_port") from None
        accept = sign_accept(own.identity, own.game, own.n + 1, own.head, key.public, certificate.fp)
        return Accept(key.public, certificate.fp, port, accept)

    def keep(self, delta: Delta, own: OwnLog) -> bool:
        """Store an entry that the host has signed if it hands the game over to this program, also after a crash of
        this program. Return True then. Raises OSError."""
        for path in self._tables.glob(f"{own.game.hex()}-{delta.n}.journal"):
            with contextlib.suppress(Refusal, Malformed):  # it is damaged
                entry, content = decode_entry(delta.public), read(path)
                key = Identity(content.table.host).public
                missing = delta.n - len(content.entries)
                if isinstance(entry, Handover) and entry.key == key and missing in (0, 1):
                    if missing:
                        _append(path, Written(delta.n, delta.public, said=delta.signature))
                    self._handed, self._unused = path, None
                    return True
        return False

    async def serve(self) -> Address:
        """Serve the game that was handed over; where this program reaches it. Raises Refusal, OSError."""
        self.drop()
        assert self._handed is not None
        return await self._opening(self._handed)

    def drop(self) -> None:
        """Close the port, and remove the copy unless the game was handed over."""
        for server in self._answering:
            server.close()
        self._answering = []
        if self._unused is not None:
            self._unused.unlink(missing_ok=True)
            self._unused = None


def _append(path: Path, written: Written) -> None:
    """Write an entry into a journal. Raises OSError, also if another program reads it just now."""
    try:
        journal, _ = Journal.resume(path)
    except Refusal:
        raise BlockingIOError from None
    with contextlib.closing(journal):
        journal.append(written)


def check_copy(copy: bytes, own: OwnLog) -> Content:
    """The journal that a host has sent, all of it replayed. Raises Refusal: `journal_differs` if anything in it is
    wrong, or differs from the own transcript."""
    try:
        content = parse(copy)
        first = decode_entry(content.entries[0].public) if content.entries else None
        secret = content.table.secret
        _require(isinstance(first, Open) and first.header.rules == RULES.get(first.header.edition))
        log = HostedGame.restore(content.entries, secret, Identity(os.urandom(32)), lambda _: None).host_log
        game = log.header.game_id
        for one in content.entries:
            host = log.audit.hosts.at(one.n).key
            _require(entry_signed(host, one.said or b"", game, one.n, log.head_at(one.n)))
            for seat, part in enumerate(one.parts):
                log.check_part(seat, part)
        _require(host_commitment(game, secret) == log.header.hostcommit and log.audit.may_hand_over)
        _require((content.table.game, game) == (own.game, own.game))
        _require((log.chain.n, log.chain.head) == (own.n, own.head) and content.lobby is not None)
        compare_own(log, secret)
    except (Malformed, Mismatch, Unacceptable, Refusal):
        raise Refusal("journal_differs") from None
    return content


def _require(holds: bool) -> None:
    """Raises Malformed."""
    if not holds:
        raise Malformed("another journal")
