"""The replay of a game from its transcript, step by step, with all hands that the file has."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region

from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.presenter.bot_hint import NoHint
from citadels_lan.presenter.recording import (
    STOPS,
    Recording,
    Retelling,
    as_text,
    first_steps,
    harmed,
    known_hands,
    not_saved,
    points_by_round,
    save,
    shown_names,
)
from citadels_lan.presenter.status import mood
from citadels_lan.texts import msg
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.ui.screens.explain import card
from citadels_lan.ui.screens.mistakes import MistakesScreen
from citadels_lan.ui.screens.thought import ThoughtScreen
from citadels_lan.ui.table.arrangement import Contents, arrange, put
from citadels_lan.ui.table.bars import HintLine, TurnBar
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.hand import hand, hand_inputs
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.page import LinePrompt, PageScreen, paragraphs
from citadels_lan.ui.widgets.program import ProgramScreen, ScreenCommand

from .drawing import KEYS, help_page, points_chart, points_page, round_bar
from .film import SPEED, TITLE, as_svg, film, frame

PAGE: Final = 72
"""Cells of a chart on a page of its own."""


class ReplayScreen(ProgramScreen[None]):
    """Shows one step, with the hand of the player on move or of a chosen seat."""

    CSS_PATH = "../table.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "go(1)", show=False, priority=True),
        Binding("left,backspace", "go(-1)", show=False, priority=True),
        Binding("pagedown,down", "round(1)", show=False, priority=True),
        Binding("pageup,up", "round(-1)", show=False, priority=True),
        Binding("home", "jump(0)", show=False, priority=True),
        Binding("end", "jump(-1)", show=False, priority=True),
        Binding("tab", "next_hand", show=False, priority=True),
        Binding("g,G,enter", "to_typed", show=False),
        Binding("h,H", "next_blow", show=False),
        Binding("w,W", "why", show=False),
        Binding("c,C", "review", show=False),
        Binding("p,P", "points", show=False),
        Binding("m,M", "map", show=False),
        Binding("x,X", "save", show=False),
        Binding("l,L", "app.switch_language", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("escape,q,Q", "back", show=False),
        *(Binding(digit, f"type({digit})", show=False) for digit in "0123456789"),
    ]

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self.names = shown_names(recording)
        self.firsts = first_steps(recording.steps)
        self.points = points_by_round(recording.steps)
        self.step = 0
        self.hand: int | None = None
        self._typed = ""
        self._mapped = False
        self._told: tuple[str, Retelling] | None = None

    @cached_property
    def blows(self) -> list[int]:
        """The steps in which a player was attacked."""
        return [number for number, seats in enumerate(harmed(self.recording.steps)) if seats]

    @property
    def round(self) -> int:
        """The round of this step. The deal belongs to the first round."""
        return max(self.recording.steps[self.step].state.round, 1)

    def compose(self) -> ComposeResult:
        yield TurnBar()
        yield SceneView(board, id="table", points=True)
        yield SceneView(common_city, id="city", points=True)
        yield SceneView(hand, hand_inputs, id="hand", points=True)
        yield DrawnBy("points", self.chart)
        yield LogView()
        yield DrawnBy("rounds", self._rounds)
        yield HintLine()

    def on_mount(self) -> None:
        self._place()
        self.retell()

    def on_resize(self) -> None:
        self._place()

    def _place(self) -> None:
        """Place the parts as at the table. The chart of points replaces the question."""
        width, height = self.app.size
        scene = self.scene()
        names = len(scene.edition.districts) if scene.shared else 0
        parts = arrange(width, height - 1, Contents(len(self.names), names, self._mapped))
        # The bar of rounds gets the last line of the table, and the hints the line below it.
        question, hints = parts.pop("question"), parts["hints"]
        parts["rounds"], parts["hints"] = hints, Region(0, height - 1, width, 1)
        if "log" not in parts:
            parts["log"] = question
        else:
            parts["points"] = question
            log = parts["log"]
            parts["log"] = Region(log.x, log.y, log.width, hints.y - log.y)
        put(self.query(Canvas), parts)
        self._redraw()

    # What it shows

    def scene(self) -> Scene:
        played = self.recording.steps[self.step]
        seat = self.recording.owner
        if self.recording.open:
            seat = self.hand if self.hand is not None else played.seat or 0
        return Scene(played.state, seat, self.names, self.texts, self.look, keys={})

    @property
    def told(self) -> Retelling:
        """The narration of the game in the current language."""
        texts = self.texts
        if self._told is None or self._told[0] != texts.language:
            self._told = (texts.language, Retelling(self.recording, texts))
        return self._told[1]

    def chart(self, width: int, height: int) -> Drawing:
        """Draw the points of all rounds."""
        return points_chart(self.texts, self.look, self.names, self.points, (width, height), self.round)

    def _rounds(self, width: int, height: int) -> Drawing:
        return round_bar(self.texts, self.look, self.firsts, self.round, width)

    def _status(self) -> str:
        say, last = self.texts.say, len(self.recording.steps)
        if self._typed:
            typed = msg("To move {typed} of {moves}: G goes there, Esc does not.")
            return say(typed, typed=self._typed, moves=last)
        where = say(msg("Move {move} of {moves}"), move=self.step + 1, moves=last)
        end = STOPS if not self.recording.finished else NO_WINNER if not self.recording.won else ""
        stops = say(end) if end and self.step == last - 1 else ""
        return " ".join(filter(None, (f"{where}:", self.told.of(self.step), stops)))

    def retell(self) -> None:
        """Show everything again: another step, or another language."""
        self.query_one(LogView).add(self.told.until(self.step), again=True)
        self._redraw()

    def _redraw(self) -> None:
        """Show the scene of this step."""
        scene = self.scene()
        said = (self._status(),) * 2  # the bar removes the name before a single sentence
        self.query_one(TurnBar).show(scene, said, mood(scene.view, None), "", "")
        keys = [(key, meaning) for key, meaning, _ in KEYS if key != "M" or scene.shared]
        self.query_one(HintLine).show(scene, keys, "")
        for part in ("#table", "#city", "#hand"):
            self.query_one(part, SceneView).show(scene)
        for drawn in self.query(DrawnBy):
            drawn.redraw()

    # Going

    def show(self, step: int) -> None:
        """Show a step; a number out of range means the first or the last one."""
        before, self.step = self.step, max(0, min(step, len(self.recording.steps) - 1))
        self._typed = ""
        self.say("")
        if self.step == before + 1:
            self.query_one(LogView).add(self.told.steps[self.step])
            self._redraw()
        else:
            self.retell()

    def action_go(self, steps: int) -> None:
        self.show(self.step + steps)

    def action_jump(self, step: int) -> None:
        self.show(step % len(self.recording.steps))

    def action_round(self, direction: int) -> None:
        """Go to the first step of the next or previous round, or to the first or last step of the game."""
        ends = 0 if direction < 0 else len(self.recording.steps) - 1
        self.show(self.firsts.get(self.round + direction, ends))

    def action_type(self, digit: int) -> None:
        """Append a digit to the number of the move to go to."""
        self._typed = f"{self._typed}{digit}".lstrip("0")[:5]
        self._redraw()

    def action_to_typed(self) -> None:
        if self._typed:
            self.show(int(self._typed) - 1)
        else:
            self.say(self.texts.say(msg("Type the number of a move, then G.")))

    def action_next_blow(self) -> None:
        """Go to the next step in which a player was attacked."""
        found = next((step for step in self.blows if step > self.step), None)
        if found is None:
            self.say(self.texts.say(msg("No later move harms a player.")))
        else:
            self.show(found)

    def action_next_hand(self) -> None:
        """Show the next player's hand, and after the last player the hand of the player on move."""
        if not self.recording.open:
            self.say(known_hands(self.recording, self.names, self.texts))
            return
        following = 0 if self.hand is None else self.hand + 1
        self.hand = following if following < len(self.names) else None
        self._redraw()

    def action_map(self) -> None:
        """Swap the players and the common city if there is no room for both."""
        self._mapped = not self._mapped
        self._place()

    def action_back(self) -> None:
        """Discard the typed number, or else leave the replay."""
        if self._typed:
            self.show(self.step)
        else:
            self.dismiss()

    # Pages

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands of the keys, help first."""
        for key, title, action in sorted(KEYS, key=lambda row: row[2] != "help"):
            if not action.startswith("app.") and (key != "M" or self.scene().shared):
                yield ScreenCommand(key, title, action)

    def action_help(self) -> None:
        known = known_hands(self.recording, self.names, self.texts)
        self.app.push_screen(PageScreen(help_page(self.texts, self.look, known)))

    def action_points(self) -> None:
        chart = self.chart(min(PAGE, self.size.width - 8), 1)
        page = points_page(self.texts, self.look, self.names, self.points, chart)
        self.app.push_screen(PageScreen(page, ("p", "P")))

    def action_why(self) -> None:
        """Show how a bot rates this move, from what its player could know."""

        async def think(_: ThoughtScreen) -> Text:
            from citadels_lan.presenter.review import explain, explanation_lines

            try:
                decision, moves = await explain(self.program.thinking, self.recording, self.step)
            except NoHint as none:
                return paragraphs(self.look, self.texts.say(none.why), [])
            title, *lines = explanation_lines(self.texts, decision, moves, self.names)
            return paragraphs(self.look, title, ["\n".join(lines).strip()])

        self.app.push_screen(ThoughtScreen(think))

    def action_review(self) -> None:
        """Let the reader improve the mistakes of the player whose hand is shown, or of the owner of the file."""
        seat = self.hand if self.recording.open and self.hand is not None else self.recording.seat
        if seat is None:
            self.say(self.texts.say(msg("Whose moves? Tab shows the hand of a player.")))
            return
        self.app.push_screen(MistakesScreen(lambda: self.recording, seat))

    # The mouse

    @on(Canvas.Pointed, "#rounds,#points")
    def _round_clicked(self, message: Canvas.Pointed) -> None:
        self.show(self.firsts[int(message.hit.key)])

    @on(Canvas.Pointed, "#table,#city,#hand")
    def _clicked(self, message: Canvas.Pointed) -> None:
        """Show the hand of a clicked player, or the page of a clicked card."""
        key = message.hit.key
        if message.hit.kind == "player" and self.recording.open:
            self.hand = int(key)
            self._redraw()
        elif key in CHARACTERS or key in DISTRICTS:
            program, scene = self.program, self.scene()
            self.app.push_screen(PageScreen(card(program.texts, program.look, scene.edition, key)))

    @on(Canvas.Pointed, "#hints")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        await self.run_action(next(action for key, _, action in KEYS if key == message.hit.key))

    # Saving

    def action_save(self) -> None:
        say = self.texts.say
        asked = msg("Save to which file? .txt: the game in sentences, .svg: this picture, .cast: a film")
        self.app.push_screen(LinePrompt(say(asked), f"{self.recording.path.stem}.txt"), self._save)

    def _save(self, answer: str | None) -> None:
        if not answer:
            return
        path, texts = Path(answer).expanduser(), self.texts
        makers = {".txt": lambda: as_text(self.recording, texts), ".svg": self.picture, ".cast": self.film}
        if (make := makers.get(path.suffix)) is None:
            self.say(texts.say(msg("The name must end in .txt, .svg or .cast.")))
            return
        try:
            save(path, make())
        except OSError as reason:
            self.say(not_saved(texts, path, reason))
        else:
            self.say(texts.say(msg("Saved: {path}"), path=path))

    def picture(self) -> Iterator[str]:
        """What is shown, as SVG."""
        yield as_svg(frame(self), TITLE)

    def film(self, speed: float = SPEED) -> Iterator[str]:
        """The whole game as an asciicast. After it the screen is where it was."""
        step = self.step
        yield from film(self, self.show, range(len(self.recording.steps)), speed)
        self.show(step)
