"""The log: one sentence per event of the engine, as one viewer reads it.

A new event gets its sentence in one place: a function marked with `@tells(TheEvent)` in `turn.py`, `hands.py`,
`cities.py` or `cities.py`. An event that says nothing of its own, because the next one tells
it, stands in `SILENT` here. `tests/texts` fails for one without either.
"""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import events
from citadels_lan.engine.events import Event
from citadels_lan.texts.language import Texts
from citadels_lan.texts.sentences import cities, hands, turn
from citadels_lan.texts.sentences.teller import TELLERS, Teller

SILENT: Final[frozenset[type[Event]]] = frozenset(
    {
        events.Used,  # what an ability does follows in events of its own
        events.Built,  # BuildPaid says it
        events.PutUnder,  # what left a hand or a city for the deck is told before
        events.Unbound,  # what freed the turn was told
        events.InquiryAnswered,  # who answers is told by what follows
        events.Unsealed,  # what was sealed is shown by what follows
    }
)


def sentence(texts: Texts, event: Event, names: Sequence[str], viewer: int | None) -> str | None:
    """What the log says of an event, as `viewer` was told it; None where it says nothing.

    `names` are the players' names by seat. The result is plain text: whoever shows it must not read markup in it.
    """
    if type(event) in SILENT:
        return None
    return TELLERS[type(event)](Teller(texts, names, viewer), event)


__all__ = ["SILENT", "cities", "hands", "sentence", "turn"]
