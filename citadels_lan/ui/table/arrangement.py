"""Where the parts of the table screen stand, for any size of terminal and number of players."""

from dataclasses import dataclass

from textual.geometry import Region

from .board import HEAD

LEAST = (80, 20)
"""Below this many columns and lines there is only room for the question."""
HINTS = 1
BELOW = 8
"""Lines that question and log want at least."""
DRAWN_HAND = 6
"""Lines of a hand whose cards are drawn."""


@dataclass(frozen=True)
class Arrangement:
    """A region for every part that is shown, by the id of its widget."""

    parts: dict[str, Region]
    tiny: bool = False


def arrange(width: int, height: int, players: int) -> Arrangement:
    """The parts in a terminal of so many columns and lines."""
    if width < LEAST[0] or height < LEAST[1]:
        return _tiny(width, height)
    if width < 120:
        return _narrow(width, height, players)
    return _wide(width, height, players)


def _tiny(width: int, height: int) -> Arrangement:
    top = 2 if height > 5 else 1
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "question": Region(0, top, width, max(height - top - HINTS, 1)),
            "hints": Region(0, height - HINTS, width, HINTS),
        },
        tiny=True,
    )


def _narrow(width: int, height: int, players: int) -> Arrangement:
    """Question and log beside each other, below the table."""
    top = 2
    table, hand = _heights(height - top - HINTS, players, tallest=2)
    below = top + table + hand
    left = width * 5 // 9
    rest = height - below - HINTS
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "table": Region(0, top, width, table),
            "hand": Region(0, top + table, width, hand),
            "question": Region(0, below, left, rest),
            "log": Region(left + 1, below, width - left - 1, rest),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    )


def _wide(width: int, height: int, players: int) -> Arrangement:
    """The log as a column of its own at the right."""
    top = 1 if width >= 140 else 2
    log = 40 if width < 150 else 46
    left = width - log - 1
    table, hand = _heights(height - top - HINTS, players, tallest=3 if left >= 112 else 2)
    below = top + table + hand
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "table": Region(0, top, left, table),
            "hand": Region(0, top + table, left, hand),
            "question": Region(0, below, left, height - below - HINTS),
            "log": Region(left + 1, top, log, height - top - HINTS),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    )


def _heights(room: int, players: int, tallest: int) -> tuple[int, int]:
    """Lines for the table and for the hand."""
    for rows in range(tallest, 0, -1):
        table = HEAD + rows * players
        if rows > 1 and table + DRAWN_HAND + BELOW + 4 <= room:
            return table, DRAWN_HAND
        if rows == 1 or table + 3 + BELOW <= room:
            return table, 3 if table + 3 + BELOW - 2 <= room else 2
    raise AssertionError("one line for each player is always tried")
