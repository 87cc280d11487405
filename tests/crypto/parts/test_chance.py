from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.steering import HOST, PLAYERS, deal_of, within
from citadels_lan.crypto.seed import SeededChance

SEED = b"s" * 32
CARDS = "abcdefgh"
hands = st.lists(st.sampled_from(CARDS), min_size=1, max_size=30)


def shuffled(items: list[str]) -> list[str]:
    return SeededChance(SEED).shuffle("kept/1/2/0", items)


@given(hands)
def test_shuffle_does_not_depend_on_the_order_of_items(items: list[str]) -> None:
    once = shuffled(items)
    assert sorted(once) == sorted(items)
    assert once == shuffled(sorted(items)) == shuffled(items[::-1])


@given(hands, st.sampled_from([*CARDS, "i"]))
def test_additional_item_keeps_the_shuffled_order_of_the_others(items: list[str], more: str) -> None:
    before, after = shuffled(items), shuffled([more, *items])
    assert [item for item in after if item != more] == [item for item in before if item != more]
    places = range(len(after))
    assert before in [after[:place] + after[place + 1 :] for place in places if after[place] == more]


def test_label_used_twice_is_an_error() -> None:
    chance = SeededChance(SEED)
    chance.shuffle("a", [1, 2])
    with pytest.raises(ValueError, match="asked before"):
        chance.pick("a", [1, 2])
    assert chance.asked == 1


def test_pick_from_no_items_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        SeededChance(SEED).pick("a", [])


def test_different_labels_or_seeds_give_independent_draws() -> None:
    first = SeededChance(SEED).shuffle("a", range(20))
    assert first != SeededChance(SEED).shuffle("b", range(20))
    assert first != SeededChance(b"t" * 32).shuffle("a", range(20))


def test_every_outcome_is_equally_likely() -> None:
    picks = Counter(
        SeededChance(bytes([number % 256, number // 256]) * 16).pick("x", range(5)) for number in range(2000)
    )
    assert all(320 < picks[value] < 480 for value in range(5))


# The joint seed


GAME, SECRET, HEAD = bytes(16), b"s" * 32, b"h" * 32
PARTS = (b"a" * 32, b"b" * 32)


# Called-off starts (docs/attacks.md)


def test_simulated_deal_crowns_the_same_seat_as_the_real_chance() -> None:
    crowned = []
    for number in range(24):
        seed = bytes([number] * 32)
        deal = deal_of(seed)
        assert len(deal.hand) == 4
        assert deal.crown == (SeededChance(seed).pick("crown/0/table/0", range(PLAYERS)) == HOST)
        crowned.append(deal.crown)
    assert 0 < sum(crowned) < len(crowned)


def test_each_called_off_start_gives_the_host_one_more_try_for_a_good_deal() -> None:
    assert within(0.059, 0) == pytest.approx(0.059)
    assert within(0.059, 1) == pytest.approx(0.114, abs=0.001)
    assert within(0.059, 10) == pytest.approx(0.488, abs=0.001)
    assert within(0.0, 10) == 0.0
