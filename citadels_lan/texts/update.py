"""Collect the texts of the package into the Italian catalog and compile it: `python -m citadels_lan.texts.update`.

Lists what still has no translation and exits 1 then. Needs Babel, which is a development tool.
"""

import ast
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from .language import DOMAIN, LOCALE
from .marks import KEYWORDS, TABLES

PACKAGE = Path(__file__).parents[1]
HEADER = """\
# The Italian texts of citadels-lan. Kept in order by `python -m citadels_lan.texts.update`.
msgid ""
msgstr ""
"Project-Id-Version: citadels-lan\\n"
"Language: it\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""Our own, without dates and versions that change for no reason."""
EXTRACT = "citadels_lan.texts.update:extract"
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
PO = Path(LOCALE) / "it" / "LC_MESSAGES" / f"{DOMAIN}.po"
MO = PO.with_suffix(".mo")


def extract(
    file: BinaryIO, keywords: Mapping[str, object], tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Babel's extraction by the syntax tree: calls of the keywords with plain constants for texts, and the values
    of the tables. Babel's own takes every string inside a call for a text, also that of `say(TABLE["key"])`."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = _constants(node.args)
            if name in keywords and texts:
                yield node.lineno, name, texts if len(texts) > 1 else texts[0], []
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id in TABLES for target in targets):
                yield from ((node.lineno, "msg", text, []) for text in _constants(node.value.values))


def _constants(nodes: Iterable[ast.expr]) -> tuple[str, ...]:
    """The texts among expressions, without empty ones."""
    found = (node.value for node in nodes if isinstance(node, ast.Constant))
    return tuple(value for value in found if isinstance(value, str) and value)


def template() -> Catalog:
    """Every text of the package, untranslated."""
    catalog = Catalog(project="citadels-lan")
    found = extract_from_dir(PACKAGE, method_map=[("**.py", EXTRACT)], keywords=KEYWORDS)
    for path, line, text, _, context in sorted(found, key=lambda item: item[:2]):
        catalog.add(text, None, locations=[(f"citadels_lan/{Path(path).as_posix()}", line)], context=context)
    return catalog


def italian() -> Catalog:
    """The Italian catalog as it stands on disk."""
    with PO.open("rb") as file:
        return read_po(file, locale="it", domain=DOMAIN)


def refreshed(old: Catalog) -> Catalog:
    """A catalog with exactly the texts of the package and the translations that `old` has for them."""
    old.update(template(), no_fuzzy_matching=True)
    old.obsolete.clear()
    old.creation_date = old.revision_date = EPOCH
    return old


def as_po(catalog: Catalog) -> bytes:
    """The catalog as it stands in the .po file: sorted and without places, so that it changes with texts only."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, no_location=True, omit_header=True, sort_output=True)
    return HEADER.encode() + out.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """The catalog as it stands in the compiled .mo file."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def missing(catalog: Catalog) -> list[str]:
    """The texts without a translation."""
    return [str(message.id) for message in catalog if message.id and not _translated(message.string)]


def _translated(string: object) -> bool:
    return all(string) if isinstance(string, (list, tuple)) else bool(string)


def main() -> int:
    """Refresh and compile; 1 where something is still to be translated."""
    catalog = refreshed(italian())
    PO.write_bytes(as_po(catalog))
    MO.write_bytes(as_mo(catalog))
    for text in missing(catalog):
        print(f"not translated yet: {text}")
    return 1 if missing(catalog) else 0


if __name__ == "__main__":
    sys.exit(main())
