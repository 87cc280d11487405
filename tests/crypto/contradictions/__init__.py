"""For every contradiction that verification knows: entries of a host that contradict so, and are signed well.

    @contradicts("own_part", "another commitment")
    def _(games): ...          the entries, and how they are forged and read

A code of `findings.CONTRADICTIONS` without a row here fails `log/test_contradictions.py`. The shape of entries
stands in `changing`; rows name what is changed.
"""

from . import (
    ending,
    hidden,
    markers,
    moving,
    played_again,
    rounds,
    saying_nothing,
    seed,
    sitting,
)
from .rows import BOOKS, CLIENT, ROWS, VERIFY, Case, Games

KINDS = (sitting, seed, rounds, moving, hidden, markers, saying_nothing, played_again, ending)
"""The modules with the rows."""

__all__ = ["BOOKS", "CLIENT", "KINDS", "ROWS", "VERIFY", "Case", "Games"]
