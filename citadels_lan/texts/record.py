"""The record of a game: what it promises, what it does not promise, and when its result counts.

Every place that states a promise takes it from here: the page of the rules, `--help`, and the report of `verify`.
A test compares README.md with it. The host closes the record after the last move: it publishes the seed and opens
all hidden moves. A game without that has no winner.
"""

from typing import Final

from .marks import msg

PROMISES: Final = (
    msg("Hidden picks, warrants and threats cannot be changed after they were committed."),
    msg("The deck and all chance come from a seed that no one could choose or predict alone."),
    msg(
        "Every entry is signed; a false entry in a closed game identifies the key that signed it,"
        " and no honest key can be accused."
    ),
)
"""What a closed game promises."""
HOST_KNOWS: Final = msg(
    "The host's computer knows all hands and the chance to come; after a handover, so does the old host's."
)
NO_PROMISE: Final = msg("A game whose only person sits at the host has no promise.")
LIMITS: Final = (HOST_KNOWS, NO_PROMISE)
PROMISED: Final = msg("A closed game promises:")
"""The heading of the promises."""

CLOSING: Final = msg("The game is over. Closing the record…")
"""Between the last move and *close*."""
UNREACHABLE: Final = msg(
    "The connection to the host was lost before the record was closed, so this game has no winner. Ask the host to"
    " run `citadels-lan host --resume`, and keep this program open."
)
UNREACHABLE_SHORT: Final = msg("Not closed, so no winner. The host must run `citadels-lan host --resume`.")
"""The host has left between the last move and *close*."""
NO_WINNER: Final = msg("The record of this game is not closed, so the game has no winner.")
"""A game that was played to its end, and whose file has no *close*."""
