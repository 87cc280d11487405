"""Reading the notation: one line of text per move (docs/notation.md). Writing it is `str(action)`.

Reading is more liberal than writing: targets and cards come in any order, `a.market` names one's own market, a
zero part of an income may be said.
"""

from .action import ACTIONS, Action
from .reading import BadNotation, Words


def parse(line: str, mover: int | None = None) -> Action:
    """The action that a line says; `mover` (a seat) is needed only to understand one's own city by its letter.
    Raises BadNotation."""
    words = Words(line.split(), mover)
    verb = words.next()
    if verb not in ACTIONS:
        raise BadNotation("unknown_verb", verb)
    action = ACTIONS[verb].read(words)
    if words.left:
        raise BadNotation("line_too_long", words.left[0])
    return action
