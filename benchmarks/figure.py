"""A measured figure, and the table in which figures are printed."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A measured figure. It must be at most `most` or at least `least`, if one of them is given."""

    name: str
    value: float
    unit: str = ""
    most: float | None = None
    least: float | None = None

    @property
    def good(self) -> bool:
        return (self.most is None or self.value <= self.most) and (self.least is None or self.value >= self.least)

    def line(self, width: int) -> str:
        wanted = ""
        if self.most is not None:
            wanted = f"at most {self.most:g}"
        if self.least is not None:
            wanted = f"at least {self.least:g}"
        digits = 0 if isinstance(self.value, int) else 2
        if wanted:
            wanted += ": ok" if self.good else ": MISSES"
        return f"  {self.name:{width}}  {self.value:>12,.{digits}f} {self.unit:10} {wanted}".rstrip()


def table(title: str, figures: Iterable[Figure]) -> bool:
    """Print the figures under a title as soon as each is known. Return whether all are within their
    limits."""
    print(title, flush=True)
    good = True
    for figure in figures:
        print(figure.line(56), flush=True)
        good = good and figure.good
    print(flush=True)
    return good
