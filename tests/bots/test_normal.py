"""The bot that has learned from searching: what it does otherwise than the sensible one, and how it learned."""

from random import Random

import pytest

from citadels_lan.bots.heuristics.mind import holders
from citadels_lan.bots.heuristics.policies import NormalPolicy, SensiblePolicy
from citadels_lan.bots.policy import Policy
from citadels_lan.engine import Player, State, decisions, view
from tests.bots.situations import in_rounds
from tests.effort import one_case
from tests.facts import standing
from tools.training.findings import SearchedChoice
from tools.training.regressing import regress
from tools.training.subjects import subject


def does(policy: Policy, state: State) -> str:
    known = view(state, 0)
    return str(policy.choose(known, 0, decisions(known)[0]))


def test_a_marshal_takes_what_is_worth_more_than_what_the_gold_would_build() -> None:
    owner = Player(gold=2, hand=["market"], city=[standing("church"), standing("castle"), standing("docks")])
    state = in_rounds("2016", "marshal", Player(gold=2, hand=["tavern"]), owner)
    assert does(SensiblePolicy(1), state) == "build tavern"
    assert does(NormalPolicy(1), state) == "seize b.church"


def test_a_marshal_builds_first_what_brings_more() -> None:
    owner = Player(gold=2, hand=["market"], city=[standing("tavern")])
    state = in_rounds("2016", "marshal", Player(gold=5, hand=["palace"]), owner)
    assert does(NormalPolicy(1), state) == "build palace"


@one_case(
    ("gold", "hand", "gathers"),
    [(0, ["palace", "castle", "docks"], "gold"), (6, [], "cards"), (6, ["tavern"], "cards")],
)
def test_it_gathers_what_it_lacks(gold: int, hand: list[str], gathers: str) -> None:
    me = Player(gold=gold, hand=hand, city=[standing("tavern")])
    assert does(NormalPolicy(1), in_rounds("2016", "assassin", me, gathered=False, used=["kill"])) == (
        f"gather {gathers}"
    )


@one_case("edition", ["2016", "classic", "dark_city"])
@pytest.mark.parametrize("character", ["king", "merchant", "assassin", "warlord"])
@pytest.mark.parametrize("gold", [0, 2, 4])
@pytest.mark.parametrize("hand", [[], ["market"]])
def test_it_draws_when_it_can_build_nothing_that_it_has(
    edition: str, character: str, gold: int, hand: list[str]
) -> None:
    """A second Market is as good as nothing, whatever weights say of gold."""
    me = Player(gold=gold, hand=hand, city=[standing("temple"), standing("docks"), standing("market")])
    used = ["kill", "bonus", "income"]
    state = in_rounds(edition, character, me, gathered=False, used=used)
    for policy in (SensiblePolicy(1), NormalPolicy(1)):
        assert does(policy, state) == "gather cards"


def test_who_is_paid_for_a_character_may_well_have_it() -> None:
    noble = Player(gold=2, hand=["tavern"], city=[standing("manor"), standing("castle")])
    known = view(in_rounds("2016", "assassin", Player(gold=2), noble), 0)
    plain, greedy = holders(known, 0), holders(known, 0, greed=0.4)
    assert greedy["king"][1] > plain["king"][1]
    assert greedy["king"][1] > greedy["king"][2]
    assert sum(greedy["king"].values()) <= 1.0 + 1e-9


def test_what_a_decision_is_about() -> None:
    rich = in_rounds("2016", "warlord", Player(gold=6), Player(city=[standing("castle")]))
    assert subject(decisions(rich)[0]) == "destroy"
    assert subject(decisions(in_rounds("2016", "bishop", Player(gold=2), gathered=False))[0]) == "gather"
    assert subject(decisions(in_rounds("2016", "bishop", Player(gold=2)))[0]) == ""


def test_weights_are_found_again() -> None:
    """What one number brings is the same for both names; one of them is better by itself."""
    random, found = Random(1), list[SearchedChoice]()
    for _ in range(4000):
        numbers = [(1.0, random.random()) for _ in range(3)]
        values = (0.3 + 0.5 * numbers[0][1], 0.5 * numbers[1][1], 0.2)
        found.append(SearchedChoice("pick", ("king", "bishop", ""), (*numbers[:2], ()), values))
    weights = regress(found, [0.0, 0.0])
    assert weights["king"][0] - weights["bishop"][0] == pytest.approx(0.3, abs=0.05)
    assert weights["king"][1] == pytest.approx(0.5, abs=0.1)
    assert weights["bishop"][1] == pytest.approx(0.5, abs=0.1)
