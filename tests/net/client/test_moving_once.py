"""A session whose host has gone and which hears of another one."""

from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.net.client.moving import Moving
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.timing import Timing

PLACES = (("10.0.0.2", 4711), ("10.0.1.2", 4711))


def followed(**how: object) -> Any:
    """What a seat has made of the words of the others."""
    return SimpleNamespace(take=object(), beat=lambda end: (), resume=lambda: None, **how)


async def test_it_goes_to_the_new_host_once_and_tries_all_its_addresses_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone_to: list[object] = []
    tried: list[object] = []
    gossip: Any = SimpleNamespace(others=None, say=lambda datagram: None)
    connection: Any = SimpleNamespace(gossip=gossip, up=False, go_to=gone_to.append, try_at=tried.append)
    elsewhere = SimpleNamespace(addresses=PLACES)
    succession: Any = SimpleNamespace(
        take=object(), won=None, left_behind=False, elsewhere=elsewhere, beat=lambda end: (), resume=lambda: None
    )
    moving = Moving(connection, Timing(), None)
    monkeypatch.setattr(moving, "_current", lambda client: succession)
    client: Any = SimpleNamespace(records=SimpleNamespace(signed_head=None))
    for _ in range(3):
        await moving._look(client)
    assert gone_to == [PLACES[0]]
    assert tried == [PLACES] * 3
    assert gossip.others is succession.take


@pytest.mark.parametrize(("code", "lost"), [("spoiled", 1), ("journal_used", 0)])
async def test_what_cannot_be_taken_over_is_won_no_more(
    monkeypatch: pytest.MonkeyPatch, code: str, lost: int
) -> None:
    """Nothing is signed then; else there may be entries of the new host, and it stays that."""
    given_up: list[None] = []

    async def fail(_: object) -> int:
        raise Refusal(code)

    heir: Any = SimpleNamespace(begin=fail)
    gossip: Any = SimpleNamespace(others=None, say=lambda datagram: None)
    connection: Any = SimpleNamespace(gossip=gossip, up=False)
    succession: Any = SimpleNamespace(
        take=object(), won=object(), elsewhere=None, beat=lambda end: (), resume=lambda: None
    )
    pledges = SimpleNamespace(lose=lambda: given_up.append(None))
    client: Any = SimpleNamespace(
        records=SimpleNamespace(signed_head=None, pledges=pledges), beside=SimpleNamespace(house=None)
    )
    moving = Moving(connection, Timing(), heir)
    monkeypatch.setattr(moving, "_current", lambda client: succession)
    monkeypatch.setattr("citadels_lan.net.client.moving.heritage", lambda *_: None)
    with pytest.raises(Refusal):
        await moving._look(client)
    assert len(given_up) == lost
