"""Drawing the rules and cards of an edition: what is being looked for, the topics in columns, the page of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.style import Style

from citadels_lan.engine import Edition
from citadels_lan.front.cells import cut, wrap
from citadels_lan.texts import Texts, editions, msg
from citadels_lan.texts.search import Found, in_other_languages
from citadels_lan.texts.topics import Topic, page, title
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.look import Look

from .frame import EDGES, SIDES, beside, frame, put, said

KINDS: Final = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}
COLUMN: Final = 25
"""Cells of a column of topics: the longest title in any language, and the cursor before it."""
BESIDE: Final = 110
"""Cells from which the page of a topic stands beside the list."""
NARROW: Final = 72
"""The same for a list that is short because something was looked for."""
HEAD: Final = 2
"""Lines above the frames."""
READABLE: Final = 88
"""Cells of the widest line of a page."""


@dataclass(frozen=True)
class Browsing:
    """What the browser of rules shows. `elsewhere` are names of editions that have what this one has not; `top` is
    the first line of the page that is seen."""

    texts: Texts
    look: Look
    edition: Edition
    typed: str
    found: Found
    elsewhere: Sequence[str]
    cursor: int
    top: int

    @property
    def topic(self) -> Topic | None:
        """What is under the cursor."""
        return self.found.topics[self.cursor] if self.cursor < len(self.found.topics) else None


def draw_rules(it: Browsing, width: int, height: int) -> Drawing:
    """The whole screen at this size."""
    drawing = Drawing()
    _head(it, drawing, width)
    rows, cells = _rows(height), list_width(it, width, height)
    shown = _list(it, cells, rows)
    if room := page_width(it, width, height):
        shown = beside([(shown, cells), (_beside(it, room, rows), room)])
    put(drawing, shown, 1)
    return drawing


def list_width(it: Browsing, width: int, height: int) -> int:
    """Cells of the framed list: what it needs beside a page, or all."""
    whole = max(width - 2, SIDES + 1)
    if width >= BESIDE:
        return (3 if width >= 150 else 2) * COLUMN + SIDES
    short = width >= NARROW and it.typed and len(places(it, _rows(height) - EDGES)) <= _rows(height) - EDGES
    return COLUMN + SIDES if short else whole


def page_width(it: Browsing, width: int, height: int) -> int:
    """Cells of the framed page beside the list; 0 where there is no room for one."""
    return max(width - list_width(it, width, height) - 3, 0)


def last_top(it: Browsing, width: int, height: int) -> int:
    """The furthest line from which the page beside can be seen."""
    room = page_width(it, width, height)
    if not room or it.topic is None:
        return 0
    return max(len(_page(it, it.topic, room).lines) - (_rows(height) - EDGES), 0)


def _rows(height: int) -> int:
    """Lines of the frames."""
    return max(height - HEAD, EDGES + 1)


# What is being looked for


def _head(it: Browsing, drawing: Drawing, width: int) -> None:
    look, say = it.look, it.texts.say
    pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(say(msg("Rules and cards")), look.title)
    name = editions.name(it.texts, it.edition.key)
    pen.write("   ").thing("edition", "left", "<", look.title)
    pen.write(f" {name} ", look.strong).thing("edition", "right", ">", look.title)
    pen = Pen(drawing).to(3).write(f"{say(msg('Search'))}: ", look.dim)
    pen.write(cut(it.typed, max(width - pen.x - 24, 4)), look.strong).write("_", look.title)
    pen.write(cut(f"   {_outcome(it)}", max(width - pen.x - 1, 0), look.glyphs.cut), look.dim)


def _outcome(it: Browsing) -> str:
    """What came of the search, in a few words."""
    say, count = it.texts.say, len(it.found.topics)
    if not it.typed:
        return say(msg("type a name, in any language"))
    if it.found.said:
        return it.texts.plural(
            "no such name; {count} page has the word", "no such name; {count} pages have the word", count
        )
    if count:
        return it.texts.plural("{count} found", "{count} found", count)
    if it.elsewhere:
        return say(msg("not in this edition; in {editions}"), editions=it.texts.listing(it.elsewhere))
    return say(msg("nothing; Esc clears it"))


# The list


@dataclass(frozen=True)
class Cell:
    """A cell of the list: a heading, or a topic by its number; neither is a gap."""

    heading: str = ""
    number: int | None = None


def places(it: Browsing, rows: int) -> list[Cell]:
    """The topics under their headings, as they run down the columns of so many rows."""
    found: list[Cell] = []
    kind = ""
    for number, topic in enumerate(it.found.topics):
        if topic.kind != kind:
            kind = topic.kind
            found += [Cell()] * _gap(len(found), rows)
            found.append(Cell(heading=it.texts.say(KINDS[kind])))
        found.append(Cell(number=number))
    return found


def _gap(filled: int, rows: int) -> int:
    """Rows left free before a heading: one within a column, and as many as keep it from standing at its foot."""
    within = filled % rows
    return 0 if within == 0 else rows - within if within >= rows - 2 else 1


def _list(it: Browsing, width: int, height: int) -> Drawing:
    """The columns in which the cursor is, and how many topics stand before and after them."""
    look, rows = it.look, max(height - EDGES, 1)
    columns = max((width - SIDES) // COLUMN, 1)
    every = places(it, rows)
    here = next((place for place, cell in enumerate(every) if cell.number == it.cursor), 0)
    first = here // (rows * columns) * rows * columns
    shown = every[first : first + rows * columns]
    inside = Drawing()
    for row in range(rows):
        pen = Pen(inside)
        for column in range(columns):
            place = column * rows + row
            if place < len(shown):
                _cell(it, pen.to(column * COLUMN), shown[place])
    title = it.texts.say(msg("Topics"))
    return frame(look, title, inside, width, height, below=_left(it, shown))


def _left(it: Browsing, shown: Sequence[Cell]) -> str:
    numbers = [cell.number for cell in shown if cell.number is not None]
    before, after = (numbers[0], len(it.found.topics) - numbers[-1] - 1) if numbers else (0, 0)
    said = [it.texts.say(msg("{count} before"), count=before)] if before else []
    said += [f"{it.look.glyphs.down} {it.texts.say(msg('{count} more'), count=after)}"] if after else []
    return " · ".join(said)


def _cell(it: Browsing, pen: Pen, cell: Cell) -> None:
    look = it.look
    if cell.number is None:
        pen.write(cell.heading, look.title)
        return
    topic, here = it.found.topics[cell.number], cell.number == it.cursor
    start = pen.x
    pen.write(look.glyphs.turn if here else " ", look.title)
    pen.write(cut(title(it.texts, topic), COLUMN - 2, look.glyphs.cut), look.strong if here else _style(it, topic))
    if here:
        pen.line.stylize_before(look.cursor, start, start + COLUMN - 1)
    pen.drawing.hits.append(Hit("topic", str(cell.number), pen.y, start, start + COLUMN - 1))


def _style(it: Browsing, topic: Topic) -> Style | None:
    return it.look.types[it.edition.types[topic.key]] if topic.kind == "district" else None


# The page


def _beside(it: Browsing, width: int, height: int) -> Drawing:
    """The page of what is under the cursor, from the line on that was scrolled to."""
    if it.topic is None:
        return frame(it.look, "", Drawing(), width, height)
    whole = _page(it, it.topic, width)
    top = min(it.top, max(len(whole.lines) - (height - EDGES), 0))
    left = len(whole.lines) - top - (height - EDGES)
    below = it.texts.plural("PgDn: {count} more line", "PgDn: {count} more lines", left) if left > 0 else ""
    inside = Drawing(whole.lines[top:])
    return frame(it.look, title(it.texts, it.topic), inside, width, height, below=below)


def _page(it: Browsing, topic: Topic, width: int) -> Drawing:
    return draw_page(it.texts, it.look, it.edition, topic, min(width - SIDES, READABLE))


def draw_page(texts: Texts, look: Look, edition: Edition, topic: Topic, width: int) -> Drawing:
    """The page of a topic, as long as it is."""
    drawing = Drawing()
    for language, name in in_other_languages(texts, topic):
        said(drawing, f"{language}: {name}", width, look.dim)
    for number, paragraph in enumerate(page(texts, topic, edition)):
        if drawing.lines:
            Pen(drawing)
        facts = number == 0 and topic.kind != "rule"
        for line in paragraph.split("\n"):
            for part in wrap(line, width):
                Pen(drawing).write(part, look.dim if facts else None)
    return drawing


def draw_card(texts: Texts, look: Look, edition: Edition, key: str, width: int, height: int) -> Drawing:
    """The page of a card of an edition in a frame."""
    topic = Topic("character" if key in edition.characters else "district", key)
    inside = draw_page(texts, look, edition, topic, min(width - SIDES, READABLE))
    return frame(look, title(texts, topic), inside, width, height)
