"""Joining over real connections on this machine: codes, guesses, attackers in between, and time limits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.net.client.connection import PASSING, Connection, JoinRequest
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.connections import Server
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.handshake import (
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    Profile,
    Versions,
    has_code,
)
from citadels_lan.net.join.join_code import JoinCode, Secret, link
from citadels_lan.net.wire.link import Link, connect, host_context, make_certificate
from citadels_lan.net.wire.messages import CodeShare, Confirm, HostProof, HostShare, TableHello, encode_frame
from citadels_lan.net.wire.timing import Timing
from tests.effort import quick
from tests.facts import first_table
from tests.net.links import serve_links
from tests.net.playing import QUICK, join
from tests.net.room import Room, rejects

WRONG = "no no no"
MALLORY = Identity(bytes([66]) * 32)


@contextlib.asynccontextmanager
async def opened(
    folder: Path, code: str | None = "", *, players: int = 2, timing: Timing = QUICK
) -> AsyncIterator[OpenTable]:
    """Context with a table on loopback that has this code."""
    opening = open_table(first_table(players), folder / "host", host="127.0.0.1", port=0, timing=timing, code=code)
    async with asyncio.timeout(60), opening as table:
        yield table


# Codes


async def test_only_the_code_the_token_or_the_link_admits_a_client(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with opened(tmp_path, players=4) as table:
        join_code = table.join_code
        wrong = {"": "code_needed", WRONG: "wrong_code", "two words": "wrong_code"}
        for code, reason in (wrong | {link("x", 1, join_code.token)[:-1] + "2": "wrong_code"}).items():
            with rejects(reason):
                await join(table, tmp_path / "x", "Xaver", code=code)
            table.table.lobby.bans.flooding._sources.clear()
            join_code._forget()
        codes = (
            join_code.code,
            join_code.code.title().replace(" ", "-"),
            join_code.token,
            table.link("127.0.0.1"),
        )
        joins = [join(table, tmp_path / str(seat), f"P{seat}", code=code) for seat, code in enumerate(codes)]
        sessions = await asyncio.gather(*joins)
        assert sorted(session.table.seat or 0 for session in sessions) == [0, 1, 2, 3]
        for session in sessions:
            await session.leave()
        assert Server.__module__ in caplog.text
        assert not any(word in caplog.text for word in (join_code.token, join_code.code, WRONG))
    assert not {"code_needed", "wrong_code", "too_many_tries", "too_many_guesses", "code_unasked"} & PASSING


# Attackers


async def greeted(address: tuple[str, int], identity: Identity) -> tuple[Link, ClientHandshake]:
    """Connect to a table, up to the host's proof. Return the link and the handshake."""
    link = await connect(*address, 5)
    handshake = ClientHandshake(identity, Profile("Guest"), link.fp, Versions())
    link.send(handshake.hello)
    while (frame := await link.frame()) is not None:
        if isinstance(handshake.receive(frame), Challenge):
            return link, handshake
    raise AssertionError


class Between:
    """An attacker between a client and a table, with its own certificate. The client's TLS connection ends at
    the attacker, who has another one to the table. `keys`: the attacker also acts as a host to the client and
    as a client to the table, with its own keys. It passes all other frames on."""

    def __init__(self, table: OpenTable, *, keys: bool) -> None:
        self.table = table
        self.keys = keys
        self.certificate = make_certificate()
        self.address = ("", 0)
        self.from_host: list[int] = []
        self.from_client: list[int] = []

    @contextlib.asynccontextmanager
    async def laid(self) -> AsyncIterator["Between"]:
        server = await serve_links(self._serve, host_context(self.certificate))
        self.address = server.sockets[0].getsockname()
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, client: Link) -> None:
        with contextlib.suppress(OSError):
            host = await self._with_own_keys(client) if self.keys else await connect(*self.table.address, 5)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._relay(client, host, self.from_client))
                tasks.create_task(self._relay(host, client, self.from_host))

    async def _with_own_keys(self, client: Link) -> Link:
        guard = Guard(JoinCode.of(""), "", lambda _: False)
        table = HostHandshake(MALLORY, self.table.game_id, self.certificate.fp, Versions(), guard)
        hello = await client.frame()
        assert hello is not None
        client.send(table.receive(hello)[0])
        return (await greeted(self.table.address, MALLORY))[0]

    @staticmethod
    async def _relay(source: Link, sink: Link, seen: list[int]) -> None:
        with contextlib.suppress(OSError):
            while (frame := await source.frame()) is not None:
                seen.append(frame.type)
                sink.send(encode_frame(frame.type, frame.body))
        await sink.closed()


