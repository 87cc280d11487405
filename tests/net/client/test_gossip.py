"""Clients that hear each other by multicast: on loopback, among processes, and among machines of their own."""

import asyncio
import contextlib
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.net.client.others import gossip
from citadels_lan.net.client.others.forks import Comparer, Fork
from citadels_lan.net.client.others.gossip import GROUP, GROUP6, Gossip, Way, way_of
from citadels_lan.net.discovery.interfaces import Interface
from tests.crypto.heads import HEADER, head_of, sealed
from tests.crypto.table import player
from tests.effort import one_case
from tests.lan import Lan, missing
from tests.net.playing import until

ROOT = Path(__file__).parents[3]
LOCAL = "127.0.0.1"
KNOWN = [
    Interface("lo", 1, ("127.0.0.1",), ("::1",)),
    Interface("eth0", 2, ("10.0.0.2",), ("fd00::2", "fe80::1")),
    Interface("eth1", 3, (), ("fe80::1", "fd01::2")),
]


@one_case(
    ("local", "way"),
    [
        ("10.0.0.2", Way("10.0.0.2")),
        ("::ffff:10.0.0.2", Way("10.0.0.2")),
        ("::1", Way("127.0.0.1", 1)),
        ("fd00::2", Way("10.0.0.2", 2)),
        ("fe80::1%eth0", Way("10.0.0.2", 2)),
        ("fe80::1%3", Way(None, 3)),
        ("fd01::2", Way(None, 3)),
    ],
)
def test_the_way_is_that_of_the_connection(local: str, way: Way) -> None:
    assert way_of(local, KNOWN) == way


@pytest.mark.parametrize("local", ["fd09::9", "fe80::1%eth9", "", "host"])
def test_no_way_leads_from_an_address_of_nobody(local: str) -> None:
    with pytest.raises((OSError, ValueError)):
        way_of(local, KNOWN)


def client(seat: int | None, story: str = "true", n: int = 10) -> Comparer:
    """A client that has a story up to entry n, sealed."""
    comparer = Comparer(HEADER, seat, None if seat is None else player(seat))
    for number in range(1, n + 1):
        comparer.entry(number, head_of(number, story))
    comparer.sealed(sealed(n, story))
    return comparer


class Room:
    """Clients in this process, and the forks that each of them has seen."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.members: list[Gossip] = []

    async def enter(self, comparer: Comparer, local: str = LOCAL) -> tuple[Gossip, list[Fork]]:
        forks: list[Fork] = []
        gossip = Gossip(comparer, forks.append, interval=0.1, port=self.port)
        self.members.append(gossip)
        await gossip.attach(local)
        return gossip, forks


Enter = Callable[[Comparer], Awaitable[tuple[Gossip, list[Fork]]]]


@pytest.fixture
def port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", 0))
        number: int = sock.getsockname()[1]
        return number


@pytest.fixture
async def enter(port: int) -> AsyncIterator[Enter]:
    room = Room(port)
    yield room.enter
    for member in room.members:
        member.close()


async def test_three_hear_that_one_has_another_story(enter: Enter) -> None:
    anna, anna_sees = await enter(client(0))
    bea, bea_sees = await enter(client(1))
    carl, carl_sees = await enter(client(None, "false"))
    assert anna.attached and bea.attached and carl.attached  # noqa: PT018  # one fact
    await until(lambda: bool(anna_sees and bea_sees) and len(carl_sees) >= 2)
    assert [fork.seat for fork in (*anna_sees, *bea_sees)] == [None, None]
    assert {fork.seat for fork in carl_sees} == {0, 1}
    assert anna_sees[0].theirs == sealed(10, "false")


async def test_one_story_raises_no_alarm(enter: Enter) -> None:
    pairs = [await enter(client(seat)) for seat in (0, 1, None)]
    await until(lambda: all(gossip.heard > 10 for gossip, _ in pairs))
    assert not any(forks for _, forks in pairs)


async def test_who_is_told_late_hears_it_again(enter: Enter) -> None:
    _, early = await enter(client(0))
    await asyncio.sleep(0.2)
    behind = client(1, "false", 5)
    gossip, late = await enter(behind)
    await until(lambda: behind.waiting > 0)
    await until(lambda: bool(early))
    assert early[0].n == 5
    assert not late
    fork = behind.sealed(sealed(10, "false"))
    assert fork is not None
    assert fork.seat == 0
    gossip.tell()


async def test_an_interface_that_is_not_there_is_said_once(enter: Enter, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    gossip, _ = await enter(client(0))
    for local in ("192.0.2.77", "fd09::9", "nonsense", "192.0.2.78"):
        await gossip.attach(local)
        assert not gossip.attached
        gossip.tell()
    assert len([one for one in caplog.records if "heads cannot be compared" in one.message]) == 1
    await gossip.attach(LOCAL)
    assert gossip.attached
    gossip.close()
    gossip.close()
    await gossip.attach(LOCAL)
    assert not gossip.attached


async def test_a_flood_of_garbage_harms_nothing(enter: Enter, port: int) -> None:
    comparer = client(0)
    gossip, forks = await enter(comparer)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOCAL))
        for number in range(10_000):
            sock.sendto(os.urandom(number % 600), (GROUP, port))
            if number % 50 == 0:
                await asyncio.sleep(0)
    assert gossip.heard > 100
    assert comparer.checks == 0
    _, others = await enter(client(1, "false"))
    await until(lambda: bool(forks and others))
    assert comparer.checks == 1


# In processes of their own


MEMBER = """
import asyncio, logging, sys
from tests.net.client.test_gossip import client
from citadels_lan.net.client.others.gossip import Gossip

