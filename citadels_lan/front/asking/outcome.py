"""What comes of a choice, as far as it can be known before: the own gold after it."""

from collections.abc import Sequence
from typing import Final, TypeVar

from citadels_lan.engine import Choice, Deal, IllegalMove, State, decide, evolve

T = TypeVar("T")
KNOWN: Final = frozenset(
    {"build", "gather", "income", "bonus", "destroy", "seize", "beautify", "taxes", "laboratory", "sell"}
)
"""What changes the own gold and hangs on nothing hidden."""


class _OfChance(Exception):
    """It hangs on chance."""


class _NoChance:
    """Answers nothing."""

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        raise _OfChance

    def pick(self, label: str, items: Sequence[T]) -> T:
        raise _OfChance


def gold_after(view: State, seat: int, choice: Choice) -> int | None:
    """The gold of `seat` after a choice; None where it stays as it is, cannot be known, or where the table has
    gone on since the question was put and the choice is none any more."""
    if isinstance(choice, Deal) or choice.verb not in KNOWN:
        return None
    try:
        after = evolve(view, *decide(view, seat, choice, _NoChance()))
    except (_OfChance, IllegalMove):
        return None
    gold = after.players[seat].gold
    return gold if gold != view.players[seat].gold else None
