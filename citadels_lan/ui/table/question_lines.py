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
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.guide.brings import brings
from citadels_lan.front.log import Line
from citadels_lan.front.sealed import Waits, bar
from citadels_lan.texts import msg
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.choices.describe import describe_part
from citadels_lan.texts.verbs import verb
from citadels_lan.ui.widgets import card_style
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .cast_row import marker_sign
from .scene import Scene

AFTER: Final = 60
"""Cells of a line up to what it makes of the own gold."""


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
        self._news(drawing, width, height)
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
            self._idle(drawing, width, height)
            self._detail(drawing, width, height)

    def _waiting(self, drawing: Drawing, held: Waits, width: int) -> None:
        """What will be sent, and when."""
        look = self.scene.look
        for line in wrap(held.told, width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        Pen(drawing).write(f" {bar(look.glyphs, held.left)}", look.accent)

    def _idle(self, drawing: Drawing, width: int, height: int) -> None:
        look, room = self.scene.look, max(height - len(drawing.lines), 1)
        rows = [(line, row) for line in self.idle for row in wrap(self._signed(line), max(width - 2, 1))]
        for line, row in rows[:room]:
            Pen(drawing).write(f" {row}", look.danger if line.kind == "notice" else look.dim)

    def _signed(self, line: Line) -> str:
        """A line with the sign that says the same as its colour."""
        sign = f"{marker_sign(self.scene.look.glyphs, line.marker)} " if line.kind == "notice" else ""
        return f"{sign}{line.text}"

    def _news(self, drawing: Drawing, width: int, height: int) -> None:
        """Since your last turn; at most a third of the panel."""
        look = self.scene.look
        if self.news and height >= 8:
            Pen(drawing).write(f" {self.scene.texts.say(msg('Since your last turn:'))}", look.dim)
        for news in self.news[-max(height // 3, 1) :]:
            notice = news.kind == "notice"
            style = look.danger if notice else look.accent
            sign = marker_sign(look.glyphs, news.marker) if notice else look.glyphs.mark
            Pen(drawing).write(f" {sign} ", style).write(cut(news.text, width - 4), style)

    def _list(self, drawing: Drawing, width: int, height: int) -> None:
        texts, look, asking = self.scene.texts, self.scene.look, self.asking
        if asking.title:
            head = Pen(drawing).write(" ")
            head.thing("press", "escape", f"{asking.title}  ", look.title)
            head.thing("press", "escape", texts.say(msg("(Esc: back)")), look.dim)
        end = asking.menu.end if len(asking.levels) == 1 else None
        room = height - len(drawing.lines) - (1 if end else 0)
        for number in self._window(max(room, 1)):
            self._item(drawing, number, width)
        self._more(drawing, width)
        if end is not None:
            self._end_line(drawing, width)
        self._detail(drawing, width, height)

    def _detail(self, drawing: Drawing, width: int, height: int) -> None:
        """What the card under the cursor does, or why not in full, where there is room for it."""
        item, room = self.asking.current, height - len(drawing.lines) - 1
        if self.brought and room >= 0:
            Pen(drawing).write(f"   {self.brought}", self.scene.look.dim)
            room -= 1
        if self.apart and not self.looked and (item is None or item.open):
            return
        if self.looked:
            lines = self._card_lines(self.looked, width)
        elif item is None:
            return
        else:
            lines = self._about(item, width, room) if item.open else wrap(item.why, width - 4)
        needed = bool(self.looked) or (item is not None and item.open) or len(lines) > 1
        if not lines or len(lines) > room or not needed:
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

    def _window(self, room: int) -> Iterator[int]:
        """The lines shown, with the cursor among them."""
        self.first = min(self.first, self.asking.cursor, max(self.asking.length - room, 0))
        self.first = max(self.first, self.asking.cursor - room + 1)
        return iter(range(self.first, min(self.first + room, self.asking.length)))

    def _more(self, drawing: Drawing, width: int) -> None:
        """A sign at the last line drawn where there are others below it."""
        shown = [int(hit.key) for hit in drawing.hits if hit.kind == "item"]
        if shown and shown[-1] < self.asking.length - 1:
            line = drawing.lines[-1]
            line.truncate(max(width - 2, 0), pad=True)
            line.append(self.scene.look.glyphs.down, self.scene.look.title)

    def _item(self, drawing: Drawing, number: int, width: int) -> None:
        look, item = self.scene.look, self.asking.items[number]
        here = number == self.asking.cursor and any(other.open or other.items for other in self.asking.items)
        pen = Pen(drawing)
        y = pen.y
        pen.write(f"{look.glyphs.turn if here else ' '}", look.title)
        pen.write(f"{item.keys[:1] or ' '} ", look.title if item.open else look.dim)
        if item.open:
            self._open_item(pen, item, width, here=here)
        else:
            pen.write(cut(item.barred, width - 5, look.glyphs.cut), look.dim)
        self._bar(drawing, pen, width, here)
        drawing.hits.append(Hit("item", str(number), y, 0, width))

    def _open_item(self, pen: Pen, item: Item, width: int, *, here: bool) -> None:
        """What can be chosen, and at the end of the line what it makes of the own gold."""
        look, held = self.scene.look, self.held
        chosen = held is not None and held.chosen is not None and item.choice == held.chosen
        label = f"{look.glyphs.matched} {item.label}" if chosen else item.label
        useless = look.dim if self.asking.menu.wasted(item) else None
        pen.write(cut(label, width - 5, look.glyphs.cut), look.strong if here or chosen else useless)
        after, brought = self._gold_after(item), self._brings(item)
        column = max(pen.x + 2, min(width, AFTER) - cell_len(after) - 2)
        if brought and pen.x + cell_len(brought) + 4 < (column if after else width):
            pen.write(f"  {brought}", look.dim)
            brought = ""
        if after and column + cell_len(after) < width:
            pen.to(column).write(after, look.gold)
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

    def _end_line(self, drawing: Drawing, width: int) -> None:
        end = self.asking.menu.end
        assert end is not None
        look, texts = self.scene.look, self.scene.texts
        pen, key = Pen(drawing), self.key_of("end")
        if end.choice is None:
            pen.write(cut(f" {key} {texts.say(msg('End the turn'))}: {end.why}", width - 1), look.dim)
            return
        pen.thing("press", "end_turn", f" {key} ", look.title)
        pen.thing("press", "end_turn", end.label, None if self.asking.items else look.strong)

    def _ending(self, drawing: Drawing, width: int) -> None:
        texts, look = self.scene.texts, self.scene.look
        left = texts.alternatives([verb(texts, word) for word in self.asking.menu.left])
        for line in wrap(texts.say(msg("You may still {what}. End the turn all the same?"), what=left), width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        yes = Pen(drawing)
        yes.thing("press", "end_turn", f" {self.key_of('end')} ", look.title).thing(
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
        room = width - 2 - (cell_len(least) + 2 if least else 0)
        pen = Pen(drawing).write(f" {cut(part, room, look.glyphs.cut)}", look.title)
        if least:
            pen.write("  ").thing("press", "plus", least, look.strong)
        for number in self._window(max(height - len(drawing.lines) - 1, 1)):
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
