"""Names of cards and types: all there, in both languages, short enough for a narrow table."""

import pytest

from citadels_lan.engine import HIDDEN, TYPES
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.texts import LANGUAGES, Texts, language, load
from citadels_lan.texts.pages import SHORT_CELLS


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_the_engine_and_the_texts_know_the_same_cards() -> None:
    known = list(load("en").cards)
    assert tuple(known[: len(CHARACTERS)]) == CHARACTERS
    assert sorted(known[len(CHARACTERS) :]) == sorted(DISTRICTS)
    assert set(language.TYPES) == set(language.LETTERS) == set(TYPES)
    assert language.HIDDEN == HIDDEN


def test_names_are_distinct(texts: Texts) -> None:
    assert len({texts.district(key) for key in DISTRICTS}) == len(DISTRICTS)
    assert len({texts.character(key) for key in CHARACTERS}) == len(CHARACTERS)
    assert len({texts.short_district(key) for key in DISTRICTS}) == len(DISTRICTS)
    assert len({texts.short_character(key) for key in CHARACTERS}) == len(CHARACTERS)


def test_short_names_are_short(texts: Texts) -> None:
    for key in DISTRICTS:
        assert 0 < len(texts.short_district(key)) <= SHORT_CELLS, key
    for key in CHARACTERS:
        assert 0 < len(texts.short_character(key)) <= SHORT_CELLS, key


def test_each_type_has_a_letter_of_its_own(texts: Texts) -> None:
    letters = [texts.letter(kind) for kind in TYPES]
    assert len(set(letters)) == 5
    assert all(len(letter) == 1 and letter.isupper() for letter in letters)


def test_names_of_the_rulebook() -> None:
    italian, english = load("it"), load("en")
    assert italian.district("town_hall") == "Municipio"
    assert italian.district("poor_house") == "Ostello dei Poveri"
    assert italian.character("magician") == "Incantatrice"
    assert italian.character("wizard") == "Mago"
    assert italian.type("trade") == "mercantile"
    assert italian.district("ballroom") == "Sala da Ballo"
    assert italian.district("battlefield") == "Campo di Battaglia"
    assert english.district("thieves_den") == "Thieves' Den"


def test_italian_articles() -> None:
    texts = load("it")
    for key in CHARACTERS:
        article, name = texts.the(key)[: -len(texts.character(key))], texts.character(key)
        assert texts.the(key) == article + name
        if name[0] in "AEIOU":
            assert article == "l'"
        elif name.startswith("S") and name[1] not in "aeiout":
            assert article in ("lo ", "la ")
        else:
            assert article in ("il ", "la ")
    assert texts.the("marshal") == "lo Sceriffo"
    assert texts.the("witch") == "la Strega"


def test_lists_of_cards(texts: Texts) -> None:
    assert texts.districts(["market", "keep"]).startswith(texts.district("market"))
    assert texts.characters(["king"]) == texts.character("king")
