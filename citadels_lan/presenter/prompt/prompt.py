"""The answer to a question in progress: cursor, open group, selected cards, bid.

A key points, opens or selects, Enter confirms, and each step can be undone until the action is sent. This module
sends nothing: `press`, `confirm` and `end` return the action to send, if there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citadels_lan.engine import Action, Choice, Deal
from citadels_lan.engine.actions import Bid, Offer, Offers, PassBid

from .keys import at_once
from .menu import Item, Menu

DIGITS = 3
"""Most digits of a bid."""


class Bidding:
    """A bid in progress. At first there is no number, so that Enter passes."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.typed = ""

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> "Bidding | None":
        """Return a bid if the choices are bids; None for any others."""
        amounts = [choice.gold for choice in choices if isinstance(choice, Bid)]
        return cls(min(amounts), max(amounts)) if amounts else None

    @property
    def amount(self) -> int:
        """The bid that Enter makes; 0 if it passes."""
        return int(self.typed) if self.typed else 0

    @property
    def possible(self) -> bool:
        """Whether the bid can be confirmed with Enter."""
        return not self.amount or self.least <= self.amount <= self.most

    def type(self, digit: str) -> None:
        """Add a digit. A number does not begin with 0."""
        if len(self.typed) < DIGITS and (self.typed or digit != "0"):
            self.typed += digit

    def erase(self, *, all_: bool = False) -> None:
        """Remove the last digit, or all."""
        self.typed = "" if all_ else self.typed[:-1]

    def raise_by(self, step: int) -> None:
        """Change the bid within its limits. Below the lowest bid it is a pass."""
        wanted = self.amount + step
        self.typed = "" if wanted < self.least and step < 0 else str(min(max(wanted, self.least), self.most))

    def confirm(self) -> Action | None:
        """Return the bid if it is possible, or a pass if no number is typed."""
        if not self.amount:
            return PassBid()
        return Bid(self.amount) if self.possible else None


