"""Answering a question: where the cursor is, which group is open, which cards are ticked. No screen in it.

A key points, opens or ticks, Enter confirms, and each step can be taken back until something is sent. Nothing here
sends anything: `press`, `confirm` and `end` return the action to send, if there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citadels_lan.engine import Action, Deal
from citadels_lan.engine.edition_actions import Offer, Offers

from .keys import at_once
from .menu import Item, Menu
from .selection import Selection


@dataclass(frozen=True)
class Level:
    """A list that is open, what it is called, and where its cursor is."""

    items: tuple[Item, ...]
    title: str = ""
    cursor: int = 0


@dataclass(frozen=True)
class Position:
    """How far an answer has come: the lists that are open, one in another; the item for which cards are being
    ticked, those cards, and the cursor among them; the least that may be bid for a card that is being offered, 0
    where none is; whether the end of the turn waits to be confirmed."""

    levels: tuple[Level, ...]
    picked: Item | None = None
    selection: Selection | None = None
    row: int = 0
    floor: int = 0
    ending: bool = False


class Prompt:
    """The state of one question. `at` is how far the answer has come; steps before it can be gone back to."""

    def __init__(self, menu: Menu | None = None) -> None:
        self.menu = menu or Menu()
        self.at = Position((self._opened(self.menu.lines),))
        self._before: list[Position] = []
        self._moving = False

    # What is shown

    @property
    def levels(self) -> tuple[Level, ...]:
        return self.at.levels

    @property
    def selection(self) -> Selection | None:
        return self.at.selection

    @property
    def floor(self) -> int:
        return self.at.floor

    @property
    def ending(self) -> bool:
        return self.at.ending

    @property
    def items(self) -> tuple[Item, ...]:
        """The list shown, when no cards are being ticked; the first one has the end of the turn as its last."""
        return self.levels[-1].items

    @property
    def title(self) -> str:
        """What the open group is called; empty in the first list."""
        return self.at.picked.label if self.at.picked is not None else self.levels[-1].title

    @property
    def cursor(self) -> int:
        return self.at.row if self.selection else self.levels[-1].cursor

    @property
    def length(self) -> int:
        """How many lines the cursor moves over."""
        return len(self.selection.free()) if self.selection else len(self.items)

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        if self.at.picked is not None:
            return self.at.picked
        return self.items[self.cursor] if self.items else None

    @property
    def begun(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._before)

    def _opened(self, items: tuple[Item, ...], title: str = "") -> Level:
        """A list with the cursor on the preselected move. In a list without it, the cursor starts on the first
        possible item, preferably no character that is out of play, and not the own city as a target."""
        here = [number for number, item in enumerate(items) if item.leads_to(self.menu.preselected)]
        if here:
            return Level(items, title, here[0])
        open_ = [number for number, item in enumerate(items) if item.open]
        useful = [number for number in open_ if not self.menu.unwise(items[number])]
        return Level(items, title, next(iter(useful or open_), 0))

    def _first(self, selection: Selection) -> int:
        """The same among the cards to tick."""
        pool, free = selection.deal.pool, selection.free()
        return next((row for row, place in enumerate(free) if pool[place] not in self.menu.out), 0)

    # Steps

    def _go(self, at: Position, *, moving: bool = False) -> None:
        """Take a step; several moves of the cursor after each other are one."""
        if at != self.at and not (moving and self._moving):
            self._before.append(self.at)
        self.at, self._moving = at, moving

    def back(self) -> bool:
        """Undo the last step; False where there is nothing to undo."""
        if not self._before:
            return False
        self.at, self._moving = self._before.pop(), False
        return True

    def undo(self) -> None:
        """Undo all steps."""
        if self._before:
            self.at, self._before, self._moving = self._before[0], [], False

    def move(self, step: int) -> None:
        """Move the cursor; it goes round."""
        if self.length:
            self._go(self._pointing((self.cursor + step) % self.length), moving=True)

    def point(self, number: int) -> bool:
        """Put the cursor on a line; False where there is none."""
        if not 0 <= number < self.length:
            return False
        self._go(self._pointing(number))
        return True

    def _pointing(self, number: int) -> Position:
        if self.selection:
            return replace(self.at, row=number, ending=False)
        level = replace(self.levels[-1], cursor=number)
        return replace(self.at, levels=(*self.levels[:-1], level), ending=False)

    def tick(self) -> None:
        """Choose the card under the cursor or put it back."""
        if self.selection and self.cursor < self.length:
            self._go(replace(self.at, selection=self.selection.toggled(self.selection.free()[self.cursor])))

    def tick_only(self, lines: Sequence[int]) -> None:
        """Choose the cards of these lines for the part being filled, as far as they fit, and no others."""
        if self.selection:
            free, ticked = self.selection.free(), self.selection.with_(())
            for line in lines:
                ticked = ticked.toggled(free[line]) if 0 <= line < len(free) else ticked
            self._go(replace(self.at, selection=ticked))

    def line(self, key: str) -> int | None:
        """The line that has this key."""
        keys = [self.key(n) if self.selection else self.items[n].keys for n in range(self.length)]
        return next((number for number, has in enumerate(keys) if key and key in has), None)

    def key(self, line: int) -> str:
        """The key that a line shows; empty where it has none."""
        if self.selection and self.at.picked:
            ticks, place = self.at.picked.ticks, self.selection.free()[line]
            return ticks[place] if place < len(ticks) else ""
        return self.items[line].keys[:1]

    def press(self, key: str) -> Action | None:
        """What the key of a line does: it ticks a card, opens a group or points; what is done at once is the
        action to send."""
        number = self.line(key)
        if number is None:
            return None
        if self.selection:
            self._tick_line(number, self.selection)
            return None
        item, pointed = self.items[number], self._pointing(number)
        if item.items or isinstance(item.choice, Deal):
            self._go(self._entered(pointed, item))
            return None
        self._go(pointed)
        return item.choice if at_once(item.choice) else None

    def _tick_line(self, number: int, selection: Selection) -> None:
        ticked = selection.toggled(selection.free()[number])
        self._go(replace(self._pointing(number), selection=ticked))

    def confirm(self) -> Action | None:
        """Take what is under the cursor: open a group, begin or finish ticking cards, or return the action."""
        item = self.current
        if item is None:
            return None
        if self.ending or item is self.menu.end:
            return self.end()
        if self.selection:
            return self._confirm_cards(self.selection)
        if item.items or isinstance(item.choice, Deal):
            self.open()
            return None
        return item.choice

    def open(self) -> None:
        """Open the group under the cursor, or begin to tick; nothing is taken by it."""
        item = self.current
        if item is not None and self.selection is None and (item.items or isinstance(item.choice, Deal)):
            self._go(self._entered(self.at, item))

    def _entered(self, at: Position, item: Item) -> Position:
        """A group is open, or cards are to be ticked."""
        if item.items:
            return replace(at, levels=(*at.levels, self._opened(item.items, item.label)))
        assert isinstance(item.choice, Deal)
        selection = Selection.of(item.choice, item.ticks)
        floor = 1 if isinstance(item.choice, Offers) else 0
        return replace(at, picked=item, selection=selection, row=self._first(selection), floor=floor)

    def _confirm_cards(self, selection: Selection) -> Action | None:
        if selection.sizes == (1, 1) and not selection.here:
            selection = selection.toggled(selection.free()[self.cursor])
            self._go(replace(self.at, selection=selection))
        if not selection.ready:
            return None
        if not selection.last:
            following = selection.next_part()
            self._go(replace(self.at, selection=following, row=self._first(following)))
            return None
        action = selection.action()
        return Offer(action.card, self.floor) if isinstance(action, Offer) else action

    def raise_floor(self, step: int) -> None:
        """Change the least that may be bid for what is offered."""
        if self.selection is not None and isinstance(self.selection.deal, Offers):
            floor = min(max(self.floor + step, 1), self.selection.deal.most)
            self._go(replace(self.at, floor=floor))

    def end(self) -> Action | None:
        """The end of the turn, at once where nothing useful is left, else when asked for twice."""
        item = self.menu.end
        if item is None or item.choice is None or isinstance(item.choice, Deal):
            return None
        if self.menu.left and not self.ending:
            self._go(replace(self.at, ending=True))
            return None
        return item.choice
