"""The searching bot finishes its games, uses only its view, and finds winning moves."""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle, islice, takewhile
from random import Random

import pytest

from citadels_lan.bots import Policy, SensiblePolicy
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort, SearchingPolicy, race
from citadels_lan.bots.search.value import NAMES, chances, progress, standings
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import (
    EDITIONS,
    RANDOM,
    Player,
    State,
    Table,
    decisions,
    from_scenario,
    go_on,
    new_table,
    view,
)
from citadels_lan.engine.state import Turn
from tests.bots.search.games import asked
from tests.effort import one_case
from tests.facts import FIRST_GAME, FIRST_GAME_UNIQUES, first_game, standing

LITTLE = Effort(trials=12, seconds=60)


def table(players: int, thinking: Policy) -> list[Policy]:
    """Return the bots of a table: `thinking` in one seat and sensible bots in the others."""
    return [thinking, *(SensiblePolicy(seat) for seat in range(1, players))]


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), [*zip(EDITIONS, cycle((max, min)), strict=False)])
def test_searching_bot_finishes_its_games(edition: str, players: Callable[[Iterable[int]], int]) -> None:
    config = from_scenario("random", players(EDITIONS[edition].players), edition_key=edition)
    last = [state for state, _, _ in asked(config, table(config.players, SearchingPolicy(1, LITTLE)), "end")][-1]
    assert last.last_round


@pytest.mark.slow
def test_searching_bot_makes_the_same_move_for_equal_views() -> None:
    """The two full states give the seat the same view and the same past events, and differ only in secrets."""
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


@pytest.mark.slow
def test_searching_bots_with_the_same_seed_play_the_same_game() -> None:
    def scores() -> list[str]:
        thinking = SearchingPolicy(3, LITTLE)
        return [str(state) for state, _, _ in islice(asked(first_game(4), table(4, thinking), "again"), 60)]

    assert scores() == scores()


def last_turn(*held: str) -> State:
    """Return a turn of the Merchant, seat 0, at the end of a round. One more district completes this seat's
    city, and it has most points. The other seats have revealed the characters `held`."""
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
def test_searching_bot_plays_a_winning_move(held: Sequence[str]) -> None:
    """The bot also plays the winning move if its view is impossible; then it uses heuristics."""
    known = view(last_turn(*held), 0)
    assert str(SearchingPolicy(1, LITTLE).choose(known, 0, decisions(known)[0])) == "build temple"


# The race between candidates


def never() -> bool:
    return False


def test_race_finds_the_best_candidate_despite_noise() -> None:
    def trial(index: int, number: int) -> float:
        return 10.0 * (number % 3) + 0.1 * index

    assert race(range(6), trial, 40, never) == 5


# Chances to win


def dealt(edition: str = "2016", players: int = 4) -> State:
    """Return the state of a table at the beginning of its first round."""
    table = Table(new_table(from_scenario(RANDOM, players, edition_key=edition)), QuickChance(players))
    go_on(table)
    return table.state


@one_case("edition", EDITIONS)
def test_chances_of_all_seats_to_win_add_up_to_one(edition: str) -> None:
    for players in EDITIONS[edition].players:
        state = dealt(edition, players)
        assert sum(chances(state)) == pytest.approx(1)
        assert all(len(features) == len(NAMES) for features in standings(state))
        assert progress(state) == 0