async def main(local, port, seat, story, wanted):
    forks = []
    gossip = Gossip(client(seat, story), forks.append, interval=0.2, port=port)
    await gossip.attach(local)
    print("attached" if gossip.attached else "alone", flush=True)
    try:
        async with asyncio.timeout(30):
            while len(forks) < wanted or gossip.heard < 3:
                await asyncio.sleep(0.02)
        await asyncio.sleep(1)
    finally:
        gossip.close()
        print(*sorted(str(fork.seat) for fork in forks), flush=True)

logging.basicConfig(level=logging.INFO)
local, port, seat, story, wanted = sys.argv[1:]
asyncio.run(main(local, int(port), int(seat), story, int(wanted)))
"""


def member(
    before: tuple[str, ...], local: str, port: int, seat: int, story: str, wanted: int
) -> "subprocess.Popen[str]":
    """A client in a process; it ends a second after it has seen `wanted` forks and heard three datagrams."""
    words = (local, str(port), str(seat), story, str(wanted))
    return subprocess.Popen(
        [*before, sys.executable, "-c", MEMBER, *words],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def seen(processes: list["subprocess.Popen[str]"]) -> list[str]:
    """The seats whose story is another one, as each process has seen them."""
    try:
        answers = [one.communicate(timeout=60) for one in processes]
    finally:
        for one in processes:
            one.kill()
            one.communicate()
    assert [one.returncode for one in processes] == [0] * len(processes), answers
    lines = [out.splitlines() for out, _ in answers]
    assert all(one[0] == "attached" for one in lines), answers
    return [one[1] for one in lines]


class Joining:
    """A socket that notes which options are set."""

    def __init__(self) -> None:
        self.options: list[tuple[int, int, object]] = []

    def setsockopt(self, level: int, name: int, value: object) -> None:
        self.options.append((level, name, value))

    def bind(self, address: object) -> None: ...


@pytest.mark.parametrize(
    ("way", "option"),
    [
        (Way("10.0.0.2", 2), (socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP)),
        (Way(None, 3), (socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP)),
    ],
)
def test_the_group_is_joined_on_the_interface(
    way: Way, option: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its address where it has an IPv4 one, else by its index."""
    sock = Joining()
    monkeypatch.setattr(gossip, "datagrams", lambda _: contextlib.nullcontext(sock))
    gossip._listening(way, gossip._group(way, 1))
    (joined,) = [value for *which, value in sock.options if tuple(which) == option]
    assert isinstance(joined, bytes)
    if way.ipv4 is None:
        assert joined[:16] == socket.inet_pton(socket.AF_INET6, GROUP6)
        assert int.from_bytes(joined[16:], sys.byteorder) == way.index
    else:
        assert joined == socket.inet_aton(GROUP) + socket.inet_aton(way.ipv4)


def test_where_a_socket_cannot_be_bound_to_the_group_it_hears_its_port() -> None:
    """As on Windows."""
    bound: list[object] = []

    def bind(address: object) -> None:
        bound.append(address)
        if len(bound) == 1:
            raise OSError

    gossip._bind(SimpleNamespace(bind=bind), ("group", 7))  # type: ignore[arg-type]
    assert bound == [("group", 7), ("", 7)]


@pytest.mark.slow
def test_processes_on_one_machine_hear_each_other(port: int) -> None:
    assert seen([member((), LOCAL, port, 0, "true", 1), member((), LOCAL, port, 1, "false", 1)]) == ["1", "0"]


needs_lan = pytest.mark.skipif(bool(reason := missing()), reason=reason or "there is a LAN")


@needs_lan
@pytest.mark.slow
def test_machines_hear_each_other_without_the_host(port: int) -> None:
    """Machine 0 would be the host: nothing runs there, and nothing has to."""
    with Lan(4) as lan:
        stories = {1: "true", 2: "false", 3: "true"}
        assert seen(
            [
                member(lan.on(machine), lan.address(machine), port, machine, story, 2 if story == "false" else 1)
                for machine, story in stories.items()
            ]
        ) == ["2", "1 3", "2"]


@needs_lan
@pytest.mark.slow
def test_machines_with_ipv6_alone_hear_each_other(port: int) -> None:
    with Lan(2) as lan:
        processes = []
        for machine, story in enumerate(("true", "false")):
            address = f"fd77::{machine + 1}"
            for words in (("-4", "addr", "flush", "dev"), ("addr", "add", f"{address}/64", "nodad", "dev")):
                subprocess.run([*lan.on(machine), "ip", *words, "eth0"], check=True)
            processes.append(member(lan.on(machine), address, port, machine, story, 1))
        assert seen(processes) == ["1", "0"]


@needs_lan
@pytest.mark.slow
def test_a_machine_without_any_network_hears_itself(port: int) -> None:
    with Lan(1) as lan:
        subprocess.run([*lan.on(0), "ip", "link", "set", "eth0", "down"], check=True)
        processes = [member(lan.on(0), LOCAL, port, seat, story, 1) for seat, story in ((0, "true"), (1, "false"))]
        assert seen(processes) == ["1", "0"]


@needs_lan
@pytest.mark.slow
def test_a_link_that_comes_back_is_used_again(port: int) -> None:
    with Lan(2) as lan:
        link = [*lan.on(1), "ip", "link", "set", "eth0"]
        subprocess.run([*link, "down"], check=True)
        processes = [
            member(lan.on(seat), lan.address(seat), port, seat, story, 1)
            for seat, story in enumerate(("true", "false"))
        ]
        time.sleep(2)
        subprocess.run([*link, "up"], check=True)
        assert seen(processes) == ["1", "0"]
