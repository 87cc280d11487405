"""Limits of the beacon and of searching for a table."""

import asyncio
from typing import Final

from msgspec import to_builtins
from msgspec.structs import replace

from citadels_lan.crypto.codec import typed
from citadels_lan.net.client.connection import Greeted, Search
from citadels_lan.net.discovery.adverts import Address, Advert
from citadels_lan.net.discovery.beacon import Announcement, Listener, Responder, ask, read, say

from .stated import limit, malformed


@limit("at most 16 addresses at a time")
async def _() -> None:
    tried: set[object] = set()

    async def greet(address: Address) -> Greeted:
        tried.add(address)
        await asyncio.sleep(3600)
        raise AssertionError

    search = Search(greet, (1.0, 1.0))
    for number in range(40):
        search.at([(f"10.0.0.{number}", 1)])
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    search.close()
    assert len(tried) == 16


BEACON: Final = Advert(bytes(16), "Anna", 1, 4, "lobby", "2016", bytes(32))


def announced(game: int) -> bytes:
    return say(replace(BEACON, game_id=game.to_bytes(16, "big")), 47110, ())


@limit("padded to 256 or 512 bytes")
def _() -> None:
    assert len(say(replace(BEACON, name="è" * 24, edition="è" * 24), 65535, ["fd00::1"] * 20)) <= 512
    malformed(read, announced(1).ljust(1024, b"\0"))


@limit("a question has 512 bytes")
def _() -> None:
    assert len(ask(None)) == len(ask(bytes(16))) == 512
    malformed(read, ask(None)[:256])


@limit("At most 8 addresses")
def _() -> None:
    hosts = [f"10.0.0.{number}" for number in range(20)]
    said = read(say(BEACON, 47110, hosts))
    assert isinstance(said, Announcement)
    assert len(said.numbers) == 8
    malformed(typed, [*to_builtins(said)[:-1], [bytes(4)] * 9], Announcement)


@limit("at most 40 answers a second, 4 to one address (12 at once)")
def _() -> None:
    for sources, answered in ((1, 12), (100, 40)):
        host = Responder()
        asked = [host.wants(ask(None), bytes(16), f"{number % sources}", 1000.0) for number in range(100)]
        assert sum(asked) == answered
    one = Responder()
    assert (
        sum(one.wants(ask(None), bytes(16), "a", 1000.0 + second / 20) for second in range(2000))
        == 12 + 4 * 100 - 1
    )


@limit("at most 100 datagrams a second, 12 from one address (24 at once)")
def _() -> None:
    for sources, taken in ((1, 24), (200, 100)):
        hearing = Listener()
        news = [hearing.take(announced(number), f"10.0.0.{number % sources}", 1000.0) for number in range(300)]
        assert sum(news) == taken


@limit("keeps at most 64 tables, 8 from one address")
def _() -> None:
    hearing = Listener()
    for number in range(200):
        hearing.take(announced(number), f"10.0.0.{number}", 1000.0 + number)
    assert len(hearing.tables) == 64
    for number in range(20):
        hearing.take(announced(number), "10.0.0.199", 1300.0 + number)
    own = [table for table in hearing.tables.values() if table.addresses[0][0] == "10.0.0.199"]
    assert len(own) == 8


@limit("forgets a table after 15 silent seconds")
def _() -> None:
    hearing = Listener()
    hearing.take(announced(1), "10.0.0.1", 1000.0)
    assert not hearing.expire(1015.0)
    assert hearing.expire(1015.1)
    assert hearing.tables == {}
