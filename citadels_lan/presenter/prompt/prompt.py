"""The state of the player's answer to a question before it is sent: cursor, open group, selected cards, bid.

A key press moves the cursor, opens a group or selects a card; Enter confirms. Each step can be undone until
the action is sent. This module sends nothing: `press`, `confirm` and `end` return the action to send, or
None."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citadels_lan.engine import Action, Choice, Deal
from citadels_lan.engine.actions import Bid, Offer, Offers, PassBid

from .keys import at_once
from .menu import Item, Menu

DIGITS = 3
"""How many digits a bid has at most."""


class Bidding:
    """The bid that the player is typing. As long as no digit is typed, Enter passes."""

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most
        self.typed = ""

    @classmethod
    def of(cls, choices: Sequence[Choice]) -> "Bidding | None":
        """Return a `Bidding` if the choices are bids; otherwise None."""
        amounts = [choice.gold for choice in choices if isinstance(choice, Bid)]
        return cls(min(amounts), max(amounts)) if amounts else None

    @property
    def amount(self) -> int:
        """The bid that Enter would make; 0 if Enter would pass."""
        return int(self.typed) if self.typed else 0

    @property
    def possible(self) -> bool:
        """Whether Enter can confirm what is typed."""
        return not self.amount or self.least <= self.amount <= self.most

    def type(self, digit: str) -> None:
        """Add a digit to the bid. A 0 as the first digit is ignored."""
        if len(self.typed) < DIGITS and (self.typed or digit != "0"):
            self.typed += digit

    def erase(self, *, all_: bool = False) -> None:
        """Remove the last digit of the bid, or with `all_` all digits."""
        self.typed = "" if all_ else self.typed[:-1]

    def raise_by(self, step: int) -> None:
        """Change the bid by `step`, within the least and the most possible bid. Below the least bid it
        becomes a pass."""
        wanted = self.amount + step
        self.typed = "" if wanted < self.least and step < 0 else str(min(max(wanted, self.least), self.most))

    def confirm(self) -> Action | None:
        """Return the typed bid, or a pass if nothing is typed; None if the bid is not possible."""
        if not self.amount:
            return PassBid()
        return Bid(self.amount) if self.possible else None


@dataclass(frozen=True)
class Selection:
    """The player's selection of cards for a `Deal` (a choice that distributes cards into parts). `part` is
    the index of the part that the player is filling. Cards are identified by their index in the pool of the
    deal, because two cards can be equal. `order` has these indices in displayed order. Each method returns a
    new selection."""

    deal: Deal
    part: int = 0
    chosen: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()

    @classmethod
    def of(cls, deal: Deal, keys: Sequence[str] = ()) -> "Selection":
        """Begin a selection. `keys` has the key of each card in the pool; cards without a key are displayed
        last."""
        known = [*keys, *[""] * (len(deal.pool) - len(keys))]
        places = sorted(range(len(deal.pool)), key=lambda place: known[place] or "~")
        return cls(deal, 0, ((),) * len(deal.sizes), tuple(places))

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the most cards that the current part may have."""
        return self.deal.sizes[self.part]

    @property
    def here(self) -> tuple[int, ...]:
        """The cards that are selected for the current part, as indices in the pool."""
        return self.chosen[self.part]

    def free(self) -> list[int]:
        """The cards that can be selected for the current part, as indices in the pool: all that are not in
        earlier parts."""
        taken = {place for part in self.chosen[: self.part] for place in part}
        return [place for place in self.order if place not in taken]

    def toggled(self, place: int) -> "Selection":
        """Select a card, or deselect it if it is selected. If the part may have only one card, a new card
        replaces it."""
        if place in self.here:
            return self.with_([other for other in self.here if other != place])
        here = () if self.sizes[1] == 1 else self.here
        return self.with_((*here, place)) if place in self.free() and len(here) < self.sizes[1] else self

    def with_(self, here: Sequence[int]) -> "Selection":
        """Select exactly these cards for the current part."""
        return replace(self, chosen=(*self.chosen[: self.part], tuple(here), *self.chosen[self.part + 1 :]))

    @property
    def ready(self) -> bool:
        """Whether the current part has enough cards."""
        return self.sizes[0] <= len(self.here) <= self.sizes[1]

    def action(self) -> Action:
        """Return the action for the completed selection."""
        pool = self.deal.pool
        return self.deal.make(tuple(tuple(pool[place] for place in part) for part in self.chosen))


@dataclass(frozen=True)
class Level:
    """A list that is open: its title, its items and the position of its cursor."""

    items: tuple[Item, ...]
    title: str = ""
    cursor: int = 0


@dataclass(frozen=True)
class Position:
    """The progress of an answer: the open lists from the outer to the inner one; the item whose cards are
    being selected, that selection, and the cursor in it; the minimum price of a card that the player offers
    in an auction, 0 if none is offered; whether the player must confirm the end of the turn."""

    levels: tuple[Level, ...]
    picked: Item | None = None
    selection: Selection | None = None
    row: int = 0
    floor: int = 0
    ending: bool = False


