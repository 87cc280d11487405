"""What one browser, and all of them together, may ask of the host's machine."""

from typing import Final

WIDTH: Final = (20, 300)
HEIGHT: Final = (10, 120)
"""Columns and rows that a screen has at least and at most."""
LARGEST: Final = 4096
"""Bytes of a message from a page."""
MESSAGES: Final = (50, 50.0)
"""So many of them at once, then so many a second; the rest waits in the browser."""
KEYS: Final = (64, 200.0)
"""Keys of a guest in one message, and so many a second; the rest waits in the browser."""
PASTE: Final = 1000
"""Characters that are pasted at once. A paste is worth as many keys as a message may have."""
AHEAD: Final = 2
"""Packets that a client with screens has not taken yet, before the next one waits."""
MEMORY: Final = 256 * 2**20
"""Bytes of memory for the process of one guest (Linux)."""
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
HISTORY: Final = 96 * 1024
"""Characters of messages that are kept for the next page of a guest in lines."""
LINE: Final = 64 * 1024
"""Characters of one such message, and of the standard error of a client."""
TYPED: Final = 500
"""Characters of a line that is typed."""


def clamped(width: int, height: int) -> tuple[int, int]:
    """A size that a screen may have."""
    return _within(width, *WIDTH), _within(height, *HEIGHT)


def _within(number: int, least: int, most: int) -> int:
    return min(max(number, least), most)
