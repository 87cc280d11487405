"""Each limit of docs/protocol.md: just within it a value is accepted, and just beyond it rejected."""

import asyncio
import inspect
import re
from pathlib import Path

import pytest

from citadels_lan.net.client.connection import QUIET
from citadels_lan.net.client.session import SPREAD
from citadels_lan.net.host.connections import SILENCE
from citadels_lan.net.join.handshake import ANSWER_TIME
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire.messages import ENTRY, FROM_CLIENT, FROM_HOST
from citadels_lan.net.wire.timing import Timing
from tests.effort import one_case, quick

from . import finding, of_files, of_joining, of_the_table
from .stated import LIMITS, WRITTEN

MODULES = (of_files, of_joining, of_the_table, finding)
"""The modules that register limits."""
DEAR = ("256 entries", "If a viewer lacks more than 256 entries")
"""How the limits begin that need a long and slow game."""
PROTOCOL = " ".join(WRITTEN.split())


@one_case("words", quick(LIMITS, *(words for words in LIMITS if not words.startswith(DEAR))), parts=4)
def test_each_limit_of_the_protocol_page_holds(words: str, tmp_path: Path) -> None:
    assert words in PROTOCOL
    provoke = LIMITS[words]
    result = provoke(*[tmp_path] if inspect.signature(provoke).parameters else [])
    if inspect.iscoroutine(result):
        asyncio.run(result)


TIMES = {
    "answer to a code 0.05 seconds": ANSWER_TIME == 0.05,
    "the whole handshake has 10 seconds": Timing().handshake == 10,
    "the first byte within 3 seconds": SILENCE == 3,
    "a frame that has begun 10 seconds to be complete": Timing().frame == 10,
    "ping every 1.5 seconds": Timing().ping == 1.5,
    "after 4.5 seconds the client looks for the host": QUIET * Timing().ping == 4.5,
    "for 9 seconds": 2 * QUIET * Timing().ping == 9,
    "on average every two seconds": Timing().noise == 2,
    "5 to 5.5 seconds": Timing().sealed * (1 + SPREAD) == 5.5,
}
"""Times that other tests do not wait for: those tests use shorter ones."""


def test_times_equal_those_of_the_protocol_page() -> None:
    for words, same in TIMES.items():
        assert words in PROTOCOL
        assert same, words


def test_message_numbers_equal_those_of_the_protocol_page() -> None:
    """A number is never used for another message, and older clients must know the same numbers."""
    rows = re.findall(r"^    (\d+) +(CH|C|H) ", WRITTEN, re.MULTILINE)
    sides = {int(number): sides for number, sides in rows}
    assert {number for number, side in sides.items() if "C" in side} == FROM_CLIENT.keys()
    assert {number for number, side in sides.items() if "H" in side} == {*FROM_HOST, ENTRY}


@one_case("now", [1000.0, 123_456.789, 1e6 / 3, 77.7])
@pytest.mark.parametrize(("burst", "rate"), [(5, 1), (20, 5), (8, 2), (10, 10), (7, 3)])
def test_token_bucket_allows_a_whole_burst_at_any_time(now: float, burst: int, rate: float) -> None:
    bucket = Bucket(burst, rate)
    assert [bucket.take(now) for _ in range(burst + 2)] == [True] * burst + [False] * 2
    assert [bucket.take(now + 1.1 / rate) for _ in range(2)] == [True, False]
