"""Every limit that docs/protocol.md states, and what provokes it: just inside it is taken, just beyond it is not.

`LIMITS` is the list: a name, and the words of the protocol that state it. A limit without words there, or without
anything here that provokes it, fails.
"""

import asyncio
import inspect
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from citadels_lan.crypto.beacons import LINKS, SPENT, link_of
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.delta import MAX_ENTRIES, Delta, decode_delta, encode_delta
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.log import OPENINGS, SEAL_AFTER, Opened, Seal, TableMove, decode_entry, encode_entry
from citadels_lan.crypto.packing import Malformed, pack, pad, typed, unpack
from citadels_lan.crypto.signed_head import MAX_DATAGRAM
from citadels_lan.crypto.signed_head import decode as decode_datagram
from citadels_lan.crypto.transcript import MAGIC, Damaged, FileHead, Transcript, Writer, parse
from citadels_lan.engine import TableConfig, Unplayable
from citadels_lan.net.client import forks
from citadels_lan.net.client.answers import SPREAD
from citadels_lan.net.client.connection import QUIET, Connection
from citadels_lan.net.client.forks import Comparer
from citadels_lan.net.client.search import Greeted, Search
from citadels_lan.net.client.updates import Away, Chatted
from citadels_lan.net.client.whereabouts import Whereabouts, answer, question
from citadels_lan.net.client.whereabouts import read as read_where
from citadels_lan.net.discovery.beacon import Answering, Hearing
from citadels_lan.net.discovery.beacon_frames import TableSaid, ask, read, say
from citadels_lan.net.discovery.found import Address, Advert, Sought
from citadels_lan.net.host.broadcast import WINDOW
from citadels_lan.net.host.exiles import Exiles
from citadels_lan.net.host.gate import PACE, Caller, Crowd, Gate
from citadels_lan.net.host.lobby import Lobby
from citadels_lan.net.host.server import PLAYER, SILENCE, SPECTATOR
from citadels_lan.net.join.admission import UNHURRIED
from citadels_lan.net.join.door import Door, read_words
from citadels_lan.net.wire import link as links
from citadels_lan.net.wire.chat import sign_line
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder, Frame, encode_frame
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_CLIENT,
    FROM_HOST,
    Message,
    Ready,
    Resync,
    Said,
    Say,
    Settings,
    Snapshot,
    decode,
)
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.timing import Timing
from tests.crypto.heads import HEADER, datagram
from tests.crypto.table import player
from tests.net.host.test_table import between, refusals, updates
from tests.net.join.test_door import attempt
from tests.net.room import Guest, Room

WRITTEN: Final = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
PROTOCOL: Final = " ".join(WRITTEN.split())

