"""What the panel of the question shows: the choices with their keys, the cards to tick, what happened, the card
under the cursor; in an auction the card, the highest bid, who still bids, and what Enter does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import Deal
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.state import Auction
from citadels_lan.engine.turn.cities import standing
from citadels_lan.front.cells import cut, fitted, wrap
from citadels_lan.front.city_view import brief
from citadels_lan.front.log import Line
from citadels_lan.front.prompt.menu import Item
from citadels_lan.front.prompt.prompt import Bidding, Prompt
from citadels_lan.front.sealed import Waits, bar
from citadels_lan.front.status import coming
from citadels_lan.front.tutorial.advice import brings
from citadels_lan.texts import msg
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.choices import describe_part, verb
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.key_names import printed

from .cast_row import marker_sign
from .scene import Scene

AFTER: Final = 60
"""Cells of a line up to what it makes of the own gold."""
ROWS: Final = 3
"""Lines of the longest choice, which is rather longer than cut, and of a piece of news at most."""
BEFORE: Final = 3
"""Cells before a choice: the cursor, its key, a space."""

OWN_BID = 2
"""Lines of the own bid."""
NAME = 12
"""Cells of a bidder's name at most."""


@dataclass
class QuestionLines:
    """A question as it is drawn once. `held` is an answer that waits for its time; `news` is what happened since
    the player's last turn; `idle` is shown if there is nothing to decide; `looked` is a card outside the question
    that the player asked about. `first` is the first line shown. `apart`: the card under the cursor is shown
    elsewhere. `brought` is what the choice there would bring, if its line has no room for it."""

    scene: Scene
    asking: Prompt
    held: Waits | None
    news: Sequence[Line]
    idle: Sequence[Line]
    looked: str
    first: int = 0
    apart: bool = False
    brought: str = ""

    def draw(self, drawing: Drawing, width: int, height: int) -> None:
        """Draw it. `first` is then the line that is shown first."""
        draw_news(self.scene, drawing, self.news, width, height)
        if self.held is not None:
            self._waiting(drawing, self.held, width)
        if self.held is not None and not self.held.free:
            return
        if self.asking.at.ending:
            self._ending(drawing, width)
        elif self.asking.at.selection:
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
        """Write the name of the open group, and after it the key that goes back if there is room."""
        look, back = self.scene.look, self.scene.texts.say(msg("(Esc: back)"))
        for row in self._fit(self.asking.title, width - 2, ROWS - 1):
            pen = Pen(drawing).write(" ").thing("press", "escape", row, look.title)
        if pen.x + cell_len(back) + 3 <= width:
            pen.thing("press", "escape", f"  {back}", look.dim)

    def _all_rows(self, room: int, width: int) -> list[list[str]]:
        """Return the lines of every item: its label, or the reason against it; the answer that waits has a sign.
        Items that can be chosen and the one under the cursor are in full; the others only if all have room."""
        items, most, room_of_line = self._items, min(ROWS, room), width - BEFORE - 1
        texts = [item.label if item.open else item.barred for item in items]
        for number, item in enumerate(items):
            if item.open and self._waits(item):
                texts[number] = f"{self.scene.look.glyphs.matched} {texts[number]}"
        full = [self._fit(text, room_of_line, most) for text in texts]
        if sum(map(len, full)) <= room:
            return full
        return [
            rows if item.open or number == self.asking.cursor else self._fit(text, room_of_line, 1)
            for number, (item, text, rows) in enumerate(zip(items, texts, full, strict=True))
        ]

    def _waits(self, item: Item) -> bool:
        """Whether it is the answer that is sent when its time has come."""
        return self.held is not None and self.held.chosen is not None and item.choice == self.held.chosen

    def _detail(self, drawing: Drawing, width: int, height: int) -> None:
        """Explain the card under the cursor, if there is room."""
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
        head = brief(texts, self.scene.edition, card)
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
        length = self.asking.length if self.asking.at.selection else len(self._items)
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
        """Write at the end of a line the player's gold after the choice, and in an explained game what it brings.
        If that has no room, the line of the cursor gets a further line for it."""
        if not item.open:
            return
        scene, after, brought = self.scene, "", ""
        if item.gold is not None:
            before, gold = item.gold
            to = scene.look.glyphs.to
            after = scene.texts.say(msg("{before} {to} {after} gold"), before=before, to=to, after=gold)
        if scene.guided:
            brought = brings(scene.texts, scene.view, scene.seat, item.choice)
        column = max(pen.x + 2, min(width, AFTER) - cell_len(after) - 2)
        if brought and pen.x + cell_len(brought) + 4 < (column if after else width):
            pen.write(f"  {brought}", scene.look.dim)
            brought = ""
        if after and column + cell_len(after) < width:
            pen.to(column).write(after, scene.look.gold)
        if here:
            self.brought = brought

    def _bar(self, drawing: Drawing, pen: Pen, width: int, here: bool) -> None:
        if here:
            pen.to(width).line.stylize_before(Style(bgcolor=self.scene.look.palette.cursor))

    def _end_rows(self, width: int, most: int) -> list[str]:
        """The end of the turn with its key, or why it cannot end yet; nothing where that is no question."""
        end, key = self.asking.menu.end, self.scene.keys["end"]
        if end is None or len(self.asking.at.levels) > 1:
            return []
        said = f"{self.scene.texts.say(msg('End the turn'))}: {end.why}" if end.choice is None else end.label
        return [
            f" {'' if number else key}".ljust(cell_len(key) + 2) + row
            for number, row in enumerate(self._fit(said, width - cell_len(key) - 3, most))
        ]

    def _end_line(self, drawing: Drawing, rows: Sequence[str], width: int) -> None:
        look, end, key = self.scene.look, self.asking.menu.end, self.scene.keys["end"]
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
        yes.thing("press", "end_turn", f"{self.scene.keys['end']} ", look.title).thing(
            "press", "end_turn", texts.say(msg("Yes, end it"))
        )
        no = Pen(drawing)
        no.thing("press", "escape", " Esc ", look.title).thing(
            "press", "escape", texts.say(msg("No, go on playing"))
        )

    def _ticking(self, drawing: Drawing, width: int, height: int) -> None:
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.at.selection
        assert selection is not None
        part = describe_part(texts, selection.deal, selection.part, self.scene.names)
        least = texts.say(msg("+ -: at least {gold}"), gold=self.asking.at.floor) if self.asking.at.floor else ""
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
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.at.selection
        assert selection is not None
        key, here, out = deal.pool[place], number == self.asking.cursor, self.asking.menu.out
        style = look.dim if key in out else look.card(self.scene.edition, key)
        pen = Pen(drawing)
        y = pen.y
        ticked = look.glyphs.tick if place in selection.here else " "
        pen.write(look.glyphs.turn if here else " ", look.title).write(
            f"{self.asking.key(number) or ' '} ", look.title
        )
        pen.write(f"[{ticked}] ", look.strong)
        pen.write(cut(brief(texts, self.scene.edition, key, out), width - pen.x), style)
        self._bar(drawing, pen, width, here)
        drawing.hits.append(Hit("item", str(number), y, 0, width))

    def _finish(self, drawing: Drawing, width: int) -> None:
        texts, look, selection = self.scene.texts, self.scene.look, self.asking.at.selection
        assert selection is not None
        least, most = selection.sizes
        asked = str(least) if least == most else f"{least}-{most}"
        pen = Pen(drawing)
        style = look.title if selection.ready else look.dim
        done = texts.say(msg("Enter: confirm {count} of {asked}"), count=len(selection.here), asked=asked)
        pen.thing("press", "enter", f" {done}", style).write("   ")
        pen.thing("press", "escape", texts.say(msg("Esc: back")), look.dim)


