"""The texts of the cards and the pages of the rules: complete, short where they must be, found by any name."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.engine import EDITIONS, Edition, edition_named
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.texts import LANGUAGES, Texts, card, cards, load, marks
from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.pages import PAGES
from citadels_lan.texts.topics import (
    GAME,
    Topic,
    UnknownTopic,
    all_topics,
    find_topic,
    page,
    plain,
    title,
    topics_of,
    unknown,
)
from tests.effort import one_case
from tests.facts import E2016

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding.md"
KEYS = [*CHARACTERS, *DISTRICTS]
UNIQUES = {key for edition in EDITIONS.values() for key in edition.uniques}
TOLD = [(edition, key) for edition in EDITIONS.values() for key in (*edition.characters, *edition.districts)]
"""Every card in every edition that has it."""
SENTENCE = re.compile(r"[.!?](?: |$)")


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


@one_case("key", KEYS)
def test_an_entry_is_whole(key: str) -> None:
    """Names the empty places of a card's entry: every character has a name, also with its article, a summary and a
    text, every unique district the same without the article; an ordinary district has its name alone."""
    assert key in (cards.CHARACTERS if key in CHARACTERS else cards.DISTRICTS), f"{key}: no entry in texts/cards"
    card = cards.CHARACTERS.get(key) or cards.DISTRICTS[key]
    told = key in CHARACTERS or key in UNIQUES
    places = {"name": True, "the": key in CHARACTERS, "summary": told, "text": told}
    filled = {place: bool(getattr(card, place)) for place in places}
    assert [place for place in places if places[place] != filled[place]] == []


def test_a_key_has_one_entry_and_a_text_stands_in_one_of_them() -> None:
    assert len(cards.ALL) == len({card.key for card in cards.ALL}) == len(KEYS)
    for field in ("whys", "reasons", "told", "refusals"):
        said = [code for card in cards.ALL for code in getattr(card, field)]
        assert len(said) == len({*said}), field


def test_the_page_shows_entries_as_they_are() -> None:
    """Examples of docs/adding.md: an entry that is whole, one with sentences, and one with an edition's story."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## A card's texts\n")[2].partition("\n## ")[0]
    plain_entry, told, edition = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    names = {**vars(marks), **vars(card), "events": SimpleNamespace(Marked=object)}
    jesters: list[Card] = [eval(text, names) for text in (plain_entry, told, edition)]
    for jester in jesters:
        assert all((jester.name, jester.the, jester.summary, jester.text))
    assert (*jesters[1].told, *jesters[1].refusals) == ((object, "tickled"), "not_ticklish")
    assert jesters[2].story("classic").summary != jesters[2].story().summary == jesters[1].summary


