"""Whether another program has the table of a journal open: two that go on with copies of it would sign two
histories, and nobody would have meant any harm."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from citadels_lan.net.discovery.found import Address, Sought
from citadels_lan.net.discovery.ladder import locate
from citadels_lan.net.host.journal import TableRecord, read
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import connect
from citadels_lan.net.wire.tls import Certificate, client_context
from citadels_lan.systems.locks import Lock

PATIENCE: Final = 1.0
"""Seconds for others to be heard of, and to answer."""
MOST: Final = 16
"""So many addresses are tried; what is announced may be anything."""


async def check_alone(journal: Path, *, loopback: bool = False) -> None:
    """Raises Refusal: `open_elsewhere` where the table of a journal answers on this machine or on the network;
    what `read` says of a journal; OSError. Whoever has this very file open is found when it is resumed."""
    lock = Lock.take(journal)
    if lock is None:
        return
    lock.close()
    record = read(journal).table
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for address in _heard_of(record, loopback=loopback):
                if await _answers(address, record):
                    raise Refusal("open_elsewhere", address=f"{address[0]}:{address[1]}")


async def _heard_of(record: TableRecord, *, loopback: bool) -> AsyncIterator[Address]:
    """Where it may be, each address once: where it was, if that is this machine, and whatever is heard."""
    tried = {("127.0.0.1", record.port)}
    if record.port:
        yield ("127.0.0.1", record.port)
    async with contextlib.aclosing(locate(Sought(record.game), loopback=loopback)) as heard:
        async for addresses in heard:
            for address in addresses:
                if address not in tried and len(tried) < MOST:
                    tried.add(address)
                    yield address


async def _answers(address: Address, record: TableRecord) -> bool:
    """Whether somebody there has the key of this table's certificate."""
    try:
        link = await connect(*address, client_context(), PATIENCE)
    except (Refusal, OSError):
        return False
    link.abort("lost")
    return link.fp == Certificate(record.certificate, record.key).fp
