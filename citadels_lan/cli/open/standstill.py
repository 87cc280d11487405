"""Where nobody sees a screen: lines that say that a game stands still, and that it goes on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from citadels_lan.cli.console import Console
from citadels_lan.front.refused import because
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.texts import msg


@contextlib.asynccontextmanager
async def standstills_told(console: Console, table: OpenTable) -> AsyncIterator[None]:
    """Inside, each standstill of a table is said, and its end."""
    # kept: cancelled below; what it says is only for the person
    telling = asyncio.get_running_loop().create_task(_tell(console, table))
    try:
        yield
    finally:
        telling.cancel()


async def _tell(console: Console, table: OpenTable) -> None:
    while True:
        await table.standstill.wait()
        table.standstill.clear()
        halted = table.table.halted
        console.complain(because(console.texts, halted, {}) if halted else console.texts.say(GOES_ON))


GOES_ON = msg("The game goes on.")
