"""The figures of docs/attacks.md on what a host can do to chance come from the protocol's own seeds and deals."""

import random

from benchmarks.steering import HOST, PLAYERS, TABLE, WISHES, Deal, deal_of, restarts, seeds, subsets
from citadels_lan.crypto.drbg import SeededChance


def test_a_deal_is_that_of_the_seed() -> None:
    crowned = []
    for number in range(24):
        seed = bytes([number] * 32)
        deal = deal_of(seed)
        assert len(deal.hand) == 4
        assert deal.crown == (SeededChance(seed).pick("crown", range(PLAYERS)) == HOST)
        crowned.append(deal.crown)
    assert 0 < sum(crowned) < len(crowned)


def test_each_restart_costs_a_seat() -> None:
    assert [len(out) for out in restarts(3)] == [0, 1, 2, 3]
    assert len({tuple(out) for out in subsets(3)}) == 8
    assert len(set(seeds(random.Random(1), restarts(3), anew=True))) == 4


def test_what_is_wished_for() -> None:
    one, two = WISHES.values()
    hand = (*TABLE.districts[:2], "tavern", "tavern")
    assert one(Deal(hand, False))
    assert not one(Deal(("tavern",), True))
    assert two(Deal(hand, True))
    assert not two(Deal(hand, False))
