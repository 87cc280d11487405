"""The rules digest of each edition: what it covers, and that the file in the package is up to date."""

import json
from typing import TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.engine import EDITIONS
from citadels_lan.engine.rules_digests import RULES
from tests.effort import one_case
from tests.engine.goldens import GOLDENS, rules_digest

T = TypeVar("T")


def test_rules_digests_are_up_to_date() -> None:
    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))
    assert {edition: rules_digest(edition, goldens[edition]) for edition in EDITIONS} == RULES, "run make goldens"
    assert len({*RULES.values()}) == len(EDITIONS)


def test_rules_digest_changes_with_a_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules_digest("2016", [])
    districts = EDITIONS["2016"].districts
    monkeypatch.setitem(districts, "tavern", replace(districts["tavern"], cost=2))
    assert rules_digest("2016", []) != before


@one_case("edition", EDITIONS)
def test_rules_digest_changes_with_a_game(edition: str) -> None:
    assert rules_digest(edition, ["one"]) != rules_digest(edition, ["other"])
