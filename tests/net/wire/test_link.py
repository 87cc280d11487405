"""TLS connections on real sockets: how they end, long frames, slow readers, and certificates."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator

import pytest

from citadels_lan.crypto.codec import SMALLEST, Malformed
from citadels_lan.net.wire import link
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, connect, host_context, make_certificate
from citadels_lan.net.wire.messages import STRANGER, Bye, Frame, encode_frame
from tests.net.links import serve_links


@contextlib.asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Context with both ends of a connection: the host's and the guest's."""
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


async def test_closing_a_link_does_not_wait_for_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_GRACE", 0.05)
    async with linked() as (host, guest):
        guest._transport.pause_reading()
        sock: socket.socket = host._transport.get_extra_info("socket")
        host.close("closing")
        await host.closed()
        while sock.fileno() >= 0:  # noqa: ASYNC110 - no event reports it
            await asyncio.sleep(0.01)


async def test_long_frame_is_accepted_only_from_an_authenticated_peer() -> None:
    long = encode_frame(1, bytes(2 * STRANGER))
    async with linked() as (host, guest):
        host.send(long)
        with pytest.raises(Malformed):
            await guest.frame()
    async with linked() as (host, guest):
        host.send(long)
        while len(guest._unread) < len(long):  # noqa: ASYNC110 - no event reports it
            await asyncio.sleep(0.001)
        guest.trust()
        assert await guest.frame() == Frame(1, bytes(2 * STRANGER))


async def test_slow_reader_loses_no_frame() -> None:
    async with linked() as (host, guest):
        frame, count = encode_frame(0, bytes(SMALLEST)), 6 * link.UNREAD // SMALLEST
        with pytest.raises(TimeoutError):
            await guest.frame(silence=0.001)
        host.send(frame * count)
        while not guest._full:  # noqa: ASYNC110 - no event reports it
            await asyncio.sleep(0.001)
        host.close("closing")
        for _ in range(count):
            assert await guest.frame() == Frame(0, bytes(SMALLEST))
        last = await guest.frame()
        assert last is not None
        assert last.type == Bye.type
        assert await guest.frame() is None


async def test_unreachable_addresses_fail_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The addresses are a closed port, an unknown name, a name server that does not answer, and a host that
    does not."""
    assert link.CONNECT < 3
    monkeypatch.setattr(link, "CONNECT", 0.5)
    really, ended = socket.getaddrinfo, threading.Event()

    def slow(host: str, *rest: int, **options: int) -> object:
        if host == "slow.invalid" and not options.get("flags"):
            ended.wait()
        return really(host, *rest, **options)

    monkeypatch.setattr("socket.getaddrinfo", slow)
    with contextlib.closing(socket.create_server(("127.0.0.1", 0), backlog=0)) as full:
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(3)]
        for each in waiting:  # so that the system no longer answers
            each.setblocking(False)
            each.connect_ex(("127.0.0.1", port))
        for host, at, code in (
            ("127.0.0.1", 1, "unreachable"), ("nosuch.invalid", 1, "unknown_name"),
            ("slow.invalid", 1, "unknown_name"), ("127.0.0.1", port, "unreachable"),
        ):  # fmt: skip
            with pytest.raises(Refusal) as reason:
                async with asyncio.timeout(60):
                    await connect(host, at, 1000)
            assert reason.value.code == code
        ended.set()
        for each in waiting:
            each.close()
