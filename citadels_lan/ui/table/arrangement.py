"""Where the parts of the table screen stand, for any size of terminal and number of players."""

from dataclasses import dataclass

from textual.geometry import Region

from .board import HEAD
from .city import height as city_height

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


def arrange(width: int, height: int, players: int, names: int = 0, *, mapped: bool = False) -> Arrangement:
    """The parts in a terminal of so many columns and lines. `names` are those of a common city; it is drawn where
    there is room for it, and where there is not, in place of the players while it is `mapped`."""
    if width < LEAST[0] or height < LEAST[1]:
        return _tiny(width, height)
    narrow = width < 120
    with_city = _narrow(width, height, players, names) if narrow else _wide(width, height, players, names)
    if not names or with_city.parts["question"].height >= BELOW:
        return with_city
    without = _narrow(width, height, players, 0) if narrow else _wide(width, height, players, 0)
    return _mapped(without, names) if mapped else without


def _mapped(arrangement: Arrangement, names: int) -> Arrangement:
    """The common city where the players were, and where that is not enough, above a lower question."""
    parts = dict(arrangement.parts)
    table = parts.pop("table")
    more = max(city_height(names, table.width) - table.height, 0)
    parts["city"] = Region(table.x, table.y, table.width, table.height + more)
    for part in ("hand", "question", "log"):
        region = parts[part]
        beside = part == "log" and region.y == table.y
        less = 0 if part == "hand" or beside else more
        down = 0 if beside else more
        parts[part] = Region(region.x, region.y + down, region.width, region.height - less)
    return Arrangement(parts)


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


def _narrow(width: int, height: int, players: int, names: int) -> Arrangement:
    """Question and log beside each other, below the table."""
    top = 2
    city = city_height(names, width) if names else 0
    table, hand = _heights(height - top - HINTS - city, players, tallest=2)
    below = top + table + city + hand
    left = width * 5 // 9
    rest = height - below - HINTS
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "table": Region(0, top, width, table),
            **({"city": Region(0, top + table, width, city)} if city else {}),
            "hand": Region(0, top + table + city, width, hand),
            "question": Region(0, below, left, rest),
            "log": Region(left + 1, below, width - left - 1, rest),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    )


def _wide(width: int, height: int, players: int, names: int) -> Arrangement:
    """The log as a column of its own at the right."""
    top = 1 if width >= 140 else 2
    log = 40 if width < 150 else 46
    left = width - log - 1
    city = city_height(names, left) if names else 0
    tallest = 3 if left >= 112 and not city else 2
    table, hand = _heights(height - top - HINTS - city, players, tallest)
    below = top + table + city + hand
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "table": Region(0, top, left, table),
            **({"city": Region(0, top + table, left, city)} if city else {}),
            "hand": Region(0, top + table + city, left, hand),
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
