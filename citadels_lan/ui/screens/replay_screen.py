"""The replay of a game from its transcript, step by step, with all hands that the file has; and what it draws
beside the table: the bar of rounds, the chart of points, the pages of keys and points. Its pictures and films
need no terminal.
"""

import io
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment, Segments
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.presenter import recording as recordings
from citadels_lan.presenter.bot_hint import NoHint
from citadels_lan.presenter.recording import Recording, Retelling, as_text, asciicast, bars
from citadels_lan.presenter.status import mood
from citadels_lan.presenter.text_width import cut, pad
from citadels_lan.texts import msg
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.ui.screens.analysis import MistakesScreen, ThoughtScreen
from citadels_lan.ui.screens.rules import card
from citadels_lan.ui.table.arrangement import Contents, arrange, put
from citadels_lan.ui.table.bars import HintLine, LogView, TurnBar
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.commands import keys_of
from citadels_lan.ui.table.panels import hand, hand_inputs
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Canvas, Drawing, DrawnBy, Pen
from citadels_lan.ui.widgets.look import paragraphs, printed
from citadels_lan.ui.widgets.program import LinePrompt, PageScreen, ProgramScreen, ScreenCommand, bindings_of

Frame = Sequence[Strip]
"""The lines of a screen, each as wide as the screen."""
FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Matches the fonts that a picture would load from the network. Every reader has similar ones."""
TITLE: Final = "citadels-lan"
SPEED: Final = 2.0
"""Moves in a second of a film."""
LAST: Final = 3.0
"""Seconds for which a film shows its last picture."""
EMPTY: Final = "\x1b[2J\x1b[?25l"
"""Control codes for an empty terminal without a cursor."""
CURSOR: Final = "\x1b[?25h"
"""Control code that shows the cursor again."""


def frame(screen: Screen[None]) -> Frame:
    """Return a screen as lines of text. Canvases that have changed are drawn first."""
    return screen._compositor.render_strips(screen.size)


def as_svg(shown: Frame, title: str) -> str:
    """Return a frame as an SVG picture. Equal frames give equal pictures."""
    console = Console(
        file=io.StringIO(), width=shown[0].cell_length, height=len(shown), record=True,
        force_terminal=True, color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    for strip in shown:
        console.print(Segments([*strip, Segment.line()]), end="")
    return FONT_FACE.sub("", console.export_svg(title=title, unique_id="citadels"))


def changes(before: Frame | None, after: Frame) -> Iterator[str]:
    """Yield the codes that turn a terminal from `before` to `after`: the lines that differ."""
    for number, strip in enumerate(after):
        if before is None or before[number] != strip:
            segments = Strip(strip).simplify()  # neighbours of one style become one, which keeps films small
            codes = (style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
                     for text, style, _ in segments)  # fmt: skip
            yield f"\x1b[{number + 1};1H{''.join(codes)}"


KEYS: Final = keys_of("replay")
"""The keys in the line at the bottom, the most useful first, and what a click on each does."""
NAME = 12
"""Most cells of a name."""
WIDEST = 5
"""Most cells of a round, with the gap to the next one."""
TOTAL = 5
"""Cells of the points at the end of a line."""
HIGHEST = 4
"""Most lines of a player."""


PAGE: Final = 72
"""Cells of a chart on a page of its own."""


class ReplayScreen(ProgramScreen[None]):
    """Shows one step, with the hand of the player on move or of a chosen seat."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of("replay"),
        *(Binding(digit, f"type({digit})", show=False) for digit in "0123456789"),
    ]

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self.names = recordings.shown_names(recording)
        self.firsts = recordings.first_steps(recording.steps)
        self.points = recordings.points_by_round(recording.steps)
        self.step = 0
        self.hand: int | None = None
        self._typed = ""
        self._mapped = False

    @cached_property
    def attack_steps(self) -> list[int]:
        """The steps in which a player was attacked."""
        return [number for number, seats in enumerate(recordings.harmed(self.recording.steps)) if seats]

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
        yield DrawnBy("rounds", self.round_bar)
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

    # Contents

    def scene(self) -> Scene:
        played = self.recording.steps[self.step]
        seat = self.recording.owner
        if self.recording.open:
            seat = self.hand if self.hand is not None else played.seat or 0
        return Scene(played.state, seat, self.names, self.texts, self.look, keys={})

    @cached_property
    def told(self) -> Retelling:
        """The narration of the game in the current language."""
        return Retelling(self.recording, self.texts)

    def round_bar(self, width: int, height: int) -> Drawing:
        """Draw all rounds in a line, the current one in brackets; if they have no room, only its neighbours."""
        drawing, look, numbers, now = Drawing(), self.look, list(self.firsts), self.round
        pen = Pen(drawing).write(f" {self.texts.say('Rounds')} ", look.dim)
        labels = [f"[{number}]" if number == now else f" {number} " for number in numbers]
        fit = max(1, (width - pen.x - 4) // max(map(cell_len, labels)))
        first = max(0, min(numbers.index(now) - fit // 2, len(numbers) - fit))
        pen.write(look.glyphs.cut if first else "", look.dim)
        for number, label in list(zip(numbers, labels, strict=True))[first : first + fit]:
            pen.thing("round", str(number), label, look.title if number == now else None)
        pen.write(look.glyphs.cut if first + fit < len(numbers) else "", look.dim)
        return drawing

    def chart(self, width: int, height: int) -> Drawing:
        """Draw a title and a bar chart for each player: number, name, a block for each round, and the points of
        the current round. A click on a block is a hit of the kind `round`."""
        drawing, look, rounds, count = Drawing(), self.look, self.points, len(self.points)
        at = next((number for number, each in enumerate(rounds) if each.round == self.round), count - 1)
        title = msg("Final points") if rounds[at].final else msg("Points at the end of round {round}")
        said = f" {self.texts.say(title, round=rounds[at].round)}"
        Pen(drawing).write(cut(said, width, look.glyphs.cut), look.title)
        room = width - NAME - TOTAL - 5
        cells = max(1, min(WIDEST, room // count))
        fit = max(1, min(count, room // cells))
        first = max(0, min(at - fit + 1, count - fit))
        lines = max(1, min(HIGHEST, (height - 1) // len(self.names)))
        most = max(max(each.points) for each in rounds)
        for seat, name in enumerate(self.names):
            pens = [Pen(drawing).to(NAME + 4) for _ in range(lines - 1)]
            last = Pen(drawing).write(f" {seat + 1} ", look.title).write(pad(name, NAME, look.glyphs.cut))
            last.write(" ")
            for number, each in enumerate(rounds[first : first + fit], first):
                style = look.dim if number > at else look.strong if number == at else look.accent
                blocks = bars(each.points[seat], most, look.glyphs.heights, lines)
                for pen, block in zip((*pens, last), blocks, strict=True):
                    pen.thing("round", str(each.round), block * max(cells - 1, 1), style)
                    pen.write(" " if cells > 1 else "")
            last.write(f"{rounds[at].points[seat]:>{TOTAL - 1}}", look.bold)
        return drawing

    def _status(self) -> str:
        say, last = self.texts.say, len(self.recording.steps)
        if self._typed:
            return say("Move {typed} of {moves}: G goes there, Esc cancels.", typed=self._typed, moves=last)
        where = say("Move {move} of {moves}", move=self.step + 1, moves=last)
        end = recordings.STOPS if not self.recording.finished else NO_WINNER if not self.recording.won else ""
        stops = say(end) if end and self.step == last - 1 else ""
        return " ".join(filter(None, (f"{where}:", self.told.of(self.step), stops)))

    def retell(self) -> None:
        """Show everything again in another language."""
        vars(self).pop("told", None)
        self._tell()

    def _tell(self) -> None:
        """Show another step of the game."""
        self.query_one(LogView).add(self.told.until(self.step), again=True)
        self._redraw()

    def _redraw(self) -> None:
        """Show the scene of the present step."""
        scene = self.scene()
        said = (self._status(),) * 2  # a single sentence of the bar has no name in front
        self.query_one(TurnBar).show(scene, said, mood(scene.view, None), "", "")
        keys = [(row.key, row.does) for row in KEYS if row.when == "always" or scene.shared]
        self.query_one(HintLine).show(scene, keys, "")
        for part in ("#table", "#city", "#hand"):
            self.query_one(part, SceneView).show(scene)
        for drawn in self.query(DrawnBy):
            drawn.redraw()

    # Moving through the game

    def show(self, step: int) -> None:
        """Show a step; a number out of range means the first or the last one."""
        before, self.step = self.step, max(0, min(step, len(self.recording.steps) - 1))
        self._typed = ""
        self.say("")
        if self.step == before + 1:
            self.query_one(LogView).add(self.told.steps[self.step])
            self._redraw()
        else:
            self._tell()

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
            self.say(self.texts.say("Type the number of a move, then G."))

    def action_next_attack(self) -> None:
        """Go to the next step in which a player was attacked."""
        found = next((step for step in self.attack_steps if step > self.step), None)
        if found is None:
            self.say(self.texts.say("No later move harms a player."))
        else:
            self.show(found)

    def action_next_hand(self) -> None:
        """Show the next player's hand, and after the last player the hand of the player on move."""
        if not self.recording.open:
            self.say(recordings.known_hands(self.recording, self.names, self.texts))
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
        for row in sorted(KEYS, key=lambda row: row.action != "help"):
            if not row.action.startswith("app.") and (row.when == "always" or self.scene().shared):
                yield ScreenCommand(row.key, row.does, row.action)

    def action_help(self) -> None:
        """Show the keys of a replay, the effects of clicks, and the known hands."""
        say, title = self.texts.say, self.look.title
        page = Text(say("Replay keys"), title).append("\n\n")
        for row in keys_of("replay_help"):
            named = " ".join(printed(self.texts, part) for part in row.key.split())
            page.append(f"{named:>11}  ", title).append(f"{say(row.does)}\n", "not bold default")
        known = recordings.known_hands(self.recording, self.names, self.texts)
        clicks = msg("Click a round to go there, a player to see the hand, a card to read it.")
        page.append(f"\n{say(clicks)}\n\n{known}", "not bold default")
        self.app.push_screen(PageScreen(page))

    def action_points(self) -> None:
        """Show the chart, and below it the numbers."""
        say, look = self.texts.say, self.look
        page = Text("\n").join(self.chart(min(PAGE, self.size.width - 8), 1).lines).append("\n\n")
        page.append(f"{say('Rounds'):>8} ", look.dim)
        page.append("".join(f"{seat + 1:>5}" for seat in range(len(self.names))), look.title)
        for each in self.points:
            page.append(f"\n{each.round:>8} ", look.dim)
            page.append("".join(f"{points:>5}" for points in each.points), "not bold default")
        if self.points[-1].final:
            page.append(f"\n\n{say('The last line shows the final points.')}", look.dim)
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
        """Let the reader look for better moves in place of the mistakes of the player whose hand is shown, or
        of the owner of the file."""
        seat = self.hand if self.recording.open and self.hand is not None else self.recording.seat
        if seat is None:
            self.say(self.texts.say("Whose moves? Press Tab to select a player."))
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
        await self.run_action(next(row.action for row in KEYS if row.key == message.hit.key))

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
            self.say(texts.say("The name must end in .txt, .svg or .cast."))
            return
        try:
            recordings.save(path, make())
        except OSError as reason:
            self.say(recordings.not_saved(texts, path, reason))
        else:
            self.say(texts.say("Saved: {path}", path=path))

    def picture(self) -> Iterator[str]:
        """Yield the present screen as SVG."""
        yield as_svg(frame(self), TITLE)

    def film(self, speed: float = SPEED) -> Iterator[str]:
        """Yield the whole game as an asciicast, with `speed` moves in a second. Afterwards the screen shows
        its step again."""
        step = self.step
        yield from asciicast(*self.size, TITLE, self._frames(speed))
        self.show(step)

    def _frames(self, speed: float) -> Iterator[tuple[float, str]]:
        """Yield the codes that show each step, each with its time in seconds."""
        before: Frame | None = None
        for step in range(len(self.recording.steps)):
            self.show(step)
            now = frame(self)
            yield step / speed, "".join((EMPTY if before is None else "", *changes(before, now)))
            before = now
        yield len(self.recording.steps) / speed + LAST, CURSOR