LIMITS: Final[dict[str, str]] = {
    "a body": "it is at most 65 536,",
    "a body of a stranger": "and 4 096 before the peer is known",
    "a string": "strings 1 024 bytes",
    "bytes": "bins 4 096",
    "an array": "arrays 256",
    "a map": "maps 64",
    "depth": "depth 8",
    "moves without a seal": "32 moves have no signature in the log yet",
    "openings of an entry": "An entry has at most 24 openings",
    "events of an entry": "an event list at most 256 events",
    "links": "A chain has 256 links",
    "a file": "at most 64 MiB",
    "entries": "10 000 entries",
    "words of a code": "three or more words",
    "tries of an address": "After the third one an address waits 60 seconds",
    "guesses in all": "ten at once, then three a minute",
    "knocks at once": "at most eight between the two",
    "an answer at the door": "0.1 seconds in this program",
    "a handshake": "The whole handshake has 10 seconds",
    "silent strangers": "At most 256 connections have not said anything yet, 64 of one source",
    "strangers": "at most 32 are joining, 12 of one source",
    "beginnings of TLS": "16 begin TLS at once, then 20 a second",
    "a first byte": "within 3 seconds",
    "a frame that has begun": "A frame that has begun has 10 seconds to be complete",
    "players": "2 to 9 players",
    "a name": "Names have 1 to 24 characters",
    "a line of chat": "lines of chat 1 to 240",
    "a seat in the lobby": "Who is gone for 30 seconds loses the seat",
    "a share": "a seat that has been away for 30 seconds is left out",
    "the window": "at most 256 ahead of its last *ack*",
    "a snapshot": "If that are more than 256, a *snapshot* comes first",
    "pings": "A *ping* comes every 1.5 seconds",
    "silence": "is away after 10 seconds and dropped after 30",
    "a silent host": "A client that hears nothing for 4.5 seconds looks for the host beside the silent link",
    "a silent host is given up": "gives that up when it has found it, or after 9 seconds",
    "addresses that are tried": "side by side, at most 16 addresses",
    "a datagram of the beacon": "never longer than 512 bytes",
    "a question of the beacon": "a question, of exactly 512 bytes",
    "addresses of a table": "there are at most 8 addresses",
    "answers of the beacon": "at most 40 answers a second, 4 to one address (12 at once)",
    "datagrams of the beacon that are read": "at most 100 datagrams a second, 12 from one address (24 at once)",
    "tables that are kept": "keeps at most 64 tables, 8 from one address",
    "a silent table": "forgets a table that is silent for 8 seconds",
    "noise": "on average every two seconds",
    "what waits to be sent": "at most 1 MiB waiting to be sent",
    "chat": "Five lines of chat at once, then one a second",
    "requests": "20 requests in the lobby and resyncs at once, then five a second",
    "a flood of a player": "400 messages at once, then 200 a second",
    "a flood of a spectator": "100 at once, then 20 a second",
    "exile": "for 5 seconds, and twice as long each time, 600 at most",
    "spectators": "200 spectators",
    "the end": "or has been away for 30 seconds",
    "a datagram": "a msgpack array of at most 512 bytes",
    "datagrams that are checked": "at most 10 datagrams a second and 4 from one address (8 at once)",
    "datagrams that wait": "6 for each seat, 10 for all spectators, and the oldest go",
    "a question to neighbours": "*ask* and *at* have exactly 256 bytes",
    "neighbours that are answered": "of at most 20 datagrams a second, and 4 from one address (8 at once)",
    "the public part": "`public` at most 4 096 bytes",
    "entries of a file": "padding included | at most 10 000,",
    "what the entries of a file say": "what its entries say has without their padding at most 4 MiB",
    "own openings of a record": "`[opening…]`, 1 to 250",
    "own openings of a file": "log has not opened (section 4) | at most 10 000 openings in all |",
    "datagrams of a file": "whose head is not that of this log | at most 64 |",
    "a snapshot of a file": "which differs from the log | at most 1 |",
    "an alarm": "`code` has 1 to 40 characters | at most 1 |",
    "what ends a file": "u64 n, hash[n], sha256)]` | at most 1, last |",
    "an answer about a seal": "5 to 5.5 seconds",
}
"""By name, the words of docs/protocol.md."""

PROVOKED: Final[dict[str, Callable[..., Any]]] = {}


