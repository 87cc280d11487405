"""Clients that ask each other where their host is: what is answered, how often, and over real sockets."""

import contextlib
from collections.abc import AsyncIterator

import pytest

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.others.gossip import Gossip
from citadels_lan.net.client.others.whereabouts import Whereabouts, answer, question, read
from citadels_lan.net.discovery.found import Address
from tests.effort import one_case
from tests.net.playing import until

from .test_gossip import client, port

GAME = bytes(range(16))
HOST = ("10.0.0.5", 47110)
LOCAL = "127.0.0.1"

__all__ = ["port"]


def somebody(host: Address | None = None) -> Whereabouts:
    """A client that reaches its host there, or has lost it."""
    return Whereabouts(GAME, lambda: host)


def test_who_is_connected_tells_and_who_asks_hears() -> None:
    heard: list[Address] = []
    asking = somebody()
    asking.hear = heard.append
    said = somebody(HOST).take(asking.question, "10.0.0.2", 1.0)
    assert said is not None
    assert asking.take(said, "10.0.0.3", 1.0) is None
    assert heard == [HOST]


@one_case(
    ("host", "told"),
    [
        ("10.0.0.5", "10.0.0.5"),
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("fd00::5", "fd00::5"),
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("fe80::5%2", None),
        ("fe80::5", None),
        ("0.0.0.0", None),
        ("laptop.local", None),
        ("", None),
    ],
)
def test_only_an_address_that_means_the_same_elsewhere_is_told(host: str, told: str | None) -> None:
    heard: list[Address] = []
    asking = somebody()
    asking.hear = heard.append
    said = somebody((host, 7)).take(asking.question, "a", 1.0)
    assert (said is None) == (told is None)
    if said is not None:
        asking.take(said, "b", 1.0)
        assert heard == [(told, 7)]


def test_nobody_answers_for_another_game_or_without_a_host() -> None:
    assert somebody(HOST).take(question(bytes(16)), "a", 1.0) is None
    assert somebody(None).take(question(GAME), "a", 1.0) is None


def test_what_was_not_asked_for_is_not_heard() -> None:
    told = answer(GAME, HOST)
    assert told is not None
    assert somebody(HOST).take(told, "a", 1.0) is None, "nobody answers an answer"
    assert somebody(None).take(told, "a", 1.0) is None


def test_a_false_answer_that_points_at_the_asking_machine_itself_is_no_address() -> None:
    heard: list[Address] = []
    asking = somebody()
    asking.hear = heard.append
    told = answer(GAME, HOST)
    assert told is not None
    asking.take(told.replace(bytes([10, 0, 0, 5]), bytes([127, 0, 0, 1])), "a", 1.0)
    assert heard == []


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        bytes(256),
        question(GAME)[:255],
        question(GAME) + bytes(256),
        question(GAME).replace(b"ask", b"at?"),
        question(GAME).replace(b"citadels-where", b"citadels-there"),
    ],
)
def test_anything_else_is_dropped(datagram: bytes) -> None:
    with pytest.raises(Malformed):
        read(datagram)
    assert somebody(HOST).take(datagram, "a", 1.0) is None


# Over sockets


@contextlib.asynccontextmanager
async def apart(*members: Gossip) -> AsyncIterator[None]:
    """Clients on loopback that multicast to groups of different ports: as where multicast is blocked."""
    try:
        for member in members:
            await member.attach(LOCAL)
        yield
    finally:
        for member in members:
            member.close()


async def test_a_neighbour_is_asked_where_nothing_reaches_everybody(port: int) -> None:
    heard: list[Address] = []
    seeking = somebody()
    seeking.hear = heard.append
    asking = Gossip(client(0), print, whereabouts=seeking, port=port)
    told = Gossip(client(1), print, whereabouts=somebody(HOST), port=port + 1)
    async with apart(asking, told):
        asking.neighbours = ((LOCAL, told.port),)
        asking.ask()
        await until(lambda: bool(heard))
    assert heard == [HOST]


async def test_all_are_asked_where_multicast_works(port: int) -> None:
    heard: list[Address] = []
    seeking = somebody()
    seeking.hear = heard.append
    asking = Gossip(client(0), print, whereabouts=seeking, port=port)
    told = Gossip(client(1), print, whereabouts=somebody(HOST), port=port)
    async with apart(asking, told):
        asking.ask()
        await until(lambda: bool(heard))
    assert heard == [HOST]


async def test_heads_are_compared_with_neighbours_where_nothing_reaches_everybody(port: int) -> None:
    forks: list[object] = []
    honest = Gossip(client(0), forks.append, port=port)
    lied_to = Gossip(client(1, "false"), print, port=port + 1)
    async with apart(honest, lied_to):
        lied_to.neighbours = ((LOCAL, honest.port),)
        lied_to.tell()
        await until(lambda: bool(forks))


def test_who_is_not_attached_is_reached_nowhere() -> None:
    gossip = Gossip(client(0), print, whereabouts=somebody())
    assert gossip.port == 0
    gossip.ask()


async def test_a_client_has_the_usual_port_where_no_other_of_its_machine_has_it(port: int) -> None:
    first, second = Gossip(client(0), print, port=port), Gossip(client(1), print, port=port)
    async with apart(first, second):
        assert first.port == port
        assert second.port not in (0, port)
