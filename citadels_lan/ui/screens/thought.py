"""Pages that take time: what a bot thinks, with its progress, and the report of a proof."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.cells import cell_len
from rich.text import Text
from textual import events, work
from textual.widgets import Static

from citadels_lan.front.bot_hint import THINKING, NoHint, advise
from citadels_lan.front.cells import wrap
from citadels_lan.front.failures import REFUSED, why
from citadels_lan.front.game import Game
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import program

if TYPE_CHECKING:
    from citadels_lan.front.recording import Recording

WIDTH: Final = 68
"""Cells of a line on a page, with a bar to scroll beside it."""
Think: TypeAlias = Callable[["ThoughtScreen"], Awaitable[Text]]


class ThoughtScreen(PageScreen):
    """Shows what `think` comes to. A key of `places` leaves the page and goes to that step, by `go`."""

    CSS_PATH = "../widgets/page.tcss"

    def __init__(self, think: Think, go: Callable[[int], object] | None = None) -> None:
        super().__init__(Text())
        self.places: Mapping[str, int] = {}
        self._think_it = think
        self._go = go

    def on_mount(self) -> None:
        self.told(0.0)
        self._think()

    def told(self, share: float) -> None:
        """So much of it is done, from 0 to 1."""
        say = program(self.app).texts.say
        far = say(msg("Thinking: {percent} %"), percent=round(100 * share)) if share else say(THINKING)
        self.query_one(Static).update(Text(f"{far}\n\n{say(msg('Esc: leave it'))}"))

    @work
    async def _think(self) -> None:
        self.text = await self._think_it(self)
        self.query_one(Static).update(self.text)

    def on_key(self, event: events.Key) -> None:
        """A number goes to its move."""
        if self._go is not None and event.key in self.places:
            event.stop()
            self.dismiss()
            self._go(self.places[event.key])


def hint_of(game: Game) -> Think:
    """The best move of a game now, as a bot sees it, and the others; all players see that this player asks."""

    async def think(page: ThoughtScreen) -> Text:
        from citadels_lan.front.review import hint_lines

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


def review_of(load: Callable[[], "Recording"], seat: int | None = None, *, going: bool = False) -> Think:
    """The moves that have cost a seat most, without a seat those of the owner of the file; `going`: a key goes to
    each of them."""

    async def think(page: ThoughtScreen) -> Text:
        from citadels_lan.bots.search.reviews import review
        from citadels_lan.front.retelling import shown_names
        from citadels_lan.front.review import decided, places, seat_review

        app = program(page.app)
        recording = await asyncio.to_thread(load)
        whose = recording.seat if seat is None else seat
        own = [] if whose is None else await asyncio.to_thread(lambda: list(decided(recording, whose)))
        found = await review(app.thinking, own, page.told)
        title, *told = seat_review(app.texts, found, shown_names(recording), whose or 0)
        page.places = places(found) if going else {}
        more = [app.texts.say(msg("The number of a move goes there."))] if page.places else []
        return paragraphs(app.look, title, ["\n".join(told), *more])

    return think


def proof_page(texts: Texts, look: Look, path: Path) -> Text:
    """The report of a transcript in full. Takes a moment: call it in a thread."""
    from citadels_lan.crypto.report.report_text import text
    from citadels_lan.crypto.report.verify import verify

    report = "\n".join(narrowed(text(verify([path]), texts.say).split("\n"), WIDTH))
    return paragraphs(look, texts.say(msg("What the proof says")), [report])


def narrowed(lines: Iterable[str], width: int) -> Iterator[str]:
    """Lines of at most so many cells: the rest of a longer one goes below, where its text begins. A key with too
    little room after its label gets a separate line."""
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
