"""The catalogue of each language: complete, without superfluous texts, with equal placeholders, and compiled."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from citadels_lan.texts import LANGUAGES, catalogue
from citadels_lan.texts.language import SOURCE, Language
from tools import texts

FORM = re.compile(r"\{(\w+)\}")
ENGLISH = re.compile(
    r"\b(the|you|your|and|with|from|for|of|is|are|be|this|that|when|card|cards|turn|player|players|hand|city"
    r"|build|district|districts|under|deck|may|choose|take|crown)\b"
)
CODE = re.compile(
    r"`[^`]*`|build market|table, hand, who, log|city, pile|(city|hand) NOME|^  .*$|--\S+", re.MULTILINE
)
"""Words that stay English in Italian: commands and moves to type."""


@pytest.fixture(scope="module")
def template() -> Catalog:
    return texts.template()


@pytest.fixture(scope="module", params=[code for code in LANGUAGES if code != SOURCE])
def language(request: pytest.FixtureRequest) -> Language:
    return LANGUAGES[request.param]


@pytest.fixture(scope="module")
def catalog(language: Language) -> Catalog:
    return texts.catalogue(language)


def keys(catalog: Catalog) -> set[tuple[str | None, object]]:
    return {(message.context, message.id) for message in catalog if message.id}


def strings(message: Message) -> list[str]:
    return [str(s) for s in message.string] if isinstance(message.string, (list, tuple)) else [str(message.string)]


def forms(message: Message) -> list[str]:
    return [str(form) for form in message.id] if isinstance(message.id, (list, tuple)) else [str(message.id)]


def translated(catalog: Catalog) -> Iterator[Message]:
    """Return every text that has a translation; `test_every_text_is_translated` reports the others."""
    return (message for message in catalog if message.id and all(strings(message)))


def test_every_text_is_translated(template: Catalog, catalog: Catalog) -> None:
    """For a missing text, `python -m tools.texts` adds an entry to the catalogue, without its translation."""
    known = {message.id: catalog.get(forms(message)[0], message.context) for message in template if message.id}
    assert [text for text, found in known.items() if found is None or not all(strings(found))] == []


def test_every_translation_belongs_to_a_text(template: Catalog, catalog: Catalog) -> None:
    assert keys(catalog) - keys(template) == set()
    assert not catalog.obsolete


def test_no_translation_is_fuzzy(catalog: Catalog) -> None:
    assert [message.id for message in catalog if message.fuzzy and message.id] == []


def test_every_plural_form_is_translated(catalog: Catalog) -> None:
    assert [m.id for m in translated(catalog) if m.pluralizable and len(strings(m)) != catalog.num_plurals] == []


def test_translations_have_the_same_placeholders(catalog: Catalog) -> None:
    assert texts.wrong(catalog) == []


def test_placeholders_contain_names_only(catalog: Catalog) -> None:
    for message in translated(catalog):
        for text in (*forms(message), *strings(message)):
            assert FORM.sub("", text).count("{") == 0, text


def test_translations_have_the_same_leading_and_trailing_spaces(catalog: Catalog) -> None:
    for message in translated(catalog):
        for text in strings(message):
            english = forms(message)[0]
            assert (text[:1].isspace(), text[-1:].isspace()) == (english[:1].isspace(), english[-1:].isspace()), (
                text
            )


def test_no_translation_equals_the_english_text(language: Language, catalog: Catalog) -> None:
    for message in translated(catalog):
        for string in strings(message):
            words = CODE.sub("", FORM.sub("", string))
            if forms(message)[0] not in language.same and message.context is None and re.search(r"\w{3}", words):
                assert string not in forms(message), string
            assert not ENGLISH.search(words), string


def test_catalogue_file_is_sorted(language: Language, catalog: Catalog) -> None:
    """The file is in the order in which `python -m tools.texts` writes it, without dates and obsolete
    entries."""
    assert Path(language.folder, catalogue.PO).read_bytes() == texts.as_po(language, catalog)


def test_untranslated_parts_and_changed_placeholders_are_reported(tmp_path: Path) -> None:
    shutil.copytree(LANGUAGES["it"].folder, tmp_path, dirs_exist_ok=True)
    cards = (tmp_path / "characters.md").read_text(encoding="utf-8")
    thief = cards.index("# thief")
    (tmp_path / "characters.md").write_text(cards[thief:].replace("citta_comune", "classic", 5), "utf-8")
    districts = (tmp_path / "districts.md").read_text(encoding="utf-8")
    (tmp_path / "districts.md").write_text(districts.replace("{gold}", "2", 1), "utf-8")
    (tmp_path / "rules" / "12-end.md").unlink()
    copy = Language("it", str(tmp_path))
    assert texts.missing_parts(copy) == ["assassin", "magistrate", "rules/end", "thief in citta_comune", "witch"]
    assert texts.wrong_parts(copy) == ["laboratory"]
    assert (texts.missing_parts(LANGUAGES["it"]), texts.wrong_parts(LANGUAGES["it"])) == ([], [])
