"""The record of a game: what it promises, what it does not promise, and when its result counts.

Every place that states a promise takes it from here: the page of the rules, `--help`, and the report of `verify`.
A test compares README.md with it. The host closes the record after the last move: it publishes the seed and opens
all hidden moves. A game without a closed record has no winner.
"""

from typing import Final

from .language import msg

PROMISES: Final = (
    msg("No player can change a hidden choice, warrant or threat afterwards."),
    msg("The deck and all random draws come from a seed. No one could choose or predict it alone."),
    msg(
        "Every entry is signed. A false entry in a closed game identifies the key that signed it. No "
        "honest key can be accused."
    ),
)
"""The promise that the program makes about a closed game."""
HOST_KNOWS: Final = msg(
    "The host's computer knows all hands and future draws. After a handover, the old host's computer "
    "knows them, too."
)
NO_PROMISE: Final = msg("If the host is the only person in a game, nothing is guaranteed.")
LIMITS: Final = (HOST_KNOWS, NO_PROMISE)
PROMISED: Final = msg("A closed game guarantees:")
"""The heading of the promises."""

CLOSING: Final = msg("The game is over. Closing the record…")
"""Shown between the last move of a game and the entry *close*."""
UNREACHABLE: Final = msg(
    "The connection was lost before the record was closed, so this game has no winner. Ask the host "
    "to run `citadels-lan host --resume`, and keep this program open."
)
UNREACHABLE_SHORT: Final = msg("Not closed, so no winner. The host must run `citadels-lan host --resume`.")
"""Shown if the connection to the host is lost between the last move and the entry *close*."""
NO_WINNER: Final = msg("The record of this game is not closed, so the game has no winner.")
"""Shown for a game that was played to its end, but whose file lacks the entry *close*."""
