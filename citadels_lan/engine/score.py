"""What a seat has in the end."""

from msgspec import Struct


class Score(Struct, frozen=True):
    """A seat's final score: (reason, points) with every non-zero part, and the Haunted Quarter's chosen type."""

    parts: tuple[tuple[str, int], ...] = ()
    haunted: str | None = None

    @property
    def total(self) -> int:
        return sum(points for _, points in self.parts)
