"""The layout of the table screen for any size of terminal and number of players."""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from textual.geometry import Region

from citadels_lan.ui.table.board import CARD_LINES, HEAD, HIGHEST
from citadels_lan.ui.table.panels import DRAFT
from citadels_lan.ui.widgets.canvas import Canvas

from .city import height as city_height

LEAST = (80, 20)
"""Fewest columns and lines at which the table is shown. A smaller terminal shows only the question."""
LARGE = (150, 44)
"""Fewest columns and lines at which all parts of the table are visible at the same time."""
NAMED = 96
"""Fewest columns at which drawn districts show their names."""
TOWERS = 110
"""Fewest columns at which the height of a drawn district shows its cost."""
HINTS = 1
BAR = 2
"""Lines of the turn bar."""
BIG_BAR = 3
"""Lines of the turn bar if it is written in large letters."""
BELOW = 8
"""Fewest lines of the question, and of the log to the right of it."""
DRAWN_HAND = 6
"""Lines of a hand whose cards are drawn as boxes."""
GIVEN = 2
"""Lines that the question and the log give up for a large hand, so that the names of its cards are
visible."""
ASKING = 5
"""Fewest lines of the question if a lesson is above it."""
LEAST_LOG = 3
"""Fewest lines of the log below the question in a draft."""
LEAST_HAND = 2
"""Fewest lines of the hand: its title and one line of cards."""
TALK = 7
"""Lines of the chat on a large screen."""


class Contents(Struct, frozen=True):
    """The contents of the screen on which the layout depends. `names`: how many districts a common city has,
    0 without one. `mapped`: the common city is drawn in full, not only as numbers. `hurt`: the lines of the
    notice about an attack on this player. `choices`: the lines of the question in a draft, 0 at other times.
    `lesson`: the lines of the tutorial's lesson. `cast` and `hand`: the lines in which all names are
    complete; `cast` is 0 on the player's own move."""

    players: int
    names: int = 0
    mapped: bool = False
    hurt: int = 0
    drafting: bool = False
    choices: int = 0
    lesson: int = 0
    cast: int = 1
    hand: int = LEAST_HAND


Parts: TypeAlias = dict[str, Region]
"""The screen region of every visible part, by the id of its widget."""


def put(canvases: Iterable[Canvas], parts: Parts) -> None:
    """Move every canvas to its region in `parts`, and hide the canvases without a region. A canvas whose size
    changes is drawn after the next layout."""
    for canvas in canvases:
        region = parts.get(canvas.id or "")
        canvas.display = region is not None
        if region is not None:
            canvas.styles.offset = (region.x, region.y)
            if region.size != canvas.size:  # Textual sets it at the next layout, so a drawing now would be wasted
                canvas.styles.width, canvas.styles.height = region.size
                canvas.waiting = True


def arrange(width: int, height: int, contents: Contents) -> Parts:
    """Return the regions of all visible parts for a screen of `width` columns and `height` lines. A screen
    smaller than LEAST shows only the question."""
    if width < LEAST[0] or height < LEAST[1]:
        top = 3 if height > 8 else 2 if height > 5 else 1
        return {
            "status": Region(0, 0, width, top),
            "question": Region(0, top, width, max(height - top - HINTS, 1)),
            "hints": Region(0, height - HINTS, width, HINTS),
        }
    draw = _large if is_large(width, height) else _stacked
    if not contents.mapped:
        return draw(width, height, contents, min(contents.names, 1))
    parts = draw(width, height, contents, city_height(contents.names, left_of(width, height)))
    if parts["question"].height < BELOW:
        parts = draw(width, height, contents, 1)
        _map(parts, contents.names)
    return parts


def is_large(width: int, height: int) -> bool:
    """Whether the screen has room for all parts of the table at the same time."""
    return width >= LARGE[0] and height >= LARGE[1]


def left_of(width: int, height: int) -> int:
    """Return the width of the table in columns. On a large screen the log and the chat use the columns to its
    right."""
    return width - (46 if width < 200 else 60) - 1 if is_large(width, height) else width


def _map(parts: Parts, names: int) -> None:
    """Replace the players by the common city in `parts`, and move the parts below them down."""
    table = parts.pop("table")
    more = max(city_height(names, table.width) - table.height - 1, 0)
    parts["city"] = Region(table.x, table.y, table.width, table.height + 1 + more)
    for part in ("hand", "lesson", "question", "log"):
        if part in parts and parts[part].x < table.right:
            x, y, width, height = parts[part]
            parts[part] = Region(x, y + more, width, height - (0 if part in ("hand", "lesson") else more))