@pytest.mark.parametrize(("keys", "reason"), [(False, "bad_signature"), (True, "wrong_code")])
async def test_man_in_the_middle_gets_at_most_one_code_guess(tmp_path: Path, keys: bool, reason: str) -> None:
    async with opened(tmp_path) as table, Between(table, keys=keys).laid() as between:
        with rejects(reason):
            await Session.join(
                between.address, data_dir=tmp_path / "a", name="Anna", timing=QUICK, code=table.join_code.code
            )
        if keys:
            assert between.from_client[:2] == [CodeShare.type, Confirm.type]
            assert between.from_host[0] == HostShare.type
            assert Confirm.type not in between.from_host, "the host confirms only after the right confirmation"
        else:
            assert between.from_host[:2] == [TableHello.type, HostProof.type]
            assert CodeShare.type not in between.from_client
        assert not table.table.audience.viewers
        assert table.join_code._wrong == keys


async def test_reconnecting_client_accepts_only_the_same_host(tmp_path: Path) -> None:
    """Game, certificate and key must be those of the first connection, because the secrets are for this host."""
    anna = Room(tmp_path, 2).begin().players[0]
    connection = Connection(JoinRequest(Profile("Anna"), anna.identity, tmp_path, tmp_path), lambda: None)
    connection.client = anna.client
    game = anna.records.game
    assert connection._taken_up(Challenge(game.id, Hosts(game.id, game.host, game.fp))) is anna.client
    other = Identity(bytes([99]) * 32).public
    for fields in ((game.id, other, game.fp), (bytes(16), game.host, game.fp), (game.id, game.host, bytes(32))):
        with rejects("other_host"):
            connection._taken_up(Challenge(fields[0], Hosts(*fields)))


async def test_full_table_is_reported_before_the_code_is_asked(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        for name in ("Anna", "Bea"):
            await Session.join(table.address, data_dir=tmp_path / name, name=name, code=table.join_code.code)
        with rejects("table_full"):
            await Session.join(table.address, data_dir=tmp_path / "Zoe", name="Zoe")
        with rejects("code_needed"):
            await Session.join(table.address, data_dir=tmp_path / "Zoe", name="Zoe", role="spectator")
        assert table.join_code.wrong == ("", 0)


async def test_code_of_another_table_is_reported_as_such(tmp_path: Path) -> None:
    async with opened(tmp_path) as table:
        right, wrong = Secret("code", table.join_code.code), Secret("code", "cane gatto topo")
        assert await has_code(*table.address, right, 5)
        assert not await has_code(*table.address, wrong, 5)
        assert not table.table.audience.viewers


# Addresses and time


HURRIED = Timing(handshake=0.3)


@pytest.mark.parametrize("until_then", quick(["nothing", "TLS", "hello"], "hello"))
async def test_client_that_does_not_finish_the_handshake_in_time_is_disconnected(
    tmp_path: Path, until_then: str
) -> None:
    async with opened(tmp_path, None, timing=HURRIED) as table:
        if until_then == "nothing":
            reader, writer = await asyncio.open_connection(*table.address)
            assert await reader.read() == b""
            writer.transport.abort()
            return
        link = await connect(*table.address, 20)
        if until_then == "hello":
            link.send(ClientHandshake(Identity.create(), Profile("Anna"), link.fp, Versions("2016/1")).hello)
        with contextlib.suppress(ConnectionError):
            while await link.frame() is not None:
                pass
        link.abort("left")
        assert not table.table.audience.viewers
