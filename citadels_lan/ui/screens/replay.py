"""A finished game, step by step, with all hands open."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import Screen

from citadels_lan.engine import edition_of, redact, seat_name
from citadels_lan.front.cells import clean
from citadels_lan.front.log import Log
from citadels_lan.front.recording import Recording
from citadels_lan.front.shown.stage import mood
from citadels_lan.texts import msg
from citadels_lan.ui.table.arrangement import Contents, arrange
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.table.views import CityView, HandView, HintLine, TableView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.program import Program, program


class ReplayScreen(Screen[None]):
    """Shows one step; the hand is that of whoever moves, or of the seat chosen."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "go(1)", show=False, priority=True),
        Binding("left,backspace", "go(-1)", show=False, priority=True),
        Binding("pagedown,down", "round(1)", show=False, priority=True),
        Binding("pageup,up", "round(-1)", show=False, priority=True),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
        Binding("tab", "next_hand", show=False, priority=True),
        Binding("m", "map", show=False),
        Binding("l", "app.switch_language", show=False),
        Binding("escape,q", "dismiss", show=False),
    ]

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self.names = [clean(name, 24) or "?" for name in recording.names]
        self.step = 0
        self.hand: int | None = None
        self._mapped = False

    @property
    def program(self) -> Program:
        return program(self.app)

    def compose(self) -> ComposeResult:
        yield TurnBar(self.scene, self._status, lambda: mood(self.scene().view, None))
        yield TableView(self.scene)
        yield CityView(self.scene)
        yield HandView(self.scene)
        yield LogView(lambda: self.program.look)
        yield HintLine(self._keys, self.scene)

    def on_mount(self) -> None:
        self._place()
        self.retell()

    def on_resize(self) -> None:
        self._place()

    def _place(self) -> None:
        """As at the table; the log has the question's room too."""
        width, height = self.app.size
        scene = self.scene()
        names = len(scene.edition.districts) if scene.shared else 0
        parts = dict(arrange(width, height, Contents(len(self.names), names, self._mapped)).parts)
        question = parts.pop("question")
        if "log" not in parts or parts["log"].y == question.y:
            parts["log"] = Region(question.x, question.y, width, question.height)
        for widget in self.query(Canvas):
            region = parts.get(widget.id or "")
            widget.display = region is not None
            if region is not None:
                widget.styles.offset = (region.x, region.y)
                widget.styles.width, widget.styles.height = region.width, region.height

    # What it shows

    def scene(self) -> Scene:
        played = self.recording.steps[self.step]
        seat = self.hand if self.hand is not None else played.seat or 0
        return Scene(played.state, seat, self.names, self.program.texts, self.program.look)

    def _status(self) -> str:
        played = self.recording.steps[self.step]
        say, seat = self.program.texts.say, self.scene().seat or 0
        who = (
            f"{seat_name(played.seat)} {self.names[played.seat]}: {played.line}" if played.seat is not None else ""
        )
        where = say(msg("Step {step} of {steps}"), step=self.step + 1, steps=len(self.recording.steps))
        hand = say(msg("Hand: {name}"), name=self.names[seat])
        return "   ".join(part for part in (where, who, hand) if part)

    def _keys(self) -> list[tuple[str, str]]:
        say = self.program.texts.say
        return [
            ("←→", say(msg("step"))),
            ("↑↓", say(msg("round"))),
            ("Tab", say(msg("whose hand"))),
            *([("m", say(msg("common city")))] if self.scene().shared else []),
            ("l", say(msg("language"))),
            ("Esc", say(msg("back"))),
        ]

    def retell(self) -> None:
        """Everything anew: another step, or another language."""
        story = Log(None, self.names, edition_of(self.recording.steps[0].state))
        for played in self.recording.steps[: self.step + 1]:
            for event in played.events:
                story.add(redact(event, None))
        self.query_one(LogView).put(list(story.lines(self.program.texts)))
        for canvas in self.query(Canvas):
            canvas.redraw()

    # Keys

    def action_map(self) -> None:
        """The common city in place of the players, or they again, where there is no room for both."""
        self._mapped = not self._mapped
        self._place()

    def action_go(self, steps: int) -> None:
        self._show(self.step + steps)

    def action_jump(self, step: int) -> None:
        self._show(step if step >= 0 else len(self.recording.steps) - 1)

    def action_round(self, direction: int) -> None:
        """To the first step of the next round, or of this or the last one."""
        steps = self.recording.steps
        wanted = steps[self.step].state.round + direction
        found = [number for number, played in enumerate(steps) if played.state.round == wanted]
        self._show(found[0] if found else 0 if direction < 0 else len(steps) - 1)

    def action_next_hand(self) -> None:
        """The next player's hand, and after the last one that of whoever moves."""
        following = 0 if self.hand is None else self.hand + 1
        self.hand = following if following < len(self.names) else None
        self.retell()

    def _show(self, step: int) -> None:
        self.step = max(0, min(step, len(self.recording.steps) - 1))
        self.retell()
