"""Answering a question: where the cursor is, which group is open, which cards are ticked. No screen in it.

Enter confirms; nothing here sends anything. `confirm` and `end` return the action to send, if there is one.
"""

from dataclasses import dataclass

from citadels_lan.engine import Action, Deal
from citadels_lan.engine.edition_actions import Offer, Offers

from .menu import Item, Menu
from .selection import Selection


@dataclass
class _Level:
    items: tuple[Item, ...]
    title: str = ""
    cursor: int = 0


class Prompt:
    """The state of one question. `ending`: the end of the turn waits to be confirmed. `floor` is the least that
    may be bid for the card that is being offered, 0 where none is."""

    def __init__(self, menu: Menu | None = None) -> None:
        self.menu = menu or Menu()
        self.levels = [_Level(self.menu.items)]
        self.selection: Selection | None = None
        self.picked: Item | None = None
        self.row = 0
        self.floor = 0
        self.ending = False
        self._settle()

    @property
    def items(self) -> tuple[Item, ...]:
        """The list shown, when no cards are being ticked."""
        return self.levels[-1].items

    @property
    def title(self) -> str:
        """What the open group is called; empty in the first list."""
        if self.picked is not None:
            return self.picked.label
        return self.levels[-1].title

    @property
    def cursor(self) -> int:
        return self.row if self.selection else self.levels[-1].cursor

    @property
    def length(self) -> int:
        """How many lines the cursor moves over."""
        return len(self.selection.free()) if self.selection else len(self.items)

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        if self.picked is not None:
            return self.picked
        return self.items[self.cursor] if self.items else None

    def _settle(self) -> None:
        """Put the cursor on the first item that can be chosen, rather not on a character that nobody has."""
        level = self.levels[-1]
        open_ = [number for number, item in enumerate(level.items) if item.open]
        useful = [number for number in open_ if not self.menu.wasted(level.items[number])]
        level.cursor = next(iter(useful or open_), 0)

    def _settle_cards(self) -> None:
        """The same among the cards to tick."""
        assert self.selection is not None
        pool, free = self.selection.deal.pool, self.selection.free()
        self.row = next((row for row, place in enumerate(free) if pool[place] not in self.menu.out), 0)

    def move(self, step: int) -> None:
        """Move the cursor; it goes round."""
        self.ending = False
        if self.length:
            self.point((self.cursor + step) % self.length)

    def point(self, number: int) -> bool:
        """Put the cursor on a line; False where there is none."""
        if not 0 <= number < self.length:
            return False
        self.ending = False
        if self.selection:
            self.row = number
        else:
            self.levels[-1].cursor = number
        return True

    def tick(self) -> None:
        """Choose the card under the cursor or put it back."""
        if self.selection and self.row < self.length:
            self.selection.toggle(self.selection.free()[self.row])

    def confirm(self) -> Action | None:
        """Take what is under the cursor: open a group, begin or finish ticking cards, or return the action."""
        if self.ending:
            return None
        if self.selection:
            return self._confirm_cards()
        item = self.current
        if item is None:
            return None
        if item.items:
            self.levels.append(_Level(item.items, item.label))
            self._settle()
            return None
        if isinstance(item.choice, Deal):
            self.selection, self.picked = Selection(item.choice), item
            self.floor = 1 if isinstance(item.choice, Offers) else 0
            self._settle_cards()
            return None
        return item.choice

    def _confirm_cards(self) -> Action | None:
        assert self.selection is not None
        if self.selection.sizes == (1, 1) and not self.selection.here:
            self.tick()
        part = self.selection.part
        action = self.selection.go_on()
        if self.selection.part != part:
            self._settle_cards()
        return Offer(action.card, self.floor) if isinstance(action, Offer) else action

    def raise_floor(self, step: int) -> None:
        """Change the least that may be bid for what is offered."""
        if self.selection is not None and isinstance(self.selection.deal, Offers):
            self.floor = min(max(self.floor + step, 1), self.selection.deal.most)

    def back(self) -> bool:
        """Undo the last step; False where there is nothing to undo."""
        if self.ending:
            self.ending = False
        elif self.selection:
            self.row = 0
            if not self.selection.go_back():
                self.selection, self.picked, self.floor = None, None, 0
        elif len(self.levels) > 1:
            self.levels.pop()
        else:
            return False
        return True

    def end(self) -> Action | None:
        """The end of the turn, at once where nothing useful is left, else when asked for twice."""
        item = self.menu.end
        if item is None or item.choice is None or isinstance(item.choice, Deal):
            return None
        if self.menu.left and not self.ending:
            self.ending = True
            return None
        return item.choice
