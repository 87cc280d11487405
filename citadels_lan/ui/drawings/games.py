"""Drawing one's own games: those to go on with first, then the others, and what is known of the one pointed at."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citadels_lan.engine import EDITIONS
from citadels_lan.front.archive import PastGame, Wins, result
from citadels_lan.front.cells import clean, cut, pad
from citadels_lan.texts import Texts, editions, msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.look import Look

from .frame import EDGES, SIDES, beside, frame, put, said

BESIDE: Final = (116, 40)
"""Cells from which what is known of a game stands beside the list, and how many it gets."""
DATE: Final = 10
"""Cells of a date without the hour."""
EDITION: Final = 14
RESULT: Final = 34
"""Cells of a result, where the players stand behind it."""


@dataclass(frozen=True)
class Shelf:
    """The games: `unfinished` ones can go on at this machine. `cursor` counts over both."""

    texts: Texts
    look: Look
    unfinished: Sequence[PastGame]
    games: Sequence[PastGame]
    tallies: Sequence[Wins]
    cursor: int

    @property
    def every(self) -> Sequence[PastGame]:
        """All of them, in the order of the list."""
        return [*self.unfinished, *self.games]


def draw_games(shelf: Shelf, width: int, height: int) -> Drawing:
    """The whole screen at this size."""
    drawing, look, say = Drawing(), shelf.look, shelf.texts.say
    Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(say(msg("Your games")), look.title)
    counted = f" {look.glyphs.dot} ".join(_counted(shelf.texts, tally) for tally in shelf.tallies)
    said(drawing, counted, width - 2, look.dim, indent=3)
    rows = max(height - len(drawing.lines), EDGES + 1)
    wide = width >= BESIDE[0] and bool(shelf.every)
    cells = max(width - 2 - (BESIDE[1] + 1 if wide else 0), SIDES + 1)
    shown = _list(shelf, cells, rows)
    if wide:
        game = shelf.every[shelf.cursor]
        about = frame(look, say(msg("This game")), _about(shelf, game, BESIDE[1] - SIDES), BESIDE[1], rows)
        shown = beside([(shown, cells), (about, BESIDE[1])])
    put(drawing, shown, 1)
    return drawing


def _counted(texts: Texts, tally: Wins) -> str:
    said = texts.say(msg("{count} played, {won} won"), count=tally.played, won=tally.won)
    return f"{edition_name(texts, tally.edition)}: {said}" if tally.edition else said


def edition_name(texts: Texts, edition: str) -> str:
    """What an edition is called; of one that this program does not know, the key."""
    return editions.name(texts, edition) if edition in EDITIONS else clean(edition, 24)


# The list


def _list(shelf: Shelf, width: int, height: int) -> Drawing:
    """The lines around the cursor; how many games stand outside is said below."""
    look, say = shelf.look, shelf.texts.say
    room = max(height - EDGES, 1)
    lines = _lines(shelf)
    here = lines.index(shelf.cursor) if shelf.every else 0
    first = max(0, min(here - room // 2, len(lines) - room))
    inside = Drawing()
    for line in lines[first : first + room]:
        if isinstance(line, str):
            Pen(inside).write(line, look.title)
        else:
            _game(shelf, inside, line, width - SIDES)
    if not shelf.every:
        said(inside, say(msg("None yet: play one first.")), width - SIDES, look.dim)
    before = sum(not isinstance(line, str) for line in lines[:first])
    after = sum(not isinstance(line, str) for line in lines[first + room :])
    told = [say(msg("{count} before"), count=before)] if before else []
    told += [f"{look.glyphs.down} {say(msg('{count} more'), count=after)}"] if after else []
    below = f" {look.glyphs.dot} ".join(told)
    return frame(look, say(msg("The newest first")), inside, width, height, below=below)


def _lines(shelf: Shelf) -> list[str | int]:
    """Headings and games, these by their number."""
    say, first = shelf.texts.say, len(shelf.unfinished)
    if not first:
        return list(range(len(shelf.games)))
    lines: list[str | int] = [say(msg("To go on with")), *range(first)]
    if shelf.games:
        lines += [say(msg("Played")), *range(first, first + len(shelf.games))]
    return lines


def _game(shelf: Shelf, drawing: Drawing, number: int, width: int) -> None:
    look, game = shelf.look, shelf.every[number]
    here = number == shelf.cursor
    pen = Pen(drawing).write(look.glyphs.turn if here else " ", look.title)
    pen.write(f"{look.glyphs.crown if game.won else ' '} ", look.gold)
    pen.write(f"{game.date[:DATE]}  ", look.dim)
    pen.write(pad(edition_name(shelf.texts, game.edition), EDITION, look.glyphs.cut)).write(" ")
    ended = result(shelf.texts, game) if game.names else game.path.name
    style = look.strong if here else look.gold if game.won else None if game.over else look.accent
    room = width - pen.x - 1
    names = clean(", ".join(game.names), 80)
    if len(names) + RESULT + 2 <= room:
        pen.write(pad(clean(ended, 80), RESULT, look.glyphs.cut), style).write("  ").write(names, look.dim)
    else:
        pen.write(cut(clean(ended, 80), room, look.glyphs.cut), style)
        pen.write(cut(f"   {names}", max(width - pen.x - 1, 0), look.glyphs.cut), look.dim)
    if here:
        pen.to(width).line.stylize_before(look.cursor)
    drawing.hits.append(Hit("game", str(number), pen.y, 0, width))


# One of them


def _about(shelf: Shelf, game: PastGame, width: int) -> Drawing:
    """Everything that is known of a game without playing it again."""
    drawing, look, say = Drawing(), shelf.look, shelf.texts.say
    for line in (game.date, edition_name(shelf.texts, game.edition), result(shelf.texts, game)):
        said(drawing, line, width, look.bold)
    Pen(drawing)
    for seat, name in enumerate(game.names):
        won = name in game.winners
        pen = Pen(drawing).write(f"{look.glyphs.crown if won else ' '} ", look.gold)
        pen.write(cut(clean(name, 40), width - 14, look.glyphs.cut), look.gold if won else None)
        pen.write(f"  {say(msg('that is you'))}" if seat == game.seat else "", look.dim)
    Pen(drawing)
    said(drawing, clean(str(game.path), 240), width, look.dim)
    return drawing
