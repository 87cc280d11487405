"""A page that is being thought out: how far it is, and then what came of it. Who leaves it ends the thinking."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from rich.text import Text
from textual import events, work
from textual.widgets import Static

from citadels_lan.front.advice import hint
from citadels_lan.front.game import Game
from citadels_lan.front.past.retelling import shown_names
from citadels_lan.front.recording import Recording
from citadels_lan.front.refused import REFUSED, why
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import program

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
        far = say(msg("Thinking: {percent} %"), percent=round(100 * share)) if share else say(hint.THINKING)
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
    """The best move of a game now, as a bot sees it, and the others; all are told that somebody asks."""

    async def think(page: ThoughtScreen) -> Text:
        app = program(page.app)
        try:
            given = await hint.advise(game.session, game.adviser, app.thinking)
            title, *told = hint.lines(app.texts, given, game.names)
        except hint.NoHint as none:
            title, told = app.texts.say(none.why), []
        except REFUSED as reason:
            title, told = why(app.texts, reason), []
        return paragraphs(app.look, title, ["\n".join(told)])

    return think


def review_of(load: Callable[[], Recording], seat: int | None = None, *, going: bool = False) -> Think:
    """The moves that have cost a seat most, without one those of whoever's file it is; `going`: the page goes to
    them."""

    async def think(page: ThoughtScreen) -> Text:
        from citadels_lan.bots.search.reviewing import review
        from citadels_lan.front.advice import reviewed
        from citadels_lan.front.advice.decided import decided

        app = program(page.app)
        recording = await asyncio.to_thread(load)
        whose = recording.seat if seat is None else seat
        own = [] if whose is None else await asyncio.to_thread(lambda: list(decided(recording, whose)))
        found = await review(app.thinking, own, page.told)
        title, *told = reviewed.lines(app.texts, found, shown_names(recording), whose or 0)
        page.places = reviewed.places(found) if going else {}
        more = [app.texts.say(msg("The number of a move goes there."))] if page.places else []
        return paragraphs(app.look, title, ["\n".join(told), *more])

    return think
