"""What editions, options and values are called: all that there are, in both languages."""

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.texts import LANGUAGES, Texts, editions, load

WIDEST_NAME = 36
"""What a line of the lobby has room for."""


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_every_edition_is_in_words() -> None:
    assert set(EDITIONS) == set(editions.EDITIONS)


def test_every_option_of_an_edition_is_in_words() -> None:
    for edition in EDITIONS.values():
        said = editions.EDITIONS[edition.key]
        assert set(said.options) == set(edition.options)
        assert range(said.players[0], said.players[1] + 1) == edition.players
        for key, values in edition.options.items():
            assert list(editions.OPTIONS[key].values) == list(values), (edition.key, key)


def test_an_option_has_a_sentence_and_its_values_differ(texts: Texts) -> None:
    for key, option in editions.OPTIONS.items():
        assert editions.about(texts, key).endswith(".")
        said = [editions.value(texts, key, value) for value in option.values]
        assert len(said) == len({*said}) > 1
        assert len(editions.option(texts, key)) + max(map(len, said)) <= 2 * WIDEST_NAME


def test_names_are_short_and_distinct(texts: Texts) -> None:
    names = [editions.name(texts, key) for key in editions.EDITIONS]
    assert len(names) == len({*names})
    names += [editions.option(texts, key) for key in editions.OPTIONS]
    assert max(map(len, names)) <= WIDEST_NAME
    assert all(editions.summary(texts, key).endswith(".") for key in editions.EDITIONS)


def test_what_is_chosen() -> None:
    options = (("districts_to_end", 7), ("killed_king", "stays"))
    assert editions.chosen(load("it"), options) == [
        "quartieri per finire: sette",
        "Re ucciso: la corona resta",
    ]


def test_what_only_another_version_knows_goes_by_its_key(texts: Texts) -> None:
    assert editions.name(texts, "pirates") == "pirates"
    assert editions.summary(texts, "pirates") == editions.about(texts, "parrots") == ""
    assert editions.chosen(texts, (("parrots", 3), ("deck", 99)))[0] == "parrots: 3"
    assert editions.value(texts, "deck", 99) == "99"
