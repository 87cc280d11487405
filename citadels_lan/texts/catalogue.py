"""Translations as people write them (`texts.po`) and as `gettext` reads them (`texts.mo`).

`compiled` needs nothing of this package and nothing beyond the standard library, so that the build can run it
(`hatch_build.py`). The compiled file names the .po it was made of by its checksum; one made of another is never
read: `translations` compiles again, and leaves the result beside the .po where it may write.
"""

import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from gettext import GNUTranslations
from io import BytesIO
from typing import Final

PO: Final = "texts.po"
MO: Final = "texts.mo"
SOURCE: Final = "x-source"
HEADER: Final = "Content-Type: text/plain; charset=UTF-8\n" + SOURCE + ": {}\n"
"""What a .mo says of itself beyond the header of its .po."""
WORDS: Final = ("msgctxt", "msgid", "msgid_plural", "msgstr", *(f"msgstr[{form}]" for form in range(6)))
MAGIC: Final = 0x950412DE
"""The first number of a .mo file (GNU gettext manual, 10.3)."""


class BadCatalogue(ValueError):
    """A .po file with a line that cannot be understood; `line` counts from 1."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


def translations(folder: str) -> GNUTranslations:
    """The translations in a language's folder. Raises OSError, and ValueError where the .po is no such thing."""
    with open(os.path.join(folder, PO), "rb") as file:
        po = file.read()
    path = os.path.join(folder, MO)
    ready = _ready(path, checksum(po))
    if ready is not None:
        return ready
    mo = compiled(po)
    found = GNUTranslations(BytesIO(mo))
    with suppress(OSError):  # a folder that cannot be written to: the next run compiles again
        write(path, mo)
    return found


def write(path: str, mo: bytes) -> None:
    """Write a compiled file at once: whoever reads meanwhile gets the old one or the new one. Raises OSError."""
    part = f"{path}.{os.getpid()}"
    with open(part, "wb") as file:
        file.write(mo)
    os.replace(part, path)


def checksum(po: bytes) -> str:
    """What tells one .po from another."""
    return f"{zlib.crc32(po):08x}-{len(po)}"


def compiled(po: bytes) -> bytes:
    """The .mo of a .po, with the texts that are translated. Raises BadCatalogue."""
    try:
        texts = dict(entries(po.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise BadCatalogue(po.count(b"\n", 0, error.start) + 1) from None
    texts[b""] = texts.get(b"", b"") + HEADER.format(checksum(po)).encode()
    ids, strings = b"", b""
    places: list[tuple[int, int, int, int]] = []
    for key, text in sorted(texts.items()):
        places.append((len(key), len(ids), len(text), len(strings)))
        ids += key + b"\0"
        strings += text + b"\0"
    header = 7 * 4
    texts_at = header + 16 * len(places)
    strings_at = texts_at + len(ids)
    table = [number for size, at, _, _ in places for number in (size, texts_at + at)]
    table += [number for _, _, size, at in places for number in (size, strings_at + at)]
    numbers = (MAGIC, 0, len(places), header, header + 8 * len(places), 0, header, *table)
    return struct.pack(f"<{len(numbers)}I", *numbers) + ids + strings


def entries(po: str) -> Iterator[tuple[bytes, bytes]]:
    """What a .po translates, as a .mo holds it: context, text and plural in one, the forms in one."""
    import json  # only the compiled file is read, as a rule

    parts: dict[str, str] = {}
    last = ""
    for number, line in enumerate(map(str.strip, [*po.split("\n"), 'msgid ""']), 1):
        if not line or line.startswith("#"):
            continue
        word, _, rest = ("", "", line) if line.startswith('"') else line.partition(" ")
        if word in ("msgctxt", "msgid") and any(known.startswith("msgstr") for known in parts):
            yield from _entry(parts)
            parts = {}
        last = word or last
        if last not in WORDS or word in parts or not rest.startswith('"'):
            raise BadCatalogue(number)
        try:
            parts[last] = parts.get(last, "") + str(json.loads(rest, strict=False))
        except ValueError:
            raise BadCatalogue(number) from None


def _entry(parts: Mapping[str, str]) -> Iterator[tuple[bytes, bytes]]:
    forms = [text for word, text in sorted(parts.items()) if word.startswith("msgstr")]
    if not all(forms):
        return  # not translated: the text shows as it is
    key = parts.get("msgid", "")
    if "msgid_plural" in parts:
        key += f"\0{parts['msgid_plural']}"
    if "msgctxt" in parts:
        key = f"{parts['msgctxt']}\4{key}"
    yield key.encode(), "\0".join(forms).encode()


def _ready(path: str, wanted: str) -> GNUTranslations | None:
    """The compiled translations, where they are those of the .po that is wanted and whole."""
    try:
        with open(path, "rb") as file:
            found = GNUTranslations(file)
    except (OSError, ValueError, struct.error):
        return None
    return found if found.info().get(SOURCE) == wanted else None
