from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.drbg import SeededChance, uniform, words

SEED = b"s" * 32


@given(st.lists(st.integers(), max_size=30), st.text("a/ 9é", max_size=10))
def test_a_shuffle_loses_nothing_and_comes_again(items: list[int], label: str) -> None:
    once = SeededChance(SEED).shuffle(label, items)
    assert sorted(once) == sorted(items)
    assert once == SeededChance(SEED).shuffle(label, items)


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
    first = list(islice(words(SEED, "a"), 20))
    assert first != list(islice(words(SEED, "b"), 20))
    assert first != list(islice(words(b"t" * 32, "a"), 20))
    assert len(set(first)) == 20


def test_words_that_would_favour_small_numbers_are_rejected() -> None:
    assert uniform(iter([2**32 - 1, 7]), 3) == 1
    assert uniform(iter([2**32 - 1]), 2**31) == 2**31 - 1


def test_every_outcome_is_about_as_likely() -> None:
    picks = Counter(
        SeededChance(bytes([number % 256, number // 256]) * 16).pick("x", range(5)) for number in range(2000)
    )
    assert all(320 < picks[value] < 480 for value in range(5))
