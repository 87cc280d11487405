"""The names of editions, options and values: complete, in both languages."""

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.texts import LANGUAGES, Texts, load, terms
from citadels_lan.texts.language import term_tables

WIDEST_NAME = 36
"""The width for which a line of the lobby has room."""


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_every_edition_has_texts() -> None:
    assert set(EDITIONS) == set(term_tables()["editions"])
    assert all(terms.summary(load("en"), key) for key in EDITIONS)


def test_every_option_has_texts() -> None:
    for edition in EDITIONS.values():
        said = term_tables()["editions"][edition.key]
        least, most = said["players"]
        assert set(said["options"]) == set(edition.options)
        assert range(least, most + 1) == edition.players
        for key, values in edition.options.items():
            assert list(term_tables()["options"][key]["values"]) == list(map(str, values)), (edition.key, key)


def test_options_have_sentences_and_their_values_have_different_names(texts: Texts) -> None:
    for key, option in term_tables()["options"].items():
        assert terms.about(texts, key).endswith(".")
        said = [terms.value(texts, key, value) for value in option["values"]]
        assert len(said) == len({*said}) > 1
        assert len(terms.option(texts, key)) + max(map(len, said)) <= 2 * WIDEST_NAME


def test_names_of_editions_are_short_and_different(texts: Texts) -> None:
    names = [terms.name(texts, key) for key in term_tables()["editions"]]
    assert len(names) == len({*names})
    names += [terms.option(texts, key) for key in term_tables()["options"]]
    assert max(map(len, names)) <= WIDEST_NAME
    assert all(terms.summary(texts, key).endswith(".") for key in term_tables()["editions"])


def test_unknown_edition_or_option_is_shown_by_its_key(texts: Texts) -> None:
    assert terms.name(texts, "pirates") == "pirates"
    assert terms.summary(texts, "pirates") == terms.about(texts, "parrots") == ""
    assert terms.chosen(texts, (("parrots", 3), ("deck", 99)))[0] == "parrots: 3"
    assert terms.value(texts, "deck", 99) == "99"
