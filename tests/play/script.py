"""A test that reads as a script: moves, and what the seat that makes them is told.

    perform(table, '''
        a: pick king
            Picked seat=a character=king
        b: end -> refused
        a: gather gold
            Gathered seat=a gold=2
    ''')

A line with a seat is a move; `-> CODE` after it says why it is refused. The indented lines after a move are events
that come of it, in this order, each with the fields that matter here; others may come between them. `#` begins a
remark.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from citadels_lan.cli.transcript_text import event_text
from citadels_lan.engine import Event, IllegalMove, seat_name
from citadels_lan.net.wire.errors import Rejected

SEATS = "abcdefgh"


class Scripted(Protocol):
    """A table that takes moves of a script."""

    def say(self, seat: int, line: str) -> Sequence[Event]:
        """What the seat is told of its move. Raises IllegalMove, or Rejected."""
        ...


class Differs(AssertionError):
    """Something went otherwise than the script says."""


class Cue(NamedTuple):
    """A move, the code of its refusal or nothing, and what is expected of it."""

    seat: int
    line: str
    refused: str
    expected: tuple[str, ...]


def cues(script: str) -> Iterator[Cue]:
    """The moves of a script, with what follows each."""
    cue: Cue | None = None
    for text in script.splitlines():
        said = text.partition("#")[0].strip()
        if said[1:3] == ": " and said[0] in SEATS:
            if cue is not None:
                yield cue
            line, _, refused = said[3:].partition("->")
            cue = Cue(SEATS.index(said[0]), line.strip(), refused.strip(), ())
        elif said:
            if cue is None:
                raise ValueError(f"{said}: a script begins with a move")
            cue = cue._replace(expected=(*cue.expected, said))
    if cue is not None:
        yield cue


def fits(expected: str, event: Event) -> bool:
    """Whether an event is of this kind and has these fields."""
    kind, *fields = expected.split()
    found = event_text(event).split()
    return kind == found[0] and set(fields) <= set(found)


def perform(table: Scripted, script: str) -> None:
    """Play a script. Raises Differs."""
    for cue in cues(script):
        move = f"{seat_name(cue.seat)}: {cue.line}"
        try:
            events = list(table.say(cue.seat, cue.line))
        except (IllegalMove, Rejected) as reason:
            if reason.code != cue.refused:
                raise Differs(f"{move} is refused: {reason.code}") from None
            continue
        if cue.refused:
            raise Differs(f"{move} is accepted")
        told = iter(events)
        for expected in cue.expected:
            if not any(fits(expected, event) for event in told):
                happened = "\n    ".join(map(event_text, events))
                raise Differs(f"{move} does not bring, in its place, {expected}, but\n    {happened}")