# Beside the question


def draw_news(scene: Scene, drawing: Drawing, news: Sequence[Line], width: int, height: int) -> None:
    """Since your last turn; at most a third of the panel."""
    look = scene.look
    if news and height >= 8:
        Pen(drawing).write(f" {scene.texts.say(msg('Since your last turn:'))}", look.dim)
    for line, rows in _newest(scene, news, max(height // 3, 1), width - 4):
        notice = line.kind == "notice"
        style = look.danger if notice else look.accent
        sign = marker_sign(look.glyphs, line.marker) if notice else look.glyphs.mark
        for number, row in enumerate(rows):
            Pen(drawing).write(f"   {row}" if number else f" {sign} {row}", style)


def _newest(scene: Scene, news: Sequence[Line], room: int, width: int) -> Sequence[tuple[Line, Sequence[str]]]:
    """The newest lines, as many as there is room for; one is always shown, even if it is cut."""
    found: list[tuple[Line, Sequence[str]]] = []
    for line in reversed(news):
        rows = fitted(line.text, width, ROWS if found else room, scene.look.glyphs.cut)
        room -= len(rows)
        if room < 0:
            break
        found.insert(0, (line, rows))
    return found


def draw_idle(
    scene: Scene, drawing: Drawing, idle: Sequence[Line], width: int, height: int, *, apart: bool = False
) -> None:
    """What is to be known while nothing is to be decided, the most important first; in the lines that are left,
    what the characters do that are played now and later. `apart`: the one on turn is explained elsewhere."""
    look, room = scene.look, max(height - len(drawing.lines), 1)
    rows = [(line, row) for line in idle for row in wrap(_signed(scene, line), max(width - 2, 1))]
    for line, row in rows[:room]:
        style = {"notice": look.danger, "mine": look.accent}.get(line.kind, look.dim)
        Pen(drawing).write(f" {row}", style)
    left = height - len(drawing.lines) - 1
    for number, lines in enumerate(_explained(scene, width - 4, apart=apart)):
        left -= len(lines)
        if left < 0:
            break
        if not number:
            Pen(drawing)
        for text in lines:
            Pen(drawing).write(f" {text}", look.dim)


def _explained(scene: Scene, width: int, *, apart: bool) -> Iterator[Sequence[str]]:
    """Yield the summary of the character on turn, then those of the characters still to be called."""
    view, texts = scene.view, scene.texts
    now = [view.turn.character] if view.turn is not None and not apart else []
    later = [] if scene.shared or scene.seat is None else [key for key, _ in coming(view, scene.seat)]
    for key in dict.fromkeys((*now, *later)):
        rows = wrap(f"{texts.character(key)}: {summary(texts, scene.edition, key)}", max(width, 1))
        yield [f"{'  ' if number else ''}{row}" for number, row in enumerate(rows)]


def _signed(scene: Scene, line: Line) -> str:
    """A line with the sign that says the same as its colour."""
    sign = f"{marker_sign(scene.look.glyphs, line.marker)} " if line.kind == "notice" else ""
    return f"{sign}{line.text}"


# Auctions


def draw_auction(
    scene: Scene, drawing: Drawing, auction: Auction, bidding: Bidding | None, width: int, height: int
) -> None:
    """Draw the public state of an auction, and the player's own bid."""
    _card(scene, drawing, auction, width)
    _highest(scene, drawing, auction, width)
    _bidders(scene, drawing, auction, width)
    if bidding is not None:
        if len(drawing.lines) + OWN_BID < height:
            Pen(drawing)
        _own_bid(scene, drawing, bidding, width)


def _card(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    texts, look = scene.texts, scene.look
    pen = Pen(drawing).write(f" {texts.say(msg('AUCTION'))} ", look.title + Style(reverse=True)).write(" ")
    card = brief(texts, scene.edition, auction.card)
    pen.thing("district", auction.card, card, look.card(scene.edition, auction.card) + Style(bold=True))
    owners = [seat for seat, player in enumerate(scene.view.players) if standing(player, auction.card)]
    stands = (
        texts.say(msg("stands: {name}"), name=scene.called(owners[0])) if owners else texts.say(msg("missing"))
    )
    said = f" {texts.say(msg('of {name}'), name=scene.called(auction.seller))} ({stands})"
    if cell_len(said) > width - pen.x - 1:  # whose it is the log says as well
        said = f" ({stands})"
    pen.write(cut(said, width - pen.x - 1, look.glyphs.cut))


def _highest(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    texts, look = scene.texts, scene.look
    if auction.bidder is None:
        said = texts.say(msg("No bid yet; at least {gold}."), gold=auction.floor)
        Pen(drawing).write(f" {cut(said, width - 2)}", look.dim)
        return
    gold = texts.plural("{count} gold", "{count} gold", auction.bid)
    pen = Pen(drawing).write(f" {texts.say(msg('Highest bid'))}: ").write(gold, look.gold + Style(bold=True))
    style = look.title if auction.bidder == scene.reader else look.bold
    pen.write(cut(f", {scene.called(auction.bidder)}", width - pen.x - 1, look.glyphs.cut), style)


def _bidders(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    """Write the players who may bid, clockwise from the seller, each with a sign for its state."""
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
    pen, passes = Pen(drawing).write(look.glyphs.turn, look.title), texts.say(msg("pass"))
    said = texts.plural("bid {count} gold", "bid {count} gold", bidding.amount) if bidding.amount else passes
    style = look.strong if bidding.possible else look.danger
    pen.thing("press", "enter", printed(texts, "Enter"), look.title).write(" ")
    pen.thing("press", "enter", said, style)
    if bidding.amount:
        pen.write("    ").thing("press", "p", "p", look.title).write(" ").thing("press", "p", passes, look.strong)
    limits = texts.say(msg("0-9 type a bid, {least} to {most}"), least=bidding.least, most=bidding.most)
    Pen(drawing).write(f" {cut(limits, width - 2)}", look.dim if bidding.possible else look.danger)
