"""The player that thinks ahead: it finishes its games, knows no more than its seat, and sees what wins."""

from collections.abc import Sequence
from itertools import islice, takewhile
from random import Random

import pytest

from citadels_lan.bots import Policy, SensiblePolicy
from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search import searching
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort, SearchingPolicy, SupposedWorlds, reaches_others
from citadels_lan.engine import EDITIONS, Player, State, decisions, expand, from_scenario, view
from citadels_lan.engine.action import Action
from citadels_lan.engine.state import Turn
from tests.bots.search.games import asked
from tests.facts import FIRST_GAME, FIRST_GAME_UNIQUES, first_game, standing

LITTLE = Effort(trials=12, seconds=60)


def table(players: int, thinking: Policy) -> list[Policy]:
    """One who thinks among sensible players."""
    return [thinking, *(SensiblePolicy(seat) for seat in range(1, players))]


@pytest.mark.slow
@pytest.mark.parametrize("fewest", [True, False])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.long
def test_it_finishes_its_games(edition: str, *, fewest: bool) -> None:
    players = (min if fewest else max)(EDITIONS[edition].players)
    config = from_scenario("random", players, edition_key=edition)
    last = [state for state, _, _ in asked(config, table(players, SearchingPolicy(1, LITTLE)), "end")][-1]
    assert last.last_round


@pytest.mark.slow
def test_worlds_that_look_the_same_make_it_move_the_same() -> None:
    """Two full states of which the seat has one view, and one past: what differs is what it may not know."""
    thinking, others = SearchingPolicy(5, LITTLE), Random(7)
    memory, compared = Memory(), 0
    game = asked(first_game(4), table(4, thinking), "fair")
    for state, seat, _ in takewhile(lambda now: now[0].round <= 4, game):
        if seat != 0:
            continue
        other = sample(view(state, 0), 0, memory, others)
        if len(decisions(state)[0]) < 2 or other == state:
            continue
        one, two = (
            SearchingPolicy(9, LITTLE).choose(view(full, 0), 0, decisions(full)[0]) for full in (state, other)
        )
        assert one == two
        compared += 1
    assert compared > 5


def test_one_seed_plays_one_game() -> None:
    def scores() -> list[str]:
        thinking = SearchingPolicy(3, LITTLE)
        return [str(state) for state, _, _ in islice(asked(first_game(4), table(4, thinking), "again"), 60)]

    assert scores() == scores()


def last_turn(*held: str) -> State:
    """A turn of the merchant at the end of a round: one district before the end, and ahead of everybody. The
    others have shown these characters."""
    packet = ("assassin", "king", "bishop", "merchant", "architect")
    players = [Player(gold=2, revealed=[character]) for character in held]
    city = [standing(key) for key in ("palace", "castle", "harbor", "cathedral", "fortress", "town_hall")]
    me = Player(gold=5, hand=["temple"], city=city, revealed=["merchant"], seen=[packet])
    return State(
        edition="2016", cast=FIRST_GAME, districts=FIRST_GAME_UNIQUES, players=[me, *players],
        deck=["market"] * 61, faceup=["thief", "magician"], facedown=["assassin", "warlord"], picks=4, round=9,
        phase="turns", rank=8, turn=Turn(0, "merchant", gathered=True, used=["bonus", "income"]),
    )  # fmt: skip


@pytest.mark.parametrize("held", [("king", "bishop", "architect"), ("king", "king", "king")])
def test_it_takes_the_victory_that_is_there(held: Sequence[str]) -> None:
    """Also where it can make no sense of what it is shown: then it plays by the rules of thumb."""
    known = view(last_turn(*held), 0)
    assert str(SearchingPolicy(1, LITTLE).choose(known, 0, decisions(known)[0])) == "build temple"


@pytest.mark.parametrize(("far", "calls"), [(True, 4), (False, 2)])
def test_a_world_is_played_as_far_as_it_must_be(far: bool, calls: int) -> None:
    """In a common city to the end of the lap, or until the next one has called."""
    config = from_scenario("random", 4, edition_key="citta_comune")
    state, seat, choices = next(asked(config, [SensiblePolicy(seat) for seat in range(4)], "far"))
    worlds = SupposedWorlds(view(state, seat), seat, Memory(), Random(1), PLAIN, far=far)
    (action, *_) = expand(choices)
    ends = [worlds.end(action, number) for number in range(5)]
    assert [end.calls for end in ends] == [calls] * 5
    assert {end.phase for end in ends} == {"between" if far else "turns"}


def test_what_touches_others_is_looked_at_until_they_have_played() -> None:
    """Where a call of a character is a turn of its own; a round with a draft is always played to its end."""
    judged = {edition: {"near": 0, "far": 0} for edition in ("citta_comune", "dark_city")}
    for edition, counted in judged.items():
        config = from_scenario("random", 4, edition_key=edition)
        for state, seat, choices in islice(asked(config, [SensiblePolicy(seat) for seat in range(4)], "far"), 150):
            actions = list(expand(choices))
            far = reaches_others(view(state, seat), seat, actions)
            counted["far" if far else "near"] += 1
            assert far or (state.turn is not None and state.turn.seat == seat)
            assert far or not {"kill", "rob", "bewitch", "destroy", "swap"} & {action.verb for action in actions}
    assert min(judged["citta_comune"].values()) > 20
    assert judged["dark_city"]["near"] == 0


@pytest.mark.parametrize(("far", "trials"), [(True, 12), (False, 24)])
def test_where_a_world_ends_sooner_there_are_more_of_them(
    far: bool, trials: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets: list[int] = []

    def race(actions: Sequence[Action], _trial: object, budget: int, _late: object) -> Action:
        budgets.append(budget)
        return actions[0]

    monkeypatch.setattr(searching, "race", race)
    monkeypatch.setattr(searching, "reaches_others", lambda *_: far)
    known = view(last_turn("king", "bishop", "architect"), 0)
    SearchingPolicy(1, LITTLE).choose(known, 0, decisions(known)[0])
    assert budgets == [trials]
