"""The terminal that the program's output goes to."""

import os
import shutil
import sys
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

NO_SCREEN: Final = ("dumb", "unknown")
"""Values of TERM that promise no screen."""


class Terminal(Struct, frozen=True):
    """`there` is False for a pipe or a file; `columns` and `rows` count signs, `encoding` is Python's name."""

    there: bool
    columns: int
    rows: int
    encoding: str
    dumb: bool
    colours: bool

    @property
    def unicode(self) -> bool:
        """Whether it shows more than the letters of ASCII."""
        return self.encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-16", "utf-32")


def terminal(environ: Mapping[str, str] = os.environ) -> Terminal:
    """The terminal of this program, now."""
    columns, rows = shutil.get_terminal_size()
    there = sys.stdin.isatty() and sys.stdout.isatty()
    dumb = environ.get("TERM", "") in NO_SCREEN or (os.name == "posix" and not environ.get("TERM"))
    return Terminal(there, columns, rows, sys.stdout.encoding or "ascii", dumb, not environ.get("NO_COLOR"))