def provokes(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What follows takes what is just within the limit, and has refused what is beyond."""

    def register(provoke: Callable[..., Any]) -> Callable[..., Any]:
        assert name not in PROVOKED
        PROVOKED[name] = provoke
        return provoke

    return register


def test_every_limit_is_provoked() -> None:
    assert PROVOKED.keys() == LIMITS.keys()


@pytest.mark.parametrize("name", LIMITS)
def test_the_protocol_states_it(name: str) -> None:
    assert LIMITS[name] in PROTOCOL


@pytest.mark.parametrize("name", LIMITS)
def test_beyond_a_limit_nothing_is_taken(name: str, tmp_path: Path) -> None:
    provoke = PROVOKED[name]
    given = (tmp_path,) if inspect.signature(provoke).parameters else ()
    result = provoke(*given)
    if inspect.iscoroutine(result):
        asyncio.run(result)


def malformed(call: Callable[..., object], *arguments: object) -> None:
    """The call does not take that."""
    with pytest.raises(Malformed):
        call(*arguments)


def fed(decoder: Decoder, data: bytes) -> list[Frame]:
    return list(decoder.feed(data))


# Bytes


def header(length: int) -> bytes:
    return length.to_bytes(4, "big") + b"\x14"


@provokes("a body")
def _() -> None:
    assert len(list(Decoder(KNOWN).feed(encode_frame(20, bytes(65_536))))) == 1
    malformed(fed, Decoder(KNOWN), header(65_536 + 1024))
    with pytest.raises(ValueError, match="too long"):
        encode_frame(20, bytes(65_536 + 1024))


@provokes("a body of a stranger")
def _() -> None:
    assert len(list(Decoder().feed(encode_frame(20, bytes(4096))))) == 1
    malformed(fed, Decoder(), header(5120))


def within(value: object, beyond: object) -> None:
    assert unpack(pack(value)) == value
    malformed(unpack, pack(beyond))


@provokes("a string")
def _() -> None:
    within("x" * 1024, "x" * 1025)
    within("è" * 512, "è" * 513)


@provokes("bytes")
def _() -> None:
    within(bytes(4096), bytes(4097))


@provokes("an array")
def _() -> None:
    within([0] * 256, [0] * 257)


@provokes("a map")
def _() -> None:
    def entries(count: int) -> dict[str, int]:
        return {str(number): number for number in range(count)}

    within(entries(64), entries(65))


def nested(depth: int) -> object:
    return 1 if depth == 1 else [nested(depth - 1)]


@provokes("depth")
def _() -> None:
    within(nested(8), nested(9))


# The log

SHORT: Final = Opening(1, 0, 0, "pick", "pick king", bytes(32))


@provokes("moves without a seal")
def _() -> None:
    """That it comes after the 32nd: `tests/crypto/log/test_ledger.py`."""
    assert SEAL_AFTER == 32
    assert isinstance(decode_entry(pack([5, [bytes(64)] * 32])), Seal)
    malformed(decode_entry, pack([5, [bytes(64)] * 33]))


@provokes("openings of an entry")
def _() -> None:
    assert OPENINGS == 24
    assert isinstance(decode_entry(encode_entry(Opened((SHORT,) * 24))), Opened)
    malformed(decode_entry, encode_entry(Opened((SHORT,) * 25)))


@provokes("events of an entry")
def _() -> None:
    assert isinstance(decode_entry(encode_entry(TableMove([[15]] * 256))), TableMove)
    malformed(decode_entry, pack([4, [[15]] * 257]))


@provokes("links")
def _() -> None:
    """The 256th is the secret; what stands for one after that is nobody's."""
    assert LINKS == 256
    secret = bytes([5]) * 32
    assert link_of(bytes(16), 0, secret, 256) == secret
    assert link_of(bytes(16), 0, secret, 257) == SPENT == bytes(32)


@provokes("a file")
def _(folder: Path) -> None:
    with (folder / "one.ctr").open("w+b") as file:
        file.seek(64 * 1024 * 1024 - 266)
        writer = Writer(file, FileHead(bytes(16), "2", bytes(32), bytes(32), 0, bytes(32)))
        writer.append(bytes(256))
        with pytest.raises(OSError, match="as large as that"):
            writer.append(bytes(1))


@provokes("entries")
def _() -> None:
    assert MAX_ENTRIES == 10_000
    for n in (1, 10_000):
        assert decode_delta(encode_delta(Delta(n, bytes(64), b"", b"", None, None))).n == n
    for n in (0, 10_001):
        malformed(decode_delta, encode_delta(Delta(n, bytes(64), b"", b"", None, None)))


@provokes("a datagram")
def _() -> None:
    assert MAX_DATAGRAM == 512
    with pytest.raises(Malformed, match="too long"):
        decode_datagram(bytes(513))
    with pytest.raises(Malformed) as other:
        decode_datagram(bytes(512))
    assert "too long" not in str(other.value)


@provokes("datagrams that are checked")
def _() -> None:
    """More of both: `tests/net/client/test_comparing.py`."""
    assert (forks.RATE, forks.RATE_OF_ONE) == (10, 4)
    for sources, checked in ((1, 8), (40, 10)):
        comparer = Comparer(HEADER, 0, player(0))
        for number in range(40):
            comparer.take(datagram(1, 100 + number), 1000.0, f"{number % sources}")
        assert comparer.checks == checked


@provokes("datagrams that wait")
def _() -> None:
    for seat, places in ((1, 6), (None, 10)):
        comparer = Comparer(HEADER, 0, player(0))
        for number in range(20):
            comparer.take(datagram(seat, 100 + number), 1000.0 + number, "")
        assert comparer.waiting == places
        waiting = [received.heard.n for received in comparer._pending[seat]]
        assert waiting == list(range(120 - places, 120))


@provokes("the public part")
def _() -> None:
    for length, taken in ((4096, True), (4097, False)):
        body = pad(pack([1, bytes(64), bytes(length), b"", None, None]))
        if taken:
            assert len(decode_delta(body).public) == length
        else:
            malformed(decode_delta, body)


# A file


def record(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body


def in_a_file(*records: bytes) -> Transcript | None:
    """The transcript with these records after its head; None where it is none."""
    head = pack(FileHead(bytes(16), "2", bytes(32), bytes(32), 0, bytes(32)))
    try:
        return parse(MAGIC + record(b"H", head) + b"".join(records))
    except Damaged:
        return None


@provokes("entries of a file")
def _() -> None:
    entries = [record(b"E", b"")] * 10_001
    assert in_a_file(*entries[1:]) is not None
    assert in_a_file(*entries) is None


@provokes("what the entries of a file say")
def _() -> None:
    """Zero bytes at the end of one cost nothing, beside those of the file."""
    entry = record(b"E", bytes([1]) * 65_536)
    assert in_a_file(*[entry] * 64, record(b"E", bytes(65_536))) is not None
    assert in_a_file(*[entry] * 64, record(b"E", b"\x01")) is None


def owned(count: int) -> bytes:
    return record(b"O", pack((SHORT,) * count))


@provokes("own openings of a record")
def _() -> None:
    for count, taken in ((0, False), (1, True), (250, True), (251, False)):
        assert (in_a_file(owned(count)) is not None) == taken


@provokes("own openings of a file")
def _() -> None:
    whole = [owned(250)] * 40
    file = in_a_file(*whole)
    assert file is not None
    assert len(file.own) == 10_000
    assert in_a_file(*whole, owned(1)) is None
    assert in_a_file(*whole[1:], owned(249), owned(2)) is None


@provokes("a question to neighbours")
def _() -> None:
    told = answer(bytes(16), ("fd00::" + ":".join(["ffff"] * 6), 65535))
    assert told is not None
    assert len(question(bytes(16))) == len(told) == 256
    malformed(read_where, question(bytes(16)).ljust(512, b"\0"))


@provokes("neighbours that are answered")
def _() -> None:
    for sources, answered in ((1, 8), (100, 20)):
        told = Whereabouts(bytes(16), lambda: ("10.0.0.5", 1))
        asked = [told.take(told.question, f"{number % sources}", 1000.0) for number in range(100)]
        assert sum(one is not None for one in asked) == answered
    one = Whereabouts(bytes(16), lambda: ("10.0.0.5", 1))
    times = [1000.0 + second / 20 for second in range(2000)]
    assert sum(one.take(one.question, "a", now) is not None for now in times) == 8 + 4 * 100 - 1


@provokes("datagrams of a file")
def _() -> None:
    said = [record(b"G", b"said")] * 65
    assert in_a_file(*said[1:]) is not None
    assert in_a_file(*said) is None


def alarm(code: str, n: int = 7) -> bytes:
    return record(b"A", pack([n, code]))


SIGNED: Final = record(b"F", pack([bytes(32), bytes(64)]))


@provokes("a snapshot of a file")
def _() -> None:
    shown = record(b"S", b"shown")
    assert in_a_file(shown, alarm("snapshot"), SIGNED) is not None
    assert in_a_file(shown, shown, alarm("snapshot"), SIGNED) is None
    assert in_a_file(alarm("snapshot"), shown) is None


@provokes("an alarm")
def _() -> None:
    for code, taken in (("", False), ("x", True), ("x" * 40, True), ("x" * 41, False)):
        assert (in_a_file(alarm(code)) is not None) == taken
    for n, taken in ((0, False), (1, True), (10_000, True), (10_001, False)):
        assert (in_a_file(alarm("order", n)) is not None) == taken
    assert in_a_file(alarm("order"), alarm("order")) is None


@provokes("what ends a file")
def _() -> None:
    assert in_a_file(record(b"E", b""), SIGNED) is not None
    for after in (SIGNED, record(b"E", b""), record(b"G", b"said"), owned(1), alarm("order")):
        assert in_a_file(record(b"E", b""), SIGNED, after) is None


@provokes("an answer about a seal")
def _() -> None:
    """That it is drawn: `tests/net/test_times_and_sizes.py`."""
    assert Timing().sealed == 5
    assert Timing().sealed * (1 + SPREAD) == 5.5


# The door


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
    assert attempt(door, "friend", 19.9, right=True) == "too_many_guesses"
    assert attempt(door, "friend", 20.0, right=True) == ""


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
    assert UNHURRIED == 0.1


@provokes("a handshake")
def _() -> None:
    """That nobody has longer: `tests/net/join/test_getting_in.py`."""
    assert Timing().handshake == 10


def gone(crowd: Crowd, sources: Iterable[str]) -> int:
    """How many have to go when there come callers from these sources."""
    dismissed: list[str] = []
    for source in sources:
        crowd.enter(Caller(source, lambda source=source: dismissed.append(source)))  # type: ignore[misc]
    return len(dismissed)


def crowded(stage: Callable[[Gate], Crowd], most: int, of_one: int) -> None:
    assert gone(stage(Gate()), map(str, range(most))) == 0
    assert gone(stage(Gate()), map(str, range(most + 1))) == 1
    assert gone(stage(Gate()), ["a"] * of_one) == 0
    assert gone(stage(Gate()), ["a"] * (of_one + 1)) == 1


@provokes("silent strangers")
def _() -> None:
    crowded(lambda gate: gate.silent, 256, 64)


@provokes("strangers")
def _() -> None:
    crowded(lambda gate: gate.joining, 32, 12)


@provokes("beginnings of TLS")
def _() -> None:
    """That they are waited for: `tests/net/host/test_gate.py`."""
    pace = Bucket(*PACE)
    assert [pace.take(1.0) for _ in range(17)] == [True] * 16 + [False]
    assert pace.wait(1.0) == pytest.approx(1 / 20)


@provokes("a first byte")
def _() -> None:
    """That nobody has longer: `tests/net/host/test_gate.py`."""
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


@provokes("exile")
def _() -> None:
    exiles = Exiles()
    assert exiles.left("a", 0.0) == 0
    for seconds in (5, 10, 20, 40, 80, 160, 320, 600, 600):
        exiles.send("a", 100.0)
        assert exiles.left("a", 100.0) == seconds
        assert exiles.left("a", 100.0 + seconds) == 0


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


# What is said


@provokes("players")
def _() -> None:
    for players in (2, 9):
        cast = ("king",) if players < 8 else ()
        assert typed(unpack(pack(TableConfig(players, cast))), TableConfig).players == players
    for players in (1, 10):
        with pytest.raises((Refusal, Malformed, Unplayable)):
            Lobby(typed(unpack(pack(Settings(TableConfig(players)))), Settings))


def said(kind: type[Message], known: dict[int, type[Message]], *fields: object) -> Message:
    return decode(Frame(kind.type, pad(pack(list(fields)))), known)


@provokes("a name")
def _() -> None:
    def hello(name: str) -> Message:
        fields = ("citadels-lan", 1, 1, "1", (), bytes(32), "player", name, bytes(32), False)
        return said(FROM_CLIENT[1], FROM_CLIENT, *fields)

    assert hello("x" * 24)
    malformed(hello, "x" * 25)
    malformed(hello, "")
    welcome = FROM_HOST[8]
    assert said(welcome, FROM_HOST, 0, False, 0, "x" * 24)
    malformed(said, welcome, FROM_HOST, 0, False, 0, "x" * 25)


@provokes("a line of chat")
def _() -> None:
    assert said(Say, FROM_CLIENT, 1, "x" * 240, bytes(64))
    malformed(said, Say, FROM_CLIENT, 1, "x" * 241, bytes(64))
    malformed(said, Say, FROM_CLIENT, 1, "", bytes(64))
    told: tuple[object, ...] = (None, "Wanda", bytes(32), 1)
    assert said(Said, FROM_HOST, *told, "x" * 240, bytes(64))
    malformed(said, Said, FROM_HOST, *told, "x" * 241, bytes(64))


# The table


@provokes("a seat in the lobby")
def _(folder: Path) -> None:
    room = Room(folder, 3)
    anna, _ = room.seat("Anna", "Bea")
    anna.cut()
    room.wait(30)
    assert len(room.table.lobby.places) == 2
    room.wait(1)
    assert len(room.table.lobby.places) == 1


@provokes("a share")
def _(folder: Path) -> None:
    room = Room(folder, 3).begin()
    between(room)
    bea = room.players[1]
    bea.cut()
    for guest in (room.players[0], room.players[2]):
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    room.carry()
    n = room.game.n
    room.wait(29)
    assert room.game.n == n
    room.wait(3)
    assert room.game.n > n
    assert room.game.between is False


@cache
def journal() -> list[Written]:
    """That of a game with more entries than the window, played once for all who resume it."""
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder), 6).begin()
        while room.game.n <= WINDOW:
            assert room.move() is not None
        return room.journal


