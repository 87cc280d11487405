"""Finds out what a game with a sealed draft waits for, from the last entries of a transcript."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.log import EVENTFUL, CheckWords, CoSigned, Delta, decode_entry, events_of
from citadels_lan.engine import Event
from citadels_lan.engine.events import Inquired, InquiryAnswered, Offered, RoundBegan

DRAFT: Final = "draft"
"""A seat has to deal or to pick."""
CALL: Final = "call"
"""A character is called, and the seats reply."""
ELSE: Final = "else"


def moment(deltas: Sequence[Delta]) -> str:
    """Return what the table waits for after the last of these entries: DRAFT, CALL or ELSE."""
    for delta in reversed(deltas):
        entry = decode_entry(delta.public)
        if isinstance(entry, EVENTFUL):
            return moment_after(decode_events(events_of(entry)))
        if not isinstance(entry, CoSigned | CheckWords):
            break
    return ELSE


def moment_after(events: Sequence[Event]) -> str:
    """Return what the table waits for after an entry with these events: DRAFT, CALL or ELSE."""
    found = ELSE
    for event in events:
        match event:
            case Inquired():
                found = DRAFT if event.what == "deal" else CALL
            case Offered():
                found = DRAFT
            case InquiryAnswered() | RoundBegan():
                found = ELSE
    return found
