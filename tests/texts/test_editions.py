"""What editions, options and values are called: all that there are, in both languages."""

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.texts import LANGUAGES, Texts, load, terms

WIDEST_NAME = 36
"""What a line of the lobby has room for."""


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_every_edition_has_texts() -> None:
    assert set(EDITIONS) == set(terms.EDITIONS)


def test_every_option_has_texts() -> None:
    for edition in EDITIONS.values():
        said = terms.EDITIONS[edition.key]
        assert set(said.options) == set(edition.options)
        assert range(said.players[0], said.players[1] + 1) == edition.players
        for key, values in edition.options.items():
            assert list(terms.OPTIONS[key].values) == list(values), (edition.key, key)


def test_an_option_has_a_sentence_and_its_values_differ(texts: Texts) -> None:
    for key, option in terms.OPTIONS.items():
        assert terms.about(texts, key).endswith(".")
        said = [terms.value(texts, key, value) for value in option.values]
        assert len(said) == len({*said}) > 1
        assert len(terms.option(texts, key)) + max(map(len, said)) <= 2 * WIDEST_NAME


def test_names_are_short_and_distinct(texts: Texts) -> None:
    names = [terms.name(texts, key) for key in terms.EDITIONS]
    assert len(names) == len({*names})
    names += [terms.option(texts, key) for key in terms.OPTIONS]
    assert max(map(len, names)) <= WIDEST_NAME
    assert all(terms.summary(texts, key).endswith(".") for key in terms.EDITIONS)


def test_unknown_edition_or_option_is_shown_by_its_key(texts: Texts) -> None:
    assert terms.name(texts, "pirates") == "pirates"
    assert terms.summary(texts, "pirates") == terms.about(texts, "parrots") == ""
    assert terms.chosen(texts, (("parrots", 3), ("deck", 99)))[0] == "parrots: 3"
    assert terms.value(texts, "deck", 99) == "99"
