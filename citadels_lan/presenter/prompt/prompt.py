"""The player's answer to a question while it is being made: cursor, open group, ticked cards, bid.

A key points, opens or ticks, Enter confirms, and each step can be taken back until something is sent. Nothing here
sends anything: `press`, `confirm` and `end` return the action to send, if there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citadels_lan.engine import Action, Choice, Deal
from citadels_lan.engine.actions import Bid, Offer, Offers, PassBid

from .keys import at_once
from .menu import Item, Menu

DIGITS = 3
"""The most digits of a bid."""


class Bidding:
    """A bid being made: none is preselected, so that Enter passes until a number is typed."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.typed = ""

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> "Bidding | None":
        """A bid if the choices are bids; None for any others."""
        amounts = [choice.gold for choice in choices if isinstance(choice, Bid)]
        return cls(min(amounts), max(amounts)) if amounts else None

    @property
    def amount(self) -> int:
        """What Enter bids; 0 where it passes."""
        return int(self.typed) if self.typed else 0

    @property
    def possible(self) -> bool:
        """Whether Enter may be pressed."""
        return not self.amount or self.least <= self.amount <= self.most

    def type(self, digit: str) -> None:
        """Add a digit; no number begins with 0."""
        if len(self.typed) < DIGITS and (self.typed or digit != "0"):
            self.typed += digit

    def erase(self, *, all_: bool = False) -> None:
        """Remove a digit, or all."""
        self.typed = "" if all_ else self.typed[:-1]

    def raise_by(self, step: int) -> None:
        """Raise or lower the bid within its limits; below the least bid it is a pass."""
        wanted = self.amount + step
        self.typed = "" if wanted < self.least and step < 0 else str(min(max(wanted, self.least), self.most))

    def confirm(self) -> Action | None:
        """The bid, if it may be made; no bid where none is typed."""
        if not self.amount:
            return PassBid()
        return Bid(self.amount) if self.possible else None


@dataclass(frozen=True)
class Selection:
    """A bounded choice in progress. `part` is the part being filled; cards are identified by their place in the
    pool, so that one of two equal cards can be chosen. `order` has the places as shown: by their keys. Each step
    is another selection."""

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
        """What is chosen for this part."""
        return self.chosen[self.part]

    def free(self) -> list[int]:
        """The places of the pool that this part may take: all but those that earlier parts have."""
        taken = {place for part in self.chosen[: self.part] for place in part}
        return [place for place in self.order if place not in taken]

    def toggled(self, place: int) -> "Selection":
        """Add or remove a card; if only one may be chosen, it replaces the other."""
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
    def items(self) -> tuple[Item, ...]:
        """The list shown, when no cards are being ticked; the first one has the end of the turn as its last."""
        return self.at.levels[-1].items

    @property
    def title(self) -> str:
        """The name of the open group; empty in the first list."""
        return self.at.picked.label if self.at.picked is not None else self.at.levels[-1].title

    @property
    def cursor(self) -> int:
        return self.at.row if self.at.selection else self.at.levels[-1].cursor

    @property
    def length(self) -> int:
        """How many lines the cursor moves over."""
        return len(self.at.selection.free()) if self.at.selection else len(self.items)

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
        # Enter pressed twice must not harm the player.
        useful = [number for number in open_ if not self.menu.unwise(items[number])]
        return Level(items, title, next(iter(useful or open_), 0))

    def _first(self, selection: Selection) -> int:
        """The first row of the cards to tick, preferably with a card that a player may have."""
        pool, free = selection.deal.pool, selection.free()
        return next((row for row, place in enumerate(free) if pool[place] not in self.menu.out), 0)

    # Steps

    def _go(self, at: Position, *, moving: bool = False) -> None:
        """Take a step; several moves of the cursor after each other are one."""
        # Escape undoes a series of cursor moves at once.
        if at != self.at and not (moving and self._moving):
            self._before.append(self.at)
        self.at, self._moving = at, moving

    def back(self) -> bool:
        """Undo the last step; False where there is nothing to undo."""
        begun = self.begun
        if begun:
            self.at, self._moving = self._before.pop(), False
        return begun

    def undo(self) -> None:
        """Undo all steps."""
        if self._before:
            self.at, self._before, self._moving = self._before[0], [], False

    @property
    def any_open(self) -> bool:
        """Whether the open list has an item that can be chosen."""
        return any(item.open for item in self.items)

    def move(self, step: int) -> None:
        """Move the cursor to the next item that can be chosen; it goes round."""
        if not self.length:
            return
        number = (self.cursor + step) % self.length
        while self.at.selection is None and self.any_open and not self.items[number].open:
            number = (number + step) % self.length
        self._go(self._pointing(number), moving=True)

    def point(self, number: int) -> bool:
        """Put the cursor on a line; False where there is none."""
        there = 0 <= number < self.length
        if there:
            self._go(self._pointing(number))
        return there

    def _pointing(self, number: int) -> Position:
        if self.at.selection:
            return replace(self.at, row=number, ending=False)
        level = replace(self.at.levels[-1], cursor=number)
        return replace(self.at, levels=(*self.at.levels[:-1], level), ending=False)

    def tick(self) -> None:
        """Choose the card under the cursor or put it back."""
        if self.at.selection and self.cursor < self.length:
            self._go(replace(self.at, selection=self.at.selection.toggled(self.at.selection.free()[self.cursor])))

    def tick_only(self, lines: Sequence[int]) -> None:
        """Choose the cards of these lines for the part being filled, as far as they fit, and no others."""
        if self.at.selection:
            free, ticked = self.at.selection.free(), self.at.selection.with_(())
            for line in lines:
                ticked = ticked.toggled(free[line]) if 0 <= line < len(free) else ticked
            self._go(replace(self.at, selection=ticked))

    def line(self, key: str) -> int | None:
        """The line that has this key."""
        keys = [self.key(n) if self.at.selection else self.items[n].keys for n in range(self.length)]
        return next((number for number, has in enumerate(keys) if key and key in has), None)

    def key(self, line: int) -> str:
        """The key that a line shows; empty where it has none."""
        if self.at.selection and self.at.picked:
            ticks, place = self.at.picked.ticks, self.at.selection.free()[line]
            return ticks[place] if place < len(ticks) else ""
        return self.items[line].keys[:1]

    def press(self, key: str) -> Action | None:
        """Press the key of a line: it ticks a card, opens a group or points; return the action if it needs no
        Enter."""
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
        """Take what is under the cursor: open a group, begin or finish ticking cards, or return the action."""
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
        """Open the group under the cursor, or begin to tick; nothing is taken by it."""
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
        """Change the least that may be bid for what is offered."""
        if self.at.selection is not None and isinstance(self.at.selection.deal, Offers):
            floor = min(max(self.at.floor + step, 1), self.at.selection.deal.most)
            self._go(replace(self.at, floor=floor))

    def end(self) -> Action | None:
        """The end of the turn, at once where nothing useful is left, else when asked for twice."""
        item = self.menu.end
        if item is None or not isinstance(item.choice, Action):
            return None
        if not self.menu.left or self.at.ending:
            return item.choice
        self._go(replace(self.at, ending=True))
        return None
