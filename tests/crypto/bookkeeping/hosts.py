"""Games of a host without encoding: entries with their events, also of hosts that lie."""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from citadels_lan import engine
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.commitments import BREAKING, WIDTH, Opening, manner
from citadels_lan.crypto.log import OWNER, Header, Move, TableMove
from citadels_lan.engine.events import GameEnded
from citadels_lan.engine.state import SECRET_MARKS
from tests.crypto.table import header
from tests.engine.tables import ALL, Tables
from tests.play.dice import LabelChance, patient, some

MOST_ENTRIES = 6000
KINDS = {"warrant": "signed", "threaten": "flower"}

Lie = Callable[["Host", list[engine.Event]], "list[engine.Event]"]
"""Returns the events that a host writes in place of the true ones, which it is given; to tell the truth, it
returns these."""


class Told(NamedTuple):
    """An entry and its events without hidden values."""

    n: int
    entry: Move | TableMove
    events: tuple[engine.Event, ...]


class Host:
    """A host that makes random moves for all seats. With a `lie` it writes other events, and continues from
    them."""

    def __init__(
        self, seed: int, tables: Tables = ALL, lie: Lie | None = None, setup: engine.TableConfig | None = None
    ):
        self.dice = random.Random(seed)
        self.setup = setup or tables.draw(self.dice)
        self.header: Header = header(self.setup)
        self.state = engine.new_table(self.setup, sealed=True)
        self.chance = LabelChance(seed)
        self.lie = lie
        self.n = 4
        self.stars: dict[tuple[str, int], str] = {}
        self._coming: tuple[engine.Event, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended with the last entry."""
        return any(isinstance(event, GameEnded) for event in self._coming)

    def follow(self) -> None:
        """Apply the events of the last entry to the state."""
        for event in self._coming:
            self.state = engine.evolve(self.state, event)
        self._coming = ()

    def step(self) -> Told:
        """Make the next step: a random move, or the table acts. Return its entry."""
        self.follow()
        self.n += 1
        waiting = engine.decisions(self.own_view())
        if not waiting:
            return self._tell(None, "", engine.advance(self.state, self.chance), ())
        ((seat, choices),) = waiting.items()
        if not choices:  # the choices in a view are those of the view's seat
            choices = engine.decisions(engine.view(self.state, seat))[seat]
        line = str(some(self.dice, patient(self.dice, choices, self.n)))
        return self.move(seat, line)

    def move(self, seat: int, line: str) -> Told:
        """Make the move `line` of a seat. Return its entry."""
        what: str | bytes = line
        openings: tuple[Opening, ...] = ()
        unsealed = None
        verb = line.split(" ", 1)[0]
        if manner(line) == "sealed":
            star = next(word[:-1] for word in line.split(" ") if word.endswith("*"))
            self.stars[KINDS[verb], seat] = star
            line = line.replace("*", "")
            what = f"{line} sealed {'00' * WIDTH}"
        elif manner(line) == "hidden":
            what = bytes(WIDTH)
        elif line in BREAKING:
            kind = KINDS[BREAKING[line]]
            mark = self.state.mark(kind)
            if mark is not None and mark.character == engine.HIDDEN:
                unsealed = self.stars[kind, seat]
                opening = f"{BREAKING[line]} {unsealed}*"
                openings = (Opening(self.state.round, seat, 0, BREAKING[line], opening, bytes(32)),)
        events = engine.decide(self.state, seat, engine.parse(line, seat), self.chance, unsealed)
        return self._tell(seat, what, events, openings)

    def own_view(self) -> engine.State:
        """Return the view of the seat that has to decide."""
        seats = tuple(engine.decisions(self.state)) if self.state.steps or self.state.turn else ()
        if not seats:
            return self.state
        known = engine.view(self.state, seats[0])
        known.marks = [
            mark.but(character=self.stars.get((mark.kind, mark.by), mark.character))
            if mark.kind in SECRET_MARKS and mark.by == seats[0]
            else mark
            for mark in known.marks
        ]
        return known

    def _tell(
        self, seat: int | None, what: str | bytes, events: list[engine.Event], openings: tuple[Opening, ...]
    ) -> Told:
        if self.lie is not None:
            events = self.lie(self, events)
        raw = [engine.encode_event(engine.redact(event, None)) for event in events]
        entry = TableMove(raw) if seat is None else Move(seat, OWNER, what, raw, openings, bytes(64))
        self._coming = tuple(events)
        return Told(self.n, entry, tuple(events))


def enter(books: Bookkeeping, told: Told) -> None:
    """Add an entry to `books`, with the events as the viewer of `books` sees them. Raises Mismatch."""
    books.follow(told.n, told.entry, [engine.redact(event, books.seat) for event in told.events])


def books_of(host: Host, seats: Sequence[int | None] | None = None) -> list[Bookkeeping]:
    """Return an empty bookkeeping for each viewer in `seats` (None: for all seats and a spectator)."""
    every = (None, *range(host.setup.players)) if seats is None else seats
    return [Bookkeeping(host.header, seat) for seat in every]