def deaf(folder: Path, n: int) -> tuple[Room, Guest]:
    """A table with so many entries, resumed, and a spectator who joins and hears nothing yet."""
    room = Room(folder, 6)
    room.journal[:] = journal()
    room.guests = [Guest(room, "Player 0")]
    room.restart(n)
    return room, Guest(room, "Wanda", player=False)


def sent_to(guest: Guest) -> list[int]:
    return [frame.type for frame in Decoder(KNOWN).feed(bytes(guest.port.all))]


@provokes("the window")
def _(folder: Path) -> None:
    room, wanda = deaf(folder, WINDOW + 1)
    wanda.join()
    assert WINDOW == 256
    assert sent_to(wanda).count(ENTRY) == 256
    room.guests.append(wanda)
    room.carry()
    assert wanda.records.n == room.game.n


@provokes("a snapshot")
def _(folder: Path) -> None:
    room, wanda = deaf(folder, 256)
    assert Snapshot.type not in sent_to(wanda.join())
    (folder / "later").mkdir()
    room, wanda = deaf(folder / "later", 257)
    assert Snapshot.type in sent_to(wanda.join())
    anna = room.players[0].join()
    for behind, comes in ((256, False), (257, True)):
        n = room.game.n - behind
        head = room.game.host_log._heads[n]
        anna.port.all.clear()
        assert anna.viewer is not None
        room.table.receive(anna.viewer, Resync(n, head), room.now)
        assert (Snapshot.type in sent_to(anna)) is comes


