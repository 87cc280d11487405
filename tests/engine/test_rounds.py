"""How a table begins and how each round does: what chance adds, where the characters lie, what is forgotten."""

import random

import pytest

from citadels_lan.engine import TableConfig, advance, evolve, from_scenario, new_table, scenario_of
from citadels_lan.engine.config import DEFAULT
from citadels_lan.engine.events import DraftEnded, RoundBegan
from tests.effort import one_case
from tests.engine.games import RandomChance
from tests.engine.tables import Tables
from tests.facts import FIRST_GAME, SCENARIOS
from tests.play.dice import eager, some
from tests.play.table import Play


@pytest.mark.parametrize("given", ["cast", "districts"])
def test_chance_adds_what_a_table_leaves_open_and_nothing_else(given: str) -> None:
    chosen = SCENARIOS["first_game"].districts
    config = TableConfig(4, FIRST_GAME) if given == "cast" else TableConfig(4, (), chosen)
    state = new_table(config)
    for event in advance(state, RandomChance(3)):
        state = evolve(state, event)
    assert len(state.cast) in (8, 9)
    assert len(state.districts) == 14
    assert state.cast == FIRST_GAME if given == "cast" else set(state.districts) == set(chosen)
    assert sum(len(player.hand) for player in state.players) + len(state.deck) == 68


@one_case("nine", [False, True])
@pytest.mark.parametrize("key", SCENARIOS)
def test_a_scenario_is_known_by_what_it_plays(key: str, nine: bool) -> None:
    assert scenario_of(from_scenario(key, 5, rank_nine=nine)) == (key, nine)


def test_what_is_no_scenario_has_no_name() -> None:
    config = from_scenario("first_game", 4)
    assert scenario_of(TableConfig(4, config.cast, config.districts[:-1])) is None


@one_case("players", range(2, 8))
def test_each_round_begins_anew_and_every_character_lies_somewhere(players: int) -> None:
    """With two players and with few the face-down ones are many; with seven the last is offered one of them."""
    dice = random.Random(players)
    play = Play(new_table(Tables((DEFAULT,)).draw(dice, players)), RandomChance(players))
    state, rounds = play.state, 0
    while not play.over and rounds < 3:
        _, _, events = play.step(lambda _, choices: some(dice, eager(dice, choices)))
        for event in events:
            state = evolve(state, event)
            everybody = state.players
            if isinstance(event, RoundBegan):
                rounds += 1
                assert not any(one.concealed or one.revealed or one.seen or one.laid for one in everybody)
                assert (state.rank, state.picks, state.marks) == (0, 0, [])
            elif isinstance(event, DraftEnded):
                held = [character for one in everybody for character in one.concealed]
                assert sorted([*held, *state.faceup, *state.facedown]) == sorted(state.cast)
                assert state.picks >= players
    assert rounds == 3 or play.over
