"""When a client acknowledges: at once while it is behind, for the host waits for that; else a little later, so
that one acknowledgement does for several entries. Here that little is for ever, or nothing."""

import asyncio
from pathlib import Path

import pytest

from citadels_lan.crypto.transcript import Writer, read
from citadels_lan.net.client import connection
from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.frames import KNOWN, Decoder, Frame
from citadels_lan.net.wire.messages import FROM_CLIENT, Ack, Bye, Noise, Pong, decode, encode, encode_entry
from tests.net.room import Guest, Room


class Line:
    """The link of a guest: frames come when they are put there."""

    def __init__(self) -> None:
        self.coming: asyncio.Queue[Frame] = asyncio.Queue()
        self.asked = asyncio.Event()
        self.left: list[int] = []
        self.closed_as = None
        self.local = ""
        self.peer = ("127.0.0.1", 47110)

    @property
    def more(self) -> bool:
        return not self.coming.empty()

    async def frame(self, silence: float | None = None) -> Frame:
        """The next frame; whoever waits for `asked` knows that nothing more happens before it comes."""
        if self.coming.empty():
            self.asked.set()
        async with asyncio.timeout(silence):
            return await self.coming.get()

    def send(self, data: bytes) -> None:
        messages = [decode(frame, FROM_CLIENT) for frame in Decoder(KNOWN).feed(data)]
        assert all(isinstance(message, Ack | Pong) for message in messages)
        self.left += [message.n for message in messages if isinstance(message, Ack)]

    async def hear(self, *frames: bytes) -> list[int]:
        """What is acknowledged until the client waits for more."""
        self.asked.clear()
        self.left.clear()
        for frame in Decoder(KNOWN).feed(b"".join(frames)):
            self.coming.put_nowait(frame)
        async with asyncio.timeout(60):
            await self.asked.wait()
        return list(self.left)


class Following:
    """A guest whose connection is followed. Nothing that its client says reaches the table."""

    def __init__(self, room: Room, guest: Guest) -> None:
        self.room = room
        self.guest = guest
        guest.hear = lambda: False  # type: ignore[method-assign]
        guest.client.settle()
        guest.client.out.clear()
        self.line = Line()
        request = JoinRequest(Profile("Anna"), guest.identity, Path(), Path())
        self.connection = Connection(request, self._flush)
        self.connection.client, self.connection._link = guest.client, self.line  # type: ignore[assignment]

    def _flush(self) -> None:
        self.connection.flush()

    def entries(self, count: int) -> list[bytes]:
        """So many frames with entries that come next for the guest."""
        first = self.guest.records.n + 1
        return [encode_entry(self.room.game.host_log.body(n, 0)) for n in range(first, first + count)]

    async def __aenter__(self) -> Line:
        self.task = asyncio.get_running_loop().create_task(self._follow())  # kept: awaited below
        return self.line

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])
        assert self.task.cancelled()

    async def _follow(self) -> None:
        await self.connection.follow()


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A table where the first guest has heard nothing for some moves."""
    room = Room(tmp_path, 2).begin().play(6)
    room.players[0].client._owe = lambda: None  # type: ignore[method-assign]
    return room


def late(room: Room, entries: int = 4) -> Following:
    """The first guest has only so many entries less than the table."""
    anna = room.players[0]
    anna.cut()
    anna.records.close()
    assert anna.records.path is not None
    file = read(anna.records.path)
    anna.records.path.unlink()
    writer = Writer.create(anna.records.path, file.head)
    for body in file.bodies[:-entries]:
        writer.append(body)
    writer.close()
    anna.open()
    anna.client._owe = lambda: None  # type: ignore[method-assign]
    anna.client._acked = anna.records.n
    assert anna.records.n == room.game.n - entries
    return Following(room, anna)


async def test_entries_are_acknowledged_later(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ACK_AFTER", 3600.0)
    following = late(room)
    frames = following.entries(4)
    async with following as line:
        for frame in frames:
            assert await line.hear(frame) == []
            assert following.guest.client.owes_ack
        assert following.guest.records.n == room.game.n
        following.connection.client.settle()  # type: ignore[union-attr]
        following.connection.flush()
        assert line.left == [room.game.n], "one for all of them"
        assert not following.guest.client.owes_ack


async def test_one_acknowledgement_for_what_came_together(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ACK_AFTER", 0.0)
    following = late(room)
    frames = following.entries(4)
    async with following as line:
        await line.hear(*frames)
        async with asyncio.timeout(60):
            while not line.left:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0)
        assert line.left[-1] == room.game.n
        assert line.left == sorted(set(line.left))


async def test_whoever_is_behind_acknowledges_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host sends no more than a window, and waits for it."""
    monkeypatch.setattr(connection, "ACK_AFTER", 3600.0)
    following = late(room)
    client, n = following.guest.client, room.game.n
    client.trust.target = n
    frames = following.entries(4)
    async with following as line:
        assert await line.hear(frames[0]) == [n - 3]
        assert await line.hear(frames[1], frames[2]) == [n - 1]
        assert await line.hear(frames[3]) == [], "it is not behind any more"
        assert client.owes_ack


async def test_noise_is_acknowledged_as_late_as_an_entry(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would be told from one."""
    monkeypatch.setattr(connection, "ACK_AFTER", 3600.0)
    following = late(room)
    client = following.guest.client
    async with following as line:
        assert await line.hear(encode(Noise())) == []
        assert client.owes_ack
        client.settle()
        following.connection.flush()
        assert line.left == [client.records.n], "though there is nothing new"
        assert not client.owes_ack


async def test_what_the_last_frame_brought_is_acknowledged_before_the_end(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "ACK_AFTER", 3600.0)
    following = late(room)
    frames = following.entries(1)
    line = following.line
    for frame in Decoder(KNOWN).feed(b"".join((*frames, encode(Bye("closing"))))):
        line.coming.put_nowait(frame)
    with pytest.raises(Exception, match="clos"):
        await following._follow()
    assert line.left == [room.game.n - 3]


def test_spectators_do_not_acknowledge_all_at_once() -> None:
    """A player does at its usual time."""
    shortest, longest = connection.ACK_OF_SPECTATOR
    times = [connection.ack_after(player=False) for _ in range(200)]
    assert all(shortest <= time <= longest for time in times)
    assert max(times) - min(times) > (longest - shortest) / 2
    assert connection.ack_after(player=True) == connection.ACK_AFTER