@provokes("pings")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna = room.players[0]
    room.wait(1)
    anna.port.all.clear()
    room.wait(50)
    assert 25 <= sent_to(anna).count(FROM_HOST[10].type) <= 34
    assert Timing().ping == 1.5


@provokes("silence")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna, bea = room.players
    assert bea.viewer is not None
    since = room.now - bea.viewer.heard
    room.wait(10 - since, deaf=(bea,))
    assert updates(anna, Away) == []
    room.wait(1, deaf=(bea,))
    assert updates(anna, Away) == [Away(1, True)]
    room.wait(19, deaf=(bea,))
    assert bea.port.code == ""
    room.wait(1, deaf=(bea,))
    assert bea.port.code == "dropped"


@provokes("a silent host")
async def _(folder: Path) -> None:
    anna = Room(folder, 2).begin().players[0]
    connection = Connection(None, (), Timing(ping=0.02), lambda: None)  # type: ignore[arg-type]
    connection.client = anna.client
    connection._link = linked(Sink(), 5)
    assert not anna.client.owes_ack
    connection.addresses = (("127.0.0.1", 1),)
    connection._joined = True
    asked: list[bytes] = []

    async def locate(sought: Sought) -> AsyncGenerator[Sequence[tuple[str, int]], None]:
        asked.append(sought.game)
        yield ()

    connection._locate = locate
    with pytest.raises(TimeoutError):
        await anext(connection.follow())
    assert asked == [anna.records.game.id]
    assert QUIET * Timing().ping == 4.5


