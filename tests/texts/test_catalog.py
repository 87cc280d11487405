"""The Italian catalog: everything in it, nothing else in it, placeholders kept, and compiled."""

import io
import re
from collections.abc import Iterator
from gettext import GNUTranslations

import pytest
from babel.messages.catalog import Catalog, Message

from citadels_lan.texts import update

FORM = re.compile(r"\{(\w+)\}")
SAME = {
    "Citadels", "Extra: {what}", "Round {round}", "FILE", "Scenario", "chat", "no", "bot", "{seat}: {name} (bot)",
    "round {round}",
}  # fmt: skip
"""Texts with words that are the same in both languages."""
ENGLISH = re.compile(
    r"\b(the|you|your|and|with|from|for|of|is|are|be|this|that|when|card|cards|turn|player|players|hand|city"
    r"|build|district|districts|under|deck|may|choose|take|crown)\b"
)
CODE = re.compile(r"`[^`]*`|build market|table, hand, who, log|^  .*$|--\S+", re.MULTILINE)
"""What stays English in Italian: commands and moves to type."""


@pytest.fixture(scope="module")
def template() -> Catalog:
    return update.template()


@pytest.fixture(scope="module")
def italian() -> Catalog:
    return update.italian()


def keys(catalog: Catalog) -> set[tuple[str | None, object]]:
    return {(message.context, message.id) for message in catalog if message.id}


def strings(message: Message) -> list[str]:
    return [str(s) for s in message.string] if isinstance(message.string, (list, tuple)) else [str(message.string)]


def forms(message: Message) -> list[str]:
    return [str(form) for form in message.id] if isinstance(message.id, (list, tuple)) else [str(message.id)]


def translated(catalog: Catalog) -> Iterator[Message]:
    """Every text that has a translation; `test_every_text_is_translated` speaks of the others."""
    return (message for message in catalog if message.id and all(strings(message)))


@pytest.mark.parametrize("part", ["texts", "ui", "cli", "net", "crypto", "bots", "engine"])
def test_every_text_is_translated(part: str, template: Catalog, italian: Catalog) -> None:
    """A text that is missing: `python -m citadels_lan.texts.update` puts it into the catalog, untranslated."""
    missing = []
    for message in template:
        if message.id and any(path.startswith(f"citadels_lan/{part}/") for path, _ in message.locations):
            known = italian.get(forms(message)[0], message.context)
            if known is None or not all(strings(known)):
                missing.append(message.id)
    assert missing == []


def test_no_translation_is_left_over(template: Catalog, italian: Catalog) -> None:
    assert keys(italian) - keys(template) == set()
    assert not italian.obsolete


def test_nothing_is_fuzzy(italian: Catalog) -> None:
    assert [message.id for message in italian if message.fuzzy and message.id] == []


def test_plural_forms_are_all_there(italian: Catalog) -> None:
    assert italian.num_plurals == 2
    assert [m.id for m in translated(italian) if m.pluralizable and len(strings(m)) != 2] == []


def test_placeholders_agree(italian: Catalog) -> None:
    for message in translated(italian):
        wanted = set(FORM.findall(forms(message)[-1]))
        for string in strings(message):
            assert set(FORM.findall(string)) | {"count"} == wanted | {"count"}, message.id
        if not message.pluralizable:
            assert set(FORM.findall(strings(message)[0])) == wanted, message.id


def test_placeholders_are_plain_names(italian: Catalog) -> None:
    for message in translated(italian):
        for text in (*forms(message), *strings(message)):
            assert FORM.sub("", text).count("{") == 0, text


def test_spaces_at_the_ends_agree(italian: Catalog) -> None:
    for message in translated(italian):
        for text in strings(message):
            english = forms(message)[0]
            assert (text[:1].isspace(), text[-1:].isspace()) == (english[:1].isspace(), english[-1:].isspace()), (
                text
            )


def test_italian_is_not_english(italian: Catalog) -> None:
    for message in translated(italian):
        for string in strings(message):
            words = CODE.sub("", FORM.sub("", string))
            if forms(message)[0] not in SAME and message.context is None and re.search(r"\w{3}", words):
                assert string not in forms(message), string
            assert not ENGLISH.search(words), string


def test_the_file_is_in_order(italian: Catalog) -> None:
    """Sorted, without dates and obsolete entries: as `python -m citadels_lan.texts.update` leaves it."""
    assert update.PO.read_bytes() == update.as_po(italian)


def test_the_compiled_catalog_is_up_to_date(italian: Catalog) -> None:
    with update.MO.open("rb") as file:
        compiled = GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    fresh = GNUTranslations(io.BytesIO(update.as_mo(italian)))._catalog  # type: ignore[attr-defined]
    compiled.pop(""), fresh.pop("")
    assert compiled == fresh
