"""Choosing what will be played: scenario, characters, unique districts, each explained under the cursor."""

from collections.abc import Callable
from random import Random
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from citadels_lan.engine import Unplayable
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import about_scenario, reason
from citadels_lan.texts import msg
from citadels_lan.texts.cards import facts, summary
from citadels_lan.ui.drawings.frame import SIDES, frame, said
from citadels_lan.ui.drawings.rules import draw_card
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.page import PageScreen

from .explain import card
from .list_screen import CssPath, Foot, Heading, ListScreen
from .plan_grid import PlanGrid

WIDE: Final = 150
"""Cells from which a card's page stands beside the grid."""


class About(Canvas):
    """What is under the cursor, in a few lines."""

    def __init__(self, screen: "CastScreen") -> None:
        super().__init__(id="about")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        drawing, look = Drawing(), self._screen.look
        title, fact, lines = self._screen.about()
        pen = Pen(drawing).write(f" {title}", look.title)
        pen.write(cut(f"  {fact}", max(width - pen.x - 1, 0)), look.dim)
        for line in lines:
            for part in wrap(line, max(width - 2, 1)):
                Pen(drawing).write(f" {part}")
        return drawing


class CardPage(Canvas):
    """The same in full, beside the grid, where there is room for it."""

    def __init__(self, screen: "CastScreen") -> None:
        super().__init__(id="aside")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        screen, hit = self._screen, self._screen.grid.pointed
        edition = screen.plan.edition
        if hit is not None and (hit.key in edition.characters or hit.key in edition.districts):
            return draw_card(screen.texts, screen.look, edition, hit.key, width, height)
        title, _, lines = screen.about()
        inside = Drawing()
        for line in lines:
            said(inside, line, width - SIDES)
        return frame(screen.look, title, inside, width, height)


class CastScreen(ListScreen):
    """Returns the plan, or None where everything stays as it was."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "cast.tcss"]
    AUTO_FOCUS = "#plan"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,shift+tab", "turn", show=False),
        Binding("a,A", "accept", show=False),
        Binding("f,F", "fill", show=False),
        Binding("x,X", "clear", show=False),
        Binding("o,O", "own", show=False),
        Binding("question_mark,i", "explain", show=False),
    ]

    def __init__(self, plan: Plan, dice: Random | None = None) -> None:
        super().__init__()
        self.plan = plan
        self.dice = dice or Random()

    def compose(self) -> ComposeResult:
        yield Heading(self)
        with Horizontal(id="middle"):
            yield PlanGrid(lambda: self.texts, lambda: self.look, lambda: self.plan)
            yield CardPage(self)
        yield About(self)
        yield Foot(self)

    def on_resize(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again; what is under the cursor is told below, or beside where there is room."""
        wide = self.app.size.width >= WIDE
        for page in self.query(CardPage):
            page.display = wide
        for about in self.query(About):
            about.display = not wide
        super().retell()

    @property
    def grid(self) -> PlanGrid:
        return self.query_one(PlanGrid)

    # What it shows

    def title_text(self) -> str:
        return self.texts.say(msg("Characters and districts"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("{players} players"), players=self.plan.players)]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("A", say(msg("accept"))),
            ("?", say(msg("explain"))),
            ("Tab", say(msg("page"))),
            ("F", say(msg("fill"))),
            ("X", say(msg("clear"))),
            ("O", say(msg("by the book"))),
            ("Esc", say(msg("back"))),
            ("F1", say(msg("help"))),
        ]

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            *self.below_title(),
            say(msg("Enter takes the character of a rank, or a district, in or out; Tab is the other page.")),
            say(msg("F draws what is missing, X takes all districts out, O goes back to what the book proposes.")),
        ]

    def about(self) -> tuple[str, str, list[str]]:
        """A title, facts and some lines on what is under the cursor."""
        say, plan, hit = self.texts.say, self.plan, self.grid.pointed
        if hit is not None and (hit.key in CHARACTERS or hit.key in DISTRICTS):
            return self._about_card(hit.key)
        match hit.kind if hit else "":
            case "way":
                return say(msg("Scenario")), "", about_scenario(self.texts, plan)
            case "no_nine":
                return say(msg("No character of rank 9")), "", self._ninth()
            case "draw_cast" | "draw_uniques":
                return (
                    say(msg("By lot")),
                    "",
                    [say(msg("Every player adds to the seed that draws them."))],
                )
            case "page":
                return say(msg("The other page")), "", []
        return say(msg("Play with these")), "", [say(msg("Everybody at the table sees what you choose here."))]

    def _about_card(self, key: str) -> tuple[str, str, list[str]]:
        texts, edition = self.texts, self.plan.edition
        why = self.plan.why_not(key) if key in CHARACTERS else None
        name = texts.character(key) if key in CHARACTERS else texts.district(key)
        return (
            name,
            facts(texts, edition, key),
            [summary(texts, edition, key), *([reason(texts, why)] if why else [])],
        )

    def _ninth(self) -> list[str]:
        why = self.plan.why_nine()
        return [] if why is None else [reason(self.texts, why)]

    # What it does

    def change(self, step: Callable[[], Plan]) -> None:
        """Take a step, or say why it cannot be taken."""
        try:
            self.plan = step()
        except Unplayable as why:
            self.say(reason(self.texts, why))
        else:
            self.say("")
        self.retell()

    @on(Canvas.Pointed, "#plan")
    def _pointed(self, message: Canvas.Pointed) -> None:
        self._choose(message.hit)

    def _choose(self, hit: Hit) -> None:
        plan = self.plan
        match hit.kind:
            case "accept":
                self.action_accept()
            case "way":
                self.change(lambda: plan.next(1))
            case "character" if hit.key in (plan.cast or ()) and hit.key in CHARACTERS:
                self.change(plan.without_nine if plan.edition.ranks[hit.key] == 9 else lambda: plan)
            case "character":
                self.change(lambda: plan.choose(hit.key))
            case "no_nine":
                self.change(plan.without_nine)
            case "unique":
                self.change(lambda: plan.toggle(hit.key))
            case "draw_cast":
                self.change(plan.draw_cast)
            case "draw_uniques":
                self.change(plan.draw_uniques)
            case _:
                self.action_turn()

    @on(PlanGrid.Turned)
    def _turned(self, message: PlanGrid.Turned) -> None:
        self.change(lambda: self.plan.next(message.step))

    @on(PlanGrid.Moved)
    def _moved(self) -> None:
        self.say("")
        self.query_one(About).redraw()
        self.query_one(CardPage).redraw()

    def action_accept(self) -> None:
        why = self.plan.problem()
        if why is None:
            self.dismiss(self.plan)
        else:
            self.say(reason(self.texts, why))

    def action_turn(self) -> None:
        self.grid.turn()

    def action_fill(self) -> None:
        self.change(lambda: self.plan.filled(self.dice))

    def action_clear(self) -> None:
        self.change(lambda: self.plan.with_uniques(()))

    def action_own(self) -> None:
        self.change(self.plan.back)

    def action_explain(self) -> None:
        hit = self.grid.pointed
        if hit is not None and (hit.key in CHARACTERS or hit.key in DISTRICTS):
            self.app.push_screen(PageScreen(card(self.texts, self.look, self.plan.edition, hit.key)))
        else:
            self.action_help()

    def action_back(self) -> None:
        self.dismiss(None)
