"""Whether what is shown is what was committed to."""

from collections.abc import Sequence

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.sealed_moves import starred
from citadels_lan.engine import Event
from citadels_lan.engine import events as ev


def opened(event: Event, openings: Sequence[Opening], round_: int) -> bool:
    """Whether what an event shows stands in an opening beside it: the pick, the warrant or the threat of that
    round. Each opening was checked against its commitment before; a wrong one never gets here."""
    now = [one for one in openings if one.round == round_]
    match event:
        case ev.Revealed(_, character):
            return any(one.line == f"pick {character}" for one in now)
        case ev.Confiscated(by, _, _, _, character):
            return any((one.kind, one.seat, _star(one)) == ("warrant", by, character) for one in now)
        case ev.ThreatShown(character, flower):
            return any(one.kind == "threaten" and (_star(one) == character) == flower for one in now)
    return False


def _star(opening: Opening) -> str:
    return starred(opening) if "*" in opening.line else ""
