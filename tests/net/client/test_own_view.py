"""What a seat's own client knows: the view of the bookkeeping after each entry, and its own markers that count."""

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.crypto.client_log import sign_view
from citadels_lan.crypto.handover import Hosts
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Handover, Unsaid
from citadels_lan.engine import HIDDEN, Event, TableConfig, evolve, from_scenario, redact
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.client.own_view import OwnView, after
from citadels_lan.net.wire.messages import Snapshot
from tests.crypto.bookkeeping.hosts import Host, Told, books_of, enter
from tests.crypto.table import FP, GAME, HOST, identity
from tests.effort import one_case

MANY = [pytest.param(seed, marks=() if seed == 1 else pytest.mark.slow) for seed in range(1, 21)]


def sealing() -> TableConfig:
    usual = from_scenario("first_game", 4)
    return TableConfig(4, ("magistrate", "blackmailer", *usual.cast[2:]), usual.districts)


def own_events(host: Host, told: Told, seat: int) -> list[Event]:
    """What a seat is told, with its own markers."""
    seen = [redact(event, seat) for event in told.events]
    return [
        event.but(chosen=host.stars[SECRET[event.kind], seat])
        if isinstance(event, Placed) and event.by == seat
        else event
        for event in seen
    ]


@one_case("seed", MANY, parts=4)
def test_the_own_state_is_what_the_own_events_make_of_it(seed: int) -> None:
    host = Host(seed, setup=sealing())
    viewers = books_of(host, range(4))
    played = [books.state for books in viewers]
    states = list(played)
    known = 0
    while not host.over:
        told = host.step()
        for seat, books in enumerate(viewers):
            events = own_events(host, told, seat)
            for event in events:
                played[seat] = evolve(played[seat], event)
            enter(books, told)
            states[seat] = after(states[seat], books.state, events)
            assert states[seat] == played[seat]
            own = [mark for mark in states[seat].marks if mark.kind in SECRET_MARKS and mark.by == seat]
            assert HIDDEN not in {mark.character for mark in own}
            known += len(own)
    assert known


SECOND = identity("second host")


@one_case(("n", "signer", "said"), [(19, HOST, True), (19, SECOND, False), (20, HOST, False), (20, SECOND, True)])
def test_snapshot_is_signed_by_the_host_of_the_next_entry(n: int, signer: Identity, said: bool) -> None:
    """Entry 20 hands the game over."""
    hosts, head, packed = Hosts(GAME, HOST.public, FP), bytes(32), b"view"
    hosts.add(20, Handover(0, SECOND.public, FP, bytes(64)))
    records: Any = SimpleNamespace(steps=(), game=SimpleNamespace(id=GAME), hosts=hosts)
    snapshot = Snapshot(n, head, (packed,), sign_view(signer, GAME, n, head, 1, packed))
    with contextlib.nullcontext() if said else pytest.raises(Unsaid):
        OwnView(records)._check_said(snapshot, 1)
