"""What the panel of the question shows: the choices with their keys, the cards to tick, what happened, and the
card under the cursor."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import Deal
from citadels_lan.front import card_labels
from citadels_lan.front.asking.menu import Item
from citadels_lan.front.asking.outcome import gold_after
from citadels_lan.front.asking.prompt import Prompt
from citadels_lan.front.cells import cut, fitted, wrap
from citadels_lan.front.guide.brings import brings
from citadels_lan.front.sealed import Waits, bar
from citadels_lan.front.told.entries import Line
from citadels_lan.texts import msg
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.choices.describe import describe_part
from citadels_lan.texts.verbs import verb
from citadels_lan.ui.widgets import card_style
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .meanwhile import draw_idle, draw_news
from .scene import Scene

AFTER: Final = 60
"""Cells of a line up to what it makes of the own gold."""
ROWS: Final = 3
"""Lines of the longest choice: it is rather longer than cut."""
BEFORE: Final = 3
"""Cells before a choice: the cursor, its key, a space."""


@dataclass
class QuestionLines:
    """A question as it is drawn once. `held` is an answer that waits for its time; `key_of` tells how the key of a
    command is called; `news` is what happened since the own last turn; `idle` stands there when there is nothing
    to decide; `looked` is a card that was asked about beside the question. `first` is the first line shown.
    `apart`: the card under the cursor is shown elsewhere. `brought`: what the choice there would bring,
    where it has no room beside it."""

    scene: Scene
    asking: Prompt
    held: Waits | None
    key_of: Callable[[str], str]
    news: Sequence[Line]
    idle: Sequence[Line]
    looked: str
    first: int = 0
    apart: bool = False
    brought: str = ""

    def draw(self, drawing: Drawing, width: int, height: int, first: int) -> int:
        """Draw it, from the line that was the first before where that can be; which line is the first now."""
        self.first = first
        self._draw(drawing, width, height)
        return self.first

    def _draw(self, drawing: Drawing, width: int, height: int) -> None:
        draw_news(self.scene, drawing, self.news, width, height)
        if self.held is not None:
            self._waiting(drawing, self.held, width)
        if self.held is not None and not self.held.free:
            return
        if self.asking.ending:
            self._ending(drawing, width)
        elif self.asking.selection:
            self._ticking(drawing, width, height)
        elif self.asking.items or self.asking.menu.end:
            self._list(drawing, width, height)
        else:
            draw_idle(self.scene, drawing, self.idle, width, height, apart=self.apart or bool(self.looked))
            self._detail(drawing, width, height)

    def _waiting(self, drawing: Drawing, held: Waits, width: int) -> None:
        """What will be sent, and when."""
        look = self.scene.look
        for line in wrap(held.told, width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        Pen(drawing).write(f" {bar(look.glyphs, held.left)}", look.accent)

    @property
    def _items(self) -> Sequence[Item]:
        """The list without the end of the turn, which is drawn below it."""
        return [item for item in self.asking.items if item is not self.asking.menu.end]

    def _list(self, drawing: Drawing, width: int, height: int) -> None:
        asking = self.asking
        if asking.title:
            self._heading(drawing, width)
        left = height - len(drawing.lines)
        end = self._end_rows(width, ROWS)
        rows = self._all_rows(max(left - len(end), 1), width)
        if sum(map(len, (*rows, end))) > left:  # rather a choice more than why the turn cannot end yet
            end = self._end_rows(width, 1)
        for number, lines in self._window(rows, max(left - len(end), 1)):
            self._item(drawing, number, lines, width)
        self._more(drawing, width)
        self._end_line(drawing, end, width)
        self._detail(drawing, width, height)

    def _fit(self, text: str, width: int, most: int) -> list[str]:
        return fitted(text, width, most, self.scene.look.glyphs.cut)

    def _heading(self, drawing: Drawing, width: int) -> None:
        """What the open group is called, and where there is room beside it how to go back."""
        look, back = self.scene.look, self.scene.texts.say(msg("(Esc: back)"))
        for row in self._fit(self.asking.title, width - 2, ROWS - 1):
            pen = Pen(drawing).write(" ").thing("press", "escape", row, look.title)
        if pen.x + cell_len(back) + 3 <= width:
            pen.thing("press", "escape", f"  {back}", look.dim)

    def _all_rows(self, room: int, width: int) -> list[list[str]]:
        """The lines of every item. What can be chosen, and what the cursor is on, stands there in full; the
        reasons against the others where there is room for all."""
        texts, most = self._labels(), min(ROWS, room)
        full = [self._fit(text, width - BEFORE - 1, most) for text in texts]
        if sum(map(len, full)) <= room:
            return full
        return [
            rows if item.open or number == self.asking.cursor else self._fit(text, width - BEFORE - 1, 1)
            for number, (item, text, rows) in enumerate(zip(self._items, texts, full, strict=True))
        ]

    def _labels(self) -> list[str]:
        """What every item says: what it does, or why not; the answer that waits has a sign."""
        signed = f"{self.scene.look.glyphs.matched} "
        return [
            f"{signed if self._waits(item) else ''}{item.label}" if item.open else item.barred
            for item in self._items
        ]

    def _waits(self, item: Item) -> bool:
        """Whether it is the answer that is sent when its time has come."""
        return self.held is not None and self.held.chosen is not None and item.choice == self.held.chosen

    def _detail(self, drawing: Drawing, width: int, height: int) -> None:
        """What the card under the cursor does, where there is room for it."""
        item, room = self.asking.current, height - len(drawing.lines) - 1
        if self.brought and room >= 0:
            Pen(drawing).write(f"   {self.brought}", self.scene.look.dim)
            room -= 1
        if self.looked:
            lines = self._card_lines(self.looked, width)
        elif item is None or not item.open or self.apart:
            return
        else:
            lines = self._about(item, width, room)
        if not lines or len(lines) > room:
            return
        Pen(drawing)
        for line in lines:
            Pen(drawing).write(f"   {line}", self.scene.look.dim)

    def _card_lines(self, card: str, width: int) -> list[str]:
        """A card in a few words, whatever it is."""
        texts, narrow = self.scene.texts, min(width, 100) - 4
        head = card_labels.brief(texts, self.scene.edition, card)
        unique = self.scene.edition.types.get(card, "unique") == "unique"
        return [head, *(wrap(summary(texts, self.scene.edition, card), narrow) if unique else ())]

    def _about(self, item: Item, width: int, room: int) -> list[str]:
        """A card in a sentence, or in full where there is much room; nothing of districts that do nothing."""
        if not item.about or self.scene.edition.types.get(item.about, "unique") != "unique":
            return []
        texts, narrow = self.scene.texts, min(width, 100) - 4
        short = wrap(summary(texts, self.scene.edition, item.about), narrow)
        full = [*short, "", *wrap(explanation(texts, self.scene.edition, item.about), narrow)]
        return full if len(full) <= room and room >= 8 else short

    def _window(self, rows: Sequence[Sequence[str]], room: int) -> Iterator[tuple[int, Sequence[str]]]:
        """The items shown with their lines, the cursor among them."""
        first, cursor, last = min(self.first, self.asking.cursor), self.asking.cursor, len(rows)
        if cursor == last:  # on the end of the turn, which is always shown
            first = cursor = min(self.first, max(last - 1, 0))
        while first < cursor and sum(map(len, rows[first : cursor + 1])) > room:
            first += 1
        while first and sum(map(len, rows[first - 1 :])) <= room:
            first -= 1
        while last > cursor + 1 and sum(map(len, rows[first:last])) > room:
            last -= 1
        self.first = first
        return ((number, rows[number]) for number in range(first, last))

    def _more(self, drawing: Drawing, width: int) -> None:
        """A sign at the last line drawn where there are others below it."""
        shown = [int(hit.key) for hit in drawing.hits if hit.kind == "item"]
        length = self.asking.length if self.asking.selection else len(self._items)
        if shown and shown[-1] < length - 1:
            line = drawing.lines[-1]
            line.truncate(max(width - 2, 0), pad=True)
            line.append(self.scene.look.glyphs.down, self.scene.look.title)

    def _item(self, drawing: Drawing, number: int, rows: Sequence[str], width: int) -> None:
        look, item = self.scene.look, self.asking.items[number]
        here = number == self.asking.cursor and any(other.open or other.items for other in self.asking.items)
        y = len(drawing.lines)
        for row, said in enumerate(rows):
            pen = Pen(drawing)
            pen.write(f"{look.glyphs.turn if here and not row else ' '}", look.title)
            key = f"{item.keys[:1] or ' '} " if not row else "  "
            pen.write(key, look.title if item.open else look.dim).write(said, self._style(item, here=here))
            if row + 1 == len(rows):
                self._after(pen, item, width, here=here)
            self._bar(drawing, pen, width, here)
        drawing.hits.append(Hit("item", str(number), y, 0, width, len(rows)))

    def _style(self, item: Item, *, here: bool) -> Style | None:
        """How a choice is written: dim where it cannot be made, or serves nothing."""
        if not item.open:
            return self.scene.look.dim
        if here or self._waits(item):
            return self.scene.look.strong
        return self.scene.look.dim if self.asking.menu.wasted(item) else None

    def _after(self, pen: Pen, item: Item, width: int, *, here: bool) -> None:
        """At the end of a line what the choice makes of the own gold, and where the game is explained what it
        brings, which for the line of the cursor has a line of its own where there is no room."""
        if not item.open:
            return
        after, brought = self._gold_after(item), self._brings(item)
        column = max(pen.x + 2, min(width, AFTER) - cell_len(after) - 2)
        if brought and pen.x + cell_len(brought) + 4 < (column if after else width):
            pen.write(f"  {brought}", self.scene.look.dim)
            brought = ""
        if after and column + cell_len(after) < width:
            pen.to(column).write(after, self.scene.look.gold)
        if here:
            self.brought = brought

    def _brings(self, item: Item) -> str:
        """What a choice would bring, where the game is explained."""
        scene = self.scene
        return brings(scene.texts, scene.view, scene.seat, item.choice) if scene.guided else ""

    def _gold_after(self, item: Item) -> str:
        scene = self.scene
        if item.choice is None or scene.seat is None:
            return ""
        after = gold_after(scene.view, scene.seat, item.choice)
        if after is None:
            return ""
        before = scene.view.players[scene.seat].gold
        return scene.texts.say(
            msg("{before} {to} {after} gold"), before=before, to=scene.look.glyphs.to, after=after
        )

    def _bar(self, drawing: Drawing, pen: Pen, width: int, here: bool) -> None:
        if here:
            pen.to(width).line.stylize_before(Style(bgcolor=self.scene.look.palette.cursor))

    def _end_rows(self, width: int, most: int) -> list[str]:
        """The end of the turn with its key, or why it cannot end yet; nothing where that is no question."""
        end, key = self.asking.menu.end, self.key_of("end")
        if end is None or len(self.asking.levels) > 1:
            return []
        said = f"{self.scene.texts.say(msg('End the turn'))}: {end.why}" if end.choice is None else end.label
        return [
            f" {'' if number else key}".ljust(cell_len(key) + 2) + row
            for number, row in enumerate(self._fit(said, width - cell_len(key) - 3, most))
        ]

    def _end_line(self, drawing: Drawing, rows: Sequence[str], width: int) -> None:
        look, end, key = self.scene.look, self.asking.menu.end, self.key_of("end")
        here = end is not None and self.asking.current is end
        for number, row in enumerate(rows):
            if end is None or end.choice is None:
                Pen(drawing).write(row, look.dim)
                continue
            pen, split = Pen(drawing), 0 if number else cell_len(key) + 2
            pen.write(look.glyphs.turn if here and not number else " ", look.title)
            pen.thing("press", "end_turn", row[1:split], look.title)
            pen.thing("press", "end_turn", row[max(split, 1) :], look.strong if here else None)
            self._bar(drawing, pen, width, here)

    def _ending(self, drawing: Drawing, width: int) -> None:
        texts, look = self.scene.texts, self.scene.look
        left = texts.alternatives([verb(texts, word) for word in self.asking.menu.left])
        for line in wrap(texts.say(msg("You may still {what}. End the turn all the same?"), what=left), width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        yes = Pen(drawing).write(look.glyphs.turn, look.title)
        yes.thing("press", "end_turn", f"{self.key_of('end')} ", look.title).thing(
            "press", "end_turn", texts.say(msg("Yes, end it"))
        )
        no = Pen(drawing)
        no.thing("press", "escape", " Esc ", look.title).thing(
            "press", "escape", texts.say(msg("No, go on playing"))
        )

    def _ticking(self, drawing: Drawing, width: int, height: int) -> None:
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.selection
        assert selection is not None
        part = describe_part(texts, selection.deal, selection.part, self.scene.names)
        least = texts.say(msg("+ -: at least {gold}"), gold=self.asking.floor) if self.asking.floor else ""
        for row in self._fit(part, width - 2, ROWS - 1):
            pen = Pen(drawing).write(f" {row}", look.title)
        if least:
            pen = pen.write("  ") if pen.x + cell_len(least) + 3 <= width else Pen(drawing).write(" ")
            pen.thing("press", "plus", least, look.strong)
        room = max(height - len(drawing.lines) - 1, 1)
        for number, _ in self._window([[""]] * self.asking.length, room):
            self._card(drawing, selection.deal, selection.free()[number], number, width)
        self._more(drawing, width)
        self._finish(drawing, width)

    def _card(self, drawing: Drawing, deal: Deal, place: int, number: int, width: int) -> None:
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.selection
        assert selection is not None
        key, here, out = deal.pool[place], number == self.asking.cursor, self.asking.menu.out
        style = look.dim if key in out else card_style.style(look, self.scene.edition, key)
        pen = Pen(drawing)
        y = pen.y
        ticked = look.glyphs.tick if place in selection.here else " "
        pen.write(look.glyphs.turn if here else " ", look.title).write(
            f"{self.asking.key(number) or ' '} ", look.title
        )
        pen.write(f"[{ticked}] ", look.strong)
        pen.write(cut(card_labels.brief(texts, self.scene.edition, key, out), width - pen.x), style)
        self._bar(drawing, pen, width, here)
        drawing.hits.append(Hit("item", str(number), y, 0, width))

    def _finish(self, drawing: Drawing, width: int) -> None:
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.selection
        assert selection is not None
        least, most = selection.sizes
        asked = str(least) if least == most else f"{least}-{most}"
        pen = Pen(drawing)
        style = look.title if selection.ready else look.dim
        done = texts.say(msg("Enter: confirm {count} of {asked}"), count=len(selection.here), asked=asked)
        pen.thing("press", "enter", f" {done}", style).write("   ")
        pen.thing("press", "escape", texts.say(msg("Esc: back")), look.dim)
