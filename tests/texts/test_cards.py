"""The texts of the cards and the pages of the rules: complete, short where they must be, found by any name."""

import re

import pytest

from citadels_lan.texts import LANGUAGES, Texts, cards, load, names
from citadels_lan.texts.card_characters import CHARACTERS as TOLD
from citadels_lan.texts.card_districts import UNIQUES as TOLD_UNIQUES
from citadels_lan.texts.pages import PAGES
from citadels_lan.texts.topics import Topic, UnknownTopic, all_topics, find_topic, page, plain, title, unknown
from tests.facts import CHARACTERS, DISTRICTS, E2016, UNIQUES

KEYS = [*CHARACTERS, *DISTRICTS]
SENTENCE = re.compile(r"[.!?](?: |$)")


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


def test_every_card_is_told() -> None:
    assert set(TOLD) == set(CHARACTERS)
    assert set(TOLD_UNIQUES) == set(UNIQUES)


@pytest.mark.parametrize("key", KEYS)
def test_a_summary_fits_a_line(texts: Texts, key: str) -> None:
    line = cards.summary(texts, E2016, key)
    assert 10 < len(line) <= 76
    assert "\n" not in line
    assert line.endswith(".")


@pytest.mark.parametrize("key", [*CHARACTERS, *UNIQUES])
def test_an_explanation_has_a_few_sentences(texts: Texts, key: str) -> None:
    assert 2 <= len(SENTENCE.findall(cards.explanation(texts, E2016, key))) <= 7


def test_ordinary_districts_say_whom_they_pay() -> None:
    assert cards.summary(load("en"), E2016, "market") == "No effect of its own. Income for: Merchant and Trader."
    assert "Re, Imperatore e Patrizio" in cards.explanation(load("it"), E2016, "castle")


def test_facts_in_a_line() -> None:
    texts = load("en")
    assert cards.facts(texts, E2016, "market") == "District, type trade, cost 2, 4 cards"
    assert cards.facts(texts, E2016, "museum") == "District, type unique, cost 4, 1 card"
    assert cards.facts(texts, E2016, "secret_vault") == "Unique district, no cost, 1 card"
    assert cards.facts(texts, E2016, "architect") == "Character of rank 7, building limit 3"
    assert cards.facts(texts, E2016, "queen") == "Character of rank 9, for 5 to 8 players"
    assert cards.facts(load("it"), E2016, "king") == "Personaggio di rango 4"
    with pytest.raises(KeyError):
        cards.facts(texts, E2016, "casino")


def test_pages_cover_the_rules(texts: Texts) -> None:
    wanted = {
        "draft", "turn", "gathering", "building", "income", "crown", "destruction", "end", "scoring", "ties",
        "two-players", "three-players", "interrupts", "proofs", "notation",
    }  # fmt: skip
    assert wanted <= set(PAGES)
    for topic in all_topics():
        assert title(texts, topic)
        assert all(page(texts, topic))


def test_pages_fit_a_screen(texts: Texts) -> None:
    for key in PAGES:
        for paragraph in page(texts, Topic("rule", key)):
            if "\n" in paragraph:
                assert max(map(len, paragraph.split("\n"))) <= 80


@pytest.mark.parametrize("topic", all_topics())
def test_every_topic_is_found_by_its_names(topic: Topic) -> None:
    assert find_topic(topic.key) == topic
    for language in LANGUAGES:
        found = find_topic(title(load(language), topic).upper())
        assert found == topic or plain(found.key) == plain(title(load(language), topic))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Tax Collector", "tax_collector"), ("l'abate", "abbot"), ("il re", "king"), ("the king", "king"),
        ("scuola  di magia", "school_of_magic"), ("scuo", "school_of_magic"), ("mago", "wizard"),
        ("Basilica", "basilica"), ("two players", "two-players"), ("due giocatori", "two-players"),
        ("parita", "ties"), ("parità", "ties"), ("prove", "proofs"), ("mosse", "notation"), ("rocca", "keep"),
    ],
)  # fmt: skip
def test_tolerant_names(name: str, key: str) -> None:
    assert find_topic(name).key == key


@pytest.mark.parametrize(
    ("name", "near"),
    [("merca", ["merchant", "market"]), ("assasina", ["assassin"]), ("xyzzy", [])],
)
def test_an_unknown_name_brings_suggestions(name: str, near: list[str]) -> None:
    with pytest.raises(UnknownTopic) as refused:
        find_topic(name)
    assert [topic.key for topic in refused.value.near] == near


def test_nothing_is_found_for_nothing(texts: Texts) -> None:
    for name in ("", "  ", "!?"):
        with pytest.raises(UnknownTopic) as refused:
            find_topic(name)
        assert unknown(texts, refused.value)


def test_what_an_unknown_name_is_answered() -> None:
    with pytest.raises(UnknownTopic) as refused:
        find_topic("merca")
    assert (
        unknown(load("it"), refused.value)
        == "Qui non c'è niente che si chiami “merca”. Intendi Mercante o Mercato?"
    )
    with pytest.raises(UnknownTopic) as refused:
        find_topic("{name}")
    assert "{name}" in unknown(load("en"), refused.value)


def test_names_do_not_hide_each_other() -> None:
    assert len({plain(key) for key in (*PAGES, *names.CHARACTERS, *names.DISTRICTS)}) == len(all_topics())
