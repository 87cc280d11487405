"""A session whose host has gone and which hears of another one."""

from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.net.client.moving import Moving
from citadels_lan.net.wire.timing import Timing


async def test_it_goes_to_the_new_host_once_and_then_leaves_the_rest_to_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone_to: list[object] = []
    gossip: Any = SimpleNamespace(others=None, say=lambda datagram: None)
    connection: Any = SimpleNamespace(gossip=gossip, up=False, go_to=gone_to.append)
    elsewhere = SimpleNamespace(address=("10.0.0.2", 4711))
    succession: Any = SimpleNamespace(take=object(), won=None, elsewhere=elsewhere, beat=lambda end: ())
    moving = Moving(connection, Timing(), None)
    monkeypatch.setattr(moving, "_current", lambda client: succession)
    client: Any = SimpleNamespace(records=SimpleNamespace(signed_head=None))
    for _ in range(3):
        await moving._look(client)
    assert gone_to == [("10.0.0.2", 4711)]
    assert gossip.others is succession.take
