"""What each move would come to, for people who want to know: the same worlds for every one of them, so that what
one has more than another is told with an error of its own.

    best, *others = weigh(view, seat, choices, memory, HINT, seed="any text")

A bot that has to move drops what does badly (`racing`); here nothing is dropped, nor is the move that was made,
even if no rule of thumb would think of it.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Final

from msgspec import Struct

from citadels_lan.bots.thumb.taste import PLAIN
from citadels_lan.bots.worlds.memory import Memory
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

from .candidates import candidates
from .reasons import Part, RoundEnd, WorldEnd, average, parts_of, world_end
from .searching import Effort
from .supposed import SupposedWorlds

HINT: Final = Effort(trials=400, seconds=1.0)
"""For a move that somebody waits for."""
FEWEST: Final = 2
"""So many worlds there are in any case: one alone has no error."""
CLEAR: Final = 2.0
"""A difference is clear if it is so many times its error."""


class Weighed(Struct, frozen=True):
    """A move: its line of notation, its chance to win with the standard error of that, and what stands at the end
    of the round on average. `gap` is what the best of those weighed has more, with its own error, and `parts` is
    what that consists of (see `reasons`); nought and nothing for the best itself."""

    line: str
    chance: float
    error: float
    gap: float
    gap_error: float
    end: RoundEnd
    parts: dict[Part, float]

    @property
    def worse(self) -> bool:
        """Whether it is clearly not the best."""
        return self.gap > CLEAR * self.gap_error


def weigh(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    memory: Memory,
    effort: Effort,
    seed: int | str,
    also: Action | None = None,
) -> list[Weighed]:
    """The moves worth thinking about and the one that was made, the best first. As long as the seconds suffice,
    the same seed says the same. Raises NoWorld for a view that no table has."""
    random = Random(f"{seed}/{view.tick}")
    actions = candidates(view, seat, choices, random, PLAIN, most=effort.moves)
    if also is not None and also not in actions:
        actions.append(also)
    return weigh_these(view, seat, actions, memory, effort, random)


def weigh_these(
    view: State, seat: int, actions: Sequence[Action], memory: Memory, effort: Effort, random: Random
) -> list[Weighed]:
    """These moves and no others, the best first."""
    late = perf_counter() + effort.seconds
    worlds = SupposedWorlds(view, seat, memory, random, PLAIN)
    ends: list[list[WorldEnd]] = [[] for _ in actions]
    for number in range(max(FEWEST, effort.trials // len(actions))):
        if number >= FEWEST and perf_counter() > late:
            break
        for action, found in zip(actions, ends, strict=True):
            found.append(world_end(worlds.end(action, number), seat))
    best = max(ends, key=lambda found: fmean(end.told.chance for end in found))
    weighed = [_weighed(action, found, best) for action, found in zip(actions, ends, strict=True)]
    return sorted(weighed, key=lambda one: (one.gap, -one.chance))


def _weighed(action: Action, found: Sequence[WorldEnd], best: Sequence[WorldEnd]) -> Weighed:
    chance, error = _mean([end.told.chance for end in found])
    gap, gap_error = _mean([top.told.chance - end.told.chance for top, end in zip(best, found, strict=True)])
    parts = parts_of(zip(best, found, strict=True)) if found is not best else {}
    return Weighed(str(action), chance, error, gap, gap_error, average(found), parts)


def _mean(values: Iterable[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    known = list(values)
    mean = fmean(known)
    return mean, sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1) / len(known))
