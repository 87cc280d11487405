"""The sensible bot in Citta Comune: it sells what nobody can build, bids little, and games come to their end."""

import pytest

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.simulation import run
from citadels_lan.engine import EDITIONS, State, decisions, from_scenario
from citadels_lan.engine.state import Auction, District, Player, Step, Turn, view

COMUNE = EDITIONS["citta_comune"]


def district(key: str) -> District:
    return District(key, COMUNE.costs[key])


def chosen(state: State, seat: int = 0) -> str:
    known = view(state, seat)
    return str(SensiblePolicy(1).choose(known, seat, decisions(known)[seat]))


def table(*hand: str, gold: int = 0, other: int = 5) -> State:
    """The first seat has gathered; before the second one stand a Castle and a Temple."""
    players = [Player(gold, list(hand)), Player(other, [], [district("castle"), district("temple")]), Player(1)]
    cast = tuple(COMUNE.characters)
    return State("citta_comune", cast, COMUNE.uniques, players, ["market"] * 9, round=2, phase="turns",
                 turn=Turn(0, "bishop", gathered=True))  # fmt: skip


def auction(card: str, bid: int, *hand: str, gold: int = 9) -> State:
    state = table(*hand, gold=gold)
    state.turn = Turn(1, "bishop", gathered=True)
    state.players[1].hand.append(card)
    state.auction = Auction(1, card, 1, bid, 2 if bid else None)
    state.steps = [Step("bid", 0, other=1, card=card)]
    return state


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (table("castle", "palace"), "sell castle"),
        (table("palace", "market"), "end"),
        (table("palace", "palace"), "offer palace from 4"),
        (table("palace", "palace", other=3), "sell palace"),
        (table("palace", "market", gold=5), "build palace"),
        (auction("palace", 0), "bid 1"),
        (auction("palace", 4), "bid 5"),
        (auction("palace", 5), "pass"),
        (auction("palace", 4, "palace"), "pass"),
        (auction("castle", 0), "bid 1"),
        (auction("castle", 1), "pass"),
    ],
)
def test_what_it_does(state: State, line: str) -> None:
    assert chosen(state) == line


def test_games_of_sensible_bots_end() -> None:
    report = run(2, from_scenario("first_game", 5, edition_key="citta_comune"), ("sensible",) * 5, seed="market")
    assert (report.errors, report.stuck) == ([], 0)
