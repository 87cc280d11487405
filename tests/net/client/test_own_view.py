"""What a seat's own client knows: the view of the bookkeeping after each entry, and its own markers that count."""

import pytest

from citadels_lan.engine import HIDDEN, Event, TableConfig, evolve, from_scenario, redact
from citadels_lan.engine.events import Placed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.state import SECRET_MARKS
from citadels_lan.net.client.own_view import after
from tests.crypto.bookkeeping.hosts import Host, Told, books_of, enter

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


@pytest.mark.parametrize("seed", MANY)
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
