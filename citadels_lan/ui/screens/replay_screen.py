"""The replay of a game from its transcript, step by step, with all hands that the file reveals. The screen
also shows the bar of rounds and the chart of points, and it can make pictures and films without a
terminal."""

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
"""The content of a screen at one moment: its lines, each as wide as the screen."""
FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Matches the part of Textual's SVG that loads fonts from the network. It is removed; viewers use similar
fonts of their own."""
TITLE: Final = "citadels-lan"
SPEED: Final = 2.0
"""How many moves a film shows in a second, by default."""
LAST: Final = 3.0
"""How many seconds a film shows its last picture."""
EMPTY: Final = "\x1b[2J\x1b[?25l"
"""Control codes that clear a terminal and hide the cursor."""
CURSOR: Final = "\x1b[?25h"
"""Control code that shows the cursor again."""


def frame(screen: Screen[None]) -> Frame:
    """Return the present content of a screen as lines. Canvases that have changed are drawn first."""
    return screen._compositor.render_strips(screen.size)


def as_svg(shown: Frame, title: str) -> str:
    """Return a screen's content as an SVG picture. Equal contents give equal pictures."""
    console = Console(
        file=io.StringIO(), width=shown[0].cell_length, height=len(shown), record=True,
        force_terminal=True, color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    for strip in shown:
        console.print(Segments([*strip, Segment.line()]), end="")
    return FONT_FACE.sub("", console.export_svg(title=title, unique_id="citadels"))


def changes(before: Frame | None, after: Frame) -> Iterator[str]:
    """Yield the control codes that change the terminal's content from `before` to `after`. Only lines that
    differ are written."""
    for number, strip in enumerate(after):
        if before is None or before[number] != strip:
            segments = Strip(strip).simplify()  # neighbours of one style become one, which keeps films small
            codes = (style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
                     for text, style, _ in segments)  # fmt: skip
            yield f"\x1b[{number + 1};1H{''.join(codes)}"


KEYS: Final = keys_of("replay")
"""The keys in the last line, the most useful first, and the action of each."""
NAME = 12
"""Most cells of a name."""
WIDEST = 5
"""Most cells of a round in the bar of rounds, including the gap after it."""
TOTAL = 5
"""Cells of the points at the end of a line of the chart."""
HIGHEST = 4
"""Most lines of a player in the chart."""


PAGE: Final = 72
"""Cells of the chart on its own page."""


class ReplayScreen(ProgramScreen[None]):
    """Shows one step of a game, with the hand of the player who moves, or of a player that the reader has
    chosen."""

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
        """The numbers of the steps in which a player was attacked."""
        return [number for number, seats in enumerate(recordings.harmed(self.recording.steps)) if seats]

    @property
    def round(self) -> int:
        """The round of the present step. The deal belongs to the first round."""
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
        """Place the parts of the screen as at the table, with the chart of points in place of the
        question."""
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
        """The log lines of the game in the present language."""
        return Retelling(self.recording, self.texts)

    def round_bar(self, width: int, height: int) -> Drawing:
        """Draw the numbers of all rounds in a line, the present one in brackets. If there is not enough room,
        draw only the rounds near it."""
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
        """Draw a bar chart for each player: number, name, a block for the points in each round, and the
        points in the present round. Each block can be clicked, as a part of the kind `round`."""
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
        """Show the log and the table after a change of the step."""
        self.query_one(LogView).add(self.told.until(self.step), again=True)
        self._redraw()

    def _redraw(self) -> None:
        """Draw the present step again."""
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
        """Show the step with this number; the first or last step if there is no such number."""
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
        """Go to the first step of the next or previous round. If there is none, go to the first or last step
        of the game."""
        ends = 0 if direction < 0 else len(self.recording.steps) - 1
        self.show(self.firsts.get(self.round + direction, ends))

    def action_type(self, digit: int) -> None:
        """Add a digit to the number of the step to go to."""
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
        """Show the hand of the next player. After the last player, follow the player who moves again."""
        if not self.recording.open:
            self.say(recordings.known_hands(self.recording, self.names, self.texts))
            return
        following = 0 if self.hand is None else self.hand + 1
        self.hand = following if following < len(self.names) else None
        self._redraw()

    def action_map(self) -> None:
        """If there is no room for both, switch between the players and the common city."""
        self._mapped = not self._mapped
        self._place()

    def action_back(self) -> None:
        """Discard the typed number. If none was typed, leave the replay."""
        if self._typed:
            self.show(self.step)
        else:
            self.dismiss()

    # Pages

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands of this screen, help first."""
        for row in sorted(KEYS, key=lambda row: row.action != "help"):
            if not row.action.startswith("app.") and (row.when == "always" or self.scene().shared):
                yield ScreenCommand(row.key, row.does, row.action)

    def action_help(self) -> None:
        """Show a page about the keys and clicks of a replay, and whose hands are known."""
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
        """Show a page with the chart, and the points as numbers below it."""
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
        """Show a bot's estimate of this move, made from what its player could know."""

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
        """Show the mistakes of a player as exercises: of the player whose hand is shown, otherwise of the
        owner of the file."""
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
        """Yield the lines of an SVG picture of the present screen."""
        yield as_svg(frame(self), TITLE)

    def film(self, speed: float = SPEED) -> Iterator[str]:
        """Yield the lines of an asciicast, a recording of a terminal, of the whole game, with `speed` moves
        per second. Afterwards the screen shows the same step as before."""
        step = self.step
        yield from asciicast(*self.size, TITLE, self._frames(speed))
        self.show(step)

    def _frames(self, speed: float) -> Iterator[tuple[float, str]]:
        """Yield the control codes that show each step, with its time in seconds."""
        before: Frame | None = None
        for step in range(len(self.recording.steps)):
            self.show(step)
            now = frame(self)
            yield step / speed, "".join((EMPTY if before is None else "", *changes(before, now)))
            before = now
        yield len(self.recording.steps) / speed + LAST, CURSOR
