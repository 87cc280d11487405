"""Golden games are as `make goldens` has written them. After an intended change, run it and give the reason
for the change in the commit."""

import json
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.engine import EDITIONS
from citadels_lan.engine.rules_digests import RULES
from tests.effort import one_case, quick
from tests.engine.goldens import GAMES, GOLDENS, digest, game, rules_digest


@pytest.mark.parametrize("edition", quick(EDITIONS, "2016", "dark_city"))
def test_golden_games_are_unchanged(edition: str) -> None:
    expected = json.loads(GOLDENS.read_text(encoding="utf-8"))[edition]
    assert [digest(edition, number) for number in range(GAMES)] == expected


@one_case("edition", EDITIONS)
def test_golden_games_use_every_character_number_of_players_and_option(edition: str) -> None:
    setups = [game(edition, number).setup for number in range(GAMES)]
    assert {setup.players for setup in setups} == set(EDITIONS[edition].players)
    assert {character for setup in setups for character in setup.cast} == set(EDITIONS[edition].characters)
    assert {option for setup in setups for option in setup.options} == {
        (name, value) for name, values in EDITIONS[edition].options.items() for value in list(values)[1:]
    }


T = TypeVar("T")


def test_rules_digests_are_up_to_date() -> None:
    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))
    assert {edition: rules_digest(edition, goldens[edition]) for edition in EDITIONS} == RULES, "run make goldens"
    assert len({*RULES.values()}) == len(EDITIONS)


def test_rules_digest_changes_with_the_cost_of_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules_digest("2016", [])
    districts = EDITIONS["2016"].districts
    monkeypatch.setitem(districts, "tavern", replace(districts["tavern"], cost=2))
    assert rules_digest("2016", []) != before


@one_case("edition", EDITIONS)
def test_rules_digest_changes_with_the_events_of_a_game(edition: str) -> None:
    assert rules_digest(edition, ["one"]) != rules_digest(edition, ["other"])
