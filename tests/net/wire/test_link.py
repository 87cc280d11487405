"""The end of a TLS connection on real sockets, on every Python: closed twice, aborted when it is gone."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator
from struct import pack

import pytest

from citadels_lan.crypto.packing import SMALLEST, Malformed
from citadels_lan.net.wire import link as links
from citadels_lan.net.wire.frames import STRANGER, Frame, encode_frame
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import Bye
from citadels_lan.net.wire.tls import host_context, make_certificate
from tests.net.links import serve_links


@contextlib.asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Both ends of a connection: the host's and the guest's."""
    come: asyncio.Future[Link] = asyncio.get_running_loop().create_future()

    async def meet(link: Link) -> None:
        come.set_result(link)

    server = await serve_links(meet, host_context(make_certificate()))
    async with asyncio.timeout(60):
        _, port = server.sockets[0].getsockname()
        guest = await connect("127.0.0.1", port, 5)
        yield await come, guest
    guest.abort("left")
    server.close()


def reset(link: Link) -> None:
    """What becomes of the connections of a program that is killed with something unread."""
    sock: socket.socket = link._transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
    link.abort("left")


async def test_a_guest_that_is_killed_leaves_a_link_that_can_be_ended() -> None:
    async with linked() as (host, guest):
        reset(guest)
        with contextlib.suppress(OSError):
            assert await host.frame() is None
        host.close("closing")
        await host.closed()
        host.abort("dropped")
        host.close("left")
        await host.closed()
        assert host.closed_as == "closing"


async def test_whoever_does_not_answer_the_closing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "_GRACE", 0.05)
    async with linked() as (host, guest):
        guest._transport.pause_reading()
        sock: socket.socket = host._transport.get_extra_info("socket")
        host.close("closing")
        await host.closed()
        while sock.fileno() >= 0:  # noqa: ASYNC110 - nothing tells of it; the time limit ends it otherwise
            await asyncio.sleep(0.01)


async def test_a_long_frame_may_come_before_it_is_known_to_be_welcome() -> None:
    long = encode_frame(1, bytes(2 * STRANGER))
    async with linked() as (host, guest):
        host.send(long)
        with pytest.raises(Malformed):
            await guest.frame()
    async with linked() as (host, guest):
        host.send(long)
        while len(guest._unread) < len(long):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.001)
        guest.trust()
        assert await guest.frame() == Frame(1, bytes(2 * STRANGER))


async def test_nothing_is_lost_where_nobody_reads_for_a_while() -> None:
    async with linked() as (host, guest):
        frame, count = encode_frame(0, bytes(SMALLEST)), 6 * links.UNREAD // SMALLEST
        with pytest.raises(TimeoutError):
            await guest.frame(silence=0.001)
        host.send(frame * count)
        while not guest._full:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.001)
        host.close("closing")
        for _ in range(count):
            assert await guest.frame() == Frame(0, bytes(SMALLEST))
        last = await guest.frame()
        assert last is not None
        assert last.type == Bye.type
        assert await guest.frame() is None


async def test_what_a_link_knows_outlives_its_connection() -> None:
    """The host may send its last entries and be gone before the guest has read them."""
    async with linked() as (host, guest):
        fp, peer = guest.fp, guest.peer
        host.abort("left")
        with contextlib.suppress(OSError, ssl.SSLError):
            assert await guest.frame() is None
        await guest.closed()
        assert (guest.fp, guest.peer) == (fp, peer)
        assert len(fp) == 32
        assert peer[0] == "127.0.0.1"
        assert host.fp == b""
