"""Games as a host would tell them, without the bytes: entries with what came of them, and hosts that lie."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.commitments import BREAKING, WIDTH, Opening, hidden, manner
from citadels_lan.crypto.log import OWNER, Header, Move, TableMove
from citadels_lan.engine import (
    HIDDEN,
    Event,
    State,
    TableConfig,
    advance,
    decide,
    decisions,
    encode_event,
    evolve,
    new_table,
    parse,
    redact,
    view,
)
from citadels_lan.engine.events import GameEnded
from citadels_lan.engine.state import SECRET_MARKS
from tests.crypto.table import header
from tests.engine.tables import ALL, Tables
from tests.play.dice import LabelChance, patient, some

MOST_ENTRIES = 6000
KINDS = {"warrant": "signed", "threaten": "flower"}

Lie = Callable[["Host", list[Event]], "list[Event]"]
"""What a host makes of the events of an entry; the same where it does not lie."""


class Told(NamedTuple):
    """An entry, and all that came of it."""

    n: int
    entry: Move | TableMove
    events: tuple[Event, ...]


class Host:
    """A host that plays random moves and tells them; with a `lie` it tells, and goes on from, something else."""

    def __init__(self, seed: int, tables: Tables = ALL, lie: Lie | None = None, setup: TableConfig | None = None):
        self.dice = random.Random(seed)
        self.setup = setup or tables.draw(self.dice)
        self.header: Header = header(self.setup)
        self.state = new_table(self.setup, sealed=True)
        self.chance = LabelChance(seed)
        self.lie = lie
        self.n = 4
        self.stars: dict[tuple[str, int], str] = {}
        self._coming: tuple[Event, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game ends with what was told last."""
        return any(isinstance(event, GameEnded) for event in self._coming)

    def follow(self) -> None:
        """Go on from what was told last."""
        for event in self._coming:
            self.state = evolve(self.state, event)
        self._coming = ()

    def step(self) -> Told:
        """The next entry."""
        self.follow()
        self.n += 1
        waiting = decisions(self.own_view())
        if not waiting:
            return self._tell(None, "", advance(self.state, self.chance), ())
        ((seat, choices),) = waiting.items()
        if not choices:  # the choices of a view are those of its own seat
            choices = decisions(view(self.state, seat))[seat]
        line = str(some(self.dice, patient(self.dice, choices, self.n)))
        return self.move(seat, line)

    def move(self, seat: int, line: str) -> Told:
        """The entry of a move."""
        what: str | bytes = line
        openings: tuple[Opening, ...] = ()
        unsealed = None
        verb = line.split(" ", 1)[0]
        if manner(line) == "sealed":
            star = next(word[:-1] for word in line.split(" ") if word.endswith("*"))
            self.stars[KINDS[verb], seat] = star
            line = line.replace("*", "")
            what = f"{line} sealed {'00' * WIDTH}"
        elif hidden(line):
            what = bytes(WIDTH)
        elif line in BREAKING:
            kind = KINDS[BREAKING[line]]
            mark = self.state.mark(kind)
            if mark is not None and mark.character == HIDDEN:
                unsealed = self.stars[kind, seat]
                opening = f"{BREAKING[line]} {unsealed}*"
                openings = (Opening(self.state.round, seat, 0, BREAKING[line], opening, bytes(32)),)
        events = decide(self.state, seat, parse(line, seat), self.chance, unsealed)
        return self._tell(seat, what, events, openings)

    def own_view(self) -> State:
        """What whoever is asked knows."""
        seats = tuple(decisions(self.state)) if self.state.steps or self.state.turn else ()
        if not seats:
            return self.state
        known = view(self.state, seats[0])
        known.marks = [
            mark.but(character=self.stars.get((mark.kind, mark.by), mark.character))
            if mark.kind in SECRET_MARKS and mark.by == seats[0]
            else mark
            for mark in known.marks
        ]
        return known

    def _tell(
        self, seat: int | None, what: str | bytes, events: list[Event], openings: tuple[Opening, ...]
    ) -> Told:
        if self.lie is not None:
            events = self.lie(self, events)
        raw = [encode_event(redact(event, None)) for event in events]
        entry = TableMove(raw) if seat is None else Move(seat, OWNER, what, raw, openings, bytes(64))
        self._coming = tuple(events)
        return Told(self.n, entry, tuple(events))


def enter(books: Bookkeeping, told: Told) -> None:
    """Enter an entry into the books as their viewer sees it. Raises Mismatch."""
    books.follow(told.n, told.entry, [redact(event, books.seat) for event in told.events])


def books_of(host: Host, seats: Sequence[int | None] | None = None) -> list[Bookkeeping]:
    """The books of each viewer."""
    every = (None, *range(host.setup.players)) if seats is None else seats
    return [Bookkeeping(host.header, seat) for seat in every]
