"""The screen after the game."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.acquaintances import ASIDE, remember
from citadels_lan.front.game import Game
from citadels_lan.front.table_session import Update
from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .end_drawing import Ending
from .list_screen import CssPath, Foot, Heading, ListScreen


class EndView(Canvas):
    """The result, in a window that scrolls over it."""

    def __init__(self, screen: "EndScreen") -> None:
        super().__init__(id="result")
        self._screen = screen
        self._top = 0
        self._length = 0

    def draw(self, width: int, height: int) -> Drawing:
        whole = Ending(self._screen.game, self._screen.look).draw(width)
        self._length = len(whole.lines)
        self._top = max(0, min(self._top, self._length - height))
        shown = Drawing(whole.lines[self._top : self._top + height])
        if self._top + height < self._length:
            shown.lines.pop()
            look = self._screen.look
            Pen(shown).write(f" {look.glyphs.down} {self._screen.texts.say(msg('PgDn: more'))}", look.title)
        return shown

    def scroll(self, rows: int) -> None:
        self._top = max(0, self._top + rows)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll(-3)


class EndScreen(ListScreen):
    """Scores, who was who, the proof, and where to go from here."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "end.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_result(-5)", show=False),
        Binding("pagedown", "scroll_result(5)", show=False),
        Binding("t", "back", show=False),
        Binding("q", "app.leave_table", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        yield Heading(self)
        yield EndView(self)
        yield ChoiceList(lambda: self.look, id="list")
        yield Foot(self)

    def on_mount(self) -> None:
        super().on_mount()
        self._verify()

    @work(thread=True)
    def _verify(self) -> None:
        """Check the transcript beside, show what came of it, and remember who has played."""
        from citadels_lan.front.proof import check

        game = self.game
        if not game.checked:
            game.proof = check(game.session.transcript)
            game.checked = True
            self.app.call_from_thread(self.retell)
            aside = remember(game.known, game.proof, game.seat, date.today())
            if aside is not None:
                self.app.call_from_thread(self.say, self.texts.say(ASIDE, path=aside))

    def title_text(self) -> str:
        return self.game.status()

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("Enter", say(msg("choose"))), ("PgUp PgDn", say(msg("scroll"))), ("l", say(msg("language"))),
                ("t", say(msg("see the table"))), ("q", say(msg("leave")))]  # fmt: skip

    def rows(self) -> list[Row]:
        say = self.texts.say
        rows = [Row("table", say(msg("See the table once more")))]
        rows += [Row(key, say(text)) for key, text in self._again()]
        return [*rows, Row("leave", say(msg("Leave the table")))]

    def _again(self) -> list[tuple[str, Message]]:
        """How the same people can go on."""
        if not self.program.may_rematch:
            return []
        if self.game.invitation is None and self.game.session.again is not None:
            return [("rematch", msg("Play again: the host has opened the next table and keeps your seat"))]
        seats = [("drawn", msg("Play again, seats drawn anew"))] if self.game.invitation is not None else []
        return [("rematch", msg("Play again")), *seats]

    def updated(self, updates: Sequence[Update]) -> None:
        self.retell()

    def action_scroll_result(self, rows: int) -> None:
        self.query_one(EndView).scroll(rows)

    @on(ChoiceList.Chosen)
    async def _chosen(self, message: ChoiceList.Chosen) -> None:
        actions = {
            "table": "back",
            "rematch": "app.rematch",
            "drawn": "app.rematch(True)",
            "leave": "app.leave_table",
        }
        await self.run_action(actions[message.key])
