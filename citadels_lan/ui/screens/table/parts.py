"""The parts of the table screen: where they stand, what each of them asks for, drawing them again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.command import Provider
from textual.geometry import Region

from citadels_lan.front.game import Game
from citadels_lan.front.guide.guide import Hint
from citadels_lan.front.sealed import waits
from citadels_lan.front.told.entries import Line
from citadels_lan.front.waiting import absence
from citadels_lan.texts import msg
from citadels_lan.ui.screens.palette import TableCommands
from citadels_lan.ui.table import cast_row, commands, hand
from citadels_lan.ui.table.arrangement import PARTS, Arrangement, Contents, arrange, left_of
from citadels_lan.ui.table.draft import LEAST, DraftView, has_note, lines_with_text
from citadels_lan.ui.table.guide_view import PANEL, GuideView, ideas
from citadels_lan.ui.table.hints import GUESSED, Now, hints
from citadels_lan.ui.table.log_view import ChatView, LogView
from citadels_lan.ui.table.panels import DetailView, SuspectsView
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, scene_of
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.table.views import BefallenLine, CityView, HandView, HintLine, TableView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.screens import ProgramScreen

from .bottom_line import BottomLine

RULES: Final = {"gather": "gathering", "keep": "gathering", "build": "building", "income": "income", "end": "turn"}
"""The rule that explains what is about no card, by the verb."""


class TableParts(ProgramScreen[None]):
    """Everything that one player sees of a game. `mapped`: the common city stands in place of the players where
    there is no room for both."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = "#question"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {TableCommands}

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.mapped = False
        self._arrangement = Arrangement({})
        self._places: Mapping[tuple[int, int], str] = {}

    @property
    def look(self) -> Look:
        return self.program.look

    def scene(self) -> Scene:
        return scene_of(self.game, self.look, self._places, self.key_of)

    def compose(self) -> ComposeResult:
        yield TurnBar(self.scene, self._statuses, self.game.mood, lambda: self.key_of("end"), self._cramped)
        yield BefallenLine(self.scene, self.game.blows)
        yield TableView(self.scene)
        yield CityView(self.scene)
        yield DraftView(self.scene, self._about)
        yield HandView(self.scene)
        yield GuideView(self.scene, self.game.guide, self._guided)
        yield QuestionPanel(self.scene, self.program.clock, lambda: waits(self.game), self.key_of)
        yield DetailView(self.scene, self._detailed)
        yield LogView(lambda: self.look)
        yield SuspectsView(self.scene)
        yield ChatView(self.scene)
        yield HintLine(self._keys, self.scene, self.game.words, self._urgent)
        yield BottomLine()

    @property
    def panel(self) -> QuestionPanel:
        """The question."""
        return self.query_one(QuestionPanel)

    @property
    def told(self) -> LogView:
        """The log."""
        return self.query_one("#log", LogView)

    # Where they stand

    def on_resize(self) -> None:
        self.place()

    def place(self) -> None:
        """Put every part where it belongs at this size."""
        width, height = self.app.size
        arrangement = arrange(width, height, self._contents(width, left_of(width, height)))
        self.panel.apart = "detail" in arrangement.parts or self._summed_up(arrangement)
        if arrangement == self._arrangement:
            return
        self._arrangement = arrangement
        guide = arrangement.parts.get("guide")
        self.game.guide.room = ideas(guide.height if guide is not None else 0)
        self.told.leaves_out = ("chat",) if "chat" in arrangement.parts else ()
        for part in PARTS:
            widget = self.query_one(f"#{part}")
            region = arrangement.parts.get(part)
            widget.display = region is not None
            if region is not None:
                _put(widget, region)

    def _summed_up(self, arrangement: Arrangement) -> bool:
        """Whether what the chosen character does stands among the characters to choose from."""
        draft = arrangement.parts.get("draft")
        return draft is not None and (draft.height > LEAST or has_note(self.scene(), draft.width))

    def _contents(self, width: int, left: int) -> Contents:
        """What is to be shown now, in so many columns, of which the table has those at the left."""
        scene = self.scene()
        drafting = scene.view.phase == "draft" and scene.seat is not None
        return Contents(
            len(scene.view.players),
            len(scene.edition.districts) if scene.shared else 0,
            self.mapped,
            bool(self.game.befallen.open),
            drafting,
            lines_with_text(scene, left) if drafting and not scene.hidden else 0,
            self.game.guide.on,
            1 if scene.shared else cast_row.lines_wanted(scene, width),
            hand.lines_wanted(scene, width),
        )

    # What they say

    def _about(self) -> str:
        """The card under the cursor of the question."""
        return "" if self.game.hidden else self.panel.pointed_card

    def pointed(self) -> str:
        """What is pointed at on the table or in the hand; empty where nothing is."""
        focused = self.focused
        if isinstance(focused, TableView | CityView | HandView | DraftView) and focused.pointed is not None:
            return focused.pointed.key
        return ""

    def _detailed(self) -> str:
        """The card pointed at on the table, or else in the question."""
        return self.pointed() or self._about()

    def to_explain(self) -> str:
        """What the cursor is on, or the rule that explains it; empty where there is neither."""
        if pointed := self.pointed():
            return pointed
        item = self.panel.asking.current
        return "" if item is None or self.game.hidden else item.about or RULES.get(item.verb, "")

    def _statuses(self) -> Sequence[str]:
        return self.game.statuses({name: self.key_of(name) for name in commands.NAMED})

    def _cramped(self) -> str:
        """What is said where there is no room for the table."""
        say = self.game.texts.say
        return say(msg("Table: from 80 columns and 20 lines on.")) if self._arrangement.tiny else ""

    def _keys(self) -> list[tuple[str, str]]:
        say = self.game.texts.say
        return [(key, say(does)) for key, does in hints(self._now(), self.program.keymap)]

    def _now(self) -> Now:
        """What can be done now."""
        game, panel = self.game, self.panel
        asking, bidding, covered = panel.asking, panel.bidding, game.hidden
        selection, current, end = asking.selection, asking.current, asking.menu.end
        ready = selection.ready or selection.sizes == (1, 1) if selection is not None else False
        points = current is not None and (current.open or bool(current.items))
        return Now(
            asked=game.mine,
            confirms=not covered and bidding is None and (ready if selection is not None else points),
            begun=not covered and asking.begun,
            ends=not covered and selection is None and end is not None and end.choice is not None,
            ticking=not covered and selection is not None,
            passes=bidding is not None and not bidding.amount,
            typed=bidding is not None and bool(bidding.amount),
            bids=bidding is not None and bool(bidding.amount) and bidding.possible,
            over=self.over,
            shared=self.scene().shared,
            hosting=game.door is not None,
            replacing=game.door is not None and bool(absence.replaceable(game.session)),
            stuck=game.may_end,
            playing=game.seat is not None and not self.over,
            told=bool(game.story.entries),
            advised=game.mine and not covered and game.session.settings.hints,
            taken_over=game.session.taken_over,
            paused=game.session.paused and game.seat is not None and not game.offline,
            guided=game.guide.on,
            offline=game.offline,
            explaining=game.guide.waiting > 0 and not (covered or asking.begun or game.befallen.open),
        )

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.game.view is not None and self.game.view.phase == "over"

    def key_of(self, name: str) -> str:
        """How the key of a command is called."""
        return shown(commands.key_of(name, self.program.keymap))

    def _urgent(self) -> str:
        door = self.game.door
        return self.game.texts.say(GUESSED) if door is not None and door.guessed else ""

    def idle(self) -> Sequence[Line]:
        """What stands in place of a question; there is room for more of the guide then."""
        more = self._guided() if self.guided_above() and not self.game.mine else ()
        said = [Line("event", hint.text) for hint in more if hint.kind in ("happened", "far")]
        return [*self.game.outlook(), *said]

    def guided_above(self) -> bool:
        """Whether the guide takes the lines above the question, in which it says what has happened as well."""
        guide = self._arrangement.parts.get("guide")
        return guide is not None and guide.height < PANEL

    def _guided(self) -> Sequence[Hint]:
        """What the guide says, with the keys as they are called here."""
        return self.game.hints({name: self.key_of(name) for name in commands.NAMED})

    def say(self, word: str) -> None:
        """Say something in the last line; nothing brings the keys back."""
        for line in self.query(HintLine):  # none before it is composed
            line.say(word)

    # Drawing them again

    def redraw(self) -> None:
        """Everything."""
        for canvas in self.query(Canvas):
            canvas.redraw()

    def mark_places(self) -> None:
        """The keys of districts stand on their houses while the question is about them."""
        places = self.panel.places
        if places != self._places:
            self._places = places
            self.query_one(TableView).redraw()

    def tell_all(self) -> None:
        """The whole story anew."""
        lines = list(self.game.story.lines(self.game.texts))
        self.told.put(lines)
        self.query_one(ChatView).put([line for line in lines if line.kind == "chat"])

    def tell(self, lines: list[Line]) -> None:
        """What is new in the story."""
        self.told.add(lines)
        self.query_one(ChatView).add([line for line in lines if line.kind == "chat"])

    @on(QuestionPanel.Moved)
    def _moved(self) -> None:
        for part in (HintLine, DetailView, DraftView):
            self.query_one(part).redraw()
        self.mark_places()

    @on(Canvas.Stepped)
    def _stepped(self) -> None:
        self.query_one(DetailView).redraw()


def _put(widget: Any, region: Region) -> None:
    styles = widget.styles
    styles.offset = (region.x, region.y)
    styles.width, styles.height = region.width, region.height
