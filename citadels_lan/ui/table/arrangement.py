"""The layout of the table screen for any size of terminal and number of players."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from textual.geometry import Region

from citadels_lan.ui.widgets.canvas import Canvas

from .board import CAST, HEAD, HIGHEST
from .cast_row import CARD_LINES
from .city import height as city_height
from .draft import LEAST as LEAST_DRAFT
from .draft import LOW, TALL, TALLEST
from .panels import LINES

LEAST = (80, 20)
"""Below this many columns and lines there is only room for the question."""
LARGE = (150, 44)
"""From here on every part has a place of its own."""
NAMED = 96
"""From so many columns on houses have their names on them."""
TOWERS = 110
"""And from here on they may be as high as they cost."""
HINTS = 1
BAR = 2
"""Lines of the bar."""
BIG_BAR = 3
"""And where its letters are large."""
BELOW = 8
"""Lines that question and log want at least."""
DRAWN_HAND = 6
"""Lines of a hand whose cards are drawn."""
GUIDE = (11, 15)
"""Lines of the guide in a column at the right, with the log below it, and at large screens."""
BESIDE = 120
"""From so many columns on the guide stands there."""
ASKING = 5
"""Lines that the question keeps below the guide."""
LEAST_HAND = 2
"""Lines of the hand at least: what it is, and its cards."""
LEAST_ASKED = 3
"""Lines of the question below a long hand and the cards to choose from, which say the same."""
TALK = 7
"""Lines of what the players say to each other."""
PARTS = (
    "status", "befallen", "table", "city", "draft", "hand", "guide", "question", "detail", "log", "suspects",
    "chat", "hints",
)  # fmt: skip
"""Every part there may be, by the id of its widget."""


@dataclass(frozen=True)
class Contents:
    """What is to be shown. `names` are those of a common city; it is drawn where there is room for it, and where
    there is not, in place of the players while it is `mapped`. `hurt`: something has befallen this player.
    `guided`: the game is explained. `told`: the lines in which the characters to choose from while `drafting` say
    in full what they do, 0 where they cannot. `cast` and `hand` are the lines in which their full names have
    room."""

    players: int
    names: int = 0
    mapped: bool = False
    hurt: bool = False
    drafting: bool = False
    told: int = LOW - 1
    guided: bool = False
    cast: int = 1
    hand: int = LEAST_HAND


@dataclass(frozen=True)
class Arrangement:
    """A region for every part that is shown, by the id of its widget."""

    parts: dict[str, Region]
    tiny: bool = False


def put(canvases: Iterable[Canvas], parts: Mapping[str, Region]) -> None:
    """Move every canvas to its region; one without a region is not displayed. A canvas that gets another size
    draws after the next layout."""
    for canvas in canvases:
        region = parts.get(canvas.id or "")
        canvas.display = region is not None
        if region is not None:
            canvas.styles.offset = (region.x, region.y)
            if region.size != canvas.size:
                canvas.styles.width, canvas.styles.height = region.size
                canvas.wait_for_size()


def arrange(width: int, height: int, contents: Contents) -> Arrangement:
    """The parts in a terminal of so many columns and lines."""
    if width < LEAST[0] or height < LEAST[1]:
        return _tiny(width, height)
    draw = _large if _is_large(width, height) else _stacked
    with_city = draw(width, height, contents, contents.names)
    if not contents.names or with_city.parts["question"].height >= BELOW:
        return with_city
    without = draw(width, height, contents, 0)
    return _mapped(without, contents.names) if contents.mapped else without


def _is_large(width: int, height: int) -> bool:
    return width >= LARGE[0] and height >= LARGE[1]


def left_of(width: int, height: int) -> int:
    """Columns of the table and its parts; less than the width if the log has a column over the whole height."""
    return width - (46 if width < 200 else 60) - 1 if _is_large(width, height) else width


def _mapped(arrangement: Arrangement, names: int) -> Arrangement:
    """The common city where the players were, and where that is not enough, above a lower question."""
    parts = dict(arrangement.parts)
    table = parts.pop("table")
    more = max(city_height(names, table.width) - table.height, 0)
    parts["city"] = Region(table.x, table.y, table.width, table.height + more)
    for part in ("hand", "guide", "question", "detail", "log"):
        if part not in parts or parts[part].x >= table.right:
            continue
        region, less = parts[part], 0 if part in ("hand", "guide") else more
        parts[part] = Region(region.x, region.y + more, region.width, region.height - less)
    return Arrangement(parts)


def _tiny(width: int, height: int) -> Arrangement:
    top = 3 if height > 8 else 2 if height > 5 else 1
    return Arrangement(
        {
            "status": Region(0, 0, width, top),
            "question": Region(0, top, width, max(height - top - HINTS, 1)),
            "hints": Region(0, height - HINTS, width, HINTS),
        },
        tiny=True,
    )


class _Column:
    """Parts one below the other."""

    def __init__(self, x: int, y: int, width: int) -> None:
        self.parts: dict[str, Region] = {}
        self.x, self.y, self.width = x, y, width

    def add(self, part: str, height: int) -> None:
        if height > 0:
            self.parts[part] = Region(self.x, self.y, self.width, height)
            self.y += height


def _top(width: int, bar: int, contents: Contents) -> _Column:
    top = _Column(0, 0, width)
    top.add("status", bar)
    top.add("befallen", int(contents.hurt))
    return top


def _stacked(width: int, height: int, contents: Contents, names: int) -> Arrangement:
    """Put all parts over the whole width, with question and log side by side at the end."""
    column = _top(width, BAR, contents)
    city = city_height(names, width) if names else 0
    above = LINES if contents.guided and width < BESIDE else 0
    room = height - column.y - HINTS - city - above
    rows, hand = _rows(room, contents.players, _tallest(width))
    rest = room - HEAD - rows * contents.players
    if contents.drafting and rest - hand < LOW + BELOW:
        hand = max(min(contents.hand, rest - LEAST_DRAFT - LEAST_ASKED), LEAST_HAND)
    elif hand < DRAWN_HAND:
        hand = max(min(contents.hand, rest - BELOW), hand)
    spare = rest - hand - BELOW - (LOW if contents.drafting else 0)
    wanted = (CAST if width < NAMED else 2) if contents.names else contents.cast
    more = max(min(spare, wanted - 1), 0)
    column.add("table", HEAD + more + rows * contents.players)
    column.add("city", city)
    below = (ASKING if above else 2 * ASKING) if contents.guided else 4
    column.add(
        "draft",
        _draft(height - HINTS - column.y - hand - above, contents, below),
    )
    column.add("hand", hand)
    column.add("guide", min(above, height - HINTS - column.y - ASKING))
    left, rest = width * 5 // 9, height - HINTS - column.y
    beside = _Column(left + 1, column.y, width - left - 1)
    beside.add("guide", min(GUIDE[0], rest * 3 // 5) if contents.guided and not above else 0)
    beside.add("log", height - HINTS - beside.y)
    return Arrangement(
        {
            **column.parts,
            **beside.parts,
            "question": Region(0, column.y, left, rest),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    )


def _tallest(width: int) -> int:
    """Lines of a player at most: with houses only where their names have room."""
    return 3 if width >= TOWERS else 2 if width >= NAMED else 1


def _draft(room: int, contents: Contents, below: int = 4) -> int:
    """Lines for the cards to choose from, as many as leave the question so many `below`, and fewer where the hand
    is long; the least where what they do has no room."""
    if not contents.drafting:
        return 0
    heights = (*_told_heights(contents.told), LEAST_DRAFT)
    asked = LEAST_ASKED if contents.hand > LEAST_HAND else below
    least = LEAST_DRAFT if room - LEAST_DRAFT >= asked else 0
    return next((lines for lines in heights if room - lines >= below), least)


def _told_heights(told: int) -> Sequence[int]:
    """Heights in which what the characters do has room, the best one first."""
    return range(max(TALL, min(told, TALLEST)), told - 1, -1) if told else ()


def _large(width: int, height: int, contents: Contents, names: int) -> Arrangement:
    """Put the log, the suspects and the chat into a column at the right, and the card under the cursor next to
    the question."""
    left = left_of(width, height)
    right = width - left - 1
    city = city_height(names, left) if names else 0
    head = HEAD + 1 if contents.names else HEAD + CARD_LINES - 1
    rows = HIGHEST
    while rows > 1 and height - BAR - HINTS - city - head - rows * contents.players - DRAWN_HAND < 2 * BELOW - 2:
        rows -= 1
    spare = height - BAR - HINTS - city - head - rows * contents.players - DRAWN_HAND
    top = _top(width, BIG_BAR if spare > 2 * BELOW - 2 else BAR, contents)
    column = _Column(0, top.y, left)
    column.add("table", head + rows * contents.players)
    column.add("city", city)
    column.add("draft", _draft(height - HINTS - column.y - DRAWN_HAND, contents, ASKING))
    column.add("hand", DRAWN_HAND)
    half, rest = left // 2, height - HINTS - column.y
    beside = _Column(left + 1, top.y, right)
    suspects = 0 if names else contents.players + 1
    beside.add("guide", GUIDE[1] if contents.guided else 0)
    beside.add("log", height - HINTS - beside.y - suspects - TALK)
    beside.add("suspects", suspects)
    beside.add("chat", TALK)
    return Arrangement(
        {
            **top.parts,
            **column.parts,
            **beside.parts,
            "question": Region(0, column.y, half, rest),
            "detail": Region(half + 1, column.y, left - half - 1, rest),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    )


def _rows(room: int, players: int, tallest: int) -> tuple[int, int]:
    """Lines for each player, and for the hand."""
    for rows in range(tallest, 0, -1):
        table = HEAD + rows * players
        if rows > 1 and table + DRAWN_HAND + BELOW + 2 <= room:
            return rows, DRAWN_HAND
        if rows == 1 or table + 3 + BELOW <= room:
            drawn = table + DRAWN_HAND + BELOW + 4 <= room
            return rows, DRAWN_HAND if drawn else 3 if table + 3 + BELOW - 2 <= room else 2
    raise AssertionError("one line for each player is always tried")
