"""The names of cards and types: complete, in both languages, short enough for a narrow table."""

import pytest

from citadels_lan.engine import HIDDEN, TYPES
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.texts import LANGUAGES, Texts, language, load
from citadels_lan.texts.pages import SHORT_CELLS


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_every_card_of_the_engine_has_a_name_and_every_name_a_card() -> None:
    known = list(load("en").cards)
    assert tuple(known[: len(CHARACTERS)]) == CHARACTERS
    assert sorted(known[len(CHARACTERS) :]) == sorted(DISTRICTS)
    assert set(language.named("district type")) == set(language.named("letter of a district type")) == set(TYPES)
    assert language.HIDDEN == HIDDEN


def test_card_names_are_distinct(texts: Texts) -> None:
    assert len({texts.district(key) for key in DISTRICTS}) == len(DISTRICTS)
    assert len({texts.character(key) for key in CHARACTERS}) == len(CHARACTERS)
    assert len({texts.short_district(key) for key in DISTRICTS}) == len(DISTRICTS)
    assert len({texts.short_character(key) for key in CHARACTERS}) == len(CHARACTERS)


def test_short_card_names_fit_their_width(texts: Texts) -> None:
    for key in DISTRICTS:
        assert 0 < len(texts.short_district(key)) <= SHORT_CELLS, key
    for key in CHARACTERS:
        assert 0 < len(texts.short_character(key)) <= SHORT_CELLS, key


def test_letters_of_district_types_are_distinct(texts: Texts) -> None:
    letters = [texts.letter(kind) for kind in TYPES]
    assert len(set(letters)) == 5
    assert all(len(letter) == 1 and letter.isupper() for letter in letters)
