"""What a session tells of a host that is not taken, of itself when it cannot be the host, and of its
seat; and what it asks about a seat."""

import contextlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import Identity
from citadels_lan.net.client.search import JoinRequest
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Disconnected
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Remove, Seat, SubstituteFor
from tests.effort import one_case
from tests.net.playing import QUICK


def session(folder: Path, reports: list[BaseException] | None = None) -> Session:
    def report(fault: BaseException) -> None:
        assert reports is not None
        reports.append(fault)

    who = Profile("Ann")
    return Session(JoinRequest(who, Identity(bytes(32)), folder, folder, timing=QUICK, report=report))


async def test_why_a_host_is_not_taken_is_told_once(tmp_path: Path) -> None:
    one = session(tmp_path)
    for code in ("older_host", "older_host", "other_host"):
        one._loop._tell(Refusal(code))
    one._loop.updates.put_nowait(None)
    assert [update async for update in one.updates()] == [Disconnected("older_host"), Disconnected("other_host")]


async def test_removal_from_a_free_seat_asks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = session(tmp_path)
    one.table = replace(one.table, lobby=(Seat("Ada"), Seat("Bruno", key=bytes(32))))
    asked: list[object] = []

    async def ask(message: object) -> None:
        asked.append(message)

    monkeypatch.setattr(one, "_ask", ask)
    for seat in (1, 2):
        await one.remove(seat)
    assert asked == [Remove(bytes(32))]


@one_case(("farewell", "given"), [("left", True), ("dropped", False), (None, False)])
async def test_a_seat_is_handed_over_when_the_host_says_goodbye(
    tmp_path: Path, farewell: str | None, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = session(tmp_path)
    trust = SimpleNamespace(farewell=Refusal(farewell) if farewell is not None else None)
    client = SimpleNamespace(seat=1, trust=trust)
    asked: list[object] = []

    async def ask(message: object) -> None:
        asked.append(message)
        raise Rejected("lost")

    monkeypatch.setattr(one, "_connected", lambda: client)
    monkeypatch.setattr(one, "_ask", ask)
    with contextlib.nullcontext() if given else pytest.raises(Rejected):
        await one.hand_over()
    assert asked == [SubstituteFor(1, "")]
