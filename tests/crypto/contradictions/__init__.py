"""For every contradiction that verification knows: entries of a host with that contradiction and valid
signatures.

    @contradicts("own_part", "another commitment")
    def _(games): ...          the entries, and how they are forged and read

A code of `findings.CONTRADICTIONS` without a row here fails `cheating/test_both_verifiers.py`. `changing` has
what changes the entries."""

from . import hidden, moving, played_again, rounds, saying_nothing, seed, sitting
from .rows import BOOKS, CLIENT, ROWS, VERIFY, Case, Games

KINDS = (sitting, seed, rounds, moving, hidden, saying_nothing, played_again)
"""The modules with the examples."""

__all__ = ["BOOKS", "CLIENT", "KINDS", "ROWS", "VERIFY", "Case", "Games"]