class _Column:
    """Places parts of the screen below each other in one column."""

    def __init__(self, parts: Parts, x: int, y: int, width: int) -> None:
        self.parts, self.x, self.y, self.width = parts, x, y, width

    def add(self, part: str, height: int) -> None:
        if height > 0:
            self.parts[part] = Region(self.x, self.y, self.width, height)
            self.y += height


def _stacked(width: int, height: int, contents: Contents, city: int) -> Parts:
    """Return the regions for a screen that is not large: all parts are below each other, and at the bottom
    the question and the log are side by side. In a draft, the log is below the question."""
    parts: Parts = {}
    column = _Column(parts, 0, 0, width)
    column.add("status", BAR)
    column.add("attacks", contents.hurt)
    cast = min(contents.cast, 1)
    room = height - column.y - HINTS - city - contents.lesson - cast
    spare = room - HEAD - contents.players - LEAST_HAND - ASKING
    draft = max(min(DRAFT, spare), 0) if contents.drafting else 0
    room -= draft
    tallest = 3 if width >= TOWERS else 2 if width >= NAMED else 1
    rows, hand = _rows(room, contents.players, tallest)
    rest = room - HEAD - rows * contents.players
    below = max(BELOW, contents.choices)
    if hand < DRAWN_HAND or contents.drafting:
        names = min(contents.hand, rest - below + (0 if contents.drafting else GIVEN))
        hand = max(min(hand, rest - below) if hand >= DRAWN_HAND else names, LEAST_HAND)
    spare = rest - hand - below
    column.add("table", HEAD + cast + max(min(spare, contents.cast - 1), 0) + rows * contents.players)
    column.add("city", city)
    column.add("draft", draft)
    column.add("hand", hand)
    column.add("lesson", min(contents.lesson, height - HINTS - column.y - ASKING))
    left, rest = width * 5 // 9, height - HINTS - column.y
    if contents.choices:
        asked = rest if rest - contents.choices < LEAST_LOG else contents.choices
        parts["question"] = Region(0, column.y, width, asked)
        column.y, rest = column.y + asked, rest - asked
        column.add("log", rest)
    else:
        beside = _Column(parts, left + 1, column.y, width - left - 1)
        beside.add("log", height - HINTS - beside.y)
        parts["question"] = Region(0, column.y, left, rest)
    parts["hints"] = Region(0, height - HINTS, width, HINTS)
    return parts


def _large(width: int, height: int, contents: Contents, city: int) -> Parts:
    """Return the regions for a large screen: the log and the chat are in a column at the right."""
    parts: Parts = {}
    left = left_of(width, height)
    cast = (contents.cast if contents.names else CARD_LINES) if contents.cast else 0
    draft = DRAFT if contents.drafting else 0
    head = HEAD + cast
    room, rows = height - BAR - HINTS - city - head - draft - DRAWN_HAND, HIGHEST
    while rows > 1 and room - rows * contents.players < 2 * BELOW - 2:
        rows -= 1
    top = _Column(parts, 0, 0, width)
    top.add("status", BIG_BAR if room - rows * contents.players > 2 * BELOW - 2 else BAR)
    top.add("attacks", contents.hurt)
    column = _Column(parts, 0, top.y, left)
    column.add("table", head + rows * contents.players)
    column.add("city", city)
    column.add("draft", draft)
    column.add("hand", DRAWN_HAND)
    column.add("lesson", contents.lesson)
    beside = _Column(parts, left + 1, top.y, width - left - 1)
    beside.add("log", height - HINTS - beside.y - TALK)
    beside.add("chat", TALK)
    parts["question"] = Region(0, column.y, left, height - HINTS - column.y)
    parts["hints"] = Region(0, height - HINTS, width, HINTS)
    return parts


def _rows(room: int, players: int, tallest: int) -> tuple[int, int]:
    """Return how many lines each player gets (at most `tallest`), and how many lines the hand gets."""
    rows = tallest
    while rows > 1 and HEAD + rows * players + 3 + BELOW > room:
        rows -= 1
    table = HEAD + rows * players
    drawn = table + DRAWN_HAND + BELOW + (2 if rows > 1 else 4) <= room
    return rows, DRAWN_HAND if drawn else 3 if table + 3 + BELOW - 2 <= room else 2
