"""Calling a player to the table: the bell, the terminal's title, a notice of the desktop.

The sequences go out in one write each, on the stream that Textual draws on, so that none is torn apart.
"""

import sys
from typing import TextIO

from citadels_lan.front.cells import clean


def title_sequence(title: str) -> str:
    """Sets the terminal's title (OSC 0)."""
    return f"\x1b]0;{clean(title, 80)}\x07"


def notice_sequence(text: str) -> str:
    """Asks the terminal for a notice of the desktop (OSC 9, and OSC 777 for those that read that)."""
    plain = clean(text, 120).replace(";", ",")
    return f"\x1b]9;{plain}\x1b\\\x1b]777;notify;Citadels;{plain}\x1b\\"


def send(sequence: str, stream: TextIO | None = sys.__stderr__) -> None:
    """Write a sequence where there is a terminal to read it."""
    if stream is not None and stream.isatty():
        stream.write(sequence)
        stream.flush()
