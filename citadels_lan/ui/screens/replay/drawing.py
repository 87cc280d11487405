"""Drawings of a replay: the bar of rounds, the chart of points, the pages of keys and points."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from citadels_lan.presenter.recording import RoundPoints, bars
from citadels_lan.presenter.text_width import cut, pad
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed
from citadels_lan.ui.widgets.look import Look

KEYS: Final[Sequence[tuple[str, Message, str]]] = (
    ("←→", msg("move"), "go(1)"),
    ("PgUp PgDn", msg("round"), "round(1)"),
    ("Tab", msg("whose hand"), "next_hand"),
    ("H", msg("next blow"), "next_blow"),
    ("?", msg("help"), "help"),
    ("Esc", msg("back"), "back"),
    ("W", msg("why"), "why"),
    ("C", msg("mistakes"), "review"),
    ("X", msg("save"), "save"),
    ("P", msg("points"), "points"),
    ("L", msg("language"), "app.switch_language"),
    ("M", msg("common city"), "map"),
)
"""The keys in the line at the bottom, the most useful first, and what a click on each does."""
EXPLAINED: Final[Sequence[tuple[str, Message]]] = (
    ("← →", msg("one move back, one move on; Space and Backspace do it, too")),
    ("PgUp PgDn", msg("to the beginning of the round before, of the next round; ↑ and ↓ do it, too")),
    ("Home End", msg("to the deal, to the last move")),
    ("12 G", msg("type the number of a move, then G or Enter: there")),
    ("H", msg("to the next attack: a kill, a theft, a destroyed district")),
    ("Tab", msg("the hand of the next player; after the last one, that of the acting player")),
    ("P", msg("the points, round by round")),
    ("M", msg("the common city, if there is no room for it beside the players")),
    ("W", msg("why: what a bot thinks of this move and of the others that there were")),
    ("C", msg("learn from the mistakes of the player whose hand is shown")),
    ("X", msg("save: the game in sentences (.txt), this picture (.svg), the game as a film (.cast)")),
    ("L", msg("another language")),
    ("Esc Q", msg("back")),
)
"""All keys for the page of help."""
CLICKS: Final = msg("A click on a round goes there, on a player shows that hand, on a card tells what it does.")
NAME = 12
"""Cells of a name at most."""
WIDEST = 5
"""Cells of a round at most, the gap to the next one included."""
TOTAL = 5
"""Cells of the points at the end of a line."""
HIGHEST = 4
"""Lines of a player at most."""


def round_bar(texts: Texts, look: Look, firsts: Mapping[int, int], now: int, width: int) -> Drawing:
    """Draw all rounds in a line, the current one in brackets; if they have no room, only its neighbours."""
    drawing, numbers = Drawing(), list(firsts)
    pen = Pen(drawing).write(f" {texts.say(msg('Rounds'))} ", look.dim)
    labels = [f"[{number}]" if number == now else f" {number} " for number in numbers]
    fit = max(1, (width - pen.x - 4) // max(map(cell_len, labels)))
    first = max(0, min(numbers.index(now) - fit // 2, len(numbers) - fit))
    pen.write(look.glyphs.cut if first else "", look.dim)
    for number, label in list(zip(numbers, labels, strict=True))[first : first + fit]:
        pen.thing("round", str(number), label, look.title if number == now else None)
    pen.write(look.glyphs.cut if first + fit < len(numbers) else "", look.dim)
    return drawing


def points_chart(
    texts: Texts,
    look: Look,
    names: Sequence[str],
    rounds: Sequence[RoundPoints],
    size: tuple[int, int],
    now: int | None = None,
) -> Drawing:
    """A title and a bar chart for each player: number, name, a block for each round and the points, in so many
    columns and lines. The numbers are the points of the round `now`, by default of the last one. A click on a
    block is a hit of the kind `round`."""
    drawing, (width, height), count = Drawing(), size, len(rounds)
    at = next((number for number, each in enumerate(rounds) if each.round == now), count - 1)
    title = msg("Final points") if rounds[at].final else msg("Points at the end of round {round}")
    Pen(drawing).write(cut(f" {texts.say(title, round=rounds[at].round)}", width, look.glyphs.cut), look.title)
    room = width - NAME - TOTAL - 5
    cells = max(1, min(WIDEST, room // count))
    fit = max(1, min(count, room // cells))
    first = max(0, min(at - fit + 1, count - fit))
    lines = max(1, min(HIGHEST, (height - 1) // len(names)))
    most = max(max(each.points) for each in rounds)
    for seat, name in enumerate(names):
        pens = [Pen(drawing).to(NAME + 4) for _ in range(lines - 1)]
        last = Pen(drawing).write(f" {seat + 1} ", look.title).write(pad(name, NAME, look.glyphs.cut)).write(" ")
        for number, each in enumerate(rounds[first : first + fit], first):
            style = look.dim if number > at else look.strong if number == at else look.accent
            blocks = bars(each.points[seat], most, look.glyphs.heights, lines)
            for pen, block in zip((*pens, last), blocks, strict=True):
                pen.thing("round", str(each.round), block * max(cells - 1, 1), style)
                pen.write(" " if cells > 1 else "")
        last.write(f"{rounds[at].points[seat]:>{TOTAL - 1}}", look.bold)
    return drawing


def help_page(texts: Texts, look: Look, known: str) -> Text:
    """Return the page with the keys of a replay, the effects of clicks, and the known hands."""
    page = Text(texts.say(msg("The keys of a replay")), look.title).append("\n\n")
    for key, meaning in EXPLAINED:
        named = " ".join(printed(texts, part) for part in key.split())
        page.append(f"{named:>11}  ", look.title).append(f"{texts.say(meaning)}\n", "not bold default")
    return page.append(f"\n{texts.say(CLICKS)}\n\n{known}", "not bold default")


def points_page(
    texts: Texts, look: Look, names: Sequence[str], rounds: Sequence[RoundPoints], chart: Drawing
) -> Text:
    """The chart, and below it the numbers."""
    page = Text("\n").join(chart.lines).append("\n\n")
    page.append(f"{texts.say(msg('Rounds')):>8} ", look.dim)
    page.append("".join(f"{seat + 1:>5}" for seat in range(len(names))), look.title)
    for each in rounds:
        page.append(f"\n{each.round:>8} ", look.dim)
        page.append("".join(f"{points:>5}" for points in each.points), "not bold default")
    if rounds[-1].final:
        page.append(f"\n\n{texts.say(msg('The last line has the final points.'))}", look.dim)
    return page
