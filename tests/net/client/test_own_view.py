"""A client's own view: that of the bookkeeping after each entry, with the client's own sealed markers."""

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.crypto.client_log import sign_view
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Handover, Unsaid
from citadels_lan.crypto.signatures import Hosts
from citadels_lan.engine import HIDDEN, TableConfig, evolve, from_scenario, redact
from citadels_lan.engine.events import SECRET, Placed
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.client.own_seat import OwnView, after
from citadels_lan.net.wire.messages import Snapshot
from tests.crypto.bookkeeping.hosts import Host, books_of, enter
from tests.crypto.table import FP, GAME, HOST, identity
from tests.effort import one_case

SEEDS = [pytest.param(seed, marks=() if seed == 1 else pytest.mark.slow) for seed in range(1, 21)]


@one_case("seed", SEEDS, parts=4)
def test_view_of_a_seat_is_the_result_of_its_events(seed: int) -> None:
    usual = from_scenario("first_game", 4)
    cast = ("magistrate", "blackmailer", *usual.cast[2:])
    host = Host(seed, setup=TableConfig(4, cast, usual.districts))
    viewers = books_of(host, range(4))
    expected = [books.state for books in viewers]
    states = list(expected)
    markers = 0
    while not host.over:
        step = host.step()
        for seat, books in enumerate(viewers):
            events = [redact(event, seat) for event in step.events]
            for at, event in enumerate(events):
                if isinstance(event, Placed) and event.by == seat:
                    events[at] = event.but(chosen=host.stars[SECRET[event.kind], seat])
                expected[seat] = evolve(expected[seat], events[at])
            enter(books, step)
            states[seat] = after(states[seat], books.state, events)
            assert states[seat] == expected[seat]
            own = [mark for mark in states[seat].marks if mark.kind in SECRET_MARKS and mark.by == seat]
            assert HIDDEN not in {mark.character for mark in own}
            markers += len(own)
    assert markers


SECOND = identity("second host")


@one_case(("n", "signer", "valid"), [(19, HOST, True), (19, SECOND, False), (20, HOST, False), (20, SECOND, True)])
def test_snapshot_is_signed_by_the_host_of_the_next_entry(n: int, signer: Identity, valid: bool) -> None:
    """Entry 20 hands the game over, so another host signs the next one."""
    hosts, head, packed = Hosts(GAME, HOST.public, FP), bytes(32), b"view"
    hosts.add(20, Handover(0, SECOND.public, FP, bytes(64)))
    records: Any = SimpleNamespace(steps=(), game=SimpleNamespace(id=GAME), hosts=hosts)
    snapshot = Snapshot(n, head, (packed,), sign_view(signer, GAME, n, head, 1, packed))
    with contextlib.nullcontext() if valid else pytest.raises(Unsaid):
        OwnView(records)._check_said(snapshot, 1)
