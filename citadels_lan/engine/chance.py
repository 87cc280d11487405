"""The one port through which chance enters the engine."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """Uniform and independent outcomes. Every request has a label (such as `chars/3`) that is asked once only,
    so that a joint seed can derive each outcome and anyone can derive it again."""

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        ...

    def pick(self, label: str, items: Sequence[T]) -> T:
        """One of the items, of which there is at least one."""
        ...
