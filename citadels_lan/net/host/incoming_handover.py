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

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.handover import sign_accept
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Delta, Handover, Mismatch, Unacceptable, decode_entry, entry_signed
from citadels_lan.crypto.replay import compare_own
from citadels_lan.net.client.records import Records
from citadels_lan.net.client.succession import Heir
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.wire.errors import Refusal, check_room
from citadels_lan.net.wire.messages import Accept
from citadels_lan.net.wire.tls import host_context, make_certificate
from citadels_lan.platform.files import sync_folder, write_private

from .game import HostedGame
from .journal import Content, Journal, parse, read, whole
from .listening import listen
from .opening import check_resumed

WRONG: Final = (Malformed, Mismatch, Unacceptable, Refusal)
Opening: TypeAlias = Callable[[Path], Awaitable[Address]]
"""Serves the game of a journal, and returns its address for this program. Raises Refusal, OSError."""


class IncomingHandover(Heir):
    """Takes games over into the folder `tables`, and serves them by `opening`. `host` and `port` are where to
    listen, None for all addresses and the usual port."""

    def __init__(self, tables: Path, opening: Opening, host: str | None = None, port: int | None = None) -> None:
        self._tables = tables
        self._opening = opening
        self._where = host, port
        self._answering: list[asyncio.Server] = []
        self._copy: Path | None = None
        self._handed: Path | None = None

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        """Check the journal, store it, and open a port. Raises Refusal with the reason to decline."""
        self.drop()
        game, n, head, seat = own.game.id, own.n, own.head, own.seat
        try:
            # A whole replay takes long enough to delay the other connections of this program.
            content = await asyncio.to_thread(check_copy, copy, game, n, head)
        except WRONG:
            raise Refusal("journal_differs") from None
        certificate, secret = make_certificate(), os.urandom(32)
        try:
            check_room(self._tables)
            sockets = listen(*self._where)
            port = sockets[0].getsockname()[1]
            for listening in sockets:
                answering = asyncio.start_server(
                    lambda _, writer: writer.close(), sock=listening, ssl=host_context(certificate)
                )
                self._answering.append(await answering)
            assert content.lobby is not None
            assert seat is not None
            new = {"host": secret, "certificate": certificate.der, "key": certificate.key, "port": port}
            table, lobby = replace(content.table, **new), replace(content.lobby, own=(own.identity.public,))
            self._copy = self._path(game, n + 1)
            write_private(self._copy, whole(table, lobby, content.entries), replace=True)
            # The journal must survive a power cut before this program signs that it accepts.
            sync_folder(self._tables)
        except OSError:
            raise Refusal("no_port") from None
        key, fp = Identity(secret).public, certificate.fp
        accept = sign_accept(own.identity, game, n + 1, head, key, fp)
        return Accept(Handover(seat, key, fp, accept), port)

    def keep(self, delta: Delta, own: Records) -> bool:
        """Store a *handover* that the host has signed, also after a crash of this program. Return whether it hands
        the game over to this program. Raises OSError."""
        path = self._path(own.game.id, delta.n)
        try:
            entry, content = decode_entry(delta.public), read(path)
        except (Malformed, Refusal, FileNotFoundError):  # the host lies, the file is damaged, or it is not there
            return False
        if not isinstance(entry, Handover) or entry.key != Identity(content.table.host).public:
            return False
        if len(content.entries) < delta.n:
            _append(path, Written(delta.n, delta.public, said=delta.signature))
        self._handed, self._copy = path, None
        return len(content.entries) <= delta.n

    async def serve(self) -> Address:
        """Serve the game that was handed over. Return the address for this program. Raises Refusal, OSError."""
        self.drop()
        assert self._handed is not None
        return await self._opening(self._handed)

    def drop(self) -> None:
        """Close the port, and remove the copy unless the game was handed over."""
        for server in self._answering:
            server.close()
        self._answering = []
        if self._copy is not None:
            self._copy.unlink(missing_ok=True)
            self._copy = None

    def _path(self, game: bytes, n: int) -> Path:
        return self._tables / f"{game.hex()}-{n}.journal"


def _append(path: Path, written: Written) -> None:
    """Write an entry into a journal. Raises OSError, also if another program reads it just now."""
    try:
        journal, _ = Journal.resume(path)
    except Refusal:
        raise BlockingIOError from None
    with contextlib.closing(journal):
        journal.append(written)


def check_copy(copy: bytes, game: bytes, n: int, head: bytes) -> Content:
    """Replay the journal that a host has sent; it has to end with entry `n`. Raises one of `WRONG` if
    anything in it is wrong, or differs from the own transcript."""
    content = parse(copy)
    table, entries = content.table, content.entries
    check_resumed(table, entries, Path())
    log = HostedGame.restore(entries, table.secret, Identity(table.host), lambda _: None).host_log
    if (table.game, log.chain.n, log.chain.head) != (game, n, head) or content.lobby is None:
        raise Malformed("another journal")
    for entry in entries:
        key = log.audit.hosts.at(entry.n).key
        if not entry_signed(key, entry.said or b"", game, entry.n, log.head_at(entry.n)):
            raise Malformed("not signed")
        for seat, part in enumerate(entry.parts):
            log.check_part(seat, part)
    compare_own(log, table.secret)
    return content
