"""A host that contradicts its lobby or breaks the protocol: the client sends it nothing more, and the session
ends with a reason."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from citadels_lan.crypto.client_log import sign_view
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header, Open, Seated, SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.crypto.signatures import claim
from citadels_lan.engine import DEFAULT, from_scenario, new_table, view
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.join.handshake import Guard, HostHandshake, Versions
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, host_context, make_certificate
from citadels_lan.net.wire.messages import LobbyNews, Seat, encode
from tests.effort import one_case
from tests.facts import RULES, first_table
from tests.net.links import serve_links
from tests.net.playing import QUICK

CERTIFICATE = make_certificate()
HOST = Identity(bytes([5]) * 32)
GAME, SECRET = bytes(range(16)), bytes([6]) * 32
SETUP = from_scenario("first_game", 2)
ANNA_KEY = bytes([3]) * 32
ANNA, BRUNO = Identity(ANNA_KEY), Identity(bytes([4]) * 32)
LOBBY = (Seat("Anna", owner=True, key=ANNA.public), Seat("Bruno", key=BRUNO.public))
JOINED = (encode(wire.Welcome(0, True, 0, "Anna")), encode(LobbyNews(first_table(2), LOBBY, 0, True)))


@contextlib.asynccontextmanager
async def hostile(*frames: bytes, answer: bytes = b"") -> AsyncIterator[tuple[str, int]]:
    """Context with the address of a host that sends `frames` after a correct handshake, and `answer` after
    each frame that it receives."""

    async def serve(link: Link) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):
            guard, who = Guard(JoinCode(), "", lambda _: True), None
            handshake = HostHandshake(HOST, GAME, CERTIFICATE.fp, Versions(), guard)
            while who is None and (frame := await link.frame()) is not None:
                data, who = handshake.receive(frame)
                link.send(data)
            link.send(b"".join(frames))
            while await link.frame() is not None:
                link.send(answer)

    server = await serve_links(serve, host_context(CERTIFICATE))
    async with asyncio.timeout(60):
        yield server.sockets[0].getsockname()
    server.close()


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
    """Return the frame of the first entry of a game with these cards and players, all of whom have signed
    it."""
    players = []
    for seat in seats:
        who, name, kind = (ANNA, BRUNO)[seat], names[seat], kinds[seat]
        signature = claim(who, GAME, CERTIFICATE.fp, HOST.public, name, kind)
        players.append(Seated(name, who.public, kind, signature))
    table = (CERTIFICATE.fp, HOST.public, host_commitment(GAME, SECRET), None, 0, hints, (), tuple(players))
    host_log = HostLog(Header(GAME, "x", rules, edition, (), tuple(cast), tuple(uniques), *table), SECRET, HOST)
    host_log.write(Open(host_log.header))
    return wire.encode_entry(host_log.body(1, None))


def snapshot(**changed: object) -> bytes:
    plain = to_builtins(view(new_table(SETUP), 0), builtin_types=(bytes,)) | changed
    packed = pack(plain)
    parts = tuple(packed[at : at + 4096] for at in range(0, len(packed), 4096))
    return encode(wire.Snapshot(7, bytes(32), parts, sign_view(HOST, GAME, 7, bytes(32), 0, packed)))


async def end_of(address: tuple[str, int], folder: Path) -> tuple[str, int]:
    """Join as Anna. Return the code with which the session ends, and the number of alarms."""
    (folder / "identity.key").write_bytes(ANNA_KEY)
    try:
        session = await Session.join(address, data_dir=folder, name="Anna", timing=QUICK)
    except Refusal as reason:
        return reason.code, 0
    alarms = [update async for update in session.updates() if isinstance(update, Alarm)]
    assert session.table.status == "lost"
    assert session.table.reason is not None
    return session.table.reason.code, len(alarms)


@one_case(
    ("frames", "code"),
    [
        ([encode(wire.Bye("replaced", {"code": "x", "self": 1, "message": "y"}))], "replaced"),
        ([encode(wire.Bye("what {is} this"))], "what {is} this"),
        ([opening(cast=("nobody",) * 8)], "not_agreed"),
        ([opening(uniques=("library",) * 14)], "not_agreed"),
        ([snapshot(steps=[{"verb": "nothing", "seat": 0}])], "malformed"),
        ([snapshot(players=[])], "malformed"),
        ([encode(LobbyNews(first_table(2), LOBBY, 2, True))], "malformed"),
        ([encode(wire.Presence((5,), ()))], "malformed"),
        ([encode(wire.Presence((), (2,)))], "malformed"),
        ([encode(wire.Ready(True))], "malformed"),
    ],
)
async def test_session_ends_with_a_reason_if_the_host_breaks_the_protocol(
    tmp_path: Path, frames: list[bytes], code: str
) -> None:
    async with hostile(*JOINED, *frames) as address:
        assert await end_of(address, tmp_path) == (code, 0)


# Header and lobby must agree


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[type[wire.Message]]:
    """Collect the types of the messages that clients send."""
    messages: list[type[wire.Message]] = []
    real = Client.ask

    def ask(client: Client, message: wire.Message) -> None:
        messages.append(type(message))
        real(client, message)

    monkeypatch.setattr(Client, "ask", ask)
    return messages


OTHER_CAST = ["witch" if key == "assassin" else key for key in SETUP.cast]


@one_case(
    "changed",
    [
        {"cast": OTHER_CAST}, {"uniques": (*SETUP.districts[1:], "poor_house")}, {"edition": "classic"},
        {"hints": 0}, {"edition": "2099"}, {"names": ("Anna 2", "Bruno")}, {"names": ("Anna", "Bruna")},
        {"kinds": (SeatKind.PLAYER, SeatKind.BOT)}, {"seats": (1, 0)},
    ],
)  # fmt: skip
async def test_client_sends_nothing_if_the_header_differs_from_the_lobby(
    tmp_path: Path, changed: dict[str, Any], sent: list[type[wire.Message]]
) -> None:
    async with hostile(*JOINED, opening(**changed)) as address:
        assert await end_of(address, tmp_path) == ("not_agreed", 0)
        again, _ = await end_of(address, tmp_path)
        assert again in ("not_agreed", "entry", "other_rules"), "also if the program finds the file"
    assert wire.SeedCommit not in sent


async def test_client_sends_nothing_if_the_header_has_other_rules(
    tmp_path: Path, sent: list[type[wire.Message]]
) -> None:
    async with hostile(*JOINED, opening(rules=bytes(32))) as address:
        for _ in range(2):
            assert await end_of(address, tmp_path) == ("other_rules", 0)
    assert wire.SeedCommit not in sent
    (path,) = (tmp_path / "transcripts").glob("*.ctr")
    report = verify([path])
    assert (report.code, [finding.code for finding in report.findings]) == (5, ["other_rules"])


async def test_client_sends_its_commitment_if_the_header_matches_the_lobby(
    tmp_path: Path, sent: list[type[wire.Message]]
) -> None:
    async with hostile(*JOINED, opening(), encode(wire.Bye("over"))) as address:
        assert await end_of(address, tmp_path) == ("over", 0)
    assert wire.SeedCommit in sent
