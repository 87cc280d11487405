"""Editions: every card has its piece, and wrong options and cards of other editions are rejected."""

import pytest

from citadels_lan.engine import (
    EDITIONS,
    TableConfig,
    Unplayable,
    advance,
    evolve,
    from_scenario,
    new_table,
    parse,
    refusal,
    scenario_of,
)
from citadels_lan.engine.state import Turn
from tests.effort import one_case
from tests.engine.games import RandomChance
from tests.facts import FIRST_GAME, SCENARIOS


@one_case(
    ("edition", "option", "code"),
    [
        ("classic", ("deck", 64), "unknown_value"),
        ("2016", ("deck", 68), "unknown_option"),
        ("classic", ("deck", 65), "options_in_order"),
        ("of_1066", ("deck", 68), "unknown_edition"),
    ],
)
def test_unknown_edition_option_or_value_is_rejected(edition: str, option: tuple[str, int], code: str) -> None:
    with pytest.raises(Unplayable) as rejected:
        new_table(TableConfig(4, edition=edition, options=(option,)))
    assert rejected.value.code == code


def test_character_outside_the_cast_cannot_be_named() -> None:
    state = new_table(from_scenario("first_game", 4), crown=0)
    state.phase, state.turn = "turns", Turn(0, "assassin", gathered=True)
    reason = refusal(state, 0, parse("kill emperor"))
    assert reason is not None
    assert reason.code == "not_in_cast"


def test_every_card_of_an_edition_has_its_piece() -> None:
    for edition in EDITIONS.values():
        assert set(edition.abilities) == set(edition.characters)
        assert set(edition.effects) == set(edition.uniques)
        assert all(key == ability.key for key, ability in edition.abilities.items())
        assert all(key == effect.key for key, effect in edition.effects.items())
        assert set(edition.players) <= set(edition.hand)


# Tables that chance completes


@pytest.mark.parametrize("given", ["cast", "districts"])
def test_chance_draws_only_the_open_cast_or_districts(given: str) -> None:
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
def test_scenario_of_finds_the_scenario(key: str, nine: bool) -> None:
    assert scenario_of(from_scenario(key, 5, rank_nine=nine)) == (key, nine)


def test_scenario_of_other_tables_is_none() -> None:
    config = from_scenario("first_game", 4)
    assert scenario_of(TableConfig(4, config.cast, config.districts[:-1])) is None
