"""The characters and unique districts to choose from, drawn in columns: one widget, by keyboard and mouse."""

from collections.abc import Callable

from rich.cells import cell_len
from textual import events
from textual.message import Message

from citadels_lan.front.cells import cut
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import DRAWN, reason, scenario_name
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look

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

    class Turned(Message):
        """Left or right on the scenario."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Moved(Message):
        """Something else is under the cursor."""

    def __init__(self, texts: Callable[[], Texts], look: Callable[[], Look], plan: Callable[[], Plan]) -> None:
        super().__init__(id="plan")
        self._texts = texts
        self._look = look
        self._plan = plan
        self.districts = False
        self.cursor = 1

    def turn(self) -> None:
        """The other page, where not both are shown."""
        self.districts = not self.districts
        kinds = ("draw_uniques", "unique") if self.districts else ("draw_cast", "character")
        self.redraw()
        self.cursor = next(number for number, hit in enumerate(self.drawing.hits) if hit.kind in kinds) + 1
        self.post_message(self.Moved())

    def step(self, dx: int, dy: int) -> None:
        here = self.pointed
        if dx and here is not None and here.kind == "way":
            self.post_message(self.Turned(dx))
            return
        super().step(dx, dy)
        self.post_message(self.Moved())

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
            say = self._texts().say
            other = say(msg("Characters")) if self.districts else say(msg("Unique districts"))
            Pen(drawing).write(" ").thing("page", "page", f"{other}… (Tab)", self._look().accent)
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
        texts, look, plan = self._texts(), self._look(), self._plan()
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
        texts, look, plan = self._texts(), self._look(), self._plan()
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
        texts, look, plan = self._texts(), self._look(), self._plan()
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
        self._thing(Pen(drawing).write(" "), kind, kind, self._texts().say(DRAWN), chosen, True)

    def _thing(self, pen: Pen, kind: str, key: str, label: str, chosen: bool, free: bool) -> None:
        """Something to tick: `[✓]` chosen, `[ ]` not, `[-]` where it cannot be."""
        look = self._look()
        sign = look.glyphs.tick if chosen else " " if free else "-"
        style = look.strong if chosen else None if free else look.dim
        pen.thing(kind, key, f"[{sign}] {label}", style)
