"""Translations: `texts.po`, which people write, and `LC_MESSAGES/texts.mo`, which gettext reads.

The build compiles every .po with Babel (`hatch_build.py`), and so does `make texts`. In a checkout, a .po that is
newer than its .mo is compiled when it is read, if Babel is installed.
"""

import os
import struct
from contextlib import suppress
from gettext import GNUTranslations
from typing import Final

PO: Final = "texts.po"
MO: Final = os.path.join("LC_MESSAGES", "texts.mo")
"""Path of the compiled catalogue in the folder of a language, as `gettext.bindtextdomain` expects it. argparse
finds its messages there, too."""


def translations(folder: str) -> GNUTranslations:
    """Return the translations in the folder of a language. Raises OSError, and ValueError for a damaged file."""
    po, mo = os.path.join(folder, PO), os.path.join(folder, MO)
    if not os.path.exists(mo) or (os.path.exists(po) and os.path.getmtime(po) > os.path.getmtime(mo)):
        with suppress(ImportError):  # without Babel the program reads what is there
            compile_catalogue(folder)
    with open(mo, "rb") as file:
        try:
            return GNUTranslations(file)
        except struct.error as error:
            raise ValueError(f"{mo}: {error}") from None


def compile_catalogue(folder: str) -> None:
    """Compile the .po of a language. Raises OSError, ValueError for an invalid line, ImportError without Babel.

    Other processes that read the .mo meanwhile get the old file or the new one.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    with open(os.path.join(folder, PO), "rb") as file:
        try:
            catalog = read_po(file, abort_invalid=True)
        except PoFileError as error:
            raise ValueError(f"line {error.lineno + 1}: {error}") from None
    part = os.path.join(folder, f"{MO}.{os.getpid()}")
    os.makedirs(os.path.dirname(part), exist_ok=True)
    with open(part, "wb") as file:
        write_mo(file, catalog)
    os.replace(part, os.path.join(folder, MO))
