"""The one port through which chance enters the engine, and the labels of what is drawn.

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

T = TypeVar("T")


class Chance(Protocol):
    """The source of random outcomes. Each outcome is uniform and independent of the others.

    A label is used only once in a game, so that a joint seed can derive each outcome and each client can
    derive it again. Items are card keys or numbers.
    """

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""

    def pick(self, label: str, items: Sequence[T]) -> T:
        """Return one of the items. `items` is not empty."""


def label_of(purpose: str, round_: int, seat: int | None = None, use: int = 0) -> str:
    """Return the label of a draw: its purpose, the round or lap, the seat that acts (None: the table), and
    `use`, which numbers the draws of this purpose, round and seat from 0.

    The label contains no count of events. Otherwise a player who knows the seed could choose an outcome by the
    order of moves.
    """
    return f"{purpose}/{round_}/{'table' if seat is None else seat}/{use}"
