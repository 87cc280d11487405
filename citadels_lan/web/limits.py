"""Limits for browsers, each and together, so that they cannot overload the host's machine."""

from typing import Final

WIDTH: Final = (20, 300)
HEIGHT: Final = (10, 120)
"""The smallest and largest number of columns and rows of a screen."""
LARGEST: Final = 4096
"""Bytes of a message from a page."""
MESSAGES: Final = (50, 50.0)
"""Messages of a page at once, and then per second; the rest waits in the browser."""
KEYS: Final = (64, 200.0)
"""Keys of a guest in one message, and per second; the rest waits in the browser."""
PASTE: Final = 1000
"""Characters of a paste. A paste counts as a full message of keys."""
AHEAD: Final = 2
"""Packets that a client with screens may have to handle before the next one waits."""
MEMORY: Final = 256 * 2**20
"""Bytes of memory for the process of one guest (Linux)."""
SOCKETS: Final = 128
"""Connections at the same time."""
SOCKETS_EACH: Final = 24
"""Connections of one address at the same time."""
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
UNREAD: Final = 256 * 1024
"""Bytes that wait for a slow page. If there are more, the page gets a new picture instead."""
HEARTBEAT: Final = 20.0
"""Seconds between two checks whether a page is still connected."""
HISTORY: Final = 96 * 1024
"""Characters of messages that are kept for the next page of a guest in lines."""
LINE: Final = 64 * 1024
"""Characters of one such message, and of the standard error of a client."""
TYPED: Final = 500
"""Characters of a typed line."""


def clamped(width: int, height: int) -> tuple[int, int]:
    """The nearest size within the limits."""
    return _within(width, *WIDTH), _within(height, *HEIGHT)


def _within(number: int, least: int, most: int) -> int:
    return min(max(number, least), most)
