"""The question with its choices; while cards are selected, these cards; the explanation of the card under the
cursor; an auction."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import Struct, field
from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from citadels_lan.engine import Action, Choice
from citadels_lan.engine.actions import PassBid, other_seats
from citadels_lan.engine.state import Auction
from citadels_lan.engine.turn.cities import standing
from citadels_lan.presenter.facts import brief
from citadels_lan.presenter.game import Waits
from citadels_lan.presenter.prompt.keys import LETTERS
from citadels_lan.presenter.prompt.menu import Item, Menu
from citadels_lan.presenter.prompt.prompt import Bidding, Prompt, Selection
from citadels_lan.presenter.symbols import ASCII
from citadels_lan.presenter.text_width import cut, fitted, pad, wrap
from citadels_lan.texts import msg
from citadels_lan.texts.moves import describe_part, verb
from citadels_lan.texts.topics import summary
from citadels_lan.ui.table.panels import paid
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Drawing, Hit, Pen, write_lines
from citadels_lan.ui.widgets.look import printed

AFTER: Final = 60
"""The last column in which the gold after a choice may be written."""
ROWS: Final = 3
"""Most lines of one choice."""
BEFORE: Final = 3
"""Cells before a choice: the cursor, the key, a space."""

DOTS: Final = 2
"""How many characters of the countdown stand for each second until a delayed answer is sent."""
OWN_BID = 2
"""Lines that show the bid which the player is typing."""
NAME = 12
"""Most cells of a bidder's name."""


