"""What a replay draws beside the table: the bar of rounds, and the page of its keys and points."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from citadels_lan.front.retelling import RoundPoints
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
    ("C", msg("costly moves"), "review"),
    ("X", msg("save"), "save"),
    ("P", msg("points"), "points"),
    ("L", msg("language"), "app.switch_language"),
    ("M", msg("common city"), "map"),
)
"""The keys in the line at the bottom, the most useful first, and what a click on each does."""
ACTIONS: Final = {key: action for key, _, action in KEYS}
EXPLAINED: Final[Sequence[tuple[str, Message]]] = (
    ("← →", msg("one move back, one move on; Space and Backspace do it, too")),
    ("PgUp PgDn", msg("to the beginning of the round before, of the next round; ↑ and ↓ do it, too")),
    ("Home End", msg("to the deal, to the last move")),
    ("12 G", msg("type the number of a move, then G or Enter: there")),
    ("H", msg("to the next move that hurt somebody: a murder, a theft, a district destroyed")),
    ("Tab", msg("the hand of the next player, and after the last that of whoever moves")),
    ("P", msg("the points, round by round")),
    ("M", msg("the city that all build, where there is no room for it beside the players")),
    ("W", msg("why: what a bot thinks of this move and of the others that there were")),
    ("C", msg("the moves that cost the player whose hand is shown most; a number goes there")),
    ("X", msg("save: the game in sentences (.txt), this picture (.svg), the game as a film (.cast)")),
    ("L", msg("another language")),
    ("Esc Q", msg("back")),
)
"""The same for the page of help, all of them."""
CLICKS: Final = msg("A click on a round goes there, on a player shows that hand, on a card tells what it does.")


def round_bar(texts: Texts, look: Look, firsts: Mapping[int, int], now: int, width: int) -> Drawing:
    """All rounds in a line, the one that is shown in brackets; where they are too many, those around it."""
    drawing = Drawing()
    pen = Pen(drawing).write(f" {texts.say(msg('Rounds'))} ", look.dim)
    numbers = list(firsts)
    labels = {number: f"[{number}]" if number == now else f" {number} " for number in numbers}
    shown = _around(numbers, now, labels, width - pen.x - 4)
    pen.write("" if shown[0] == numbers[0] else look.glyphs.cut, look.dim)
    for number in shown:
        pen.thing("round", str(number), labels[number], look.title if number == now else None)
    pen.write("" if shown[-1] == numbers[-1] else look.glyphs.cut, look.dim)
    return drawing


def _around(numbers: Sequence[int], now: int, labels: Mapping[int, str], room: int) -> Sequence[int]:
    """As many rounds around this one as there is room for."""
    fit = max(1, room // max(map(cell_len, labels.values())))
    first = max(0, min(numbers.index(now) - fit // 2, len(numbers) - fit))
    return numbers[first : first + fit]


def help_page(texts: Texts, look: Look, known: str) -> Text:
    """The keys of a replay, what can be clicked, and which hands are open."""
    page = Text(texts.say(msg("The keys of a replay")), look.title).append("\n\n")
    for key, meaning in EXPLAINED:
        named = " ".join(printed(texts, one) for one in key.split())
        page.append(f"{named:>11}  ", look.title).append(f"{texts.say(meaning)}\n", "not bold default")
    return page.append(f"\n{texts.say(CLICKS)}\n\n{known}", "not bold default")


def points_page(
    texts: Texts, look: Look, names: Sequence[str], rounds: Sequence[RoundPoints], chart: Drawing
) -> Text:
    """The chart, and below it the numbers."""
    page = Text("\n").join(chart.lines).append("\n\n")
    page.append(f"{texts.say(msg('Rounds')):>8} ", look.dim)
    page.append("".join(f"{seat + 1:>5}" for seat in range(len(names))), look.title)
    for one in rounds:
        page.append(f"\n{one.round:>8} ", look.dim)
        page.append("".join(f"{points:>5}" for points in one.points), "not bold default")
    if not rounds[-1].final:
        return page
    return page.append(f"\n\n{texts.say(msg('The last line has the final points.'))}", look.dim)
