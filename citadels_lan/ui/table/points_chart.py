"""How the points went, as a chart: a line of blocks for each player, each as high as the points after a round."""

from collections.abc import Sequence

from citadels_lan.front.cells import cut, pad
from citadels_lan.front.retelling import RoundPoints, bars
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look

NAME = 12
"""Cells of a name at most."""
WIDEST = 5
"""Cells of a round at most, the gap to the next one included."""
TOTAL = 5
"""Cells of the points at the end of a line."""
HIGHEST = 4
"""Lines of a player at most."""


def points_chart(
    texts: Texts,
    look: Look,
    names: Sequence[str],
    rounds: Sequence[RoundPoints],
    size: tuple[int, int],
    now: int | None = None,
) -> Drawing:
    """A title and a bar chart for each player: number, name, a block for each round and the points, in so many
    columns and lines. `now` is the round that is shown, whose points are the numbers; without it, those of the
    last one. A click on a block is on a thing of the kind `round`."""
    width, height = size
    drawing = Drawing()
    at = next((number for number, one in enumerate(rounds) if one.round == now), len(rounds) - 1)
    title = msg("Final points") if rounds[at].final else msg("Points at the end of round {round}")
    Pen(drawing).write(cut(f" {texts.say(title, round=rounds[at].round)}", width, look.glyphs.cut), look.title)
    shown, cells = _window(len(rounds), at, width - NAME - TOTAL - 5)
    lines = max(1, min(HIGHEST, (height - 1) // len(names)))
    most = max(max(one.points) for one in rounds)
    for seat, name in enumerate(names):
        pens = [Pen(drawing).to(NAME + 4) for _ in range(lines - 1)]
        pens.append(
            Pen(drawing).write(f" {seat + 1} ", look.title).write(pad(name, NAME, look.glyphs.cut)).write(" ")
        )
        for number in shown:
            one = rounds[number]
            blocks = bars(one.points[seat], most, look.glyphs.heights, lines)
            for pen, block in zip(pens, blocks, strict=True):
                _block(pen, look, one.round, block, cells, number - at)
        pens[-1].write(f"{rounds[at].points[seat]:>{TOTAL - 1}}", look.bold)
    return drawing


def _window(count: int, at: int, room: int) -> tuple[range, int]:
    """The rounds that have room, the one that is shown among them, and the cells of each."""
    cells = max(1, min(WIDEST, room // count))
    fit = max(1, min(count, room // cells))
    first = max(0, min(at - fit + 1, count - fit))
    return range(first, first + fit), cells


def _block(pen: Pen, look: Look, number: int, block: str, cells: int, ahead: int) -> None:
    """A line of a round. The round that is shown stands out, and those that come later are dim."""
    style = look.dim if ahead > 0 else look.strong if ahead == 0 else look.accent
    pen.thing("round", str(number), block * max(cells - 1, 1), style).write(" " if cells > 1 else "")
