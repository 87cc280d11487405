"""Choosing what will be played: scenario, characters, unique districts, each explained under the cursor."""

from collections.abc import Callable
from random import Random
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from citadels_lan.engine import Unplayable
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS
from citadels_lan.front.cells import cut
from citadels_lan.front.plan import DRAWN, Plan, about_scenario, reason, scenario_name
from citadels_lan.texts import msg
from citadels_lan.texts.cards import facts, summary
from citadels_lan.ui.drawings.frame import SIDES, frame, said
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen

from .explain import card
from .list_screen import BACK, ListScreen
from .rules import draw_card

WIDE: Final = 150
"""Cells from which a card's page stands beside the grid."""
PAGE: Final = 46
"""Cells of that page."""
COLUMN = 34
"""How wide a column is at most."""
BOTH = 27
"""Lines that show characters and districts together."""
COLUMNS = 3
"""Columns of unique districts."""
RANK, SIGN = 3, 5
"""Cells of a rank before its characters, and of the sign before each of them with what follows it."""


class PlanGrid(Canvas, can_focus=True):
    """Shows a plan. Things in it are `Pointed` at: `accept`, `way`, `character`, `no_nine`, `unique`, `draw_cast`,
    `draw_uniques` and `page`, by their kind."""

    POINTS = True

    def __init__(self, screen: "CastScreen") -> None:
        super().__init__(id="plan")
        self._screen = screen
        self.districts = False
        self.cursor = 1

    def turn(self) -> None:
        """The other page, where not both are shown."""
        self.districts = not self.districts
        kinds = ("draw_uniques", "unique") if self.districts else ("draw_cast", "character")
        self.redraw()
        self.cursor = next(number for number, hit in enumerate(self.drawing.hits) if hit.kind in kinds) + 1
        self._stepped()

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor; left and right on the scenario choose another one."""
        here = self.pointed
        if dx and here is not None and here.kind == "way":
            self._screen.change(lambda: self._screen.plan.next(dx))
        else:
            super().step(dx, dy)

    def on_key(self, event: events.Key) -> None:
        if event.key == "space" and self.pointed is not None:
            event.stop()
            self.post_message(self.Pointed(self, self.pointed))

    # Drawing

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        both = height >= BOTH
        self._top(drawing, width)
        if both or not self.districts:
            self._cast(drawing, width)
        if both:
            Pen(drawing)
        if both or self.districts:
            self._districts(drawing, width)
        if not both:
            Pen(drawing)
            say = self._screen.texts.say
            other = say(msg("Characters")) if self.districts else say(msg("Unique districts"))
            Pen(drawing).write(" ").thing("page", "page", f"{other}… (Tab)", self._screen.look.accent)
        self._follow(drawing)
        return drawing

    def _follow(self, drawing: Drawing) -> None:
        """Keep the cursor on what it was on, wherever that is now."""
        before = self._drawing.hits
        if self.cursor is None or self.cursor >= len(before):
            return
        here = (before[self.cursor].kind, before[self.cursor].key)
        now = (number for number, hit in enumerate(drawing.hits) if (hit.kind, hit.key) == here)
        self.cursor = next(now, self.cursor)

    def _top(self, drawing: Drawing, width: int) -> None:
        texts, look, plan = self._screen.texts, self._screen.look, self._screen.plan
        why = plan.problem()
        pen = Pen(drawing).write(" ")
        if why is None:
            pen.thing("accept", "accept", f"[ {texts.say(msg('Play with these'))} ]", look.title)
        else:
            pen.thing("accept", "accept", cut(reason(texts, why), width - 2), look.danger)
        pen = Pen(drawing).write(f" {texts.say(msg('Scenario'))}  ")
        pen.thing("way", "way", f"< {scenario_name(texts, plan.scenario)} >", look.title)
        Pen(drawing)

    def _cast(self, drawing: Drawing, width: int) -> None:
        texts, look, plan = self._screen.texts, self._screen.look, self._screen.plan
        nobody = texts.say(msg("none"))
        Pen(drawing).write(f" {texts.say(msg('Characters'))}", look.title)
        self._by_chance(drawing, "draw_cast", plan.cast is None)
        for rank, characters in plan.edition.of_rank.items():
            pen = Pen(drawing).write(f" {rank} ", look.title)
            column = self._column(width - SIGN - cell_len(nobody) - RANK, 3)
            for key in characters:
                chosen, free = key in (plan.cast or ()), plan.why_not(key) is None
                self._thing(pen, "character", key, cut(texts.character(key), column - 5), chosen, free)
                pen.to(RANK + column * (characters.index(key) + 1))
            if rank == 9:
                none = plan.cast is not None and all(plan.edition.ranks.get(key) != 9 for key in plan.cast)
                free = plan.why_nine() is None
                self._thing(pen, "no_nine", "no_nine", nobody, none, free)

    def _districts(self, drawing: Drawing, width: int) -> None:
        texts, look, plan = self._screen.texts, self._screen.look, self._screen.plan
        chosen = plan.uniques or ()
        right = plan.uniques is None or plan.edition.casting.chosen in (len(chosen), None)
        pen = Pen(drawing).write(f" {texts.say(msg('Unique districts'))}  ", look.title)
        if plan.uniques is not None:
            said = texts.say(msg("{count} of {all}"), count=len(chosen), all=plan.wanted)
            pen.write(said, look.accent if right else look.danger)
        if plan.edition.casting.chosen:
            self._by_chance(drawing, "draw_uniques", plan.uniques is None)
        column = self._column(width, 3)
        uniques = plan.edition.uniques
        lines = -(-len(uniques) // COLUMNS)
        for row in range(lines):
            pen = Pen(drawing)
            for number, key in enumerate(uniques[row::lines]):
                pen.to(1 + column * number)
                label = f"{plan.edition.costs[key]} {texts.district(key)}"
                self._thing(pen, "unique", key, cut(label, column - 5), key in chosen, True)

    def _column(self, width: int, count: int) -> int:
        return max(min(width // count, COLUMN), 8)

    def _by_chance(self, drawing: Drawing, kind: str, chosen: bool) -> None:
        self._thing(Pen(drawing).write(" "), kind, kind, self._screen.texts.say(DRAWN), chosen, True)

    def _thing(self, pen: Pen, kind: str, key: str, label: str, chosen: bool, free: bool) -> None:
        """Something to tick: `[✓]` chosen, `[ ]` not, `[-]` where it cannot be."""
        look = self._screen.look
        sign = look.glyphs.tick if chosen else " " if free else "-"
        style = look.strong if chosen else None if free else look.dim
        pen.thing(kind, key, f"[{sign}] {label}", style)


class CastScreen(ListScreen):
    """Returns the plan, or None where everything stays as it was."""

    AUTO_FOCUS = "#plan"
    HINTS = (
        ("A", msg("accept")), ("?", msg("explain")), ("Tab", msg("page")), ("F", msg("fill")), ("X", msg("clear")),
        ("O", msg("by the book")), BACK, ("F1", msg("help")),
    )  # fmt: skip
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
        yield DrawnBy("heading", self.draw_heading)
        with Horizontal(id="middle"):
            yield PlanGrid(self)
            yield DrawnBy("aside", self.beside)
        yield DrawnBy("about", self._draw_about)
        yield DrawnBy("foot", self.draw_foot)

    @property
    def has_beside(self) -> bool:
        return self.app.size.width >= WIDE

    @property
    def list_width(self) -> int:
        return self.app.size.width - PAGE

    def retell(self) -> None:
        """Everything again; the thing under the cursor is explained to the right of the grid, or below it."""
        for about in self.query("#about"):
            about.display = not self.has_beside
        super().retell()

    @property
    def grid(self) -> PlanGrid:
        return self.query_one(PlanGrid)

    # What it shows

    def title_text(self) -> str:
        return self.texts.say(msg("Characters and districts"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("{players} players"), players=self.plan.config.players)]

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            *self.below_title(),
            say(msg("Enter takes the character of a rank, or a district, in or out; Tab is the other page.")),
            say(msg("F draws what is missing, X takes all districts out, O goes back to what the book proposes.")),
        ]

    def _draw_about(self, width: int, height: int) -> Drawing:
        """What is under the cursor, in a few lines."""
        drawing = Drawing()
        title, fact, lines = self.explained()
        pen = Pen(drawing).write(f" {title}", self.look.title)
        pen.write(cut(f"  {fact}", max(width - pen.x - 1, 0)), self.look.dim)
        for line in lines:
            said(drawing, line, width - 1, indent=1)
        return drawing

    def beside(self, width: int, height: int) -> Drawing:
        """The same in full, to the right of the grid."""
        hit, edition = self.grid.pointed, self.plan.edition
        if hit is not None and (hit.key in edition.characters or hit.key in edition.districts):
            return draw_card(self.texts, self.look, edition, hit.key, width, height)
        title, _, lines = self.explained()
        inside = Drawing()
        for line in lines:
            said(inside, line, width - SIDES)
        return frame(self.look, title, inside, width, height)

    def explained(self) -> tuple[str, str, list[str]]:
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
                return say(msg("By lot")), "", [say(msg("Every player adds to the seed that draws them."))]
            case "page":
                return say(msg("The other page")), "", []
        return say(msg("Play with these")), "", [say(msg("Everybody at the table sees what you choose here."))]

    def _about_card(self, key: str) -> tuple[str, str, list[str]]:
        texts, edition = self.texts, self.plan.edition
        why = self.plan.why_not(key) if key in CHARACTERS else None
        name = texts.character(key) if key in CHARACTERS else texts.district(key)
        lines = [summary(texts, edition, key), *([reason(texts, why)] if why else [])]
        return name, facts(texts, edition, key), lines

    def _ninth(self) -> list[str]:
        why = self.plan.why_nine()
        return [] if why is None else [reason(self.texts, why)]

    # What it does

    def change(self, step: Callable[[], Plan]) -> None:
        """Take a step, or explain why it is not possible."""
        try:
            self.plan = step()
        except Unplayable as why:
            self.say(reason(self.texts, why))
        else:
            self.say("")
        self.retell()

    @on(Canvas.Pointed, "#plan")
    def _pointed(self, message: Canvas.Pointed) -> None:
        hit = message.hit
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

    @on(Canvas.Stepped)
    def _went(self) -> None:
        self.say("")
        for canvas in self.query(DrawnBy):
            canvas.redraw()

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