def test_an_edition_tells_its_own_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Smithy of a made-up edition gives two cards for three gold; everywhere else it is as ever."""
    cheap = Story("Once per turn: pay three gold for two cards.", "Two cards. Three gold.")
    smithy = cards.DISTRICTS["smithy"]
    made_up = {**cards.DISTRICTS, "smithy": smithy._replace(editions={"made_up": cheap})}
    monkeypatch.setattr(cards, "DISTRICTS", made_up)
    texts, topic, edition = load("en"), Topic("district", "smithy"), replace(E2016, key="made_up")
    assert cards.summary(texts, edition, "smithy") == cheap.summary
    assert cards.explanation(texts, edition, "smithy") == cheap.text
    assert page(texts, topic, edition)[1:] == [cheap.summary, cheap.text]
    assert page(texts, topic, replace(E2016, key="another")) == page(texts, topic) == page(texts, topic, E2016)
    assert cards.summary(texts, E2016, "smithy") == "Once per turn: pay 2 gold for 3 cards."
    assert cards.summary(texts, edition, "market") == cards.summary(texts, E2016, "market")


def test_a_summary_fits_a_line(texts: Texts) -> None:
    for edition, key in TOLD:
        line = cards.summary(texts, edition, key)
        assert 10 < len(line) <= 76, (edition.key, key, line)
        assert "\n" not in line
        assert line.endswith(".")


def test_great_wall_text_covers_the_whole_city(texts: Texts) -> None:
    """It covers every other district of its city (R210), wherever that stands."""
    told = [cards.explanation(texts, edition, key) for edition, key in TOLD]
    told += [texts.say(said) for edition in EDITIONS for page in PAGES.values() for said in page.told(edition)]
    walls = [said for said in told if texts.district("great_wall") in said]
    assert len(walls) > 8
    assert not [said for said in walls if re.search("neighbour|vicin", said)]


def test_an_explanation_has_a_few_sentences(texts: Texts) -> None:
    for edition, key in TOLD:
        said = cards.explanation(texts, edition, key)
        assert 2 <= len(SENTENCE.findall(said)) <= 8 or key not in {*CHARACTERS, *UNIQUES}, (edition.key, key)


def test_a_story_is_of_an_edition_that_has_the_card() -> None:
    """Some printings of an edition have more cards than others."""
    printings = [edition_named("classic", (("deck", 68),)), *EDITIONS.values()]
    for it in cards.ALL:
        having = {edition.key for edition in printings if it.key in {*edition.characters, *edition.districts}}
        assert {*it.editions} <= having, it.key


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_a_text_names_only_what_its_edition_has(edition: Edition) -> None:
    """In English, where a name stands as it is: no Magistrate in the classic game."""
    texts = load("en")
    theirs = {texts.character(key): key for key in CHARACTERS} | {texts.district(key): key for key in DISTRICTS}
    others = {name for name, key in theirs.items() if key not in {*edition.characters, *edition.districts}}
    # words of every day, and what is said of other printings
    others -= {"Keep", "Trader", "Market", "Great Wall", "Imperial Treasury", "Map Room", "Castle"}
    for topic in topics_of(edition):
        if topic.key not in ("proofs", "notation"):
            said = " ".join(page(texts, topic, edition))
            assert [name for name in others if re.search(rf"\b{name}\b", said)] == [], topic.key


@pytest.mark.parametrize(
    ("deck", "smithy", "laboratory"),
    [(65, "pay 3 gold for 2 cards", 1), (66, "pay 2 gold for 3 cards", 1), (68, "pay 2 gold for 3 cards", 2)],
)
def test_numbers_are_those_of_the_deck(deck: int, smithy: str, laboratory: int) -> None:
    edition = edition_named("classic", () if deck == 65 else (("deck", deck),))
    assert smithy in cards.summary(load("en"), edition, "smithy")
    assert f"{laboratory} gold" in cards.summary(load("en"), edition, "laboratory")


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


def test_what_older_books_call_a_card_is_said_and_found() -> None:
    italian, english = load("it"), load("en")
    assert page(italian, Topic("character", "bishop"))[1] == "Nei libri più vecchi: Predicatore."
    assert "Cancelli dei draghi e Rifugio dei Draghi" in page(italian, Topic("district", "dragon_gate"))[1]
    assert len(page(english, Topic("character", "bishop"))) == 3
    for key in KEYS:
        for older in italian.older_names(key):
            assert older.casefold() not in (italian.character(key) if key in CHARACTERS else italian.district(key))
            found = find_topic(older)
            names = {italian.character(it) for it in CHARACTERS} | {italian.district(it) for it in DISTRICTS}
            assert found.key == key or older.casefold() in {name.casefold() for name in names}, older


def test_an_older_name_is_that_of_the_card_that_is_played() -> None:
    assert find_topic("mago", EDITIONS["classic"]).key == "magician"
    assert find_topic("mago", EDITIONS["dark_city"]).key == "wizard"
    assert find_topic("campanile", EDITIONS["classic"]).key == "bell_tower"


def test_a_page_of_another_edition_says_so(texts: Texts) -> None:
    said = page(texts, Topic("district", "graveyard"), E2016)
    assert (
        load("en").say("Not in this edition. In {edition}:", edition="Classic") in said or texts.language != "en"
    )
    assert list(said[1:]) == list(page(texts, Topic("district", "graveyard"), EDITIONS["classic"]))
    assert page(texts, Topic("rule", "selling"))[1:] == page(
        texts, Topic("rule", "selling"), EDITIONS["citta_comune"]
    )


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_the_page_of_a_game_has_its_options(texts: Texts, edition: Edition) -> None:
    said = page(texts, Topic("rule", GAME), edition)
    assert len(said) == 3 + len(edition.options)
    for name in edition.options:
        assert sum(f"[{name}]" in paragraph for paragraph in said) == 1


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_an_edition_lists_what_it_has(edition: Edition) -> None:
    topics = topics_of(edition)
    assert {topic.key for topic in topics if topic.kind == "character"} == {*edition.characters}
    assert {topic.key for topic in topics if topic.kind == "district"} == {*edition.districts}
    pages = {topic.key for topic in topics if topic.kind == "rule"}
    assert ("draft" in pages) != ("selling" in pages) == (edition.key == "citta_comune")


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
        for edition in EDITIONS.values():
            for paragraph in page(texts, Topic("rule", key), edition):
                if "\n" in paragraph:
                    assert max(map(len, paragraph.split("\n"))) <= 80


@one_case("topic", all_topics())
def test_every_topic_is_found_by_its_names(topic: Topic) -> None:
    assert find_topic(topic.key) == topic
    for language in LANGUAGES:
        found = find_topic(title(load(language), topic).upper())
        assert found == topic or plain(found.key) == plain(title(load(language), topic))


@one_case(
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
    assert len({plain(key) for key in (*PAGES, *cards.CHARACTERS, *cards.DISTRICTS)}) == len(all_topics())
