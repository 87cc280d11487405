"""The analysis of a game by a bot: hints and reviews with their progress, and mistakes as exercises. Also the
report of a verification."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from rich.cells import cell_len
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from citadels_lan.engine import Action, decisions, parse
from citadels_lan.presenter.bot_hint import THINKING, NoHint, advise
from citadels_lan.presenter.error_messages import REFUSED, why
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.keys import CardLetters, by_card
from citadels_lan.presenter.prompt.menu import give_letters, menu
from citadels_lan.presenter.status import mood
from citadels_lan.presenter.text_width import wrap
from citadels_lan.texts import Texts
from citadels_lan.ui.table.arrangement import Contents, arrange, left_of, put
from citadels_lan.ui.table.bars import HintLine, TurnBar
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.commands import keys_of
from citadels_lan.ui.table.panels import draft, hand, hand_inputs, hand_lines, lesson, lesson_lines
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.look import Look, paragraphs
from citadels_lan.ui.widgets.program import PageScreen, ProgramScreen, program

if TYPE_CHECKING:
    from citadels_lan.bots.search.reviews import Decision
    from citadels_lan.presenter.recording import Recording
    from citadels_lan.presenter.review import Exercise

WIDTH: Final = 68
"""Cells of a line of text on a page with a scroll bar."""
Think: TypeAlias = Callable[["ThoughtScreen"], Awaitable[Text]]


class ThoughtScreen(PageScreen):
    """Shows the progress, and then the result, of `think`, a computation that takes some time."""

    CSS_PATH = "../widgets/page.tcss"

    def __init__(self, think: Think) -> None:
        super().__init__(Text())
        self._think_it = think

    def on_mount(self) -> None:
        self.told(0.0)
        self._think()

    def told(self, share: float) -> None:
        """Show the progress of the computation: `share` is between 0 and 1."""
        say = program(self.app).texts.say
        far = say("Analysing: {percent}%", percent=round(100 * share)) if share else say(THINKING)
        self.query_one(Static).update(Text(f"{far}\n\n{say('Esc: cancel')}"))

    @work
    async def _think(self) -> None:
        self.text = await self._think_it(self)
        self.query_one(Static).update(self.text)


def hint_of(game: Game) -> Think:
    """Return a function that computes a hint for a `ThoughtScreen`: a bot's best move, and the other moves.
    All players are informed that this player asks for a hint."""

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
    """Return the full report about a transcript. This takes a moment, so run it in a thread."""
    from citadels_lan.crypto.report.report_text import text
    from citadels_lan.crypto.report.verify import verify

    report = "\n".join(narrowed(text(verify([path]), texts.say).split("\n"), WIDTH))
    return paragraphs(look, texts.say("Check result"), [report])


def narrowed(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield the lines wrapped to `width` cells. The text after a label stays aligned; a word that has no room
    after its label gets its own line."""
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


# Mistakes

KEYS: Final = keys_of("mistakes")
"""The keys in the last line, and what a click on each does."""


