"""The question with its choices: the one place of the table screen where something is decided."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from citadels_lan.engine import Action, Choice, Deal, Edition
from citadels_lan.front import card_labels
from citadels_lan.front.asking.bidding import Bidding
from citadels_lan.front.asking.card_letters import LETTERS
from citadels_lan.front.asking.menu import Item, Menu
from citadels_lan.front.asking.outcome import gold_after
from citadels_lan.front.asking.prompt import Prompt
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.log import Line
from citadels_lan.front.sealed import Waits, bar
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.choices.describe import describe_part
from citadels_lan.texts.verbs import verb
from citadels_lan.ui.widgets import card_style
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.look import Look

from .auction import draw_auction
from .cast_row import marker_sign
from .commands import NAMED
from .scene import Scene

FLOOR: Final = {"plus": 1, "minus": -1}
"""Keys that change the least that may be bid for what is offered."""
RAISES: Final = {"up": 1, "plus": 1, "down": -1, "minus": -1}
"""Keys that change a bid."""
MOVES: Final = {"up": -1, "down": 1}
STEPS: Final = frozenset({*MOVES, "enter", "space", "escape", "left", "right", "end_turn", "undo"})
"""What is pressed in any question; the other keys are those of its lines."""
AFTER: Final = 60
"""Cells of a line up to what it makes of the own gold."""
GRACE = 0.2
"""Seconds after a new question in which keys are dropped: they were meant for the one before."""


class QuestionPanel(Canvas, can_focus=True):
    """Shows a `Prompt`. A line's own key or the arrows point at it, Enter confirms, Escape goes back a step; a
    click does what the key does, and what Enter does on what is pointed at already.
    `apart`: the card under the cursor is shown in full elsewhere."""

    class Chosen(Message):
        """The player has decided."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class Moved(Message):
        """The question looks different: another list, cards to tick, or back."""

    def __init__(
        self,
        scene: Callable[[], Scene],
        clock: Callable[[], float],
        held: Callable[[], Waits | None] = lambda: None,
        key_of: Callable[[str], str] = lambda name: shown(NAMED[name].key),
    ) -> None:
        """`key_of` tells how the key of a command is called."""
        super().__init__(id="question")
        self._key_of = key_of
        self._held = held
        self._scene = scene
        self._clock = clock
        self._asked = -1.0
        self._first = 0
        self.asking = Prompt()
        self.bidding: Bidding | None = None
        self.news: list[Line] = []
        self.idle: Sequence[Line] = ()
        self.covered = False
        self.apart = False
        self.looked = ""
        self._clicked: Prompt | None = None

    def _texts(self) -> Texts:
        return self._scene().texts

    def _look(self) -> Look:
        return self._scene().look

    @property
    def pointed_card(self) -> str:
        """The card that is looked at, or that the line under the cursor is about; empty where there is none."""
        item = self.asking.current
        return self.looked or ("" if item is None else item.about)

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self._scene().edition

    def ask(self, menu: Menu, choices: Sequence[Choice], news: list[Line], idle: Sequence[Line]) -> None:
        """Put a new question, `choices` as a menu; `news` is what happened since the own last turn, `idle` stands
        there when there is nothing to decide."""
        self.asking, self.bidding = Prompt(menu), Bidding.of(choices)
        self.news, self.idle = news, idle
        self._asked = self._clock()
        self._first = 0
        self.looked = ""
        self.redraw()

    def show_again(self, menu: Menu, idle: Sequence[Line]) -> None:
        """The same question in another language."""
        self.asking = Prompt(menu)
        self.idle = idle
        self.redraw()

    # Keys and clicks

    def early(self) -> bool:
        """Whether a key pressed now was meant for the question before."""
        return self._clock() - self._asked < GRACE

    def on_key(self, event: events.Key) -> None:
        if event.key != "escape" and self.press(event.key):  # the screen clears its last line as well
            event.stop()

    def press(self, key: str) -> bool:
        """Handle a key; False where it is none of this question's."""
        if self.bidding is None and not self._known(key):
            return False
        if self.early() or self.covered:
            return True
        if self.bidding is not None:
            return self._bid(self.bidding, key)
        self.looked = ""
        self._send(self._step(key))
        self._changed()
        return True

    def _known(self, key: str) -> bool:
        return key in STEPS or (key in FLOOR and self.asking.floor > 0) or self.asking.line(key) is not None

    def _step(self, key: str) -> Action | None:
        """Take the step of a key; the action that comes of it, if there is one."""
        asking = self.asking
        if key in FLOOR:
            asking.raise_floor(FLOOR[key])
        elif key in MOVES:
            asking.move(MOVES[key])
        elif key in ("escape", "left"):
            asking.back()
        elif key == "undo":
            asking.undo()
        elif key == "space":
            asking.tick()
        elif key == "end_turn":
            return asking.end()
        elif key in STEPS:
            return asking.confirm()
        else:
            return asking.press(key)
        return None

    def _changed(self) -> None:
        self.redraw()
        self.post_message(self.Moved())

    def look_at(self, card: str) -> None:
        """Show what a card is that this question is not about."""
        self.looked = card
        self._changed()

    def _bid(self, bidding: Bidding, key: str) -> bool:
        """Handle a key in an auction; False where it is none of those that bid."""
        if key.isdigit():
            bidding.type(key)
        elif key in RAISES:
            bidding.raise_by(RAISES[key])
        elif key in ("backspace", "escape", "undo"):
            bidding.erase(all_=key != "backspace")
        elif key == "enter":
            self._send(bidding.bid())
        elif key == "p":
            self._send(bidding.passing())
        else:
            return False
        self._changed()
        return True

    def _send(self, action: Action | None) -> None:
        if action is not None:
            self.post_message(self.Chosen(action))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.focus()
        number = self.drawing.at(event.x, event.y)
        again = event.chain > 1 and self._clicked is not self.asking  # the first click was for another question
        self._clicked = self.asking
        if number is None or again or self.early() or self.covered:
            return
        hit = self.drawing.hits[number]
        if hit.kind == "press":
            self.press(hit.key)
        elif hit.kind == "item":
            self._click_line(int(hit.key))

    def _click_line(self, number: int) -> None:
        """What the line's key does; on the line that is pointed at already, what Enter does."""
        asking, self.looked = self.asking, ""
        pointed = asking.cursor == number
        key = self._line_key(number)
        if asking.selection:
            asking.point(number)
            asking.tick()
        elif pointed and asking.items[number].open:
            self._send(asking.confirm())
        elif key:
            self._send(asking.press(key))
        else:
            asking.point(number)
        self._changed()

    def point_at(self, part: str, hit: Hit) -> bool:
        """What a click on something of the table or the hand means for this question; False where nothing."""
        line = None if self.bidding is not None or self.covered or self.early() else self._line_of(part, hit)
        if line is not None:
            self._click_line(line)
        return line is not None

    def _line_of(self, part: str, hit: Hit) -> int | None:
        """The line that is about what was clicked in a part of the screen."""
        if hit.kind == "player":
            return self.asking.line(str(int(hit.key) + 1))
        if self.asking.selection is not None:
            free = self.asking.selection.free()
            places = [place for place in free if self.asking.selection.deal.pool[place] == hit.key]
            return free.index(places[0]) if places else None
        lines = [number for number, item in enumerate(self.asking.items) if self._is_about(item, part, hit)]
        return lines[0] if lines else None

    def _is_about(self, item: Item, part: str, hit: Hit) -> bool:
        """Whether a line has the letter of a card of the hand, the rank of a character, or is a district that
        stands."""
        in_hand = bool(item.keys) and item.keys[0] in LETTERS
        right = (part == "hand") == in_hand or hit.kind == "character"
        return item.about == hit.key and right and (item.open or in_hand)

    def _line_key(self, number: int) -> str:
        """The key that a line shows; empty where it has none."""
        asking = self.asking
        if asking.selection and asking.at.picked is not None:
            ticks, place = asking.at.picked.ticks, asking.selection.free()[number]
            return ticks[place] if place < len(ticks) else ""
        return asking.items[number].keys[:1]

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.asking.move(1)
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.asking.move(-1)
        self.redraw()

    # Drawing

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        if self.covered:
            said = self._texts().say(msg("Your cards are covered; {key} shows them."), key=self._key_of("hide"))
            Pen(drawing).write(f" {cut(said, width - 2)}", self._look().dim)
            return drawing
        scene = self._scene()
        if scene.view.auction is not None:
            draw_auction(scene, drawing, scene.view.auction, self.bidding, width, height)
            return drawing
        self._news(drawing, width, height)
        held = self._held()
        if held is not None:
            self._waiting(drawing, held, width)
        if held is not None and not held.free:
            return drawing
        if self.asking.ending:
            self._ending(drawing, width)
        elif self.asking.selection:
            self._ticking(drawing, width, height)
        elif self.asking.items or self.asking.menu.end:
            self._list(drawing, width, height)
        else:
            self._idle(drawing, width, height)
            self._detail(drawing, width, height)
        return drawing

    def _waiting(self, drawing: Drawing, held: Waits, width: int) -> None:
        """What will be sent, and when."""
        look = self._look()
        for line in wrap(held.told, width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        Pen(drawing).write(f" {bar(look.glyphs, held.left)}", look.accent)

    def _idle(self, drawing: Drawing, width: int, height: int) -> None:
        look, room = self._look(), max(height - len(drawing.lines), 1)
        rows = [(line, row) for line in self.idle for row in wrap(self._signed(line), max(width - 2, 1))]
        for line, row in rows[:room]:
            Pen(drawing).write(f" {row}", look.danger if line.kind == "notice" else look.dim)

    def _signed(self, line: Line) -> str:
        """A line with the sign that says the same as its colour."""
        sign = f"{marker_sign(self._look().glyphs, line.marker)} " if line.kind == "notice" else ""
        return f"{sign}{line.text}"

    def _news(self, drawing: Drawing, width: int, height: int) -> None:
        """Since your last turn; at most a third of the panel."""
        look = self._look()
        if self.news and height >= 8:
            Pen(drawing).write(f" {self._texts().say(msg('Since your last turn:'))}", look.dim)
        for news in self.news[-max(height // 3, 1) :]:
            notice = news.kind == "notice"
            style = look.danger if notice else look.accent
            sign = marker_sign(look.glyphs, news.marker) if notice else look.glyphs.mark
            Pen(drawing).write(f" {sign} ", style).write(cut(news.text, width - 4), style)

    def _list(self, drawing: Drawing, width: int, height: int) -> None:
        texts, look, asking = self._texts(), self._look(), self.asking
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
        if self.apart and (self.looked or item is None or item.open):
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
            Pen(drawing).write(f"   {line}", self._look().dim)

    def _card_lines(self, card: str, width: int) -> list[str]:
        """A card in a few words, whatever it is."""
        texts, narrow = self._texts(), min(width, 100) - 4
        head = card_labels.brief(texts, self.edition, card)
        unique = self.edition.types.get(card, "unique") == "unique"
        return [head, *(wrap(summary(texts, self.edition, card), narrow) if unique else ())]

    def _about(self, item: Item, width: int, room: int) -> list[str]:
        """A card in a sentence, or in full where there is much room; nothing of districts that do nothing."""
        if not item.about or self.edition.types.get(item.about, "unique") != "unique":
            return []
        texts, narrow = self._texts(), min(width, 100) - 4
        short = wrap(summary(texts, self.edition, item.about), narrow)
        full = [*short, "", *wrap(explanation(texts, self.edition, item.about), narrow)]
        return full if len(full) <= room and room >= 8 else short

    def _window(self, room: int) -> Iterator[int]:
        """The lines shown, with the cursor among them."""
        self._first = min(self._first, self.asking.cursor, max(self.asking.length - room, 0))
        self._first = max(self._first, self.asking.cursor - room + 1)
        return iter(range(self._first, min(self._first + room, self.asking.length)))

    def _more(self, drawing: Drawing, width: int) -> None:
        """A sign at the last line drawn where there are others below it."""
        shown = [int(hit.key) for hit in drawing.hits if hit.kind == "item"]
        if shown and shown[-1] < self.asking.length - 1:
            line = drawing.lines[-1]
            line.truncate(max(width - 2, 0), pad=True)
            line.append(self._look().glyphs.down, self._look().title)

    def _item(self, drawing: Drawing, number: int, width: int) -> None:
        look, item = self._look(), self.asking.items[number]
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
        look, held = self._look(), self._held()
        chosen = held is not None and held.chosen is not None and item.choice == held.chosen
        label = f"{look.glyphs.matched} {item.label}" if chosen else item.label
        useless = look.dim if self.asking.menu.wasted(item) else None
        pen.write(cut(label, width - 5, look.glyphs.cut), look.strong if here or chosen else useless)
        after = self._gold_after(item)
        column = max(pen.x + 2, min(width, AFTER) - cell_len(after) - 2)
        if after and column + cell_len(after) < width:
            pen.to(column).write(after, look.gold)

    def _gold_after(self, item: Item) -> str:
        scene = self._scene()
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
            pen.to(width).line.stylize_before(Style(bgcolor=self._look().palette.cursor))

    def _end_line(self, drawing: Drawing, width: int) -> None:
        end = self.asking.menu.end
        assert end is not None
        look, texts = self._look(), self._texts()
        pen, key = Pen(drawing), self._key_of("end")
        if end.choice is None:
            pen.write(cut(f" {key} {texts.say(msg('End the turn'))}: {end.why}", width - 1), look.dim)
            return
        pen.thing("press", "end_turn", f" {key} ", look.title)
        pen.thing("press", "end_turn", end.label, None if self.asking.items else look.strong)

    def _ending(self, drawing: Drawing, width: int) -> None:
        texts, look = self._texts(), self._look()
        left = texts.alternatives([verb(texts, word) for word in self.asking.menu.left])
        for line in wrap(texts.say(msg("You may still {what}. End the turn all the same?"), what=left), width - 2):
            Pen(drawing).write(f" {line}", look.strong)
        yes = Pen(drawing)
        yes.thing("press", "end_turn", f" {self._key_of('end')} ", look.title).thing(
            "press", "end_turn", texts.say(msg("Yes, end it"))
        )
        no = Pen(drawing)
        no.thing("press", "escape", " Esc ", look.title).thing(
            "press", "escape", texts.say(msg("No, go on playing"))
        )

    def _ticking(self, drawing: Drawing, width: int, height: int) -> None:
        texts, look, selection = self._texts(), self._look(), self.asking.selection
        assert selection is not None
        part = describe_part(texts, selection.deal, selection.part, self._scene().names)
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
        texts, look, selection = self._texts(), self._look(), self.asking.selection
        assert selection is not None
        key, here, out = deal.pool[place], number == self.asking.cursor, self.asking.menu.out
        style = look.dim if key in out else card_style.style(look, self.edition, key)
        pen = Pen(drawing)
        y = pen.y
        ticked = look.glyphs.tick if place in selection.here else " "
        pen.write(look.glyphs.turn if here else " ", look.title).write(
            f"{self._line_key(number) or ' '} ", look.title
        )
        pen.write(f"[{ticked}] ", look.strong)
        pen.write(cut(card_labels.brief(texts, self.edition, key, out), width - pen.x), style)
        self._bar(drawing, pen, width, here)
        drawing.hits.append(Hit("item", str(number), y, 0, width))

    def _finish(self, drawing: Drawing, width: int) -> None:
        texts, look, selection = self._texts(), self._look(), self.asking.selection
        assert selection is not None
        least, most = selection.sizes
        asked = str(least) if least == most else f"{least}-{most}"
        pen = Pen(drawing)
        style = look.title if selection.ready else look.dim
        done = texts.say(msg("Enter: confirm {count} of {asked}"), count=len(selection.here), asked=asked)
        pen.thing("press", "enter", f" {done}", style).write("   ")
        pen.thing("press", "escape", texts.say(msg("Esc: back")), look.dim)
