"""The final score of a seat."""

from msgspec import Struct


class Score(Struct, frozen=True):
    """A seat's final score. `parts` are (reason, points), without reasons that bring no points. `haunted` is
    the type as which a Haunted Quarter or Haunted City counts; None if the city has no such district."""

    parts: tuple[tuple[str, int], ...] = ()
    haunted: str | None = None

    @property
    def total(self) -> int:
        """The sum of all points."""
        return sum(points for _, points in self.parts)
