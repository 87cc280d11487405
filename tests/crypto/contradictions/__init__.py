"""Examples for every contradiction that verification knows: entries of a host that contain it, with valid
signatures.

    @contradicts("own_part", "another commitment")
    def _(games): ...          the entries, and how they are forged and read

`cheating/test_both_verifiers.py` fails if a code of `findings.CONTRADICTIONS` has no example here. The module
`changing` has the functions that change entries."""

from . import hidden, moving, played_again, rounds, saying_nothing, seed, sitting
from .rows import BOOKS, CLIENT, ROWS, VERIFY, Case, Games

KINDS = (sitting, seed, rounds, moving, hidden, saying_nothing, played_again)
"""The modules that contain the examples."""

__all__ = ["BOOKS", "CLIENT", "KINDS", "ROWS", "VERIFY", "Case", "Games"]
