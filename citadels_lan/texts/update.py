"""Collect the texts of the package into the catalogues of the languages:

    python -m citadels_lan.texts.update [LANGUAGE …]        without a language: all there are

A language without a catalogue gets one. Lists the texts, cards and rules that have no translation yet, and
translations whose {placeholders} are not those of the text; exits 1 for either. Needs Babel, a development tool.
"""

import ast
import io
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

from citadels_lan.texts.language import LANGUAGES, SOURCE, Language

from .catalogue import PO, compile_catalogue
from .marks import CHOICE, COMMAND, KEYWORDS, VERB
from .pages import CardText, read_cards, read_pages
from .tables import PLACEHOLDER

PACKAGE = Path(__file__).parents[1]
HEADER = """\
# The texts of citadels-lan in {name}. Kept in order by `python -m citadels_lan.texts.update`.
msgid ""
msgstr ""
"Project-Id-Version: citadels-lan\\n"
"Language: {code}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""Our own, without dates and versions that change for no reason."""
EXTRACT = "citadels_lan.texts.update:extract"
TABLE = "citadels_lan.texts.update:extract_tables"
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def extract(
    file: BinaryIO, keywords: Mapping[str, object], tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Babel's extraction by the syntax tree: calls of the keywords with plain constants for texts. Babel's own
    takes every string inside a call for a text, also that of `say(TABLE["key"])`."""
    source = file.read()
    if not any(b"%s(" % name.encode() in source for name in keywords):
        return  # parsing takes much longer than this search, and two of three modules have no texts
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = _constants(node.args)
            if name in keywords and texts:
                yield node.lineno, name, texts if len(texts) > 1 else texts[0], []


def extract_tables(
    file: BinaryIO, keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """The texts in a TOML file (`tables`): all of them, but not a `script`. The meaning of a verb is translated in
    two contexts."""
    tables = tomllib.load(file)
    tables.pop("script", None)
    commands = [*tables.pop("commands", {}).values(), *tables.pop("after", {}).values()]
    yield from ((1, "msg_in", (COMMAND, text), []) for text in commands)
    for key, text in _leaves(tables):
        if key.startswith("meaning"):
            yield from ((1, "msg_in", (context, text), []) for context in (VERB, CHOICE))
        elif isinstance(text, str):
            yield 1, "msg", text, []
        else:
            yield 1, "msgs", (text[0], text[-1]), []


def _leaves(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        elif isinstance(value, (str, list)) and key != "reason":
            yield key, value


def _constants(nodes: Iterable[ast.expr]) -> tuple[str, ...]:
    """The texts among expressions, without empty ones."""
    found = (node.value for node in nodes if isinstance(node, ast.Constant))
    return tuple(value for value in found if isinstance(value, str) and value)


def template() -> Catalog:
    """Every text of the package, untranslated."""
    catalog = Catalog(project="citadels-lan")
    methods = [("**.py", EXTRACT), ("texts/*.toml", TABLE), ("presenter/**.toml", TABLE), ("doctor/*.toml", TABLE)]
    found = extract_from_dir(PACKAGE, method_map=methods, keywords=KEYWORDS)
    for path, line, text, _, context in sorted(found, key=lambda item: item[:2]):
        catalog.add(text, None, locations=[(f"citadels_lan/{Path(path).as_posix()}", line)], context=context)
    return catalog


def catalogue(language: Language) -> Catalog:
    """The catalogue of a language as it stands on disk; an empty one where it has none yet."""
    path = Path(language.folder, PO)
    if not path.exists():
        return read_po(io.BytesIO(_header(language).encode()))
    with path.open("rb") as file:
        return read_po(file)


def refreshed(old: Catalog) -> Catalog:
    """A catalogue with exactly the texts of the package and the translations that `old` has for them."""
    old.update(template(), no_fuzzy_matching=True)
    old.obsolete.clear()
    old.creation_date = old.revision_date = EPOCH
    return old


def as_po(language: Language, catalog: Catalog) -> bytes:
    """The catalogue as it stands in the .po file: under the header that the file has, sorted and without places,
    so that it changes with texts only."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, no_location=True, omit_header=True, sort_output=True)
    return _header(language).encode() + out.getvalue()


def _header(language: Language) -> str:
    path = Path(language.folder, PO)
    if path.exists():
        return path.read_text(encoding="utf-8").partition("\n\n")[0] + "\n\n"
    try:
        plurals = get_plural(Locale.parse(language.code)).plural_forms
    except (ValueError, UnknownLocaleError):
        plurals = get_plural(SOURCE).plural_forms
    return HEADER.format(name=language.name, code=language.code, plurals=plurals)


def missing(catalog: Catalog) -> list[str]:
    """The texts without a translation."""
    return [str(message.id) for message in catalog if message.id and not _translated(message.string)]


def _translated(string: object) -> bool:
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


def wrong(catalog: Catalog) -> list[str]:
    """The translations whose placeholders are not those of the text; a plural may leave out `{count}`."""
    return [
        string
        for message in catalog
        if message.id and _translated(message.string)
        for string in _forms(message.string)
        if _placeholders(message, string) != _placeholders(message, _forms(message.id)[-1])
    ]


def missing_parts(language: Language) -> list[str]:
    """The cards, their editions, and the pages of the rules that the files of a language leave out."""
    english, own = LANGUAGES[SOURCE].cards, read_cards(language.folder)
    parts = set(english) - set(own)
    for key in english.keys() & own.keys():
        parts |= {f"{key} in {edition}" for edition in _editions(english[key]) - _editions(own[key])}
    pages = set(LANGUAGES[SOURCE].rules) - set(read_pages(language.folder))
    return sorted(parts | {f"rules/{page}" for page in pages})


def wrong_parts(language: Language) -> list[str]:
    """The cards that are not in English, or whose placeholders are not those of the English ones."""
    english = {key: sorted(PLACEHOLDER.findall(str(card))) for key, card in LANGUAGES[SOURCE].cards.items()}
    own = read_cards(language.folder)
    return [key for key, card in own.items() if english.get(key) != sorted(PLACEHOLDER.findall(str(card)))]


def _editions(card: CardText) -> set[str]:
    """The editions that a card's texts name."""
    return {key for editions, _ in (*card.lines, *card.paragraphs) for key in editions}


def _forms(texts: object) -> list[str]:
    return [str(text) for text in texts] if isinstance(texts, (list, tuple)) else [str(texts)]


def _placeholders(message: Message, text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text)) | ({"count"} if message.pluralizable else set())


def main(codes: Sequence[str]) -> int:
    """Refresh the catalogues; 1 where something is still to be done, 2 for a language that is not there."""
    unknown = [code for code in codes if code not in LANGUAGES or code == SOURCE]
    if unknown:
        print(f"no language of translations: {', '.join(unknown)}", file=sys.stderr)
        return 2
    left = []
    for language in LANGUAGES.values():
        if language.code != SOURCE and (not codes or language.code in codes):
            catalog = refreshed(catalogue(language))
            Path(language.folder, PO).write_bytes(as_po(language, catalog))
            compile_catalogue(language.folder)
            left += [f"{language.code}: not translated yet: {text}" for text in missing(catalog)]
            left += [f"{language.code}: not translated yet: {part}" for part in missing_parts(language)]
            texts = (*wrong(catalog), *wrong_parts(language))
            left += [f"{language.code}: other placeholders than the text: {text}" for text in texts]
    for line in left:
        print(line)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
