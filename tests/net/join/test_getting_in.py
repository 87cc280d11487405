"""Who gets in, and how long whoever does not may stand at the door: each check taken for itself."""

import asyncio
import contextlib
import sys
from pathlib import Path

import pytest

from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.connection import Connection
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.client.session import Session
from citadels_lan.net.host import server as servers
from citadels_lan.net.host.listening import Caller
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.door import Door, Secret
from citadels_lan.net.join.handshake import (
    Challenge,
    ClientHandshake,
    Guard,
    HostHandshake,
    Profile,
    Versions,
)
from citadels_lan.net.limits import Slots
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Decoder
from citadels_lan.net.wire.link import connect
from citadels_lan.net.wire.messages import Hello, TableHello, decode
from citadels_lan.net.wire.timing import Timing
from citadels_lan.net.wire.tls import client_context
from tests.facts import first_table
from tests.net.room import Room

from .test_pake import ANNA, FP, GAME, RULES, TABLE, Pair, refused

# The code


@pytest.mark.parametrize("kind", ["code", "token"])
def test_what_was_renewed_lets_nobody_in_any_more(kind: str) -> None:
    """The words and the token, each for itself: a link that was sent around is the token."""
    door = Door.of("")
    old = Secret("code", door.code) if kind == "code" else Secret("token", door.token)
    assert Pair(door).greet().give(old)
    door.renew()
    assert refused(Pair(door).greet().give, old) == "wrong_code"
    new = Secret("code", door.code) if kind == "code" else Secret("token", door.token)
    assert Pair(door).greet().give(new)


def test_both_secrets_are_new() -> None:
    door = Door.of("")
    code, token = door.code, door.token
    door.renew()
    assert token != door.token
    assert code != door.code


# Another host


def test_whoever_comes_back_takes_no_other_host(tmp_path: Path) -> None:
    """Game, certificate and key are those of before, each for itself; the secrets are for this host."""

    async def come_back() -> None:
        anna = Room(tmp_path, 2).begin().players[0]
        who = JoinRequest(Profile("Anna"), anna.identity, tmp_path, tmp_path)
        connection = Connection(who, lambda: None)
        connection.client = anna.client
        game = anna.records.game
        assert connection._taken_up(Challenge(game.id, Hosts(game.id, game.host, game.fp))) is anna.client
        for hosts in (
            Hosts(game.id, Identity(bytes([99]) * 32).public, game.fp),
            Hosts(bytes(16), game.host, game.fp),
            Hosts(game.id, game.host, bytes(32)),
        ):
            with pytest.raises(Refusal) as turned:
                connection._taken_up(Challenge(hosts._game, hosts))
            assert turned.value.code == "other_host"

    asyncio.run(come_back())


# Frames of another connection


def greeting(host: HostHandshake, hello: bytes) -> tuple[bytes, TableHello]:
    """What a host answers, and its hello."""
    answer, _ = host.receive(next(Decoder().feed(hello)))
    table = decode(next(Decoder().feed(answer)), {TableHello.type: TableHello})
    assert isinstance(table, TableHello)
    return answer, table


def test_every_hello_has_a_nonce_of_its_own() -> None:
    clients = [ClientHandshake(ANNA, Profile("Anna"), FP, RULES) for _ in range(4)]
    said = [decode(next(Decoder().feed(client.hello)), {Hello.type: Hello}) for client in clients]
    assert len({one.nonce for one in said if isinstance(one, Hello)}) == 4
    hosts = [HostHandshake(TABLE, GAME, FP, RULES) for _ in range(4)]
    assert len({greeting(host, clients[0].hello)[1].nonce for host in hosts}) == 4


def test_a_join_that_was_overheard_is_of_no_use() -> None:
    """The same hello, the same key, game and certificate, and a table that asks for no code: the nonce alone
    differs."""
    pair = Pair(Door()).greet()
    join = pair.client.join(0, bytes(32))
    again = HostHandshake(TABLE, GAME, FP, RULES, Guard(Door(), "a", lambda _: True))
    greeting(again, pair.client.hello)
    assert refused(again.receive, next(Decoder().feed(join))) == "bad_signature"
    assert pair.join().key == ANNA.public


