"""The parts of the table screen: where they stand, and what each of them shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.command import Provider

from citadels_lan.front.game import Game
from citadels_lan.front.log import Line
from citadels_lan.front.pending import replaceable
from citadels_lan.front.sealed import waits
from citadels_lan.front.tutorial.guide import Hint
from citadels_lan.texts import msg
from citadels_lan.ui.screens.palette import TableCommands
from citadels_lan.ui.table import cast_row
from citadels_lan.ui.table.arrangement import Arrangement, Contents, arrange, left_of, put
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.commands import GUESSED, hints, key_names
from citadels_lan.ui.table.draft import LEAST, draft, has_note, lines_with_text
from citadels_lan.ui.table.hand import hand, hand_inputs, hand_lines
from citadels_lan.ui.table.log_view import ChatView, LogView
from citadels_lan.ui.table.panels import PANEL, GuideView, detail, detail_inputs, ideas, suspects
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, SceneView, scene_of
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.table.views import BottomLine, HintLine, befallen, befallen_inputs
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import ProgramScreen

RULES: Final = {"gather": "gathering", "keep": "gathering", "build": "building", "income": "income", "end": "turn"}
"""The rule that explains what is about no card, by the verb."""


class TableParts(ProgramScreen[None]):
    """All parts of the table screen. They show `scene` once the screen is `shown`. `mapped`: the common city
    replaces the players if there is no room for both."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = "#question"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {TableCommands}
    scene: Scene

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.mapped = self.shown = False
        self._arrangement = Arrangement({})
        self._arranged_for: tuple[int, int, Contents] | None = None
        self._keys: tuple[Mapping[str, str], Mapping[str, str]] = ({}, key_names({}))
        self.bar, self.hinted, self.guide = TurnBar(), HintLine(), GuideView(game.guide)
        self.befallen = SceneView(befallen, befallen_inputs, id="befallen")
        self.board = SceneView(board, id="table", points=True)
        self.city = SceneView(common_city, id="city", points=True)
        self.draft = SceneView(draft, id="draft", points=True)
        self.hand = SceneView(hand, hand_inputs, id="hand", points=True)
        self.detail = SceneView(detail, detail_inputs, id="detail")
        self.suspects = SceneView(suspects, id="suspects")
        self.panel = QuestionPanel(self.program_clock)
        self.told, self.chat = LogView(), ChatView()

    def compose(self) -> ComposeResult:
        yield from (
            self.bar, self.befallen, self.board, self.city, self.draft, self.hand, self.guide, self.panel,
            self.detail, self.told, self.suspects, self.chat, self.hinted, BottomLine(),
        )  # fmt: skip

    def program_clock(self) -> float:
        """The time of the program."""
        return self.program.clock()

    @property
    def look(self) -> Look:
        return self.program.look

    @property
    def keys(self) -> Mapping[str, str]:
        """The name of each command's key."""
        keymap = self.program.keymap
        if self._keys[0] is not keymap:
            self._keys = (keymap, key_names(keymap))
        return self._keys[1]

    # Where they stand

    def on_resize(self) -> None:
        self.place_and_show()

    def place_and_show(self) -> None:
        """Put every part where it belongs now, and show the game."""
        if self.shown and self.game.table.state is not None:
            self.place()
            self.show_scene()

    def place(self) -> None:
        """Put every part where it belongs at this size, for the scene of this moment."""
        self.set_scene()
        width, height = self.app.size
        contents = self._contents(width, height)
        if (width, height, contents) != self._arranged_for:
            self._arranged_for = (width, height, contents)
            self._move_parts(arrange(width, height, contents))
        cards = self._arrangement.parts.get("draft")
        described = cards is not None and (cards.height > LEAST or has_note(self.scene, cards.width))
        self.panel.apart = described or "detail" in self._arrangement.parts

    def _move_parts(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        guide = arrangement.parts.get("guide")
        self.game.guide.room = ideas(guide.height if guide is not None else 0)
        self.told.leave_out(("chat",) if "chat" in arrangement.parts else ())
        put(self.query(Canvas), arrangement.parts)

    def _contents(self, width: int, height: int) -> Contents:
        """What is to be shown now, in so many columns and lines."""
        scene = self.scene
        drafting = scene.view.phase == "draft" and scene.seat is not None
        return Contents(
            len(scene.view.players),
            len(scene.edition.districts) if scene.shared else 0,
            self.mapped,
            bool(self.game.befallen.open),
            drafting,
            lines_with_text(scene, left_of(width, height)) if drafting and not scene.hidden else 0,
            self.game.guide.on,
            1 if scene.shared else cast_row.lines_wanted(scene, width),
            hand_lines(scene, width),
        )

    # What they show

    def set_scene(self) -> None:
        """Make the scene of this moment."""
        self.panel.covered = self.game.hidden
        self.scene = scene_of(self.game, self.look, self.panel.places, self.keys)

    def show(self) -> None:
        """Show the game as it is now; the parts stay where they are."""
        self.set_scene()
        self.show_scene()

    def show_scene(self) -> None:
        """Hand the scene to every part. A part whose inputs are as before is not drawn again."""
        game, scene = self.game, self.scene
        self.show_time()
        self.befallen.show(scene, tuple(game.blows()))
        for part in (self.city, self.hand, self.suspects):
            part.show(scene)
        hints = tuple(game.hints(self.keys)) if game.guide.on else ()
        self.guide.show(scene, hints, game.guide.waiting)
        self.told.cover(scene.hidden)
        self.show_answer()

    def show_time(self) -> None:
        """Show whose move it is, and the time that is left for it."""
        say = self.game.texts.say
        note = say(msg("Table: from 80 columns and 20 lines on.")) if self._arrangement.tiny else ""
        self.bar.show(self.scene, tuple(self.game.statuses(self.keys)), self.game.mood(), note)

    def show_answer(self) -> None:
        """Show how far the answer to the question is: its lines, the card that is pointed at, the keys."""
        if self.panel.places != self.scene.places:
            self.scene = replace(self.scene, places=self.panel.places)
        scene, about = self.scene, "" if self.game.hidden else self.panel.pointed_card
        self.panel.show(scene, waits(self.game))
        self.board.show(scene)
        self.draft.show(scene, about)
        self.detail.show(scene, self.pointed() or about)
        self.show_hints()

    def show_hints(self) -> None:
        """Show the keys that do something now."""
        game = self.game
        guessed = game.invitation is not None and game.invitation.door.guessed
        urgent = game.texts.say(GUESSED) if guessed else ""
        self.hinted.show(self.scene, hints(self._now(), self.keys), game.words(), urgent)

    def pointed(self) -> str:
        """What is pointed at on the table or in the hand; empty if nothing is."""
        focused = self.focused
        shown = isinstance(focused, SceneView) and focused.POINTS and focused.pointed
        return shown.key if shown else ""

    def to_explain(self) -> str:
        """Return the card under the cursor, or the rule that explains the line; empty if there is neither."""
        if pointed := self.pointed():
            return pointed
        item = self.panel.asking.current
        return "" if item is None or self.game.hidden else item.about or RULES.get(item.verb, "")

    def _now(self) -> set[str]:
        """The conditions of hints that hold now."""
        game, asking, bidding = self.game, self.panel.asking, self.panel.bidding
        table, selection, current, end = game.table, asking.at.selection, asking.current, asking.menu.end
        ready = selection.ready or selection.sizes == (1, 1) if selection is not None else False
        points = current is not None and (current.open or bool(current.items))
        covered, over, guessed = game.hidden, game.over, bidding.amount if bidding is not None else 0
        conditions = {
            "always": True,
            "asked": game.mine,
            "confirms": not covered and bidding is None and (ready if selection is not None else points),
            "begun": not covered and asking.begun,
            "ends": not covered and selection is None and end is not None and end.choice is not None,
            "ticking": not covered and selection is not None,
            "passes": bidding is not None and not guessed,
            "typed": guessed > 0,
            "bids": bidding is not None and guessed > 0 and bidding.possible,
            "over": over,
            "shared": self.scene.shared,
            "hosting": game.invitation is not None,
            "replacing": game.invitation is not None and bool(replaceable(table)),
            "stuck": game.may_end,
            "playing": game.table.seat is not None and not over,
            "told": bool(game.story.entries),
            "advised": game.mine and not covered and table.settings.hints,
            "taken_over": table.taken_over,
            "paused": table.paused and game.table.seat is not None and not game.offline,
            "guided": game.guide.on,
            "offline": game.offline,
            "online": not game.offline,
            "explaining": game.guide.waiting > 0 and not (covered or asking.begun or game.befallen.open),
        }
        return {name for name, holds in conditions.items() if holds}

    def idle(self) -> Sequence[Line]:
        """Return the lines that replace a question; they have room for more hints of the guide."""
        more: Sequence[Hint] = self.game.hints(self.keys) if self.guided_above() and not self.game.mine else ()
        said = [Line("event", hint.text) for hint in more if hint.kind in ("happened", "far")]
        return [*self.game.outlook(), *said]

    def guided_above(self) -> bool:
        """Whether the guide has the lines above the question. It then recounts the last events as well."""
        guide = self._arrangement.parts.get("guide")
        return guide is not None and guide.height < PANEL

    def say(self, word: str) -> None:
        """Say something in the last line; nothing brings the keys back."""
        self.hinted.say(word)

    def tell(self, lines: Sequence[Line], *, again: bool = False) -> None:
        """Add lines to the log; with `again` they replace all earlier lines."""
        self.told.add(lines, again=again)
        self.chat.add([line for line in lines if line.kind == "chat"], again=again)

    @on(QuestionPanel.Moved)
    def _moved(self) -> None:
        self.show_answer()

    @on(Canvas.Stepped)
    def _stepped(self) -> None:
        self.show_answer()
