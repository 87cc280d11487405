"""The final score of a seat."""

from msgspec import Struct


class Score(Struct, frozen=True):
    """A seat's final score. `parts` are (reason, points) for each reason with points. `haunted` is the type
    that a Haunted Quarter counts as, if the city has one."""

    parts: tuple[tuple[str, int], ...] = ()
    haunted: str | None = None

    @property
    def total(self) -> int:
        """The sum of all points."""
        return sum(points for _, points in self.parts)
