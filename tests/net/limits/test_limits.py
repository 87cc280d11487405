"""Every limit of docs/protocol.md is provoked: just inside it is taken, just beyond it is not."""

import asyncio
import inspect
import re
from pathlib import Path

import pytest

from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_CLIENT,
    FROM_HOST,
)
from tests.effort import one_case, quick

from . import at_the_door, finding, frames, of_a_file, of_the_log, of_the_table, speaking
from .stated import LIMITS, PROTOCOL, PROVOKED, WRITTEN

KINDS = (frames, of_the_log, of_a_file, at_the_door, speaking, of_the_table, finding)
"""The modules with what provokes limits."""
DEAR = {"the window", "the end", "a snapshot"}
"""Whole games."""


def test_every_limit_is_provoked() -> None:
    assert PROVOKED.keys() == LIMITS.keys()


@one_case("name", LIMITS)
def test_the_protocol_states_it(name: str) -> None:
    assert LIMITS[name] in PROTOCOL


@one_case("name", quick(LIMITS, *(LIMITS.keys() - DEAR)), parts=4)
def test_beyond_a_limit_nothing_is_taken(name: str, tmp_path: Path) -> None:
    provoke = PROVOKED[name]
    given = (tmp_path,) if inspect.signature(provoke).parameters else ()
    result = provoke(*given)
    if inspect.iscoroutine(result):
        asyncio.run(result)


@one_case("now", [1000.0, 123_456.789, 1e6 / 3, 77.7])
@pytest.mark.parametrize(("burst", "rate"), [(5, 1), (20, 5), (8, 2), (10, 10), (7, 3)])
def test_a_burst_is_whole_at_any_time(now: float, burst: int, rate: float) -> None:
    bucket = Bucket(burst, rate)
    assert [bucket.take(now) for _ in range(burst + 2)] == [True] * burst + [False] * 2
    assert [bucket.take(now + 1.1 / rate) for _ in range(2)] == [True, False]


def test_numbers_of_messages_are_those_of_the_protocol() -> None:
    """Numbers are never reused, and a client of before must find the same ones."""
    rows = re.findall(r"^    (\d+) +(CH|C|H) ", WRITTEN, re.MULTILINE)
    said = {int(number): sides for number, sides in rows}
    assert {number for number, sides in said.items() if "C" in sides} == FROM_CLIENT.keys()
    assert {number for number, sides in said.items() if "H" in sides} == {*FROM_HOST, ENTRY}