@provokes("a silent host is given up")
def _() -> None:
    """That it is: see above."""
    assert 2 * QUIET * Timing().ping == 9


@provokes("addresses that are tried")
async def _() -> None:
    tried: set[object] = set()

    async def greet(address: Address) -> Greeted:
        tried.add(address)
        await asyncio.sleep(3600)
        raise AssertionError

    search = Search(greet, (1.0, 1.0))
    for number in range(40):
        search.at([(f"10.0.0.{number}", 1)])
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    search.close()
    assert len(tried) == 16


BEACON: Final = Advert(bytes(16), "Anna", 1, 4, "lobby", "2016", bytes(32))


def announced(game: int) -> bytes:
    return say(replace(BEACON, game_id=game.to_bytes(16, "big")), 47110, ())


@provokes("a datagram of the beacon")
def _() -> None:
    assert len(say(replace(BEACON, name="è" * 24, edition="è" * 24), 65535, ["fd00::1"] * 20)) <= 512
    malformed(read, announced(1).ljust(1024, b"\0"))


@provokes("a question of the beacon")
def _() -> None:
    assert len(ask(None)) == len(ask(bytes(16))) == 512
    malformed(read, ask(None)[:256])


@provokes("addresses of a table")
def _() -> None:
    hosts = [f"10.0.0.{number}" for number in range(20)]
    said = read(say(BEACON, 47110, hosts))
    assert isinstance(said, TableSaid)
    assert len(said.numbers) == 8
    malformed(typed, [*to_builtins(said)[:-1], [bytes(4)] * 9], TableSaid)