class QuestionLines(Struct):
    """Draws one question, once, into `drawing`. `held` is the delayed answer, if there is one. `idle` is the
    text if there is nothing to decide. `looked` is a card that the player wants explained although no choice
    is about it. `first` is the first visible line."""

    scene: Scene
    asking: Prompt
    held: Waits | None
    idle: str
    looked: str
    first: int = 0
    drawing: Drawing = field(default_factory=Drawing)
    width: int = 0
    height: int = 0

    def draw(self, width: int, height: int) -> None:
        """Draw the question, and set `first` to the first line that was drawn."""
        self.width, self.height, look = width, height, self.scene.look
        if self.held is not None:
            write_lines(self.drawing, wrap(self.held.told, width - 2), look.strong)
            sign = "#" if look.glyphs is ASCII else "■"
            Pen(self.drawing).write(f" {sign * math.ceil(self.held.left * DOTS)}", look.accent)
            if not self.held.free:
                return
        if self.asking.at.ending:
            self._ending()
        elif self.asking.at.selection:
            self._ticking()
        elif self.asking.items or self.asking.menu.end:
            self._list()
        else:
            rows = wrap(self.idle, max(width - 2, 1)) if self.idle else []
            write_lines(self.drawing, rows[: max(self._room, 1)], look.dim)
            self._detail()

    @property
    def _room(self) -> int:
        """How many lines are still free."""
        return self.height - len(self.drawing.lines)

    def _list(self) -> None:
        items = [item for item in self.asking.items if item is not self.asking.menu.end]
        if self.asking.title:
            self._heading()
        left, end = self._room, self._end_rows()
        rows = self._all_rows(items, max(left - len(end), 1))
        for number in self._window(rows, max(left - len(end), 1)):
            if rows[number]:
                self._item(number, rows[number])
        self._more(max((number for number, row in enumerate(rows) if row), default=0))
        self._end_line(end)
        self._detail()

    def _fit(self, text: str, width: int, most: int) -> list[str]:
        return fitted(text, width, most, self.scene.look.glyphs.cut)

    def _heading(self) -> None:
        """Write the title of the open group. If there is room, also write the key that closes the group."""
        look, back = self.scene.look, self.scene.texts.say("(Esc: back)")
        for row in self._fit(self.asking.title, self.width - 2, ROWS - 1):
            pen = Pen(self.drawing).write(" ").thing("press", "escape", row, look.title)
        if pen.x + cell_len(back) + 3 <= self.width:
            pen.thing("press", "escape", f"  {back}", look.dim)

    def _all_rows(self, items: Sequence[Item], room: int) -> list[list[str]]:
        """Return the text lines of each item. An impossible item has lines (with the reason) only if the
        cursor is on it, or if no item is possible; otherwise it has none."""
        rows: list[list[str]] = []
        for number, item in enumerate(items):
            if self._is_character(item):
                rows.append(self._character(items, item, min(ROWS, room) if number == self.asking.cursor else 1))
                continue
            # If nothing is possible, all reasons are shown, because the player wants to know why.
            shows = item.open or number == self.asking.cursor or not self.asking.any_open
            text = f"{self._sign(item)}{item.label if item.open else item.barred}"
            rows.append(self._fit(text, self.width - BEFORE - 1, min(ROWS, room)) if shows else [])
        return rows

    def _is_character(self, item: Item) -> bool:
        """Return whether an item chooses a character in the draft."""
        return self.scene.view.phase == "draft" and item.about in self.scene.edition.characters

    def _character(self, items: Sequence[Item], item: Item, most: int) -> list[str]:
        """Return the lines of a character in the draft: name and summary, with free space for the income at
        the end."""
        texts = self.scene.texts
        names = [texts.character(other.about) for other in items if self._is_character(other)]
        name = f"{self._sign(item)}{pad(texts.character(item.about), max(map(cell_len, names)))}  "
        room = self.width - BEFORE - cell_len(name) - cell_len(paid(self.scene, item.about)) - 3
        first, *others = self._fit(summary(texts, self.scene.edition, item.about), room, most)
        return [f"{name}{first}", *(f"{'':{cell_len(name)}}{other}" for other in others)]

    def _sign(self, item: Item) -> str:
        """Return the sign before an item that is the delayed answer; "" for other items."""
        return f"{self.scene.look.glyphs.matched} " if item.open and self._waits(item) else ""

    def _waits(self, item: Item) -> bool:
        """Return whether this item is the delayed answer."""
        return self.held is not None and self.held.chosen is not None and item.choice == self.held.chosen

    def _detail(self) -> None:
        """Explain the card under the cursor, or the card `looked`, if there is room."""
        dim, card = self.scene.look.dim, self.looked
        if not card:
            return
        texts, edition = self.scene.texts, self.scene.edition
        lines = [brief(texts, edition, card)]
        if edition.types.get(card, "unique") == "unique":  # other districts do nothing
            lines += wrap(summary(texts, edition, card), min(self.width, 100) - 4)
        if len(lines) < self._room:
            write_lines(self.drawing, ["", *(f"   {line}" for line in lines)], dim, 0)

    def _window(self, rows: Sequence[Sequence[str]], room: int) -> range:
        """Return the range of items that fit into `room` lines and include the cursor. `rows` has the lines
        of each item."""
        first, cursor, last = min(self.first, self.asking.cursor), self.asking.cursor, len(rows)
        if cursor == last:  # on the end of the turn, which is always visible
            first = cursor = min(self.first, max(last - 1, 0))
        while first < cursor and sum(map(len, rows[first : cursor + 1])) > room:
            first += 1
        # If lines below have gone, the list moves down to use the free room.
        while first and sum(map(len, rows[first - 1 :])) <= room:
            first -= 1
        while last > cursor + 1 and sum(map(len, rows[first:last])) > room:
            last -= 1
        self.first = first
        return range(first, last)

    def _more(self, last: int) -> None:
        """If items up to the number `last` are below the last visible line, add a sign to that line."""
        shown = [int(hit.key) for hit in self.drawing.hits if hit.kind == "item"]
        if shown and shown[-1] < last:
            line = self.drawing.lines[-1]
            line.truncate(max(self.width - 2, 0), pad=True)
            line.append(self.scene.look.glyphs.down, self.scene.look.title)

    def _item(self, number: int, rows: Sequence[str]) -> None:
        look, item = self.scene.look, self.asking.items[number]
        # Without a possible choice there is no cursor, so no line looks as if Enter would do something.
        here = number == self.asking.cursor and self.asking.any_open
        style = None
        if not item.open:
            style = look.dim
        elif here or self._waits(item):
            style = look.strong
        elif self.asking.menu.wasted(item):
            style = look.dim
        self.drawing.hits.append(Hit("item", str(number), len(self.drawing.lines), 0, self.width, len(rows)))
        for row, text in enumerate(rows):
            pen = Pen(self.drawing).write(look.glyphs.turn if here and not row else " ", look.title)
            key = f"{item.keys[:1] or ' '} " if not row else "  "
            pen.write(key, look.title if item.open else look.dim).write(text, style)
            if item.open and row == (0 if self._is_character(item) else len(rows) - 1):
                self._after(pen, item)
            self._bar(pen, here=here)

    def _after(self, pen: Pen, item: Item) -> None:
        """At the end of a choice's line, write the gold that the player would have after it, or the income of
        the character."""
        say, look = self.scene.texts.say, self.scene.look
        if self._is_character(item):
            income = paid(self.scene, item.about)
            pen.to(self.width - cell_len(income) - 2).write(income, look.dim)
        if item.gold is None:
            return
        before, gold = item.gold
        # Translators: the player's gold before and after a choice; {to} is an arrow
        after = say("{before} {to} {after} gold", before=before, to=look.glyphs.to, after=gold)
        column = max(pen.x + 2, min(self.width, AFTER) - cell_len(after) - 2)
        if column + cell_len(after) < self.width:
            pen.to(column).write(after, look.gold)

    def _bar(self, pen: Pen, *, here: bool) -> None:
        """Mark the line if the cursor is on it."""
        if here:
            pen.to(self.width).line.stylize_before(Style(bgcolor=self.scene.look.palette.cursor))

    def _end_rows(self) -> list[str]:
        """Return the lines of the choice that ends the turn, with its key; none if the turn cannot end
        yet."""
        end, key = self.asking.menu.end, self.scene.keys["end"]
        if end is None or end.choice is None or len(self.asking.at.levels) > 1:
            return []
        rows = self._fit(end.label, self.width - cell_len(key) - 3, ROWS)
        return [f" {'' if number else key}".ljust(cell_len(key) + 2) + row for number, row in enumerate(rows)]

    def _end_line(self, rows: Sequence[str]) -> None:
        look, end, key = self.scene.look, self.asking.menu.end, self.scene.keys["end"]
        here = self.asking.current is end
        for number, row in enumerate(rows):
            split = 1 if number else cell_len(key) + 2
            pen = Pen(self.drawing).write(look.glyphs.turn if here and not number else " ", look.title)
            pen.thing("press", "end_turn", row[1:split], look.title)
            pen.thing("press", "end_turn", row[split:], look.strong if here else None)
            self._bar(pen, here=here)

    def _ending(self) -> None:
        texts, look = self.scene.texts, self.scene.look
        left = texts.alternatives([verb(texts, word) for word in self.asking.menu.left])
        asked = texts.say("You may still {what}. End the turn anyway?", what=left)
        write_lines(self.drawing, wrap(asked, self.width - 2), look.strong)
        answers = (
            (look.glyphs.turn, "end_turn", f"{self.scene.keys['end']} ", msg("Yes, end it")),
            (" ", "escape", "Esc ", msg("No, continue")),
        )
        for sign, press, key, answer in answers:
            pen = Pen(self.drawing).write(sign, look.title).thing("press", press, key, look.title)
            pen.thing("press", press, texts.say(answer))

    def _ticking(self) -> None:
        texts, look, selection, width = self.scene.texts, self.scene.look, self.asking.at.selection, self.width
        assert selection is not None
        part = describe_part(texts, selection.deal, selection.part, self.scene.names)
        least = texts.say("+ -: at least {gold}", gold=self.asking.at.floor) if self.asking.at.floor else ""
        for row in self._fit(part, width - 2, ROWS - 1):
            pen = Pen(self.drawing).write(f" {row}", look.title)
        if least:
            fits = pen.x + cell_len(least) + 3 <= width
            pen = pen.write("  ") if fits else Pen(self.drawing).write(" ")
            pen.thing("press", "plus", least, look.strong)
        for number in self._window([[""]] * self.asking.length, max(self._room - 1, 1)):
            self._card(selection, number)
        self._more(self.asking.length - 1)
        least_count, most = selection.sizes
        asked = str(most) if least_count == most else f"{least_count}-{most}"
        done = texts.say("Enter: confirm {count} (choose {asked})", count=len(selection.here), asked=asked)
        pen = Pen(self.drawing)
        pen.thing("press", "enter", f" {done}", look.title if selection.ready else look.dim).write("   ")
        pen.thing("press", "escape", texts.say("Esc: back"), look.dim)

    def _card(self, selection: Selection, number: int) -> None:
        """Draw the card `number` of a selection, ticked if it is selected."""
        scene, look, place = self.scene, self.scene.look, selection.free()[number]
        key, here, out = selection.deal.pool[place], number == self.asking.cursor, self.asking.menu.out
        pen = Pen(self.drawing).write(look.glyphs.turn if here else " ", look.title)
        pen.write(f"{self.asking.key(number) or ' '} ", look.title)
        pen.write(f"[{look.glyphs.tick if place in selection.here else ' '}] ", look.strong)
        text = cut(brief(scene.texts, scene.edition, key, out), self.width - pen.x)
        pen.write(text, look.dim if key in out else look.card(scene.edition, key))
        self._bar(pen, here=here)
        self.drawing.hits.append(Hit("item", str(number), pen.y, 0, self.width))