def test_a_proof_that_was_overheard_is_of_no_use() -> None:
    client = ClientHandshake(ANNA, Profile("Anna"), FP, RULES)
    answer, _ = greeting(HostHandshake(TABLE, GAME, FP, RULES), client.hello)
    table, proof = Decoder().feed(answer)
    other = ClientHandshake(ANNA, Profile("Anna"), FP, RULES)
    other.receive(table)
    assert refused(other.receive, proof) == "bad_signature"


# The crowd


# (who has to go where it is crowded: `tests/net/host/test_listening.py`)


@pytest.mark.skipif(sys.platform != "linux", reason="only there every address of 127.0.0.0/8 is this machine's")
async def test_every_guest_has_an_address_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one address, one who guesses would lock all others out."""
    asked, stood = [], []
    enter = Slots.enter

    def remember(slots: Slots[Caller], source: str, caller: Caller) -> None:
        stood.append(source)
        enter(slots, source, caller)

    def noted(door: Door, address: str, known: object) -> Guard:
        asked.append(address)
        return Guard(door, address, known)  # type: ignore[arg-type]

    monkeypatch.setattr(Slots, "enter", remember)
    monkeypatch.setattr(servers, "Guard", noted)
    async with opened(tmp_path, Timing()) as table, asyncio.timeout(60):
        for own in ("127.0.0.1", "127.0.0.2"):
            reader, writer = await asyncio.open_connection(
                *table.address, local_addr=(own, 0), ssl=client_context(), server_hostname=""
            )
            writer.write(ClientHandshake(Identity.create(), Profile("Anna"), b"", Versions("1")).hello)
            await reader.read(1)
            writer.transport.abort()
    assert asked == ["127.0.0.1", "127.0.0.2"]
    assert stood == ["127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"], "silent, then joining"


# The time for it


def opened(folder: Path, timing: Timing) -> contextlib.AbstractAsyncContextManager[OpenTable]:
    return open_table(first_table(2), folder, host="127.0.0.1", port=0, timing=timing)


HURRIED = Timing(handshake=0.3)


async def test_whoever_says_nothing_at_all_is_sent_away(tmp_path: Path) -> None:
    async with opened(tmp_path, HURRIED) as table, asyncio.timeout(60):
        reader, writer = await asyncio.open_connection(*table.address)
        assert await reader.read() == b""
        writer.transport.abort()


@pytest.mark.parametrize("greets", [False, True])
async def test_whoever_does_not_end_the_handshake_is_sent_away(tmp_path: Path, greets: bool) -> None:
    """After TLS, and after the hello, too: the time is for all of it."""
    async with opened(tmp_path, HURRIED) as table, asyncio.timeout(60):
        link = await connect(*table.address, 20)
        if greets:
            handshake = ClientHandshake(Identity.create(), Profile("Anna"), link.fp, Versions("2016/1"))
            link.send(handshake.hello)
        with contextlib.suppress(ConnectionError):
            while await link.frame() is not None:
                pass
        link.abort("left")
        assert not table.table.viewers


async def test_the_time_for_a_handshake_is_none_for_the_game(tmp_path: Path) -> None:
    async with opened(tmp_path, HURRIED) as table, asyncio.timeout(60):
        anna = await table.join("Anna", tmp_path / "a")
        await asyncio.sleep(2 * HURRIED.handshake)
        assert anna.table.status == "lobby"
        await anna.ready()
        await anna.leave()


# All of it, over a connection (more of it: `test_door_connections.py`)


async def test_with_the_code_and_not_with_another(tmp_path: Path) -> None:
    """Both ways of giving it, whoever has none, and whoever has a wrong one."""
    async with asyncio.timeout(60), open_table(
        first_table(2), tmp_path / "host", host="127.0.0.1", port=0, code=""
    ) as table:  # fmt: skip
        for code, reason in (("", "code_needed"), ("no no no", "wrong_code")):
            with pytest.raises(Refusal) as turned:
                await Session.join(table.address, data_dir=tmp_path / "x", name="Xaver", code=code)
            assert turned.value.code == reason
        for seat, code in enumerate((table.door.code, table.link("127.0.0.1"))):
            session = await Session.join(table.address, data_dir=tmp_path / str(seat), name=f"P{seat}", code=code)
            assert session.table.seat == 0
            with pytest.raises(Rejected) as empty:
                await session.chat(" \u200b ")
            assert empty.value.code == "empty"
            await session.leave()