@provokes("answers of the beacon")
def _() -> None:
    for sources, answered in ((1, 12), (100, 40)):
        host = Answering()
        asked = [host.wants(ask(None), bytes(16), f"{number % sources}", 1000.0) for number in range(100)]
        assert sum(asked) == answered
    one = Answering()
    assert (
        sum(one.wants(ask(None), bytes(16), "a", 1000.0 + second / 20) for second in range(2000))
        == 12 + 4 * 100 - 1
    )


@provokes("datagrams of the beacon that are read")
def _() -> None:
    for sources, taken in ((1, 24), (200, 100)):
        hearing = Hearing()
        news = [hearing.take(announced(number), f"10.0.0.{number % sources}", 1000.0) for number in range(300)]
        assert sum(one is not None for one in news) == taken


@provokes("tables that are kept")
def _() -> None:
    hearing = Hearing()
    for number in range(200):
        hearing.take(announced(number), f"10.0.0.{number}", 1000.0 + number)
    assert len(hearing.tables) == 64
    for number in range(20):
        hearing.take(announced(number), "10.0.0.199", 1300.0 + number)
    own = [table for table in hearing.tables.values() if table.addresses[0][0] == "10.0.0.199"]
    assert len(own) == 8


@provokes("a silent table")
def _() -> None:
    hearing = Hearing()
    hearing.take(announced(1), "10.0.0.1", 1000.0)
    assert hearing.expire(1008.0) == []
    assert len(hearing.expire(1008.1)) == 1
    assert hearing.tables == {}


