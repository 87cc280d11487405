"""The words: what the list promises, that they are read and typed safely."""

import hashlib
import re
import string
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.codec import frame
from citadels_lan.crypto.words import WORDS, NoWord, heard, key_words, spoken
from tests.effort import one_case

PROTOCOL = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def distance(one: str, other: str) -> int:
    """How many letters to change, add or leave out."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(row[-1] + 1, above[j] + 1, above[j - 1] + (a != b)))
    return row[-1]


def sound(word: str) -> str:
    """Roughly what is heard: letters that some tongue says alike are one, and double ones single."""
    for letters, alike in (("ph", "f"), ("ch", "k"), ("sh", "s"), ("c", "k"), ("q", "k"), ("x", "ks"), ("h", "")):
        word = word.replace(letters, alike)
    return re.sub(r"(.)\1+", r"\1", word.translate(str.maketrans("bdgvwyjz", "ptkffiis")))


def test_list_is_that_of_the_protocol() -> None:
    data = files("citadels_lan.crypto").joinpath("words.txt").read_bytes()
    assert hashlib.sha256(data).hexdigest() in PROTOCOL
    assert data == "".join(f"{word}\n" for word in WORDS).encode()


def test_word_for_each_byte_in_order() -> None:
    assert len(set(WORDS)) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(3 <= len(word) <= 9 and set(word) <= set(string.ascii_lowercase) for word in WORDS)


@pytest.mark.slow
def test_words_differ_in_three_letters() -> None:
    assert min(distance(one, other) for one, other in combinations(WORDS, 2)) >= 3
    assert min(distance(sound(one), sound(other)) for one, other in combinations(WORDS, 2)) >= 2
    assert len({word[:4] for word in WORDS}) == 256
    assert not [one for one in WORDS for other in WORDS if one != other and other.startswith(one)]


def test_six_words_stand_for_a_key() -> None:
    one, other = key_words(bytes(32)), key_words(bytes(31) + b"\x01")
    assert one == key_words(bytes(32))
    assert len(one) == 6
    assert one != other
    assert set(one) <= set(WORDS)
    hashed = hashlib.sha256(frame("key-words", bytes(32))).digest()
    assert one == spoken(hashed[:6]), "nothing else that is spoken is hashed under this tag"


@given(st.lists(st.sampled_from(WORDS), max_size=6), st.sampled_from([" ", "-", ", ", "\n", " / ", "\u2013"]))
def test_typed_words_are_recognized_in_any_form(words: list[str], gap: str) -> None:
    said = " ".join(words)
    assert heard(gap.join(words)) == said
    assert heard(f"  {gap.join(words).upper()}. ") == said
    assert heard(gap.join(word[:4] for word in words)) == said


@one_case("typed", ["zeb", "zebras", "xebra", "zebra1"])
def test_unknown_word_is_named_with_the_nearest(typed: str) -> None:
    answer = heard(f"piano {typed} nothing")
    assert isinstance(answer, NoWord)
    assert answer.word == typed
    assert answer.nearest[0] == "zebra"


@given(st.text())
def test_any_typed_text_has_an_answer(text: str) -> None:
    answer = heard(text)
    if isinstance(answer, NoWord):
        assert len(answer.word) <= 32
    else:
        assert set(answer.split()) <= set(WORDS)
