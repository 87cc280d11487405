"""Whether this machine hears itself, in each way in which tables are found, on one interface alone.

Nobody's list of tables shows what is said here: mDNS has a service of its own for it, and the beacon answers only
who asks for a game that nobody knows.
"""

import asyncio
import secrets
from typing import Final

from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from . import beacon
from .found import Advert
from .ladder import beacon as beacon_rung
from .ladder import probe
from .mdns import Zone, speaking

SERVICE: Final = "_citadels-doctor._tcp.local."
PORT: Final = 9
"""Where nobody listens: nothing is joined here."""


async def mdns_echo(only: str, patience: float, *, loopback: bool = False) -> bool:
    """Whether something is announced by one speaker and heard by another one, within `patience` seconds."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"
    heard = asyncio.Event()

    def on_change(**change: object) -> None:
        if change.get("name") == name:
            heard.set()

    try:
        zone = Zone.here(loopback=loopback, only=only)
        async with speaking(zone) as speaker, speaking(zone) as listener:
            browser = AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[on_change])
            info = AsyncServiceInfo(SERVICE, name, port=PORT, parsed_addresses=zone.addresses(),
                                    server=f"{name.split('.', maxsplit=1)[0]}.local.")  # fmt: skip
            await (await speaker.async_register_service(info, cooperating_responders=True))
            async with asyncio.timeout(patience):
                await heard.wait()
            await browser.async_cancel()
    except Exception:  # the library raises more than its own errors, and each says the same here
        return False
    return True


async def beacon_echo(only: str, patience: float, *, loopback: bool = False) -> bool:
    """Whether a question of this machine, for everybody, is heard and answered by itself."""
    advert = Advert(secrets.token_bytes(16), "doctor", 0, 0, "lobby", "", bytes(32))
    host = beacon.announce(PORT, lambda: advert, lambda _: None, quiet=True, loopback=loopback)
    answering = asyncio.get_running_loop().create_task(host)  # kept: ended below
    try:
        found = await probe(beacon_rung(advert.game_id, loopback=loopback, only=only), patience)
    finally:
        answering.cancel()
        await asyncio.wait((answering,))
    return any(table.advert.game_id == advert.game_id for table in found.tables)