@provokes("noise")
def _() -> None:
    """That it is random: `tests/net/test_times_and_sizes.py`."""
    assert Timing().noise == 2


@provokes("what waits to be sent")
async def _() -> None:
    assert links.BACKLOG == 1024 * 1024
    sink = Sink()
    link = linked(sink, 5)
    link.send(bytes(1024 * 1024))
    assert (sink.aborted, link.closed_as) == (False, None)
    link.send(b"x")
    assert (sink.aborted, link.closed_as) == (True, "behind")


@provokes("chat")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    anna, bea = room.seat("Anna", "Bea")
    number = 0

    def said_by_anna(lines: int) -> int:
        nonlocal number
        for _ in range(lines):
            number += 1
            anna.say(spoken(anna, number, "ciao"))
        return len(updates(bea, Chatted))

    assert said_by_anna(6) == 5
    assert refusals(anna) == ["too_fast"]
    room.now += 1
    assert said_by_anna(3) == 1
    room.now += 100
    assert said_by_anna(9) == 5, "what was not said is not saved up"


def spoken(guest: Guest, number: int, text: str) -> Say:
    """A line of chat of a guest, its `number`th."""
    game = guest.game
    return Say(number, text, sign_line(guest.identity, game.id, game.fp, number, text))


@provokes("requests")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    anna, _ = room.seat("Anna", "Bea")

    def done(count: int) -> int:
        for number in range(count):
            anna.say(Ready(number % 2 == 0))
        return count - len(refusals(anna))

    assert done(25) == 20
    room.now += 1
    assert done(9) == 5
    room.now += 100
    begun = Room(folder, 2).begin()
    bea, n, head = begun.players[1], begun.game.n, begun.game.head
    assert bea.viewer is not None
    begun.now += 100
    for _ in range(25):
        begun.table.receive(bea.viewer, Resync(n, head), begun.now)
    begun.carry()
    assert refusals(bea) == ["too_fast"] * 5


@provokes("spectators")
def _(folder: Path) -> None:
    room = Room(folder, 2)
    room.seat("Anna", "Bea")
    for number in range(200):
        Guest(room, f"W{number}", player=False).join()
    with pytest.raises(Refusal) as turned:
        Guest(room, "W200", player=False).join()
    assert turned.value.code == "spectators_full"
    again = Guest(room, "W199", player=False).join()
    assert again.viewer in room.table.viewers, "whoever comes back takes the own place"
    assert len(room.table.viewers) == 202


@provokes("the end")
def _(folder: Path) -> None:
    room = Room(folder, 2).begin()
    anna, _ = room.players
    room.play()
    room.restart()
    room.wait(1)
    anna.join()
    room.carry()
    room.wait(29)
    assert not room.table.over
    room.wait(3)
    assert room.table.over


@pytest.mark.parametrize("now", [1000.0, 123_456.789, 1e6 / 3, 77.7])
@pytest.mark.parametrize(("burst", "rate"), [(5, 1), (20, 5), (8, 2), (10, 10), (7, 3)])
def test_a_burst_is_whole_at_any_time(now: float, burst: int, rate: float) -> None:
    bucket = Bucket(burst, rate)
    assert [bucket.take(now) for _ in range(burst + 2)] == [True] * burst + [False] * 2
    assert [bucket.take(now + 1.1 / rate) for _ in range(2)] == [True, False]


def test_numbers_of_messages_are_those_of_the_protocol() -> None:
    """Numbers are never reused, and a client of before must find the same ones."""
    rows = [row.split("|") for row in WRITTEN.splitlines()]
    said = {int(row[1]): row[2].split() for row in rows if len(row) == 6 and row[1].strip().isdigit()}
    assert {number for number, sides in said.items() if "C" in sides} == FROM_CLIENT.keys()
    assert {number for number, sides in said.items() if "H" in sides} == {*FROM_HOST, ENTRY}
