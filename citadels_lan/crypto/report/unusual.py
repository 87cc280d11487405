"""Sentences of a report for players: the verdicts, and one short sentence for each unusual thing in a game.

`names` and `rounds` are lists in words, `round` is a number, `n` is the number of an entry.
"""

from collections.abc import Mapping
from typing import Final

from .findings import msg

UNUSUAL: Final[Mapping[str, str]] = {
    # Substitute bots
    "substitute": msg("A substitute bot ({level}) played for {name} in {rounds}. Its moves: {count}."),
    "substitute_to_end": msg("A substitute bot ({level}) played for {name} from entry {n} to the end."),
    # Co-signatures
    "unsigned_last": msg("The last co-signature is missing from {names}. Ask them whether they were connected."),
    "unsigned_end": msg("{names} did not sign the end of the game. Ask them whether they were connected."),
    # Handing over
    "handover": msg("{old} handed the game to {new} at entry {n}. Both computers know all hands and all chance."),
    "host_from": msg("{name}, host from entry {n}"),
    # Sealed drafts
    "false_complaint": msg("{name} complained about a correct packet in round {round}."),
    "unopened": msg("{names} did not open all hidden moves."),
    # Guests
    "guests": msg("{names} played in a browser. The host could see their hands and move for them."),
}
"""What a report says about a game that can be verified and that was not quite as usual."""

VERDICTS: Final[Mapping[str, str]] = {
    "verified": msg("VERIFIED: the record is closed, and a replay by the rules gives the same game."),
    "damaged": msg("NOT VERIFIED: a file is damaged or not a transcript. No one is accused."),
}
"""Verdicts with exit codes 0 and 3."""

INCOMPLETE: Final[Mapping[str, str]] = {
    "unfinished": msg("INCOMPLETE: the game was not finished, so it has no winner."),
    "not_closed": msg(
        "INCOMPLETE: the last move is made, but the host ({host}) did not close the record. The game has no"
        " winner."
    ),
    "agreed": msg("INCOMPLETE: the players ended the game without a result. It was the turn of {names}."),
    "not_opened": msg(
        "INCOMPLETE: {names} did not open all hidden moves. Verify their files together with this one."
    ),
    "unsigned": msg("INCOMPLETE: the game is closed, but the file is not signed by its owner."),
}
"""Verdicts with exit code 4."""

ACCUSED: Final[Mapping[str, str]] = {
    "host": msg("PROOF OF CHEATING by {name}, host from entry {n} (key: {words})."),
    "player": msg("PROOF OF CHEATING by {name} in the sealed draft of round {round} (key: {words})."),
    "known_as": msg("You know this key as {name}."),
    "keep": msg("Keep the files as they are, and give copies to all players."),
}
"""Verdicts with exit code 1; `words` are the six words of the key that signed the false entry."""
