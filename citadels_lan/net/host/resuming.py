"""What keeps two programs from signing two histories with copies of one journal, by mistake.

Before it resumes a journal, a host looks for another program that has the same table open. While it plays, a
client may show a later or another entry with the host's own signature: then the host stops."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from citadels_lan.crypto.chain import entry_signed
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.newcomer import Newcomer
from citadels_lan.net.client.search import greet
from citadels_lan.net.discovery.found import Address, Sought
from citadels_lan.net.discovery.ladder import locate
from citadels_lan.net.join.handshake import Applicant, Profile
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import connect
from citadels_lan.net.wire.tls import Certificate, client_context
from citadels_lan.systems.locks import Lock

from .game import HostedGame
from .journal import Content, TableRecord, read
from .lobby import Core

PATIENCE: Final = 1.0
"""Seconds to find other programs, and for them to answer."""
MOST: Final = 16
"""Try at most this many addresses: anyone may announce anything."""


async def check_alone(journal: Path, *, loopback: bool = False) -> None:
    """Raises Refusal: `open_elsewhere` if the table of a journal answers on this machine or on the network; what
    `read` says of a journal; `handed` if the next host serves the game; OSError. If this file itself is open, its
    lock says so when it is resumed."""
    lock = Lock.take(journal)
    if lock is None:
        return
    lock.close()
    content = read(journal)
    if content.state == "handed" and content.handover is not None and content.lobby is not None:
        n, entry = content.handover
        if await _serves(content, entry.key):
            raise Refusal("handed", name=content.lobby.places[entry.seat].name, n=n)
    record = content.table
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for address in _heard_of(record, loopback=loopback):
                if await _answers(address, record):
                    raise Refusal("open_elsewhere", address=f"{address[0]}:{address[1]}")


async def _heard_of(record: TableRecord, *, loopback: bool) -> AsyncIterator[Address]:
    """The addresses where the table may be, each once: its last port on this machine, then what is announced."""
    tried = {("127.0.0.1", record.port)}
    if record.port:
        yield ("127.0.0.1", record.port)
    async with contextlib.aclosing(locate(Sought(record.game), loopback=loopback)) as heard:
        async for addresses in heard:
            for address in addresses:
                if address not in tried and len(tried) < MOST:
                    tried.add(address)
                    yield address


async def _serves(content: Content, key: bytes) -> bool:
    """Whether the next host serves the game: as long as it does not have the *handover*, it greets no one."""
    if content.handed is None:
        return False
    who = Newcomer(Profile("?", "spectator"), Identity(os.urandom(32)), Path(), Path())
    with contextlib.suppress(Refusal, Malformed, OSError):
        there = (content.handed.address, content.handed.port)
        greeted = await greet(there, who, PATIENCE, b"", lambda _: None)
        greeted.link.abort("lost")
        return (greeted.challenge.game, greeted.challenge.hosts.now.key) == (content.table.game, key)
    return False


async def _answers(address: Address, record: TableRecord) -> bool:
    """Whether a program there has the key of this table's certificate."""
    try:
        link = await connect(*address, client_context(), PATIENCE)
    except (Refusal, OSError):
        return False
    link.abort("lost")
    return link.fp == Certificate(record.certificate, record.key).fp


def of_this_history(game: HostedGame | None, last: int, who: Applicant) -> bool:
    """Whether the client's file ends with an entry of this log, whose last one is `last`; before a game a file is
    empty."""
    return who.n <= last and (game is None or game.host_log.knows(who.n, who.head))


def signed_elsewhere(core: Core, last: int, who: Applicant, name: str) -> Refusal | None:
    """Why this host has to stop: its key has signed the end of the client's file, which is not in this log. None
    if the key has not."""
    if not entry_signed(core.host.public, who.said or b"", core.game, who.n, who.head):
        return None
    if who.n > last:
        return Refusal("later_entries", name=name, count=who.n - last)
    return Refusal("signed_elsewhere", n=who.n)


def fork(game: HostedGame | None, last: int, who: Applicant) -> Refusal:
    """The refusal of a client whose file is not of this history, with what this host has signed at the last entry
    that both have."""
    n = min(who.n, last)
    if game is None or n == 0:
        return Refusal("fork", n=n)
    log = game.host_log
    return Refusal("fork", n=n, head=log.head_at(n).hex(), said=log.signature(n).hex())
