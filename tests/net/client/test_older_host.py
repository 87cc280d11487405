"""A host that has fewer entries than its client: it is told of, and asked again."""

from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.net.client.connection import Connection
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.timing import Timing

ADDRESS = ("10.0.0.1", 4711)


def coming_back(n: int, told: list[Refusal]) -> Connection:
    """A connection of somebody who has so many entries."""
    connection = Connection(None, (), Timing(), lambda: None, tell=told.append)  # type: ignore[arg-type]
    records, trust = SimpleNamespace(n=n), SimpleNamespace(turned_away=lambda why: why)
    connection.client = SimpleNamespace(records=records, trust=trust)  # type: ignore[assignment]
    connection._joined = True
    return connection


@pytest.mark.parametrize(("theirs", "older"), [(9, True), (10, False), (11, False), ("9", False)])
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
