"""A host that has fewer entries than its client: it is told of, and asked again."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal
from tests.effort import one_case

ADDRESS = ("10.0.0.1", 4711)


def coming_back(n: int, told: list[Refusal]) -> Connection:
    """A connection of somebody who has so many entries."""
    request = JoinRequest(Profile("Anna"), Identity(bytes(32)), Path(), Path())
    connection = Connection(request, lambda: None, told.append)
    records, trust = SimpleNamespace(n=n), SimpleNamespace(turned_away=lambda why: why)
    connection.client = SimpleNamespace(records=records, trust=trust)  # type: ignore[assignment]
    connection._joined = True
    return connection


@one_case(("theirs", "older"), [(9, True), (10, False), (11, False), ("9", False)])
def test_a_host_with_fewer_entries_is_an_older_copy_and_is_asked_again(theirs: int | str, older: bool) -> None:
    told: list[Refusal] = []
    asked: list[float] = []
    search: Any = SimpleNamespace(reasons={}, at=lambda addresses, later: asked.append(later))
    reason = Refusal("fork", n=theirs)
    connection = coming_back(10, told)
    if older:
        connection._turned(search, ADDRESS, reason)
        assert [one.code for one in told] == ["older_host"]
        assert asked == [2.0]
    else:
        with pytest.raises(Refusal) as turned:
            connection._turned(search, ADDRESS, reason)
        assert turned.value is reason
        assert told == []
        assert asked == []
    assert search.reasons[ADDRESS].code == ("older_host" if older else "fork")


async def test_connection_that_has_no_link_has_none_to_lose() -> None:
    """A player who waits for the host sees once that the connection is lost."""
    request = JoinRequest(Profile("Anna"), Identity(bytes(32)), Path(), Path())
    assert Connection(request, lambda: None).drop("lost") is False
