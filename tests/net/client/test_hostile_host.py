"""A host that says what no host says: its guests end with a reason, nobody waits for a session that is dead."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from msgspec import to_builtins

from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.client_log import sign_view
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.packing import pack
from citadels_lan.crypto.seats import claim
from citadels_lan.engine import DEFAULT, from_scenario, new_table, view
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.join.handshake import HostHandshake, Versions
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import (
    Bye,
    LobbyNews,
    Message,
    Presence,
    Ready,
    Refused,
    Seat,
    Snapshot,
    Welcome,
    encode,
    encode_entry,
)
from citadels_lan.net.wire.tls import host_context, make_certificate
from tests.effort import one_case
from tests.facts import RULES, first_table
from tests.net.links import serve_links
from tests.net.playing import QUICK

CERTIFICATE = make_certificate()
HOST = Identity(bytes([5]) * 32)
GAME, SECRET = bytes(range(16)), bytes([6]) * 32
SETUP = from_scenario("first_game", 2)
SEEDS = (bytes([3]) * 32, bytes([4]) * 32)
ANNA, BRUNO = map(Identity, SEEDS)
LOBBY = (Seat("Anna", owner=True, key=ANNA.public), Seat("Bruno", key=BRUNO.public))
WELCOME = (Welcome(0, True, 0, "Anna"), LobbyNews(first_table(2), LOBBY, 0, True))


class Hostile:
    """A host that is in order until somebody has joined; then it sends `frames`, and `answer` whenever it hears
    something."""

    def __init__(self, *frames: bytes) -> None:
        self.frames = frames
        self.answer = b""
        self.address = ("", 0)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Hostile"]:
        server = await serve_links(self._serve, host_context(CERTIFICATE))
        self.address = server.sockets[0].getsockname()
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, link: Link) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):
            handshake, who = HostHandshake(HOST, GAME, CERTIFICATE.fp, Versions()), None
            while who is None and (frame := await link.frame()) is not None:
                data, who = handshake.receive(frame)
                link.send(data)
            for one in self.frames:
                link.send(one)
            while await link.frame() is not None:
                link.send(self.answer)


def joined(*messages: Message) -> list[bytes]:
    return [encode(message) for message in (*WELCOME, *messages)]


def opening(
    cast: Sequence[str] = SETUP.cast,
    uniques: Sequence[str] = SETUP.districts,
    edition: str = DEFAULT,
    names: tuple[str, str] = ("Anna", "Bruno"),
    seats: tuple[int, int] = (0, 1),
    kinds: tuple[SeatKind, SeatKind] = (SeatKind.PLAYER, SeatKind.PLAYER),
    hints: int | None = None,
    rules: bytes = RULES,
) -> bytes:
    """The first entry of a game with such cards, and with such players in this order, who have all signed that."""
    table = (GAME, CERTIFICATE.fp, HOST.public)
    players = []
    for seat in seats:
        who, name, kind = (ANNA, BRUNO)[seat], names[seat], kinds[seat]
        players.append(Seated(name, who.public, kind, claim(who, *table, name, kind)))
    header = Header(
        GAME,
        "x",
        rules,
        edition,
        (),
        tuple(cast),
        tuple(uniques),
        CERTIFICATE.fp,
        HOST.public,
        host_commitment(GAME, SECRET),
        None,
        0,
        hints,
        (),
        tuple(players),
    )
    host_log = HostLog(header, SECRET, HOST)
    host_log.open()
    return encode_entry(host_log.body(1, None))


def snapshot(**changed: object) -> Snapshot:
    plain = to_builtins(view(new_table(SETUP), 0), builtin_types=(bytes,)) | changed
    packed = pack(plain)
    signature = sign_view(HOST, GAME, 7, bytes(32), 0, packed)
    return Snapshot(7, bytes(32), tuple(packed[at : at + 4096] for at in range(0, len(packed), 4096)), signature)


async def end_of(host: Hostile, folder: Path) -> tuple[str, list[object]]:
    """The reason with which somebody's session ends, and what it told before."""
    (folder / "identity.key").write_bytes(SEEDS[0])
    try:
        session = await Session.join(host.address, data_dir=folder, name="Anna", timing=QUICK)
    except Refusal as reason:
        return reason.code, []
    updates: list[object] = [update async for update in session.updates()]
    assert session.table.status == "lost"
    assert session.table.reason is not None
    return session.table.reason.code, updates


@one_case(
    ("frames", "code"),
    [
        (joined(Bye("replaced", {"code": "x", "self": 1, "message": "y"})), "replaced"),
        (joined(Bye("what {is} this")), "what {is} this"),
        ([*joined(), opening(cast=("king",))], "not_agreed"),
        ([*joined(), opening(cast=("nobody",) * 8)], "not_agreed"),
        ([*joined(), opening(uniques=("library",) * 14)], "not_agreed"),
        (joined(snapshot(steps=[{"verb": "nothing", "seat": 0}])), "malformed"),
        (joined(snapshot(players=[])), "malformed"),
        (joined(LobbyNews(first_table(2), LOBBY, 2, True)), "malformed"),
        (joined(Presence((5,), ())), "malformed"),
        (joined(Presence((), (2,))), "malformed"),
        (joined(Ready(True)), "malformed"),
    ],
)
async def test_a_session_ends_with_a_reason(tmp_path: Path, frames: list[bytes], code: str) -> None:
    async with Hostile(*frames).open() as host, asyncio.timeout(60):
        ended, updates = await end_of(host, tmp_path)
        assert ended == code
        alarms = [update for update in updates if isinstance(update, Alarm)]
        assert len(alarms) == (code == "entry")


async def test_nobody_is_let_in_with_strange_details(tmp_path: Path) -> None:
    frames = [encode(Bye("table_full", {"code": "x", "self": 1}))]
    async with Hostile(*frames).open() as host, asyncio.timeout(60):
        with pytest.raises(Refusal) as turned:
            await Session.join(host.address, data_dir=tmp_path, name="Anna", timing=QUICK)
        assert turned.value.code == "table_full"


async def test_a_refusal_with_strange_details_is_one(tmp_path: Path) -> None:
    host = Hostile(*joined())
    host.answer = encode(Refused(Ready.type, 0, "not_ready", {"code": "x", "self": 1}))
    async with host.open(), asyncio.timeout(60):
        session = await Session.join(host.address, data_dir=tmp_path, name="Anna", timing=QUICK)
        with pytest.raises(Rejected) as rejected:
            await session.ready()
        assert rejected.value.code == "not_ready"
        assert session.table.status == "lobby"
        await session.leave()


async def test_an_impossible_table_stays_impossible(tmp_path: Path) -> None:
    """The first entry is in the transcript already when it turns out to be none."""
    async with Hostile(*joined(), opening(cast=("king",))).open() as host, asyncio.timeout(60):
        assert [(await end_of(host, tmp_path))[0] for _ in range(2)] == ["not_agreed", "entry"]


async def test_a_fault_of_ours_ends_the_session_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("citadels_lan.net.client.client.Client.owes_ack", property(fault))
    async with Hostile(*joined()).open() as host, asyncio.timeout(60):
        assert (await end_of(host, tmp_path))[0] == "failed"
