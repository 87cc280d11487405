"""What one browser, and all of them together, may ask of the host's machine."""

from typing import Final

WIDTH: Final = (20, 300)
HEIGHT: Final = (10, 120)
"""Columns and rows that a screen has at least and at most."""
LARGEST: Final = 4096
"""Bytes of a message from a page."""
MESSAGES: Final = (50, 50.0)
"""So many of them at once, then so many a second; the rest waits in the browser."""
SOCKETS: Final = 128
"""Connections at the same time."""
SOCKETS_EACH: Final = 24
"""Connections of one address at the same time."""
PATIENCE: Final = 10.0
"""Seconds in which a request has to be there whole."""
UNREAD: Final = 256 * 1024
"""Bytes that wait for a page that does not read; after more of them it gets a whole new picture instead."""
HEARTBEAT: Final = 20.0
"""Seconds between two questions whether a page is still there."""
LINES: Final = 300
"""Lines that a page gets to see of those that were there before it."""
LINE: Final = 2000
"""Characters of such a line."""
TYPED: Final = 500
"""Characters of a line that is typed."""


def clamped(width: int, height: int) -> tuple[int, int]:
    """A size that a screen may have."""
    return _within(width, *WIDTH), _within(height, *HEIGHT)


def _within(number: int, least: int, most: int) -> int:
    return min(max(number, least), most)
