"""Limits for connections: join codes, pending connections, floods, bans."""

import asyncio

import pytest

from citadels_lan.net.host.connections import JOINING, PACE, PLAYER, SILENT, SPECTATOR
from citadels_lan.net.join.join_code import Bans, JoinCode, read_words
from citadels_lan.net.limits import Bucket, Slots
from citadels_lan.net.wire import link as links
from citadels_lan.net.wire.link import Link
from tests.net.join.test_join_code import attempt
from tests.net.room import rejects

from .of_files import header
from .stated import limit


@limit("**The code** has three words")
def _() -> None:
    assert len(read_words("cane gatto topo")) == 3
    with rejects("bad_code"):
        read_words("cane gatto")


@limit("after the third 60 seconds wait, then twice as long each time")
def _() -> None:
    """Later delays are tested in `tests/net/join/test_join_code.py`."""
    code = JoinCode.of("")
    tries = [attempt(code, "a", now) for now in (0.0, 1.0, 2.0, 61.9, 62.0, 181.9)]
    assert tries == ["wrong_code"] * 3 + ["too_many_tries", "wrong_code", "too_many_tries"]
    assert attempt(code, "b", 61.9) == "wrong_code"


@limit("10 at once, then three a minute")
def _() -> None:
    code = JoinCode.of("")
    for _ in range(3):
        assert [attempt(code, f"{number}", 0.0) for number in range(11)] == ["wrong_code"] * 11
    assert [attempt(code, f"{number}", 60.0) for number in range(10)] == ["wrong_code"] * 10
    assert attempt(code, "10", 79.9, right=True) == "too_many_guesses"
    assert attempt(code, "10", 80.0, right=True) == ""
    assert attempt(code, "friend", 0.0, right=True) == ""


@limit("at most 8 open tries")
def _() -> None:
    code = JoinCode.of("")
    attempts = [code.begin("a", "code", 0.0) for _ in range(8)]
    with rejects("crowded"):
        code.begin("a", "token", 0.0)
    code.begin("b", "code", 0.0)
    code.check(attempts[0], lambda: True, 0.0)
    code.end(attempts[0], 0.0)
    code.begin("a", "code", 0.0)


def crowded(most: int, of_one: int) -> None:
    """Check that exactly `most` slots can be used in all, and `of_one` of them by one source."""
    for sources, count in ((map(str, range(most)), most), (["a"] * of_one, of_one)):
        slots = Slots[int](most, of_one)
        for number, source in enumerate(sources):
            assert not slots.rivals(source)
            slots.enter(source, number)
        assert len(slots.rivals("a")) == (1 if count == most else of_one)


@limit("256 connections, 64 of one source")
def _() -> None:
    assert SILENT == (256, 64)
    crowded(*SILENT)


@limit("32 connections, 12 of one source")
def _() -> None:
    assert JOINING == (32, 12)
    crowded(*JOINING)


@limit("64 begin TLS at once, then 20 a second")
def _() -> None:
    pace = Bucket(*PACE)
    assert [pace.take(1.0) for _ in range(65)] == [True] * 64 + [False]
    assert pace.wait(1.0) == pytest.approx(1 / 20)


def accepted(rate: tuple[int, float]) -> list[int]:
    """Return how many requests this rate accepts at once, and in the second after that."""
    bucket = Bucket(*rate)
    return [sum(bucket.take(now) for _ in range(1000)) for now in (1.0, 2.0)]


@limit("a player 400 at once, then 200 a second")
def _() -> None:
    assert accepted(PLAYER) == [400, 200]


@limit("a spectator 100 at once, then 20 a second")
def _() -> None:
    assert accepted(SPECTATOR) == [100, 20]


@limit("5 seconds, twice as long each time, 600 at most")
def _() -> None:
    floods = Bans().flooding
    assert floods.left("a", 0.0) == 0
    for seconds in (5, 10, 20, 40, 80, 160, 320, 600, 600):
        floods.note("a", 100.0)
        assert floods.left("a", 100.0) == seconds
        assert floods.left("a", 100.0 + seconds) == 0


class Sink(asyncio.Transport):
    """The transport of a connection whose other side reads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0
        self.aborted = False

    def is_closing(self) -> bool:
        return self.aborted

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.waiting += len(data)

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.aborted = True


def linked(sink: Sink, patience: float) -> Link:
    """Return a link over this transport."""
    link = Link(patience)
    link.connection_made(sink)
    return link


@limit("a frame that has begun")
async def _() -> None:
    """A frame that has begun must be complete in time. Without a frame there is no limit."""
    link = linked(Sink(), 0.05)
    link.data_received(header(256))
    with pytest.raises(TimeoutError):
        await link.frame()
    silent = linked(Sink(), 0.05)
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(silent.frame())
        await asyncio.sleep(0.2)
        assert not waiting.done()
        waiting.cancel()


@limit("waiting to be sent 1 MiB")
async def _() -> None:
    assert links.BACKLOG == 1024 * 1024
    sink = Sink()
    link = linked(sink, 5)
    link.send(bytes(1024 * 1024))
    assert (sink.aborted, link.closed_as) == (False, None)
    link.send(b"x")
    assert (sink.aborted, link.closed_as) == (True, "behind")
