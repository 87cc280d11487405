"""`Texts`: languages, values, plurals, lists, and the modules that its import loads."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan.texts import LANGUAGES, default_language, load, msg_in, msgs
from tests.cli.program import environment
from tests.effort import one_case

HOSTILE = ["{0}", "{name.__class__}", "%s %(x)d", "[bold]x[/]", "\\{", "a}b{c"]


@one_case(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it"}, "it"),
        ({"LANG": "it-CH"}, "it"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "it_CH.UTF-8", "LC_ALL": ""}, "it"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "it_IT", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "", "LC_ALL": "it_IT@euro"}, "it"),
    ],
)
def test_environment_variables_select_the_language(environ: dict[str, str], language: str) -> None:
    assert default_language(environ) == language


def test_equal_words_are_translated_by_context() -> None:
    assert load("it").say(msg_in("verb", "kill")) == "uccidere"
    assert load("it").say(msg_in("choice", "kill")) == "uccidi"


def test_unknown_or_empty_text_is_returned_unchanged() -> None:
    assert load("it").say("Never {heard}") == "Never {heard}"
    assert load("it").say("") == ""


@one_case("language", LANGUAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_markup_in_a_name_is_not_interpreted(language: str, name: str) -> None:
    assert name in load(language).say("{name} has the crown now.", name=name)


def test_value_named_count_selects_the_plural_form() -> None:
    texts = load("it")
    assert texts.plural("{count} card", "{count} cards", 1) == "1 carta"
    assert texts.plural("{count} card", "{count} cards", 0) == "0 carte"
    assert texts.say(msgs("{count} card", "{count} cards"), count=2) == "2 carte"
    assert load("en").plural("{count} card", "{count} cards", 1) == "1 card"


def test_list_of_items_is_written_in_words() -> None:
    texts = load("it")
    assert texts.listing([]) == ""
    assert texts.listing(["A"]) == "A"
    assert texts.listing(["A", "B", "C"]) == "A, B e C"
    assert texts.alternatives(["A", "B"]) == "A o B"
    assert load("en").alternatives(["A", "B", "C"]) == "A, B or C"


def test_italian_a_and_e_become_ad_and_ed_before_the_same_vowel() -> None:
    texts = load("it")
    assert texts.say("{card} to {name}", card="Mercato", name="Anna") == "Mercato ad Anna"
    assert texts.say("{card} to {name}", card="Mercato", name="Elena") == "Mercato a Elena"
    assert texts.listing(["Re", "Esattore"]) == "Re ed Esattore"
    assert texts.say("{card} to {name}", card="Mercato", name="a {card}") == "Mercato ad a {card}"
    assert load("en").listing(["King", "Emperor"]) == "King and Emperor"


def test_markup_in_a_list_of_names_is_not_interpreted() -> None:
    assert load("en").listing(HOSTILE).startswith("{0}, {name.__class__}")


def test_number_of_hidden_cards_is_phrased() -> None:
    texts = load("it")
    assert texts.district("?") == "una carta coperta"
    assert texts.character("?") == texts.the("?") == "un personaggio coperto"
    assert texts.short_district("?") == texts.short_character("?") == "?"


def test_importing_texts_does_not_import_the_engine() -> None:
    code = """
import sys
from citadels_lan.texts import load
load("it").say("Take the crown")
heavy = {"textual", "msgspec", "babel", "asyncio", "cryptography", "citadels_lan.engine"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
@one_case("arguments", [("rules", "Necropoli"), ("host", "--help"), ("verify", "--help")])
def test_accents_become_apostrophes_without_utf_8(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ascii_only = environment(tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii", CITADELS_LANG="it")
    command = (sys.executable, "-m", "citadels_lan", *arguments)
    told = subprocess.run(command, env=ascii_only, capture_output=True, check=True).stdout.decode("ascii")
    assert re.search(r"\b(citta'|e'|puo'|piu'|ne'|modalita')", told)
    assert "?" not in told
