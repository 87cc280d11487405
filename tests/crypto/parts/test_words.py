"""The word list: its promised properties, and that words are read and typed safely."""

import hashlib
from importlib.resources import files
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.words import WORDS, NoWord, heard
from tests.effort import one_case

PROTOCOL = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_word_list_equals_that_of_the_protocol() -> None:
    data = files("citadels_lan.crypto").joinpath("words.txt").read_bytes()
    assert hashlib.sha256(data).hexdigest() in PROTOCOL
    assert data == "".join(f"{word}\n" for word in WORDS).encode()


@given(st.lists(st.sampled_from(WORDS), max_size=6), st.sampled_from([" ", "-", ", ", "\n", " / ", "\u2013"]))
def test_typed_words_are_recognized_in_any_form(words: list[str], gap: str) -> None:
    said = " ".join(words)
    assert heard(gap.join(words)) == said
    assert heard(f"  {gap.join(words).upper()}. ") == said
    assert heard(gap.join(word[:4] for word in words)) == said


@one_case("typed", ["zeb", "zebras", "xebra", "zebra1"])
def test_unknown_word_is_rejected_with_the_nearest_word(typed: str) -> None:
    answer = heard(f"piano {typed} nothing")
    assert isinstance(answer, NoWord)
    assert answer.word == typed
    assert answer.nearest[0] == "zebra"


@given(st.text())
def test_random_text_is_read_as_words_or_rejected_with_the_wrong_word(text: str) -> None:
    answer = heard(text)
    if isinstance(answer, NoWord):
        assert len(answer.word) <= 32
    else:
        assert set(answer.split()) <= set(WORDS)
