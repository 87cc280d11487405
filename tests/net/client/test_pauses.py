"""How often an address is tried again, on a clock of these tests."""

import asyncio
from types import SimpleNamespace

import pytest

from citadels_lan.net.client import search as searching
from citadels_lan.net.client.search import Greeted, Search
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.wire.errors import Refusal


async def test_the_pauses_are_twice_as_long_each_time_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def greet(address: Address) -> Greeted:
        if len(slept) < 6:
            raise Refusal("unreachable")
        return Greeted(address, SimpleNamespace(), None, None)  # type: ignore[arg-type]  # nobody joins

    clock = SimpleNamespace(**vars(asyncio) | {"sleep": sleep})
    monkeypatch.setattr(searching, "asyncio", clock)
    await Search(greet)._try(("10.0.0.1", 1), 0.5, (1.0, 5.0))
    assert slept == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
