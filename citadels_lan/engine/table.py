"""A table on which a game is played: its state, its chance and the events so far.

`Chance` is the one port through which chance enters the engine. These are the labels of what is drawn:

| purpose | a shuffle or a pick of | seat |
|---|---|---|
| `nine`, `cast` | whether rank 9 plays (1 or 0); the character of rank `use` + 1 | table |
| `uniques` | the unique districts | table |
| `districts`, `crown` | the deck; the seat that begins | table |
| `chars`, `back` | the characters of a draft; the place of one of rank 4 that goes back | table |
| `third` | the character that is laid aside after a pick (R026) | who picks |
| `call` | the character called in a lap | table |
| `theater` | the character received in an exchange | who gives |
| `seer` | a card of a hand; `use` is the seat of that hand | who takes it |
| `tribute` | a card of a hand, for the crown | who takes it |
| `kept`, `redraw`, `den`, `museum` | the cards that go under the deck | who moves |
| `pile` | the pile that becomes the deck | table |
| `study`, `lighthouse` | the deck | who moves |
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from .events import Event, GoldGained
from .state import State

T = TypeVar("T")


class Chance(Protocol):
    """The source of randomness. Each outcome is uniform and independent of the others.

    A label is used only once in a game. So each outcome can be derived from its label and a joint seed, and
    each client can derive it again. Items are card keys or numbers.
    """

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return one of the items. `items` is not empty."""


def label_of(purpose: str, round_: int, seat: int | None = None, use: int = 0) -> str:
    """Return the label of a random draw. It has the purpose, the round or lap, the seat that acts (None: the
    table), and `use`, the number of earlier draws with the same purpose, round and seat.

    The label contains no count of events. Otherwise a player who knows the seed could choose an outcome by
    the order of moves.
    """
    return f"{purpose}/{round_}/{'table' if seat is None else seat}/{use}"


class Table:
    """A state that changes while rules emit events.

    An event is applied when it is emitted, so what a rule does next already sees its result. `seat` is the
    seat whose move is being made; None if the table acts by itself. `events` are the events emitted so far.
    If `keeps` is False, they are not stored.
    """

    def __init__(self, state: State, chance: Chance, *, keeps: bool = True) -> None:
        self.state = state
        self.chance = chance
        self.seat: int | None = None
        self.keeps = keeps
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Apply an event to the state, and store it in `events` if the table keeps them."""
        state = self.state
        event.apply(state)
        state.tick += 1
        if self.keeps:
            self.events.append(event)

    def gain_gold(self, seat: int, gold: int, why: str) -> None:
        """Give `seat` gold from the bank. Nothing happens if `gold` is 0."""
        if gold:
            self.emit(GoldGained(seat, gold, why))

    def mixed(self, cards: Sequence[str], purpose: str, seat: int | None) -> tuple[tuple[str, ...], str]:
        """Return the cards in a random order, the first one on top (R036), and the label of this random draw,
        which the event must contain. With fewer than two cards nothing is drawn and the label is ""."""
        # One card has only one order. Without a draw, its place stays public knowledge.
        if len(cards) < 2:
            return tuple(cards), ""
        # The number of earlier draws with this purpose and seat makes each label of a round unique.
        before = self.label(purpose, seat, 0)[:-1]
        label = self.label(purpose, seat, sum([draw.startswith(before) for draw in self.state.draws]))
        return tuple(self.chance.shuffle(label, cards)), label

    def label(self, purpose: str, seat: int | None, use: int = 0) -> str:
        """Return the label of a draw in the present round."""
        return label_of(purpose, self.state.round, seat, use)
