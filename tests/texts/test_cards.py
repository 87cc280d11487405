"""The texts of the cards and the pages of the rules: complete, short where necessary, found by any name."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_lan.engine import EDITIONS, Edition, edition_named
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.texts import LANGUAGES, Texts, load, topics
from citadels_lan.texts.language import Language, UnreadableLanguage
from citadels_lan.texts.pages import CardText, read_cards, read_pages
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
"""Pairs of an edition and a card: each edition with each of its cards."""
SENTENCE = re.compile(r"[.!?](?: |$)")


@pytest.fixture(params=list(LANGUAGES))
def texts(request: pytest.FixtureRequest) -> Texts:
    return load(request.param)


@one_case("key", KEYS)
def test_every_card_has_all_its_texts(key: str) -> None:
    """Every character has a name, the same with its article, a summary and a text. Every unique district has
    the same without the article. An ordinary district only has a name."""
    for language in LANGUAGES.values():
        own = read_cards(language.folder)
        assert key in own, f"{language.code}: no section # {key}"
        effect = key in CHARACTERS or key in UNIQUES
        assert (bool(own[key].lines), bool(own[key].paragraphs)) == (effect, effect), f"{language.code}: {key}"
        assert (own[key].article != own[key].name) == (key in CHARACTERS), f"{language.code}: {key}"


def test_card_texts_vary_by_edition_in_the_same_way_in_every_language() -> None:
    def tags(card: CardText) -> list[object]:
        return [sorted(",".join(editions) for editions, _ in texts) for texts in (card.lines, card.paragraphs)]

    for language in LANGUAGES.values():
        for key, card in read_cards(language.folder).items():
            assert tags(card) == tags(LANGUAGES["en"].cards[key]), f"{language.code}: {key}"


def test_example_card_of_the_adding_page_can_be_read(tmp_path: Path) -> None:
    """The example is the one of docs/adding.md."""
    after = PAGE.read_text(encoding="utf-8").partition("\n## A card's texts\n")[2]
    section = after.partition("\n## A language\n")[0]
    (words,) = re.findall(r"^```md\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    (tmp_path / "characters.md").write_text(words)
    jester = read_cards(str(tmp_path))["jester"]
    assert (jester.name, jester.article, jester.short) == ("Jester", "the Jester", "Jester")
    assert (jester.line("2016"), jester.explanation("2016")) == (
        "Tickles a character.",
        ["The full text.", "- A special case."],
    )
    assert jester.line("classic") == "Tickles two characters."
    assert jester.explanation("classic") == [
        "The full text.",
        "- A special case.",
        "- Another one of this edition.",
    ]


def test_card_text_follows_the_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Smithy of a made-up edition gives two cards for three gold; its text in other editions does not
    change."""
    line, text = "Once per turn: pay three gold for two cards.", "Two cards. Three gold."
    texts, topic, edition = load("en"), Topic("district", "smithy"), replace(E2016, key="made_up")
    usual = texts.cards["smithy"]
    smithy = usual._replace(lines=(*usual.lines, (("made_up",), line)), paragraphs=((("made_up",), text),))
    monkeypatch.setitem(LANGUAGES["en"].cards, "smithy", smithy)
    assert topics.summary(texts, edition, "smithy") == line
    assert topics.explanation(texts, edition, "smithy") == [text]
    assert page(texts, topic, edition)[1:] == [line, text]
    assert page(texts, topic, replace(E2016, key="another")) == page(texts, topic) == page(texts, topic, E2016)
    assert topics.summary(texts, E2016, "smithy") == "Once per turn: pay 2 gold and draw 3 cards."
    assert topics.summary(texts, edition, "market") == topics.summary(texts, E2016, "market")


def test_card_summary_fits_one_line(texts: Texts) -> None:
    for edition, key in TOLD:
        line = topics.summary(texts, edition, key)
        assert 10 < len(line) <= 76, (edition.key, key, line)
        assert "\n" not in line
        assert line.endswith(".")


def test_card_text_names_only_editions_with_the_card() -> None:
    """Some printings of an edition have more cards than others."""
    printings = [edition_named("classic", (("deck", 68),)), *EDITIONS.values()]
    for key, it in load("en").cards.items():
        having = {edition.key for edition in printings if key in {*edition.characters, *edition.districts}}
        assert {name for editions, _ in (*it.lines, *it.paragraphs) for name in editions} <= having, key


