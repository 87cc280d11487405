"""The mistakes of a player: shows the position of each one, and lets the player look for a better choice."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from citadels_lan.engine import Action, decisions, parse
from citadels_lan.presenter.bot_hint import THINKING, NoHint
from citadels_lan.presenter.prompt.keys import CardLetters
from citadels_lan.presenter.prompt.menu import give_letters, menu
from citadels_lan.presenter.status import mood
from citadels_lan.texts import msg
from citadels_lan.ui.table.arrangement import Contents, arrange, left_of, put
from citadels_lan.ui.table.bars import HintLine, TurnBar
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.commands import keys_of
from citadels_lan.ui.table.panels import draft, hand, hand_inputs, hand_lines, lesson, lesson_lines
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.program import ProgramScreen

if TYPE_CHECKING:
    from citadels_lan.bots.search.reviews import Decision
    from citadels_lan.presenter.recording import Recording
    from citadels_lan.presenter.review import Exercise

KEYS: Final = keys_of("mistakes")
"""The keys in the last line, and what a click on each does."""


class MistakesScreen(ProgramScreen[None]):
    """Shows the positions of a player's mistakes one after another, with the choices that the player had."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = "#question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False, priority=True),
        *(Binding(row.key, row.action, show=False) for row in KEYS if len(row.key) == 1),
    ]

    def __init__(self, load: "Callable[[], Recording]", seat: int | None = None) -> None:
        """`load` reads the game; `seat` is the player, by default the owner of the file."""
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
        """The mistake that is shown; None before mistakes are found, and if there is none."""
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
        self._say(self.texts.say(msg("Analyzing: {percent} %"), percent=round(100 * share)))

    # What it shows

    def _show_exercise(self, place: int) -> None:
        self._place = place
        self.retell()

    def retell(self) -> None:
        """Ask the question of this mistake again."""
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
        """The position as the player knew it; None before there is one."""
        if (exercise := self.exercise) is None:
            return None
        at = exercise.mistake.decision
        named, letters = self._letters(at), defaultdict[str, list[str]](list)
        for card, letter in zip(named.cards, named.letters, strict=True):
            letters[card].append(letter)
        return Scene(at.view, at.seat, exercise.names, self.texts, self.look, letters=letters,
                     places=self.panel.places, lesson=self._text)  # fmt: skip

    def _say(self, text: str) -> None:
        """Show a text above the choices, and everything again."""
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
        for beside in ("detail", "log"):  # the question gets the room of what stands beside it
            if beside in parts and parts[beside].y == parts["question"].y:
                parts["question"] = parts["question"].union(parts.pop(beside))
        put(self.query(Canvas), parts)
        title = self.texts.say(msg("Learn from mistakes"))
        self.query_one(TurnBar).show(scene, (title,), mood(scene.view, scene.seat), "", "")
        keys = [(row.key, row.does) for row in KEYS if row.when == "always" or scene.shared]
        self.query_one(HintLine).show(scene, keys, "")
        for part in ("#table", "#city", "#draft", "#hand", "#lesson"):
            self.query_one(part, SceneView).show(scene)
        self.panel.show(scene, None)

    # What the player does

    @on(QuestionPanel.Chosen)
    def _chosen(self, message: QuestionPanel.Chosen) -> None:
        if self.exercise is not None and not self._trying:
            self._try(self.exercise, message.action)

    @work
    async def _try(self, exercise: "Exercise", action: Action) -> None:
        """Weigh a choice of the player."""
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
        """Show the next mistake; after the last one, leave."""
        if self._place + 1 < len(self._exercises):
            self._show_exercise(self._place + 1)
        else:
            self.dismiss()

    def action_back(self) -> None:
        """Go one step back in the question, or leave."""
        if self.panel.asking.begun:
            self.panel.press("escape")
        else:
            self.dismiss()

    def action_map(self) -> None:
        """Show the common city instead of the players where there is no room for both, or the players again."""
        self._mapped = not self._mapped
        self._redraw()

    def action_press(self, key: str) -> None:
        """Answer the question with a key."""
        self.panel.press(key)

    @on(Canvas.Pointed, "#hints")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        await self.run_action(next(row.action for row in KEYS if row.key == message.hit.key))
