"""Why something that was asked for is not done, and why the host cannot be reached, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.engine import BadNotation, IllegalMove
from citadels_lan.net.wire.errors import REASONS, Refusal
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.messages import MESSAGES, message
from citadels_lan.texts.refusals import REFUSALS, Details, refusal

REFUSED = (Refusal, IllegalMove, BadNotation)
"""What asking for something raises."""


OTHERWISE: Final = {
    "settings": msg("with other settings"),
    "own_name": msg("with another name for you"),
    "players": msg("with other players or seats"),
    "called_off": msg("without a start that was called off"),
    "known": msg("with the number of an earlier game"),
    "part": msg("with another commitment than yours"),
}
"""In which way a host has begun another table than its lobby had shown."""


def why(texts: Texts, reason: Refusal | IllegalMove | BadNotation) -> str:
    """The sentence for an exception of `REFUSED`."""
    return because(texts, reason.code, reason.details)


CLOSING: Final = "closing"
"""The reason with which a host closes its table."""
CLOSED: Final = msg("{name} closed the game.")
KEPT: Final = (
    msg("It is saved. When the host resumes it, you continue here."),
    msg("It is saved and can be resumed."),
)
"""What happens to a game that its host has closed, in more and in fewer words."""
LOST: Final = msg("It had not started.")


def parted(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """Why the connection of somebody who was at the table already is gone."""
    if code in ("wrong_code", "code_needed"):  # only who has no seat is asked again
        return texts.say(msg("The host has come back with a new code: leave, and join again with it."))
    return because(texts, code, details)


def closed(
    texts: Texts, details: Mapping[str, str | int], names: Sequence[str], *, begun: bool, leave: str
) -> Sequence[str]:
    """That the host has closed the table, what happens to the game, and the key or the word that leaves, in more
    and in fewer words. `details` may have the seat of the host's player; `begun`: the game had started."""
    seat, unnamed = details.get("seat"), because(texts, CLOSING, {})
    valid = isinstance(seat, int) and 0 <= seat < len(names)  # the host may send anything
    named = texts.say(CLOSED, name=names[int(seat or 0)]) if valid else unnamed
    long, short = KEPT if begun else (LOST, LOST)
    sentences = ((named, long), (named, short), (unnamed, short))
    return [f"{closing} {texts.say(next_step)} {leave}" for closing, next_step in sentences]


def because(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """The sentence for a code, of the engine or of the network."""
    if code in REFUSALS:
        return refusal(texts, code, details)
    if code == "not_agreed":
        details = {**details, "what": texts.say(OTHERWISE.get(str(details.get("what")), OTHERWISE["players"]))}
    if code in REASONS and code not in MESSAGES:
        return texts.fill(REASONS[code], Details(details))  # a host may leave details out
    return message(texts, code, details)
