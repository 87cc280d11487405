"""What verification says of a transcript, as a page."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from citadels_lan.front.cells import wrap
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import paragraphs

WIDTH: Final = 68
"""Cells of a line on a page, with a bar to scroll beside it."""
DEEP: Final = 4
"""Cells before what goes on of a line and is too long for its column."""


def proof_page(texts: Texts, look: Look, path: Path) -> Text:
    """The report in full. Takes a moment: call it where nothing waits."""
    from citadels_lan.crypto.report.report_text import WIDTH as WRITTEN
    from citadels_lan.crypto.report.report_text import text
    from citadels_lan.crypto.report.verify import verify

    report = text(verify([path]), texts.say).split("\n")
    return paragraphs(look, texts.say(msg("What the proof says")), ["\n".join(narrowed(report, WRITTEN, WIDTH))])


def narrowed(lines: Iterable[str], written: int, width: int) -> Iterator[str]:
    """Lines that were broken at a width, as they break at a smaller one: each goes on below where it has begun."""
    for line in _whole(lines, written):
        if cell_len(line) <= width:
            yield line
            continue
        at = _column(line)
        first, *others = line[at:].split(" ")
        if cell_len(first) > width - at:
            yield line[:at].rstrip()
            yield f"{'':{DEEP}}{first}"
            broken = wrap(" ".join(others), width - at) if others else []
        else:
            head, *broken = wrap(line[at:], width - at)
            yield f"{line[:at]}{head}"
        yield from (f"{'':{at}}{rest}" for rest in broken)


def _whole(lines: Iterable[str], written: int) -> Iterator[str]:
    """The lines before they were broken: a line goes on where the next word had no room."""
    whole, room = "", written
    for line in lines:
        words = line.split()
        goes_on = bool(words) and whole.strip() and len(line) - len(line.lstrip()) == _column(whole)
        if goes_on and cell_len(words[0]) >= room:
            whole = f"{whole} {line.lstrip()}"
        else:
            yield from (whole,) if room < written else ()
            whole = line
        room = written - cell_len(line) - (not line)
    yield whole


def _column(line: str) -> int:
    """Where the text of a line begins: behind the name of its row, if it has one."""
    indent = len(line) - len(line.lstrip())
    _, gap, rest = line[indent:].partition("  ")
    return indent if not gap or not rest.strip() else len(line) - len(rest.lstrip())
