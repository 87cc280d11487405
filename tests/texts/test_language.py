"""The machinery: languages, values, plurals, lists, and what importing it brings along."""

import subprocess
import sys

import pytest

from citadels_lan.texts import LANGUAGES, Texts, default_language, load, msg_in, msgs
from tests.effort import one_case

HOSTILE = ["{0}", "{name.__class__}", "%s %(x)d", "[bold]x[/]", "\\{", "a}b{c"]


@one_case(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it"}, "it"),
        ({"LANG": "it-CH"}, "it"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "it_IT", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "", "LC_ALL": "it_IT@euro"}, "it"),
    ],
)
def test_the_environment_chooses_the_language(environ: dict[str, str], language: str) -> None:
    assert default_language(environ) == language


def test_a_language_is_one_object() -> None:
    assert load("it") is load("it")
    assert [load(language).language for language in LANGUAGES] == ["en", "it"]


def test_other_languages_are_refused() -> None:
    with pytest.raises(KeyError):
        load("de")


def test_texts_are_translated() -> None:
    assert load("en").say("Take the crown") == "Take the crown"
    assert load("it").say("Take the crown") == "Prendi la corona"


def test_the_same_words_differ_by_context() -> None:
    assert load("it").say(msg_in("verb", "kill")) == "uccidere"
    assert load("it").say(msg_in("choice", "kill")) == "uccidi"


def test_an_unknown_or_empty_text_stays_as_it_is() -> None:
    assert load("it").say("Never {heard}") == "Never {heard}"
    assert load("it").say("") == ""


@one_case("language", LANGUAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_as_it_is(language: str, name: str) -> None:
    assert name in load(language).say("{name} has the crown now.", name=name)


def test_plurals() -> None:
    texts = load("it")
    assert texts.plural("{count} card", "{count} cards", 1) == "1 carta"
    assert texts.plural("{count} card", "{count} cards", 0) == "0 carte"
    assert texts.say(msgs("{count} card", "{count} cards"), count=2) == "2 carte"
    assert load("en").plural("{count} card", "{count} cards", 1) == "1 card"


def test_lists() -> None:
    texts = load("it")
    assert texts.listing([]) == ""
    assert texts.listing(["A"]) == "A"
    assert texts.listing(["A", "B", "C"]) == "A, B e C"
    assert texts.alternatives(["A", "B"]) == "A o B"
    assert load("en").alternatives(["A", "B", "C"]) == "A, B or C"


def test_italian_euphony() -> None:
    texts = load("it")
    assert texts.say("{card} to {name}", card="Mercato", name="Anna") == "Mercato ad Anna"
    assert texts.say("{card} to {name}", card="Mercato", name="Elena") == "Mercato a Elena"
    assert texts.listing(["Re", "Esattore"]) == "Re ed Esattore"
    assert texts.say("{card} to {name}", card="Mercato", name="a {card}") == "Mercato ad a {card}"
    assert load("en").listing(["King", "Emperor"]) == "King and Emperor"


def test_names_in_a_list_are_not_read_as_formats() -> None:
    assert load("en").listing(HOSTILE).startswith("{0}, {name.__class__}")


def test_hidden_cards_have_words() -> None:
    texts = load("it")
    assert texts.district("?") == "una carta coperta"
    assert texts.character("?") == texts.the("?") == "un personaggio coperto"
    assert texts.short_district("?") == texts.short_character("?") == "?"


def test_it_shows_its_language() -> None:
    assert repr(load("it")) == "Texts('it')"
    assert isinstance(load("en"), Texts)


def test_importing_is_light() -> None:
    code = """
import sys
from citadels_lan.texts import load
load("it").say("Take the crown")
heavy = {"textual", "msgspec", "babel", "asyncio", "cryptography", "citadels_lan.engine"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