@dataclass(frozen=True)
class Selection:
    """A bounded choice in progress. `part` is the part being filled. Cards are identified by their index in the
    pool, because two cards can be equal. `order` has the indices in the displayed order, which is that of their
    keys. Each step returns a new selection."""

    deal: Deal
    part: int = 0
    chosen: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()

    @classmethod
    def of(cls, deal: Deal, keys: Sequence[str] = ()) -> "Selection":
        """Begin a choice; `keys` are those of the pool's cards, and cards without a key come last."""
        known = [*keys, *[""] * (len(deal.pool) - len(keys))]
        places = sorted(range(len(deal.pool)), key=lambda place: known[place] or "~")
        return cls(deal, 0, ((),) * len(deal.sizes), tuple(places))

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the most cards of this part."""
        return self.deal.sizes[self.part]

    @property
    def here(self) -> tuple[int, ...]:
        """The cards chosen for this part."""
        return self.chosen[self.part]

    def free(self) -> list[int]:
        """The indices in the pool that this part may take: all that earlier parts did not take."""
        taken = {place for part in self.chosen[: self.part] for place in part}
        return [place for place in self.order if place not in taken]

    def toggled(self, place: int) -> "Selection":
        """Add a card, or remove it if it is chosen; if only one may be chosen, the card replaces the other."""
        if place in self.here:
            return self.with_([other for other in self.here if other != place])
        here = () if self.sizes[1] == 1 else self.here
        return self.with_((*here, place)) if place in self.free() and len(here) < self.sizes[1] else self

    def with_(self, here: Sequence[int]) -> "Selection":
        """Choose exactly these cards for this part."""
        return replace(self, chosen=(*self.chosen[: self.part], tuple(here), *self.chosen[self.part + 1 :]))

    @property
    def ready(self) -> bool:
        """Whether this part has as many cards as it needs."""
        return self.sizes[0] <= len(self.here) <= self.sizes[1]

    def action(self) -> Action:
        """The action of the finished choice."""
        pool = self.deal.pool
        return self.deal.make(tuple(tuple(pool[place] for place in part) for part in self.chosen))


@dataclass(frozen=True)
class Level:
    """An open list: its title and the position of its cursor."""

    items: tuple[Item, ...]
    title: str = ""
    cursor: int = 0


@dataclass(frozen=True)
class Position:
    """The progress of an answer: the open lists, one inside another; the item whose cards are being selected,
    those cards, and the cursor among them; the lowest bid for a card that is being offered, 0 if none is;
    whether the end of the turn waits for confirmation."""

    levels: tuple[Level, ...]
    picked: Item | None = None
    selection: Selection | None = None
    row: int = 0
    floor: int = 0
    ending: bool = False


class Prompt:
    """The state of one question. `at` is the progress of the answer; earlier steps are kept for undoing."""

    def __init__(self, menu: Menu | None = None) -> None:
        self.menu = menu or Menu()
        self.at = Position((self._opened(self.menu.lines),))
        self._before: list[Position] = []
        self._moving = False

    # The displayed lines

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the open list, if no cards are being selected. The last item of the first list is the
        end of the turn, if it may end."""
        return self.at.levels[-1].items

    @property
    def title(self) -> str:
        """The title of the open group; empty in the first list."""
        return self.at.picked.label if self.at.picked is not None else self.at.levels[-1].title

    @property
    def cursor(self) -> int:
        return self.at.row if self.at.selection else self.at.levels[-1].cursor

    @property
    def length(self) -> int:
        """The number of lines for the cursor."""
        return len(self.at.selection.free()) if self.at.selection else len(self.items)

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        if self.at.picked is not None:
            return self.at.picked
        return self.items[self.cursor] if self.items else None

    @property
    def begun(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._before)

    def _opened(self, items: tuple[Item, ...], title: str = "") -> Level:
        """Return a list with the cursor on the preselected move. If the list does not contain it, the cursor is
        on the first possible item, and if possible not on a character that is out of play or on the player's
        own city as a target."""
        here = [number for number, item in enumerate(items) if item.leads_to(self.menu.preselected)]
        if here:
            return Level(items, title, here[0])
        open_ = [number for number, item in enumerate(items) if item.open]
        # Enter pressed twice must not harm the player.
        useful = [number for number in open_ if not self.menu.unwise(items[number])]
        return Level(items, title, next(iter(useful or open_), 0))

    def _first(self, selection: Selection) -> int:
        """Return the first row of the cards to select, if possible one with a card that a player may have."""
        pool, free = selection.deal.pool, selection.free()
        return next((row for row, place in enumerate(free) if pool[place] not in self.menu.out), 0)

    # Steps

    def _go(self, at: Position, *, moving: bool = False) -> None:
        """Add a step. Several moves of the cursor in a row are one step."""
        # Escape undoes a series of cursor moves at once.
        if at != self.at and not (moving and self._moving):
            self._before.append(self.at)
        self.at, self._moving = at, moving

    def back(self) -> bool:
        """Undo the last step. Return False if there is none."""
        begun = self.begun
        if begun:
            self.at, self._moving = self._before.pop(), False
        return begun

    def undo(self) -> None:
        """Undo all steps of the answer."""
        if self._before:
            self.at, self._before, self._moving = self._before[0], [], False

    @property
    def any_open(self) -> bool:
        """Whether the open list has an item that can be chosen."""
        return any(item.open for item in self.items)

    def move(self, step: int) -> None:
        """Move the cursor to the next item that can be chosen, in a circle."""
        if not self.length:
            return
        number = (self.cursor + step) % self.length
        while self.at.selection is None and self.any_open and not self.items[number].open:
            number = (number + step) % self.length
        self._go(self._pointing(number), moving=True)

    def point(self, number: int) -> None:
        """Move the cursor to a line, if it exists."""
        if 0 <= number < self.length:
            self._go(self._pointing(number))

    def _pointing(self, number: int) -> Position:
        if self.at.selection:
            return replace(self.at, row=number, ending=False)
        level = replace(self.at.levels[-1], cursor=number)
        return replace(self.at, levels=(*self.at.levels[:-1], level), ending=False)

    def tick(self) -> None:
        """Select the card under the cursor, or deselect it."""
        if self.at.selection and self.cursor < self.length:
            self._go(replace(self.at, selection=self.at.selection.toggled(self.at.selection.free()[self.cursor])))

    def tick_only(self, lines: Sequence[int]) -> None:
        """Select exactly the cards of these lines for the part being filled, as far as they fit."""
        if self.at.selection:
            free, ticked = self.at.selection.free(), self.at.selection.with_(())
            for line in lines:
                ticked = ticked.toggled(free[line]) if 0 <= line < len(free) else ticked
            self._go(replace(self.at, selection=ticked))

    def line(self, key: str) -> int | None:
        """Return the number of the line that this key chooses; None if there is none."""
        keys = [self.key(n) if self.at.selection else self.items[n].keys for n in range(self.length)]
        return next((number for number, has in enumerate(keys) if key and key in has), None)

    def key(self, line: int) -> str:
        """Return the key that a line shows; empty if it has none."""
        if self.at.selection and self.at.picked:
            ticks, place = self.at.picked.ticks, self.at.selection.free()[line]
            return ticks[place] if place < len(ticks) else ""
        return self.items[line].keys[:1]

    def press(self, key: str) -> Action | None:
        """Press the key of a line: it selects a card, opens a group, or moves the cursor. Return the action if
        it needs no Enter."""
        number = self.line(key)
        if number is None:
            return None
        pointed = self._pointing(number)
        if self.at.selection:
            ticked = self.at.selection.toggled(self.at.selection.free()[number])
            self._go(replace(pointed, selection=ticked))
            return None
        item = self.items[number]
        enters = bool(item.items) or isinstance(item.choice, Deal)
        self._go(self._entered(pointed, item) if enters else pointed)
        return item.choice if isinstance(item.choice, Action) and at_once(item.choice) else None

    def confirm(self) -> Action | None:
        """Confirm the line under the cursor: open a group, begin or finish the selection of cards, or return
        the action."""
        item = self.current
        if item is None:
            return None
        if self.at.ending or item is self.menu.end:
            return self.end()
        if self.at.selection:
            return self._confirm_cards(self.at.selection)
        if isinstance(item.choice, Action) and not item.items:
            return item.choice
        self.open()
        return None

    def open(self) -> None:
        """Open the group under the cursor, or begin the selection of its cards, without taking an action."""
        item = self.current
        if item is not None and self.at.selection is None and (item.items or isinstance(item.choice, Deal)):
            self._go(self._entered(self.at, item))

    def _entered(self, at: Position, item: Item) -> Position:
        """Return the position with the group open, or with cards to tick."""
        if item.items:
            return replace(at, levels=(*at.levels, self._opened(item.items, item.label)))
        assert isinstance(item.choice, Deal)
        selection = Selection.of(item.choice, item.ticks)
        floor = 1 if isinstance(item.choice, Offers) else 0
        return replace(at, picked=item, selection=selection, row=self._first(selection), floor=floor)

    def _confirm_cards(self, selection: Selection) -> Action | None:
        # With one card to choose, Enter on it is enough.
        if selection.sizes == (1, 1) and not selection.here:
            selection = selection.toggled(selection.free()[self.cursor])
            self._go(replace(self.at, selection=selection))
        if selection.ready and selection.part + 1 < len(selection.deal.sizes):
            following = replace(selection, part=selection.part + 1)
            self._go(replace(self.at, selection=following, row=self._first(following)))
        elif selection.ready:
            action = selection.action()
            return Offer(action.card, self.at.floor) if isinstance(action, Offer) else action
        return None

    def raise_floor(self, step: int) -> None:
        """Change the lowest bid for the card that is being offered."""
        if self.at.selection is not None and isinstance(self.at.selection.deal, Offers):
            floor = min(max(self.at.floor + step, 1), self.at.selection.deal.most)
            self._go(replace(self.at, floor=floor))

    def end(self) -> Action | None:
        """End the turn: at once if no useful move is left, otherwise on the second call."""
        item = self.menu.end
        if item is None or not isinstance(item.choice, Action):
            return None
        if not self.menu.left or self.at.ending:
            return item.choice
        self._go(replace(self.at, ending=True))
        return None
