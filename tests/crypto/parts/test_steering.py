"""The figures of docs/attacks.md on called-off starts come from the protocol's own deals."""

import pytest

from benchmarks.steering import HOST, PLAYERS, TABLE, WISHES, Deal, deal_of, within
from citadels_lan.crypto.chance import SeededChance


def test_a_deal_is_that_of_the_seed() -> None:
    crowned = []
    for number in range(24):
        seed = bytes([number] * 32)
        deal = deal_of(seed)
        assert len(deal.hand) == 4
        assert deal.crown == (SeededChance(seed).pick("crown/0/table/0", range(PLAYERS)) == HOST)
        crowned.append(deal.crown)
    assert 0 < sum(crowned) < len(crowned)


def test_each_called_off_start_is_one_more_draw() -> None:
    assert within(0.059, 0) == pytest.approx(0.059)
    assert within(0.059, 1) == pytest.approx(0.114, abs=0.001)
    assert within(0.059, 10) == pytest.approx(0.488, abs=0.001)
    assert within(0.0, 10) == 0.0


def test_what_is_wished_for() -> None:
    one, two = WISHES.values()
    hand = (*TABLE.districts[:2], "tavern", "tavern")
    assert one(Deal(hand, False))
    assert not one(Deal(("tavern",), True))
    assert two(Deal(hand, True))
    assert not two(Deal(hand, False))