@one_case("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_card_text_names_only_cards_of_its_edition(edition: Edition) -> None:
    """The test reads English, where names stand unchanged: for example, the classic game must not mention the
    Magistrate."""
    texts = load("en")
    theirs = {texts.character(key): key for key in CHARACTERS} | {texts.district(key): key for key in DISTRICTS}
    others = {name for name, key in theirs.items() if key not in {*edition.characters, *edition.districts}}
    # everyday words, and words about other printings
    others -= {"Keep", "Trader", "Market", "Great Wall", "Imperial Treasury", "Map Room", "Castle"}
    for topic in topics_of(edition):
        if topic.key not in ("proofs", "notation"):
            said = " ".join(page(texts, topic, edition))
            assert [name for name in others if re.search(rf"\b{name}\b", said)] == [], topic.key


def test_card_facts_fit_one_line() -> None:
    texts = load("en")
    assert topics.facts(texts, E2016, "market") == "District, type trade, cost 2, 4 cards"
    assert topics.facts(texts, E2016, "museum") == "District, type unique, cost 4, 1 card"
    assert topics.facts(texts, E2016, "secret_vault") == "Unique district, no cost, 1 card"
    assert topics.facts(texts, E2016, "architect") == "Character of rank 7, building limit 3"
    assert topics.facts(texts, E2016, "queen") == "Character of rank 9, for 5 to 8 players"
    assert topics.facts(load("it"), E2016, "king") == "Personaggio di rango 4"
    with pytest.raises(KeyError):
        topics.facts(texts, E2016, "casino")


def test_older_card_names_are_shown_and_found() -> None:
    italian, english = load("it"), load("en")
    assert page(italian, Topic("character", "bishop"))[1] == "Nei regolamenti precedenti: Predicatore."
    assert "Cancelli dei draghi e Rifugio dei Draghi" in page(italian, Topic("district", "dragon_gate"))[1]
    assert "older" not in page(english, Topic("character", "bishop"))[1]
    for key in KEYS:
        for older in italian.older_names(key):
            assert older.casefold() not in (italian.character(key) if key in CHARACTERS else italian.district(key))
            found = find_topic(older)
            names = {italian.character(it) for it in CHARACTERS} | {italian.district(it) for it in DISTRICTS}
            assert found.key == key or older.casefold() in {name.casefold() for name in names}, older


def test_rules_page_of_another_edition_names_that_edition(texts: Texts) -> None:
    """A page that the present edition lacks is shown in the words of an edition that has it."""
    said = page(texts, Topic("district", "graveyard"), E2016)
    assert (
        load("en").say("Not in this edition. In {edition}:", edition="Classic") in said or texts.language != "en"
    )
    assert list(said[1:]) == list(page(texts, Topic("district", "graveyard"), EDITIONS["classic"]))
    assert page(texts, Topic("rule", "selling"))[1:] == page(
        texts, Topic("rule", "selling"), EDITIONS["citta_comune"]
    )


@one_case("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_edition_page_lists_its_options(texts: Texts, edition: Edition) -> None:
    said = page(texts, Topic("rule", GAME), edition)
    assert len(said) == len(texts.rules[GAME].told(edition.key)) + len(edition.options)
    for name in edition.options:
        assert sum(f"[{name}]" in paragraph for paragraph in said) == 1


@one_case("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_topics_of_an_edition_are_listed(edition: Edition) -> None:
    topics = topics_of(edition)
    assert {topic.key for topic in topics if topic.kind == "character"} == {*edition.characters}
    assert {topic.key for topic in topics if topic.kind == "district"} == {*edition.districts}
    pages = {topic.key for topic in topics if topic.kind == "rule"}
    assert ("draft" in pages) != ("selling" in pages) == (edition.key == "citta_comune")


def test_rules_pages_cover_every_topic(texts: Texts) -> None:
    wanted = {
        "draft", "turn", "gathering", "building", "income", "crown", "destruction", "end", "scoring", "ties",
        "two-players", "three-players", "interrupts", "proofs", "notation",
    }  # fmt: skip
    assert wanted <= set(texts.rules)
    for topic in all_topics():
        assert title(texts, topic)
        assert all(page(texts, topic))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_pages_have_the_same_parts_in_every_language(language: str) -> None:
    def parts(code: str) -> dict[str, object]:
        pages = load(code).rules.items()
        return {
            key: (it.lacking, [(editions, "\n" in text) for editions, text in it.paragraphs]) for key, it in pages
        }

    assert parts(language) == parts("en")
    assert set(LANGUAGES[language].rules) == set(read_pages(LANGUAGES[language].folder)), "none is the English one"


@one_case("text", ["", "No title.\n", "## Small\n\nText.\n"])
def test_rules_page_without_a_title_is_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "01-game.md").write_text(text)
    with pytest.raises(UnreadableLanguage, match=r"01-game\.md.*title"):
        Language("xx", str(tmp_path)).rules  # noqa: B018  # read at the first use


def test_edition_without_its_own_paragraph_gets_the_default_one(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    text = "# Draft\n\nAlso: pick\nNot in: classic\n\n[2016] a\nb\n\n[dark_city]\n    c\n\nfor all\n"
    (tmp_path / "rules" / "01-draft.md").write_text(text)
    told = read_pages(str(tmp_path))["draft"].told
    assert list(map(told, ("family", "classic", "dark_city"))) == [["a b", "for all"], (), ["  c", "for all"]]


def test_rules_pages_fit_a_screen(texts: Texts) -> None:
    for key in texts.rules:
        for edition in EDITIONS.values():
            for paragraph in page(texts, Topic("rule", key), edition):
                if "\n" in paragraph:
                    assert max(map(len, paragraph.split("\n"))) <= 80


@one_case("topic", all_topics())
def test_every_rules_topic_is_found_by_each_of_its_names(topic: Topic) -> None:
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
def test_names_are_found_without_accents_case_and_spaces(name: str, key: str) -> None:
    assert find_topic(name).key == key


@one_case(("name", "near"), [("merca", ["merchant", "market"]), ("assasina", ["assassin"]), ("xyzzy", [])])
def test_unknown_topic_name_gets_suggestions(name: str, near: list[str]) -> None:
    with pytest.raises(UnknownTopic) as refused:
        find_topic(name)
    assert [topic.key for topic in refused.value.near] == near


def test_unknown_topic_name_gives_an_error_sentence() -> None:
    with pytest.raises(UnknownTopic) as refused:
        find_topic("merca")
    assert (
        unknown(load("it"), refused.value)
        == "Nessuna carta o regola si chiama «merca». Volevi dire Mercante o Mercato?"
    )
    with pytest.raises(UnknownTopic) as refused:
        find_topic("{name}")
    assert "{name}" in unknown(load("en"), refused.value)


def test_no_two_rules_topics_have_the_same_name() -> None:
    assert len({plain(key) for key in (*load("en").rules, *KEYS)}) == len(all_topics())
