"""A city that everybody builds: how far it is, and what its cycles still bring to one seat."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from citadels_lan.engine import TYPES, Edition
from citadels_lan.engine.flow.cycles import Cycles, Points
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.shared_city import names, names_wanted

from .once import once

PACE: Final = 2.2
"""So many turns pass for each name that comes to stand, as games of bots go."""
NEARNESS: Final = (0.0, 1.0, 0.42, 0.2, 0.1, 0.07)
"""How much of the points for all types the next new type is worth, by how many are lacking."""
LASTS: Final = 1.5
"""So many cycles one more district than the others have is an advantage."""
WINS: Final = 8.0
"""What the victory is worth beside the points."""
REACH: Final = 2
"""Whoever is behind waits with the end if the points of so many cycles can change it."""


class SharedCity:
    """What the end of the game and of its cycles means to a seat; worked out when it is first asked for."""

    def __init__(self, view: State, seat: int, edition: Edition) -> None:
        self.view = view
        self.seat = seat
        self.edition = edition

    @once
    def left(self) -> int:
        """How many names must still come to stand before the game ends."""
        return max(0, names_wanted(self.view) - len(names(self.view)))

    @once
    def my_turns(self) -> int:
        """A guess at how many turns I still have, this one included."""
        return max(1, round(PACE * self.left / len(self.view.players)))

    @once
    def cycles_left(self) -> float:
        """A guess at how many more times points of a cycle are given."""
        return (PACE * self.left + len(self.view.called)) / len(self.view.cast)

    @once
    def points(self) -> Points | None:
        """What a cycle brings, where there are cycles."""
        flow = self.edition.flow
        return flow.points if isinstance(flow, Cycles) else None

    @once
    def totals(self) -> tuple[int, ...]:
        """Every seat's points if the game ended now, as far as they are public."""
        return tuple(score.total for score in self.edition.scores(self.view))

    @once
    def lead(self) -> int:
        """How many points I am ahead of the best of the others; negative where I am behind."""
        return self.totals[self.seat] - max(self._others(self.totals))

    def _others(self, values: Iterable[int]) -> list[int]:
        return [value for seat, value in enumerate(values) if seat != self.seat]

    @once
    def gains(self) -> bool:
        """Whether a cycle that ended now would bring me nearer to the best of the others."""
        points = self.points  # mypyc takes a call of the property itself for one of a method
        if points is None:
            return False
        now = points(self.view)
        best = max(self._others(self.totals))
        ahead = [now[seat] for seat, total in enumerate(self.totals) if seat != self.seat and total == best]
        return now[self.seat] > max(ahead)

    @once
    def a_type(self) -> float:
        """What the first district of another type brings me in the cycles to come."""
        if self.points is None:
            return 0.0
        types = Counter(self.edition.types[district.key] for district in self.view.players[self.seat].city)
        lacking = sum(not types[kind] for kind in TYPES)
        return float(self.points.all_types) * self.cycles_left * NEARNESS[lacking]

    @once
    def one_more(self) -> float:
        """What one more district brings me for the most districts, until the others have as many."""
        if self.points is None:
            return 0.0
        sizes = [len(player.city) for player in self.view.players]
        gap = max(self._others(sizes)) - sizes[self.seat]
        near = 0.3 if -1 <= gap <= 1 else 0.15 if abs(gap) <= 3 else 0.05
        return self.points.most * min(LASTS, self.cycles_left) * near

    def finishing(self, cards: Iterable[str]) -> float:
        """What ending the game with these cards is worth: the victory, or what would come after it; nothing if
        they do not end it."""
        new = set(cards) - names(self.view)
        if not self.left or len(new) < self.left:
            return 0.0
        lead = self.lead + sum(self.edition.costs[card] for card in new)
        if lead >= 0:
            return WINS
        return -WINS if self.gains and -lead <= REACH * self.most_of_a_cycle else 0.0

    @once
    def most_of_a_cycle(self) -> int:
        """The most that a cycle can bring."""
        return self.points.all_types + self.points.most if self.points else 0
