"""The screen after the game."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.acquaintances import ASIDE, remember
from citadels_lan.front.cells import wrap
from citadels_lan.front.game import Game
from citadels_lan.front.recording import load_recording
from citadels_lan.front.shown.course import course
from citadels_lan.front.table_session import Update
from citadels_lan.texts import msg
from citadels_lan.ui.drawings.doing import Doing, draw_doings
from citadels_lan.ui.drawings.end import Ending
from citadels_lan.ui.drawings.frame import put
from citadels_lan.ui.drawings.proof_page import proof_page
from citadels_lan.ui.table.commands import usual
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen

from .list_screen import CssPath, Foot, ListScreen
from .thought import ThoughtScreen, review_of

ROOMY = 110
"""Cells from which there are words beside what can be done."""
ROOMIEST = 150
"""Cells from which that takes three columns."""
ACTIONS = {
    "t": "back", "m": "review", "v": "verify", "r": "app.rematch", "d": "app.rematch(True)",
    "q": "app.leave_table",
}  # fmt: skip
"""What each letter does."""


class EndView(Canvas, can_focus=True):
    """The result, in a window that scrolls over it, and what can be done below."""

    def __init__(self, screen: "EndScreen") -> None:
        super().__init__(id="result")
        self._screen = screen
        self._top = 0

    def draw(self, width: int, height: int) -> Drawing:
        screen, look = self._screen, self._screen.look
        shown, below = Drawing(), Drawing()
        head = wrap(screen.title_text(), max(width - 5, 1))
        for number, line in enumerate(head):
            Pen(shown).write(f" {look.glyphs.crown} " if number == 0 else "   ", look.gold).write(line, look.title)
        columns = 3 if width >= ROOMIEST else 2 if width >= 60 else 1
        draw_doings(look, below, screen.doings(), screen.cursor, width, columns=columns, details=width >= ROOMY)
        room = max(height - len(shown.lines) - len(below.lines) - 1, 1)
        whole = Ending(screen.game, look).draw(width, room)
        self._top = max(0, min(self._top, len(whole.lines) - room))
        seen = Drawing(whole.lines[self._top : self._top + room])
        left = len(whole.lines) - self._top - room
        put(shown, seen)
        for _ in range(room - len(seen.lines)):
            Pen(shown)
        more = screen.texts.plural("PgDn: {count} more line", "PgDn: {count} more lines", left)
        Pen(shown).write(f" {look.glyphs.down} {more}" if left > 0 else "", look.title)
        put(shown, below)
        return shown

    def scroll(self, rows: int) -> None:
        self._top = max(0, self._top + rows)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll(-3)


class EndScreen(ListScreen):
    """Scores, cities, who was who, the proof, and where to go from here."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "end.tcss"]
    AUTO_FOCUS = "#result"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_result(-5)", show=False),
        Binding("pagedown", "scroll_result(5)", show=False),
        Binding("up,left", "move(-1)", show=False),
        Binding("down,right", "move(1)", show=False),
        Binding("enter", "choose", show=False),
        *(Binding(f"{letter},{letter.upper()}", f"do('{letter}')", show=False) for letter in ACTIONS),
    ]

    def __init__(self, game: Game, result: str = usual("result")) -> None:
        """`result` is the key that leads back here from the table."""
        super().__init__()
        self.game = game
        self.cursor = "t"
        self._result = result
        self._verifying = False

    def compose(self) -> ComposeResult:
        yield EndView(self)
        yield Foot(self)

    def on_mount(self) -> None:
        super().on_mount()
        self._verify_closed()

    def _verify_closed(self) -> None:
        """Check the transcript once the record is closed."""
        if self.game.session.record_closed and not self._verifying:
            self._verifying = True
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
            game.course = course(game.session.transcript)
            self.app.call_from_thread(self.retell)

    def title_text(self) -> str:
        return self.game.status()

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("The crown marks the winner. A dot in the last column: not verified yet.")),
            say(msg("A letter does what stands beside it.")),
        ]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("Enter", say(msg("choose"))),
            ("PgUp PgDn", say(msg("scroll"))),
            ("L", say(msg("language"))),
            ("?", say(msg("help"))),
            ("Q", say(msg("leave"))),
        ]

    def rows(self) -> list[Row]:
        return []

    def doings(self) -> list[Doing]:
        """Where to go from here."""
        say = self.texts.say
        closed = self._file() is not None and self.game.session.record_closed
        proof = [Doing("v", say(msg("The proof in full")))] if closed else []
        table = Doing(
            "t", say(msg("See the table once more")), say(msg("{key} comes back here"), key=self._result)
        )
        review = [Doing("m", say(msg("Your biggest mistakes")), say(msg("a bot thinks them over")))]
        reviewed = review if proof and self.game.seat is not None else []
        return [table, *reviewed, *proof, *self._again(), Doing("q", say(msg("Leave the table")))]

    def _again(self) -> list[Doing]:
        """How the same people can go on."""
        if not self.program.may_rematch or not self.game.session.record_closed:
            return []
        say, game = self.texts.say, self.game
        if game.invitation is None and game.session.again is not None:
            kept = say(msg("the host has opened the next table and keeps your seat"))
            return [Doing("r", say(msg("Play again")), kept)]
        drawn = [Doing("d", say(msg("Play again, seats drawn anew")))] if game.invitation is not None else []
        return [Doing("r", say(msg("Play again")), say(msg("at the next table, the same people"))), *drawn]

    def _file(self) -> object:
        path = self.game.session.transcript
        return path if path is not None and path.exists() else None

    def updated(self, updates: Sequence[Update]) -> None:
        self._verify_closed()
        self.retell()

    def action_scroll_result(self, rows: int) -> None:
        self.query_one(EndView).scroll(rows)

    # What can be done

    def action_move(self, step: int) -> None:
        letters = [doing.letter for doing in self.doings()]
        here = letters.index(self.cursor) if self.cursor in letters else 0
        self.cursor = letters[(here + step) % len(letters)]
        self.retell()

    async def action_choose(self) -> None:
        await self.action_do(self.cursor)

    async def action_do(self, letter: str) -> None:
        """Do this, where it can be done now."""
        if any(doing.letter == letter for doing in self.doings()):
            await self.run_action(ACTIONS[letter])

    @on(Canvas.Pointed, "#result")
    async def _clicked(self, message: Canvas.Pointed) -> None:
        await self.action_do(message.hit.key)

    def action_review(self) -> None:
        """What one's moves have cost."""
        path = self.game.session.transcript
        if path is not None:
            self.app.push_screen(ThoughtScreen(review_of(lambda: load_recording(path))))

    @work(thread=True)
    def action_verify(self) -> None:
        """The report of verification."""
        path = self.game.session.transcript
        if path is not None:
            page = proof_page(self.texts, self.look, path)
            self.app.call_from_thread(self.app.push_screen, PageScreen(page))
