from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.chance import SeededChance

SEED = b"s" * 32
CARDS = "abcdefgh"
hands = st.lists(st.sampled_from(CARDS), min_size=1, max_size=30)


def shuffled(items: list[str]) -> list[str]:
    return SeededChance(SEED).shuffle("kept/1/2/0", items)


@given(hands)
def test_a_shuffle_has_the_same_order_however_the_items_lay(items: list[str]) -> None:
    once = shuffled(items)
    assert sorted(once) == sorted(items)
    assert once == shuffled(sorted(items)) == shuffled(items[::-1])


@given(hands, st.sampled_from([*CARDS, "i"]))
def test_one_item_more_leaves_the_order_of_the_others(items: list[str], more: str) -> None:
    before, after = shuffled(items), shuffled([more, *items])
    assert [item for item in after if item != more] == [item for item in before if item != more]
    places = range(len(after))
    assert before in [after[:place] + after[place + 1 :] for place in places if after[place] == more]


@given(hands)
def test_a_pick_is_the_first_item_of_the_shuffle(items: list[str]) -> None:
    assert SeededChance(SEED).pick("kept/1/2/0", items) == shuffled(items)[0]


def test_a_label_is_asked_once() -> None:
    chance = SeededChance(SEED)
    chance.shuffle("a", [1, 2])
    with pytest.raises(ValueError, match="asked before"):
        chance.pick("a", [1, 2])
    assert chance.asked == 1


def test_nothing_cannot_be_picked_from() -> None:
    with pytest.raises(ValueError, match="nothing"):
        SeededChance(SEED).pick("a", [])


def test_labels_and_seeds_are_independent() -> None:
    first = SeededChance(SEED).shuffle("a", range(20))
    assert first != SeededChance(SEED).shuffle("b", range(20))
    assert first != SeededChance(b"t" * 32).shuffle("a", range(20))


def test_every_outcome_is_about_as_likely() -> None:
    picks = Counter(
        SeededChance(bytes([number % 256, number // 256]) * 16).pick("x", range(5)) for number in range(2000)
    )
    assert all(320 < picks[value] < 480 for value in range(5))