# Auctions


def draw_auction(
    scene: Scene, drawing: Drawing, auction: Auction, bidding: Bidding | None, width: int, height: int
) -> None:
    """Draw the public state of an auction. If the player can bid, also draw the bid that the player is typing
    (`bidding`)."""
    texts, look, edition = scene.texts, scene.look, scene.edition
    pen = Pen(drawing).write(f" {texts.say('AUCTION')} ", look.title + Style(reverse=True)).write(" ")
    style = look.card(edition, auction.card) + Style(bold=True)
    pen.thing("district", auction.card, brief(texts, edition, auction.card), style)
    owners = [seat for seat, player in enumerate(scene.view.players) if standing(player, auction.card)]
    missing = texts.say(msg("not in the city yet"))
    stands = texts.say(msg("built: {name}"), name=scene.called(owners[0])) if owners else missing
    # Translators: whose card is sold in an auction
    sold = msg("sold by you") if auction.seller == scene.reader else msg("sold by {name}")
    text = f" {texts.say(sold, name=scene.names[auction.seller])} ({stands})"
    if cell_len(text) > width - pen.x - 1:  # the log also has the seller
        text = f" ({stands})"
    pen.write(cut(text, width - pen.x - 1, look.glyphs.cut))
    if auction.bidder is None:
        text = texts.say("No bid yet; at least {gold}.", gold=auction.floor)
        Pen(drawing).write(f" {cut(text, width - 2)}", look.dim)
    else:
        gold = texts.plural("{count} gold", "{count} gold", auction.bid)
        pen = Pen(drawing).write(f" {texts.say('Highest bid')}: ").write(gold, look.gold + Style(bold=True))
        style = look.title if auction.bidder == scene.reader else look.bold
        pen.write(cut(f", {scene.called(auction.bidder)}", width - pen.x - 1, look.glyphs.cut), style)
    _bidders(scene, drawing, auction, width)
    if bidding is not None:
        if len(drawing.lines) + OWN_BID < height:
            Pen(drawing)
        _own_bid(scene, drawing, bidding, width)


