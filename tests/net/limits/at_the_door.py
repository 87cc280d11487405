"""Limits at the door: words, tries, strangers, floods, bans."""

import asyncio

import pytest

from citadels_lan.net.host.listening import JOINING, PACE, SILENT
from citadels_lan.net.host.lobby import Bans
from citadels_lan.net.host.server import PLAYER, SILENCE, SPECTATOR
from citadels_lan.net.join.door import Door, read_words
from citadels_lan.net.join.handshake import ANSWER_TIME
from citadels_lan.net.limits import Bucket, Slots
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.timing import Timing
from tests.net.join.test_door import attempt

from .frames import header
from .stated import provokes


@provokes("words of a code")
def _() -> None:
    assert len(read_words("cane gatto topo")) == 3
    with pytest.raises(Refusal) as turned:
        read_words("cane gatto")
    assert turned.value.code == "bad_code"


@provokes("tries of an address")
def _() -> None:
    """How it grows: `tests/net/join/test_door.py`."""
    door = Door.of("")
    tries = [attempt(door, "a", now) for now in (0.0, 1.0, 2.0, 61.9)]
    assert tries == ["wrong_code"] * 3 + ["too_many_tries"]
    assert attempt(door, "b", 61.9) == "wrong_code"
    assert attempt(door, "a", 62.0) == "wrong_code"
    assert attempt(door, "a", 181.9) == "too_many_tries"


@provokes("guesses in all")
def _() -> None:
    door = Door.of("")
    for number in range(10):
        assert attempt(door, f"{number}", 0.0) == "wrong_code"
    assert [attempt(door, f"{number}", 0.0) for number in range(10)] == ["wrong_code"] * 10
    assert attempt(door, "0", 19.9, right=True) == "too_many_guesses"
    assert attempt(door, "0", 20.0, right=True) == ""
    assert attempt(door, "friend", 0.0, right=True) == ""


@provokes("knocks at once")
def _() -> None:
    door = Door.of("")
    for _ in range(8):
        door.knock("a", "code", 0.0)
    with pytest.raises(Refusal) as turned:
        door.knock("a", "token", 0.0)
    assert turned.value.code == "crowded"
    door.knock("b", "code", 0.0)


@provokes("an answer at the door")
def _() -> None:
    """That it is waited for: `tests/net/test_times_and_sizes.py`."""
    assert ANSWER_TIME == 0.05


@provokes("a handshake")
def _() -> None:
    """That nobody has longer: `tests/net/join/test_getting_in.py`."""
    assert Timing().handshake == 10


def crowded(most: int, of_one: int) -> None:
    """Slots are free up to these numbers, and not beyond them."""
    assert (most, of_one) in (SILENT, JOINING)
    for sources, limit in ((map(str, range(most)), most), (["a"] * of_one, of_one)):
        slots = Slots[int](most, of_one)
        for number, source in enumerate(sources):
            assert not slots.rivals(source)
            slots.enter(source, number)
        assert len(slots.rivals("a")) == (1 if limit == most else of_one)


@provokes("silent strangers")
def _() -> None:
    """What becomes of one more: `tests/net/host/test_listening.py`."""
    crowded(256, 64)


@provokes("strangers")
def _() -> None:
    crowded(32, 12)


@provokes("beginnings of TLS")
def _() -> None:
    """That they are waited for: `tests/net/host/test_listening.py`."""
    pace = Bucket(*PACE)
    assert [pace.take(1.0) for _ in range(65)] == [True] * 64 + [False]
    assert pace.wait(1.0) == pytest.approx(1 / 20)


@provokes("a first byte")
def _() -> None:
    """That nobody has longer: `tests/net/host/test_listening.py`."""
    assert SILENCE == 3


def taken(limit: tuple[int, float]) -> list[int]:
    """How many messages are taken at once, and in the second after that."""
    allowed = Bucket(*limit)
    return [sum(allowed.take(now) for _ in range(1000)) for now in (1.0, 2.0)]


@provokes("a flood of a player")
def _() -> None:
    """What becomes of it: `tests/net/host/test_floods.py`."""
    assert taken(PLAYER) == [400, 200]


@provokes("a flood of a spectator")
def _() -> None:
    assert taken(SPECTATOR) == [100, 20]


@provokes("bans")
def _() -> None:
    floods = Bans().flooding
    assert floods.left("a", 0.0) == 0
    for seconds in (5, 10, 20, 40, 80, 160, 320, 600, 600):
        floods.note("a", 100.0)
        assert floods.left("a", 100.0) == seconds
        assert floods.left("a", 100.0 + seconds) == 0


class Sink(asyncio.Transport):
    """A connection that nobody reads, for `Link`."""

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
    """A link with such a connection."""
    link = Link(patience)
    link.connection_made(sink)
    return link


@provokes("a frame that has begun")
async def _() -> None:
    """One that has begun has to end in time, however it trickles in; none is asked to begin."""
    assert Timing().frame == 10
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
