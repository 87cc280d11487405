"""Looking for a host at many addresses: which are tried, how often, and who is taken."""

import asyncio
from types import SimpleNamespace
from typing import Final

import pytest

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.search import MOST, Greeted, Search
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal
from tests.net.playing import until

ONE, TWO, THREE = (("10.0.0.1", 1), ("10.0.0.2", 1), ("10.0.0.3", 1))
QUICKLY: Final = (0.001, 0.002)


class Net:
    """Addresses, and what becomes of a try there: answers, silence, or an error."""

    def __init__(self) -> None:
        self.there: dict[Address, Exception | None] = {}
        self.tried: list[Address] = []
        self.left: list[Address] = []

    async def greet(self, address: Address) -> Greeted:
        self.tried.append(address)
        if address not in self.there:
            await asyncio.sleep(3600)
        if (failure := self.there[address]) is not None:
            raise failure
        link = SimpleNamespace(abort=lambda _: self.left.append(address))
        return Greeted(address, link, None, None)  # type: ignore[arg-type]  # nobody joins


@pytest.fixture
def net() -> Net:
    return Net()


async def taken(search: Search) -> Address | None:
    async with asyncio.timeout(60):
        greeted = await search.found()
    return greeted.address if greeted is not None else None


async def test_a_silent_address_delays_no_other(net: Net) -> None:
    net.there[TWO] = None
    search = Search(net.greet)
    search.at((ONE, TWO))
    assert await taken(search) == TWO
    search.close()
    assert net.tried == [ONE, TWO]


async def test_a_newcomer_tries_each_once_and_hears_why(net: Net) -> None:
    net.there |= {ONE: Refusal("unreachable"), TWO: OSError(), THREE: Malformed()}
    search = Search(net.greet)
    search.at((ONE, TWO, THREE))
    assert await taken(search) is None
    assert {address: reason.code for address, reason in search.reasons.items()} == {
        ONE: "unreachable",
        TWO: "no_answer",
        THREE: "malformed",
    }
    assert net.tried == [ONE, TWO, THREE]


async def test_what_would_be_the_same_elsewhere_ends_it_for_a_newcomer_alone(net: Net) -> None:
    net.there[ONE] = Refusal("table_full")
    search = Search(net.greet)
    search.at((ONE, TWO))
    with pytest.raises(Refusal):
        await taken(search)
    search.close()
    net.there[TWO] = None
    search = Search(net.greet, QUICKLY)
    search.at((ONE, TWO))
    assert await taken(search) == TWO, "whoever comes back lets nobody but the host send it away"
    search.close()


async def test_who_comes_back_tries_again_until_the_host_is_there(net: Net) -> None:
    net.there[ONE] = Refusal("unreachable")
    search = Search(net.greet, QUICKLY)
    search.at((ONE,))
    await until(lambda: len(net.tried) >= 5)
    net.there[ONE] = None
    assert await taken(search) == ONE
    search.close()


async def test_hearsay_is_tried_when_it_is_heard_and_not_by_itself(net: Net) -> None:
    net.there |= {ONE: Refusal("unreachable"), TWO: Refusal("unreachable")}
    search = Search(net.greet, QUICKLY)
    search.at((ONE,))
    search.at((TWO,), again=False)
    await until(lambda: net.tried.count(ONE) >= 9 and TWO in net.tried)
    assert net.tried.count(TWO) == 1
    search.at((TWO,), again=False)
    await until(lambda: net.tried.count(TWO) >= 2)
    search.close()


async def test_links_that_nobody_takes_are_let_go(net: Net) -> None:
    net.there |= {ONE: None, TWO: None}
    search = Search(net.greet, QUICKLY)
    search.at((ONE,))
    search.at((TWO,))
    assert await taken(search) == ONE
    await until(lambda: TWO in net.tried)
    search.close()
    assert net.left == [TWO]


async def test_a_flood_of_addresses_is_not_tried_all_at_once(net: Net) -> None:
    search = Search(net.greet, QUICKLY)
    for number in range(200):
        search.at(((f"10.1.0.{number}", 1),), again=False)
    await until(lambda: len(net.tried) >= MOST)
    await asyncio.sleep(0)
    assert len(net.tried) == MOST
    search.close()
