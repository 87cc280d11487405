"""Pages that take time: hints and reviews of a bot with their progress, and the report of a proof."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.text import Text
from textual import work
from textual.widgets import Static

from citadels_lan.presenter.bot_hint import THINKING, NoHint, advise
from citadels_lan.presenter.error_messages import REFUSED, why
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.text_width import wrap
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import program

WIDTH: Final = 68
"""Cells of a line on a page with a scroll bar."""
Think: TypeAlias = Callable[["ThoughtScreen"], Awaitable[Text]]


class ThoughtScreen(PageScreen):
    """Shows the result of `think`."""

    CSS_PATH = "../widgets/page.tcss"

    def __init__(self, think: Think) -> None:
        super().__init__(Text())
        self._think_it = think

    def on_mount(self) -> None:
        self.told(0.0)
        self._think()

    def told(self, share: float) -> None:
        """Show the progress, from 0 to 1."""
        say = program(self.app).texts.say
        far = say(msg("Analyzing: {percent} %"), percent=round(100 * share)) if share else say(THINKING)
        self.query_one(Static).update(Text(f"{far}\n\n{say(msg('Esc: cancel'))}"))

    @work
    async def _think(self) -> None:
        self.text = await self._think_it(self)
        self.query_one(Static).update(self.text)


def hint_of(game: Game) -> Think:
    """Return the page with a bot's best move and the others. All players learn that this player asks."""

    async def think(page: ThoughtScreen) -> Text:
        from citadels_lan.presenter.review import hint_lines

        app = program(page.app)
        try:
            given = await advise(game.session, game.adviser, app.thinking)
            title, *told = hint_lines(app.texts, given, game.names)
        except NoHint as none:
            title, told = app.texts.say(none.why), []
        except REFUSED as reason:
            title, told = why(app.texts, reason), []
        return paragraphs(app.look, title, ["\n".join(told)])

    return think


def proof_page(texts: Texts, look: Look, path: Path) -> Text:
    """Return the full report of a transcript. It takes a moment: call it in a thread."""
    from citadels_lan.crypto.report.report_text import text
    from citadels_lan.crypto.report.verify import verify

    report = "\n".join(narrowed(text(verify([path]), texts.say).split("\n"), WIDTH))
    return paragraphs(look, texts.say(msg("Check result")), [report])


def narrowed(lines: Iterable[str], width: int) -> Iterator[str]:
    """Wrap lines to so many cells, aligned with the text after a label. A word without room after its label gets
    a separate line."""
    for line in lines:
        _, gap, rest = line.lstrip().partition("  ")
        column = len(line) - len((rest if gap and rest.strip() else line).lstrip())
        if cell_len(line) <= width:
            yield line
        elif " " not in line[column:]:
            yield from (f"{line[:column].rstrip()}", f"    {line[column:]}") if gap else (line,)
        else:
            first, *others = wrap(line[column:], width - column)
            yield f"{line[:column]}{first}"
            yield from (f"{'':{column}}{other}" for other in others)
