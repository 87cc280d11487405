"""How wide lines may be where they are printed."""

import shutil
import textwrap
from typing import TextIO


def columns(out: TextIO) -> int | None:
    """Those of the terminal; None where a program reads, and lines may be as long as they like."""
    return shutil.get_terminal_size().columns if out.isatty() else None


def wrapped(line: str, out: TextIO) -> list[str]:
    """A line as it fits a terminal; whole where a program reads it. A long link stays in one piece."""
    width = columns(out)
    if width is None or len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
