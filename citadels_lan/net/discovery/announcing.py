"""Telling the network of a table, in all ways side by side. No failure of one ends anything."""

import asyncio
import logging
from collections.abc import Callable
from typing import NoReturn

from . import beacon, mdns
from .found import Advert, Tell

AGAIN = 2.0
"""Seconds until a beacon that has failed is tried again."""
log = logging.getLogger(__name__)


async def announce(
    port: int,
    adverts: Callable[[], Advert],
    changed: asyncio.Event,
    tell: Tell,
    *,
    quiet: bool = False,
    loopback: bool = False,
) -> None:
    """Announce a table until cancelled. `changed` is set whenever `adverts()` says something new. `tell` hears
    whether any way works. A `quiet` table is not announced: the beacon alone answers those who know its game, so
    that whoever has a seat there finds it."""
    works: dict[str, bool] = {}

    def told(way: str) -> Tell:
        def hear(well: bool) -> None:
            works[way] = well
            if len(works) == 2 or well:
                tell(any(works.values()))

        return hear

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_shine(port, adverts, told("beacon"), quiet=quiet, loopback=loopback))
        if not quiet:
            tasks.create_task(mdns.announce(port, adverts, changed, told("mdns"), loopback=loopback))


async def _shine(port: int, adverts: Callable[[], Advert], tell: Tell, *, quiet: bool, loopback: bool) -> NoReturn:
    while True:
        try:
            await beacon.announce(port, adverts, tell, quiet=quiet, loopback=loopback)
        except Exception as failure:
            log.warning("the beacon has failed: %r", failure)
            tell(False)
        await asyncio.sleep(AGAIN)
