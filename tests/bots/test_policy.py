"""The random bot is uniform in the way its text says."""

from collections import Counter

import pytest

from citadels_lan.bots import LEVELS, RandomPolicy, make_policy
from citadels_lan.bots.at_random import deal_at_random
from citadels_lan.engine import Action, Deal, new_table
from citadels_lan.engine.actions import Build, End, Gather, Redraw
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.choices import Parts
from citadels_lan.engine.edition_actions import Bid, PassBid, Sell
from tests.effort import one_case
from tests.facts import first_game

DRAWS = 6000
STATE = new_table(first_game(4))


def _redraw(parts: Parts) -> Action:
    return Redraw(in_order(parts[0]))


def _spread(counts: Counter[str], kinds: int) -> bool:
    """Whether all kinds came up, each within five standard deviations of its share."""
    share = DRAWS / kinds
    return len(counts) == kinds and all(abs(count - share) < 5 * share**0.5 for count in counts.values())


def test_each_choice_is_as_likely_as_any_other() -> None:
    policy = RandomPolicy(1)
    choices = (Gather("gold"), Gather("cards"), End())
    assert _spread(Counter(str(policy.choose(STATE, 0, choices)) for _ in range(DRAWS)), 3)


def test_a_sale_and_an_early_end_are_thought_of_in_one_decision_of_twenty() -> None:
    policy = RandomPolicy(6)
    choices = (Gather("gold"), Build("castle"), End(), Sell("castle"))
    counts = Counter(policy.choose(STATE, 0, choices).verb for _ in range(DRAWS))
    seldom = DRAWS / 20 / len(choices)
    for verb, share in {
        "gather": DRAWS / 2 - seldom,
        "build": DRAWS / 2 - seldom,
        "end": seldom,
        "sell": seldom,
    }.items():
        assert abs(counts[verb] - share) < 5 * share**0.5, verb


def test_in_an_auction_half_of_all_decisions_are_to_pass() -> None:
    policy = RandomPolicy(7)
    counts = Counter(str(policy.choose(STATE, 0, (Bid(1), Bid(2), PassBid()))) for _ in range(DRAWS))
    bid = DRAWS * (1 - 0.95 / 2) / 3
    assert all(abs(counts[line] - bid) < 5 * bid**0.5 for line in ("bid 1", "bid 2"))


def test_a_deal_counts_as_one_choice() -> None:
    policy = RandomPolicy(2)
    deal = Deal("redraw", ("castle", "manor", "tavern"), ("cards",), ((1, 3),), _redraw)
    counts = Counter(policy.choose(STATE, 0, (End(), deal)).verb for _ in range(DRAWS))
    assert _spread(counts, 2)


def test_every_way_of_a_deal_is_equally_likely() -> None:
    random = RandomPolicy(3)._random
    deal = Deal("redraw", ("castle", "manor", "tavern"), ("cards",), ((0, 3),), _redraw)
    assert _spread(Counter(str(deal_at_random(deal, random)) for _ in range(DRAWS)), deal.count())


def test_parts_of_different_sizes_are_dealt_uniformly_too() -> None:
    random = RandomPolicy(4)._random
    pool = ("a", "b", "c", "d")
    seen: list[Parts] = []

    def make(parts: Parts) -> Action:
        seen.append(tuple(in_order(part) for part in parts))
        return End()

    deal = Deal("build", pool, ("with", "lent"), ((0, 2), (1, 2)), make)
    for _ in range(DRAWS):
        deal_at_random(deal, random)
    assert _spread(Counter(map(str, seen)), deal.count())


@one_case("level", LEVELS)
def test_the_same_seed_plays_the_same(level: str) -> None:
    choices = (Gather("gold"), Gather("cards"))
    one, other = make_policy(level, 5), make_policy(level, 5)
    if one.blind:
        assert [one.choose(STATE, 0, choices) for _ in range(20)] == [
            other.choose(STATE, 0, choices) for _ in range(20)
        ]


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(KeyError):
        make_policy("grandmaster", 1)