class MistakesScreen(ProgramScreen[None]):
    """Shows a player's mistakes in a game one after another, each with the position and the choices that the
    player had."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = "#question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False, priority=True),
        *(Binding(row.key, row.action, show=False) for row in KEYS if len(row.key) == 1),
    ]

    def __init__(self, load: "Callable[[], Recording]", seat: int | None = None) -> None:
        """`load` returns the recording of the game. `seat` is the player whose mistakes are shown; if it is
        None, the owner of the file."""
        super().__init__()
        self._load = load
        self._seat = seat
        self._exercises: list[Exercise] = []
        self._place = 0
        self._text = ""
        self._trying = self._mapped = False
        self.panel = QuestionPanel(lambda: self.program.clock())  # noqa: PLW0108 - the app is not known yet

    def compose(self) -> ComposeResult:
        yield TurnBar()
        yield SceneView(board, id="table")
        yield SceneView(common_city, id="city")
        yield SceneView(draft, id="draft")
        yield SceneView(hand, hand_inputs, id="hand")
        yield SceneView(lesson, id="lesson")
        yield self.panel
        yield HintLine()
        yield Static(id="thinking", markup=False)

    def on_mount(self) -> None:
        self._say(self.texts.say(THINKING))
        self._review()

    @property
    def exercise(self) -> "Exercise | None":
        """The mistake that is shown; None before the mistakes were found, and if there are none."""
        return self._exercises[self._place] if self._exercises else None

    @work
    async def _review(self) -> None:
        """Find the mistakes, and show the first one."""
        from citadels_lan.bots.search.reviews import review
        from citadels_lan.presenter.recording import shown_names
        from citadels_lan.presenter.review import NO_MISTAKE, decided, exercises

        recording = await asyncio.to_thread(self._load)
        seat = recording.seat if self._seat is None else self._seat
        own = [] if seat is None else await asyncio.to_thread(lambda: list(decided(recording, seat)))
        found = await review(self.program.thinking, own, self._thinking)
        self._exercises = exercises(found, shown_names(recording))
        if self._exercises:
            self._show_exercise(0)
        else:
            self._say(self.texts.say(NO_MISTAKE))

    def _thinking(self, share: float) -> None:
        self._say(self.texts.say("Analysing: {percent}%", percent=round(100 * share)))

    # Contents

    def _show_exercise(self, place: int) -> None:
        self._place = place
        self.retell()

    def retell(self) -> None:
        """Show the question about the present mistake again, for example in another language."""
        if (exercise := self.exercise) is not None:
            at = exercise.mistake.decision
            choices, action = decisions(at.view)[at.seat], parse(at.line, at.seat)
            letters = self._letters(at)
            self.panel.ask(menu(self.texts, at.view, at.seat, exercise.names, choices, letters, action), choices)
            self._say(exercise.question(self.texts))

    def _letters(self, at: "Decision") -> CardLetters:
        letters = CardLetters()
        give_letters(letters, at.view, at.seat, decisions(at.view)[at.seat])
        return letters

    def scene(self) -> Scene | None:
        """Return the position as the player could see it; None before a mistake is shown."""
        if (exercise := self.exercise) is None:
            return None
        at = exercise.mistake.decision
        named = self._letters(at)
        letters = by_card(named.cards, named.letters)
        return Scene(at.view, at.seat, exercise.names, self.texts, self.look, letters=letters,
                     places=self.panel.places, lesson=self._text)  # fmt: skip

    def _say(self, text: str) -> None:
        """Show a text above the choices, and draw the screen again."""
        self._text = text
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    @on(QuestionPanel.Moved)
    def _redraw(self) -> None:
        (width, height), scene = self.app.size, self.scene()
        thinking = self.query_one("#thinking", Static)
        thinking.display = scene is None
        if scene is None:
            put(self.query(Canvas), {})
            thinking.update(self._text)
            return
        drafting = scene.view.phase == "draft"
        lines = lesson_lines(scene, left_of(width, height))
        rows = len(self.panel.asking.menu.items) + 2 if drafting else 0
        names, cards = len(scene.edition.districts) if scene.shared else 0, hand_lines(scene, width)
        contents = Contents(len(scene.names), names, self._mapped, drafting=drafting, choices=rows, lesson=lines,
                            cast=0, hand=cards)  # fmt: skip
        parts = arrange(width, height, contents)
        for beside in ("detail", "log"):  # the question also gets the room of the frame beside it
            if beside in parts and parts[beside].y == parts["question"].y:
                parts["question"] = parts["question"].union(parts.pop(beside))
        put(self.query(Canvas), parts)
        title = self.texts.say("Learn from mistakes")
        self.query_one(TurnBar).show(scene, (title,), mood(scene.view, scene.seat), "", "")
        keys = [(row.key, row.does) for row in KEYS if row.when == "always" or scene.shared]
        self.query_one(HintLine).show(scene, keys, "")
        for part in ("#table", "#city", "#draft", "#hand", "#lesson"):
            self.query_one(part, SceneView).show(scene)
        self.panel.show(scene, None)

    # Actions

    @on(QuestionPanel.Chosen)
    def _chosen(self, message: QuestionPanel.Chosen) -> None:
        if self.exercise is not None and not self._trying:
            self._try(self.exercise, message.action)

    @work
    async def _try(self, exercise: "Exercise", action: Action) -> None:
        """Evaluate a choice that the user tries in place of the mistake, and show the result."""
        self._trying = True
        self._say(self.texts.say(THINKING))
        try:
            text, _ = await exercise.judge(self.texts, self.program.thinking, action)
        except NoHint as none:
            text = self.texts.say(none.why)
        finally:
            self._trying = False
        if exercise is self.exercise:
            self._say(text)

    def action_solution(self) -> None:
        if self.exercise is not None:
            self._say(self.exercise.solution(self.texts))

    def action_next(self) -> None:
        """Show the next mistake; after the last one, leave the screen."""
        if self._place + 1 < len(self._exercises):
            self._show_exercise(self._place + 1)
        else:
            self.dismiss()

    def action_back(self) -> None:
        """Go back one step in the question; if there is none, leave the screen."""
        if self.panel.asking.begun:
            self.panel.press("escape")
        else:
            self.dismiss()

    def action_map(self) -> None:
        """If there is no room for both, switch between the players and the common city."""
        self._mapped = not self._mapped
        self._redraw()

    def action_press(self, key: str) -> None:
        """Answer the question with a key."""
        self.panel.press(key)

    @on(Canvas.Pointed, "#hints")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        await self.run_action(next(row.action for row in KEYS if row.key == message.hit.key))