class Prompt:
    """The question and the player's answer so far. `at` is the current progress of the answer; earlier
    positions are kept for undoing."""

    def __init__(self, menu: Menu | None = None) -> None:
        self.menu = menu or Menu()
        self.at = Position((self._opened(self.menu.lines),))
        self._before: list[Position] = []
        self._moving = False

    # The displayed lines

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of the open list; none while cards are being selected. In the first list, the last item
        ends the turn, if that is possible."""
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
        """How many lines the cursor can be on."""
        return len(self.at.selection.free()) if self.at.selection else len(self.items)

    @property
    def current(self) -> Item | None:
        """The item under the cursor; None if there is none."""
        if self.at.picked is not None:
            return self.at.picked
        return self.items[self.cursor] if self.items else None

    @property
    def begun(self) -> bool:
        """Whether a step of the answer can be undone."""
        return bool(self._before)

    def _opened(self, items: tuple[Item, ...], title: str = "") -> Level:
        """Return a list with its cursor on the preselected move. If the list does not contain that move, the
        cursor is on the first possible item, if possible one that is not `unwise`."""
        here = [number for number, item in enumerate(items) if item.leads_to(self.menu.preselected)]
        if here:
            return Level(items, title, here[0])
        open_ = [number for number, item in enumerate(items) if item.open]
        # Enter pressed twice must not harm the player.
        useful = [number for number in open_ if not self.menu.unwise(items[number])]
        return Level(items, title, next(iter(useful or open_), 0))

    def _first(self, selection: Selection) -> int:
        """Return the line on which the cursor starts when cards are selected: the first one, if possible of a
        character that is in play."""
        pool, free = selection.deal.pool, selection.free()
        return next((row for row, place in enumerate(free) if pool[place] not in self.menu.out), 0)

    # Steps

    def _go(self, at: Position, *, moving: bool = False) -> None:
        """Move on to the position `at`, so that `back` returns to the present one. Consecutive moves of the
        cursor (`moving`) count as one step."""
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
        """Whether at least one item of the open list can be chosen."""
        return any(item.open for item in self.items)

    def move(self, step: int) -> None:
        """Move the cursor to the next item that can be chosen (the previous one if `step` is negative), in a
        circle."""
        if not self.length:
            return
        number = (self.cursor + step) % self.length
        while self.at.selection is None and self.any_open and not self.items[number].open:
            number = (number + step) % self.length
        self._go(self._pointing(number), moving=True)

    def point(self, number: int) -> None:
        """Move the cursor to the line with this number, if there is one."""
        if 0 <= number < self.length:
            self._go(self._pointing(number))

    def _pointing(self, number: int) -> Position:
        if self.at.selection:
            return replace(self.at, row=number, ending=False)
        level = replace(self.at.levels[-1], cursor=number)
        return replace(self.at, levels=(*self.at.levels[:-1], level), ending=False)

    def tick(self) -> None:
        """Select or deselect the card under the cursor."""
        if self.at.selection and self.cursor < self.length:
            self._go(replace(self.at, selection=self.at.selection.toggled(self.at.selection.free()[self.cursor])))

    def tick_only(self, lines: Sequence[int]) -> None:
        """Select exactly the cards of these lines for the current part; as many of them as the part may
        have."""
        if self.at.selection:
            free, ticked = self.at.selection.free(), self.at.selection.with_(())
            for line in lines:
                ticked = ticked.toggled(free[line]) if 0 <= line < len(free) else ticked
            self._go(replace(self.at, selection=ticked))

    def line(self, key: str) -> int | None:
        """Return the number of the line that has this key; None if there is none."""
        keys = [self.key(n) if self.at.selection else self.items[n].keys for n in range(self.length)]
        return next((number for number, has in enumerate(keys) if key and key in has), None)

    def key(self, line: int) -> str:
        """Return the key that the line with this number shows; "" if it has none."""
        if self.at.selection and self.at.picked:
            ticks, place = self.at.picked.ticks, self.at.selection.free()[line]
            return ticks[place] if place < len(ticks) else ""
        return self.items[line].keys[:1]

    def press(self, key: str) -> Action | None:
        """Handle the key of a line: select its card, open its group, or move the cursor to it. Return the
        action if the key makes the move without Enter, otherwise None."""
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
        """Handle Enter on the line under the cursor: open its group, begin or complete a selection of cards,
        or return its action."""
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
        """Open the group under the cursor, or begin the selection of its cards. Never return or make an
        action."""
        item = self.current
        if item is not None and self.at.selection is None and (item.items or isinstance(item.choice, Deal)):
            self._go(self._entered(self.at, item))

    def _entered(self, at: Position, item: Item) -> Position:
        """Return the position after opening `item`: its list is open, or its cards can be selected."""
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
        """Change the minimum price of the offered card by `step`."""
        if self.at.selection is not None and isinstance(self.at.selection.deal, Offers):
            floor = min(max(self.at.floor + step, 1), self.at.selection.deal.most)
            self._go(replace(self.at, floor=floor))

    def end(self) -> Action | None:
        """Return the action that ends the turn. If useful moves are still possible, return None at the first
        call, and the action at the second one."""
        item = self.menu.end
        if item is None or not isinstance(item.choice, Action):
            return None
        if not self.menu.left or self.at.ending:
            return item.choice
        self._go(replace(self.at, ending=True))
        return None
