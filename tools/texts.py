"""Collect the texts of the package into the catalogues of the languages:

    python -m tools.texts [LANGUAGE …]        without a language: all there are

A language without a catalogue gets one. Lists the texts, cards and rules that have no translation yet, and
translations whose {placeholders} are not those of the text; exits 1 for either. Needs Babel, a development tool.
"""

import ast
import io
import re
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

from citadels_lan import __version__
from citadels_lan.texts.catalogue import PO, compile_catalogue
from citadels_lan.texts.language import CHOICE, COMMAND, LANGUAGES, SOURCE, VERB, Language
from citadels_lan.texts.pages import CardText, read_cards, read_pages
from citadels_lan.texts.tables import PLACEHOLDER

PACKAGE = Path(__file__).parents[1] / "citadels_lan"
HEADER = """\
# The texts of citadels-lan in {name}. Kept in order by `python -m tools.texts`.
msgid ""
msgstr ""
"Project-Id-Version: citadels-lan {version}\\n"
"Last-Translator: {translator}\\n"
"Language-Team: {name}\\n"
"Language: {code}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""The header of a new catalogue, without dates and versions that would change for no reason."""
TRANSLATOR = re.compile(r'^"Last-Translator: (?!FULL NAME)(.+)\\n"$', re.MULTILINE)
PLURALS = re.compile(r'^"Plural-Forms: (.+)\\n"$', re.MULTILINE)
NOTE = re.compile(r"\s*# Translators: (.+)")
EXTRACT = "tools.texts:extract"
TABLE = "tools.texts:extract_tables"
OPTIONS = "tools.texts:extract_options"
TERMS = "tools.texts:extract_terms"
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "say": None,
    "msg": None,
    "plural": (1, 2),
    "msgs": (1, 2),
    "msg_in": ((1, "c"), 2),
}
"""The functions in whose calls Babel finds texts. For each: the numbers of the arguments that are texts
(None: only the first one)."""
OF_ROWS = {"key", "name", "action", "when"}
"""The names of fields in TOML rows whose values are no texts."""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def extract(
    file: BinaryIO, keywords: Mapping[str, object], tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Extract texts by the syntax tree: constants in calls of the keywords. Babel's own extraction would also
    take every other string inside a call, such as that of `say(TABLE["key"])`."""
    source = file.read()
    if not any(b"%s(" % name.encode() in source for name in keywords):
        return  # parsing takes much longer than this search, and two of three modules have no texts
    lines = ["", *source.decode().splitlines()]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = _constants(node.args)
            if name in keywords and texts:
                comment = NOTE.match(lines[node.lineno - 1])
                yield node.lineno, name, texts if len(texts) > 1 else texts[0], [comment[1]] if comment else []


def extract_tables(
    file: BinaryIO, keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Extract the texts of a TOML file: all of them except the tables `script`, `symbols` and `bindings`. The
    meaning of a verb is extracted twice, for its two contexts."""
    tables = tomllib.load(file)
    for data in ("script", "symbols", "bindings"):
        tables.pop(data, None)
    commands = [*tables.pop("commands", {}).values(), *tables.pop("after", {}).values()]
    yield from ((1, "msg_in", (COMMAND, text), []) for text in commands)
    for path, text in _leaves(tables):
        comment = [".".join(path)]
        if path[-1].startswith("meaning"):
            yield from ((1, "msg_in", (context, text), comment) for context in (VERB, CHOICE))
        elif isinstance(text, str):
            yield 1, "msg", text, comment
        else:
            yield 1, "msgs", (text[0], text[-1]), comment


def extract_options(
    file: BinaryIO, keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Extract the texts about commands and their options that --help and argparse show."""
    for path, text in _leaves(tomllib.load(file)):
        if isinstance(text, list) and path[0] == "argparse":
            yield 1, "msgs", tuple(text), [".".join(path)]
        elif text and (path[0] in ("headings", "argparse") or path[-1] in ("summary", "help", "word", "epilog")):
            yield 1, "msg", text, [".".join(path)]


def extract_terms(
    file: BinaryIO, keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Extract the texts of `terms.toml`, most of them with a context."""
    tables = tomllib.load(file)
    for context, texts in tables["contexts"].items():
        yield from ((1, "msg_in", (context, text), []) for text in texts.values())
    for kind in ("edition", "option"):
        for row in tables[f"{kind}s"].values():
            yield 1, "msg_in", (kind, row["name"]), []
            yield 1, "msg", row["about"], []
            context = row.get("context", row["name"])
            yield from ((1, "msg_in", (context, text), []) for text in row.get("values", {}).values())


def _leaves(tables: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the texts in nested tables, each with the keys that lead to it; `above` are the keys of the outer
    tables."""
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, key))
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for row in value:
                yield from _leaves({field: row[field] for field in row.keys() - OF_ROWS}, (*above, key))
        elif isinstance(value, (str, list)) and key != "reason":
            yield (*above, key), value


def _constants(nodes: Iterable[ast.expr]) -> tuple[str, ...]:
    """Return the non-empty text constants among some expressions."""
    found = (node.value for node in nodes if isinstance(node, ast.Constant))
    return tuple(value for value in found if isinstance(value, str) and value)


def template() -> Catalog:
    """Return a catalogue with every text of the package, untranslated."""
    catalog = Catalog(project="citadels-lan")
    tables = ("texts", "presenter", "doctor", "web", "ui", "line_mode")
    methods = [("**.py", EXTRACT), ("texts/terms.toml", TERMS), ("cli/commands.toml", OPTIONS)]
    methods += [(f"{folder}/*.toml", TABLE) for folder in tables]
    found = extract_from_dir(PACKAGE, method_map=methods, keywords=KEYWORDS)
    for path, line, text, comments, context in sorted(found, key=lambda item: item[:2]):
        place = (f"citadels_lan/{Path(path).as_posix()}", line)
        catalog.add(text, None, locations=[place], auto_comments=comments, context=context)
    return catalog


def catalogue(language: Language) -> Catalog:
    """Return the catalogue of a language from its file; an empty one if there is no file."""
    path = Path(language.folder, PO)
    if not path.exists():
        return read_po(io.BytesIO(_header(language).encode()))
    with path.open("rb") as file:
        return read_po(file)


def refreshed(old: Catalog) -> Catalog:
    """Return a catalogue with exactly the texts of the package, and the translations that `old` has for them."""
    old.update(template(), no_fuzzy_matching=True)
    old.obsolete.clear()
    old.creation_date = old.revision_date = EPOCH
    return old


def as_po(language: Language, catalog: Catalog) -> bytes:
    """Return the text of the .po file, with the translator that the file names. It is sorted and names files
    without line numbers, so that it changes only with the texts."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, omit_header=True, sort_output=True, include_lineno=False)
    return _header(language).encode() + out.getvalue()


def _header(language: Language) -> str:
    path = Path(language.folder, PO)
    head = path.read_text(encoding="utf-8").partition("\n\n")[0] if path.exists() else ""
    plurals = PLURALS.search(head)
    translator = TRANSLATOR.search(head)
    return HEADER.format(
        name=language.name,
        code=language.code,
        version=__version__,
        plurals=plurals[1] if plurals else _plurals(language.code),
        translator=translator[1] if translator else "the contributors of citadels-lan",
    )


def _plurals(code: str) -> str:
    try:
        return get_plural(Locale.parse(code)).plural_forms
    except (ValueError, UnknownLocaleError):
        return get_plural(SOURCE).plural_forms


def missing(catalog: Catalog) -> list[str]:
    """Return the texts without a translation."""
    return [str(message.id) for message in catalog if message.id and not _translated(message.string)]


def _translated(string: object) -> bool:
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


def wrong(catalog: Catalog) -> list[str]:
    """Return the translations whose placeholders differ from those of the English text. A plural form may
    leave out `{count}`."""
    return [
        string
        for message in catalog
        if message.id and _translated(message.string)
        for string in _forms(message.string)
        if _placeholders(message, string) != _placeholders(message, _forms(message.id)[-1])
    ]


def missing_parts(language: Language) -> list[str]:
    """Return what a language's own files lack: cards, texts of cards for some editions, and pages of the
    rules."""
    english, own = LANGUAGES[SOURCE].cards, read_cards(language.folder)
    parts = set(english) - set(own)
    for key in english.keys() & own.keys():
        parts |= {f"{key} in {edition}" for edition in _editions(english[key]) - _editions(own[key])}
    pages = set(LANGUAGES[SOURCE].rules) - set(read_pages(language.folder))
    return sorted(parts | {f"rules/{page}" for page in pages})


def wrong_parts(language: Language) -> list[str]:
    """Return the cards of a language that English lacks, or whose texts have other placeholders than in
    English."""
    english = {key: sorted(PLACEHOLDER.findall(str(card))) for key, card in LANGUAGES[SOURCE].cards.items()}
    own = read_cards(language.folder)
    return [key for key, card in own.items() if english.get(key) != sorted(PLACEHOLDER.findall(str(card)))]


def _editions(card: CardText) -> set[str]:
    """Return the editions for which a card has special texts."""
    return {key for editions, _ in (*card.lines, *card.paragraphs) for key in editions}


def _forms(texts: object) -> list[str]:
    return [str(text) for text in texts] if isinstance(texts, (list, tuple)) else [str(texts)]


def _placeholders(message: Message, text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text)) | ({"count"} if message.pluralizable else set())


def main(codes: Sequence[str]) -> int:
    """Update the catalogues of these languages. Return 0; 1 if texts or translations are missing or wrong, 2
    for an unknown language."""
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
