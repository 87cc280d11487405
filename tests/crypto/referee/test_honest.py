"""Nobody objects to an honest host, and the referee's view is the one that the rules give."""

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import ClientLog, decode_events
from citadels_lan.crypto.log import RULES, Open, events_of
from citadels_lan.crypto.referee import Referee, judge
from citadels_lan.engine import EDITIONS, Table, view
from citadels_lan.engine.events import Placed
from tests.crypto.long_referee import honest
from tests.crypto.table import FP, GAME, HOST, Game, recorded, seats
from tests.effort import quick
from tests.engine.tables import Tables

from .hosts import Host, hear


@pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
def test_a_random_game_is_read_to_its_end(edition: str) -> None:
    count, _ = honest(3, Tables((edition,)), players=2)
    assert count["read"] == count["entries"] * 3 > 100


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("edition", EDITIONS)
def test_more_random_games_are_read_to_their_end(edition: str, players: int) -> None:
    if players not in EDITIONS[edition].players:
        pytest.skip("this edition is not for so many")
    for seed in range(2):
        count, _ = honest(100 * players + seed, Tables((edition,)), players=players)
        assert count["read"] == count["entries"] * (players + 1)


def read_log(game: Game, seat: int | None) -> Referee:
    """The referee of a viewer of a real log, after its last entry."""
    client_log = ClientLog(GAME, RULES, FP, HOST.public, seat)
    referee: Referee | None = None
    for bodies in game.bodies:
        step = client_log.receive(bodies[seat])
        if isinstance(step.entry, Open):
            referee = Referee(step.entry.header, seat)
        assert referee is not None
        referee.read(step.n, step.entry, decode_events(events_of(step.entry)), step.events)
    assert referee is not None
    return referee


def test_a_real_log_is_read_by_everybody() -> None:
    game = recorded(2)
    for seat in seats(2):
        assert read_log(game, seat).state == view(game.state, seat)


@pytest.mark.slow
def test_seals_that_are_broken_are_read(marked: Game) -> None:
    for seat in seats(len(marked.state.players)):
        assert read_log(marked, seat).state == view(marked.state, seat)


@pytest.mark.slow
def test_whoever_knows_its_own_markers_reads_on(marked: Game) -> None:
    """A client puts what it has sealed itself into the events that it is told."""
    for seat in range(len(marked.state.players)):
        client_log, referee = ClientLog(GAME, RULES, FP, HOST.public, seat), Referee(marked.host_log.header, seat)
        for bodies in marked.bodies:
            step = client_log.receive(bodies[seat])
            own = [
                replace(event, chosen=event.characters[0])
                if isinstance(event, Placed) and event.by == seat
                else event
                for event in step.events
            ]
            referee.read(step.n, step.entry, decode_events(events_of(step.entry)), own)


def test_a_fault_of_ours_is_no_accusation(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes out as it is, every time, and nothing is followed any more."""
    host = Host(1)
    referee = Referee(host.header, None)

    def fail(table: Table) -> None:
        raise KeyError("missing")

    monkeypatch.setattr(judge, "go_on", fail)
    with pytest.raises(KeyError):
        hear(referee, host.step())
    told = referee.state
    for again in (referee.judge, lambda: hear(referee, host.step())):
        with pytest.raises(KeyError):
            again()
    assert referee.state == told