def _bidders(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    """Draw the players who may bid, clockwise from the seller, each with a sign for its state: highest
    bidder, has passed, is deciding, or has too little gold."""
    look, glyphs, pen = scene.look, scene.look.glyphs, Pen(drawing).write(" ")
    least = auction.floor if auction.bidder is None else auction.bid + 1
    for seat in other_seats(len(scene.view.players), auction.seller):
        sign, style = " ", Style()
        if seat == auction.bidder:
            sign, style = glyphs.complete, look.gold + Style(bold=True)
        elif seat in auction.passed:
            sign, style = glyphs.gone, look.struck
        elif seat in scene.deciding and seat != scene.reader:
            sign, style = glyphs.turn, look.title
        elif scene.view.players[seat].gold < least:
            sign, style = glyphs.dot, look.dim
        text = f"{sign}{cut(scene.called(seat), NAME, glyphs.cut)}"
        if pen.x + cell_len(text) + 2 > width and pen.x > 1:
            pen = Pen(drawing).write(" ")
        pen.write(text, style).write("  ")


def _own_bid(scene: Scene, drawing: Drawing, bidding: Bidding, width: int) -> None:
    texts, look = scene.texts, scene.look
    pen, passes = Pen(drawing).write(look.glyphs.turn, look.title), texts.say("pass")
    said = texts.plural("bid {count} gold", "bid {count} gold", bidding.amount) if bidding.amount else passes
    style = look.strong if bidding.possible else look.danger
    pen.thing("press", "enter", printed(texts, "Enter"), look.title).write(" ")
    pen.thing("press", "enter", said, style)
    if bidding.amount:
        pen.write("    ").thing("press", "p", "p", look.title).write(" ").thing("press", "p", passes, look.strong)
    limits = texts.say("0-9 type a bid, {least} to {most}", least=bidding.least, most=bidding.most)
    Pen(drawing).write(f" {cut(limits, width - 2)}", look.dim if bidding.possible else look.danger)


FLOOR: Final = {"plus": 1, "minus": -1}
"""How much each key changes the lowest bid that a seller accepts for an offered card."""
RAISES: Final = {"up": 1, "plus": 1, "down": -1, "minus": -1}
"""How much each key changes the bid that the player is typing."""
MOVES: Final = {"up": -1, "down": 1}
STEPS: Final = frozenset({*MOVES, "enter", "space", "escape", "left", "right", "end_turn", "undo"})
"""The keys that work in every question, besides the keys of its lines."""
GRACE = 0.2
"""For this many seconds after a new question appears, key presses are ignored, because the player meant the
previous question."""


class QuestionPanel(SceneView, can_focus=True):
    """Shows a `Prompt` and handles its keys. The key of a line or the arrow keys move the cursor, Enter
    confirms, Escape goes back one step. A click does the same as the key of the line, or the same as Enter if
    the cursor is already on the line."""

    @dataclass
    class Chosen(Message):
        """The player has chosen an action, which must be sent."""

        action: Action

    class Moved(Message):
        """The visible list, the selected cards or the cursor have changed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(self._question, self._drawn_from, id="question")
        self._clock = clock
        self._asked = -1.0
        self._first = 0
        self.asking = Prompt()
        self.bidding: Bidding | None = None
        self.idle = ""
        self.covered = False
        self.looked = ""
        self._clicked: Prompt | None = None

    @property
    def places(self) -> Mapping[tuple[int, int], str]:
        """The keys of the districts that the open list offers, by seat and index in the city."""
        if self.covered or self.asking.at.selection is not None or self.asking.at.ending:
            return {}
        return {item.place: item.keys[:1] for item in self.asking.items if item.place and item.open}

    def _drawn_from(self, scene: Scene) -> tuple[object, ...]:
        auction = scene.view if scene.view.auction is not None else None  # all players follow an auction
        return scene.texts, scene.look, scene.keys, self.covered, auction, scene.view.phase

    def ask(self, menu: Menu, choices: Sequence[Choice], idle: str = "") -> None:
        """Ask a new question. `idle` is shown if there is nothing to decide."""
        self.asking, self.bidding = Prompt(menu), Bidding.of(choices)
        self.idle = idle
        # Keys within GRACE of this moment were meant for the question before.
        self._asked = self._clock()
        self._first = 0
        self.looked = ""
        self.redraw()

    def show_again(self, menu: Menu, idle: str) -> None:
        """Show the same question with a new `menu`, for example in another language."""
        self.asking = Prompt(menu)
        self.idle = idle
        self.redraw()

    # Keys and clicks

    def early(self) -> bool:
        """Return whether a key pressed now was probably meant for the previous question."""
        return self._clock() - self._asked < GRACE

    def on_key(self, event: events.Key) -> None:
        key = event.character if event.character and event.character in LETTERS else event.key
        if key != "escape" and self.press(key):  # the screen clears its last line as well
            event.stop()

    def press(self, key: str) -> bool:
        """Handle a key; return False if the question has no such key."""
        # An unknown key goes on to the screen, where it may be a command.
        if self.bidding is None and not self._known(key):
            return False
        if self.early() or self.covered:  # the key is used up: as a command it would surprise the player
            return True
        if self.bidding is not None:
            return self._bid(self.bidding, key)
        self.looked = ""
        # The action is sent as a message, so the panel needs no session.
        self._send(self._step(key))
        self._changed()
        return True

    def _known(self, key: str) -> bool:
        if key == "space" and not self.asking.items and self.bidding is None:
            return False  # Nothing is asked: the key skips to the next question.
        # Plus and minus belong to the question only while a least bid can be set.
        return key in STEPS or (key in FLOOR and self.asking.at.floor > 0) or self.asking.line(key) is not None

    def _step(self, key: str) -> Action | None:
        """Handle a key of the question. Return the action to send; None if the key sends none."""
        asking = self.asking
        if key in FLOOR:
            asking.raise_floor(FLOOR[key])
        elif key in MOVES:
            asking.move(MOVES[key])
        elif key in ("escape", "left"):
            asking.back()
        elif key == "right":
            asking.open()
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
        """Explain a card below the question although no choice is about it."""
        self.looked = card
        self._changed()

    def _bid(self, bidding: Bidding, key: str) -> bool:
        """Handle a key in an auction. Return False if the key has no meaning for bids."""
        if key.isdecimal():
            bidding.type(key)
        elif key in RAISES:
            bidding.raise_by(RAISES[key])
        elif key in ("backspace", "escape", "undo"):
            bidding.erase(all_=key != "backspace")
        elif key == "enter":
            self._send(bidding.confirm())
        elif key == "p":
            self._send(PassBid())
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
        """Handle a click on a line: like its key, or like Enter if the cursor is already there."""
        asking, self.looked = self.asking, ""
        pointed = asking.cursor == number
        key = asking.key(number)
        if asking.at.selection:
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
        """Handle a click on the part `hit` of the table or hand like the key of the choice about it. Return
        False if no choice is about it."""
        line = None if self.bidding is not None or self.covered or self.early() else self._line_of(part, hit)
        if line is not None:
            self._click_line(line)
        return line is not None

    def _line_of(self, part: str, hit: Hit) -> int | None:
        """Return the number of the line whose choice is about the clicked card, player or district; None if
        there is none."""
        if self.asking.at.selection is not None:
            free = self.asking.at.selection.free()
            # Equal cards are alike, so the first one that is not ticked elsewhere is meant.
            places = [place for place in free if self.asking.at.selection.deal.pool[place] == hit.key]
            return free.index(places[0]) if places else None
        lines = [number for number, item in enumerate(self.asking.items) if self._is_about(item, part, hit)]
        return lines[0] if lines else None

    def _is_about(self, item: Item, part: str, hit: Hit) -> bool:
        """Return whether an item chooses what was clicked: a player, a card of the hand, a character or a
        district."""
        if hit.kind == "player":
            return item.seat == int(hit.key)
        # A card in the hand and the same card in a city have different lines.
        in_hand = bool(item.keys) and item.keys[0] in LETTERS
        right = (part == "hand") == in_hand or hit.kind == "character"
        return item.about == hit.key and right and (item.open or in_hand)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.asking.move(1)
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.asking.move(-1)
        self.redraw()

    # Drawing

    def _question(self, scene: Scene, held: Waits | None, width: int, height: int) -> Drawing:
        drawing = Drawing()
        if self.covered:
            said = scene.texts.say("Your cards are covered; {key} shows them.", key=scene.keys["hide"])
            Pen(drawing).write(f" {cut(said, width - 2)}", scene.look.dim)
        elif scene.view.auction is not None:
            draw_auction(scene, drawing, scene.view.auction, self.bidding, width, height)
        else:
            lines = QuestionLines(scene, self.asking, held, self.idle, self.looked, self._first)
            lines.draw(width, height)
            self._first = lines.first
            return lines.drawing
        return drawing
