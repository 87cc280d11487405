"""How the points of a game went, round by round: what lay open at the end of each, and the final scores."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citadels_lan.crypto.replay import Played
from citadels_lan.engine import State
from citadels_lan.front.shown.points import open_points


@dataclass(frozen=True)
class RoundPoints:
    """The points of each seat at the end of a round; `final`: those of the scoring, with what was hidden."""

    round: int
    points: tuple[int, ...]
    final: bool = False


def points_by_round(steps: Iterable[Played]) -> Sequence[RoundPoints]:
    """The points at the end of each round that was begun; in a round that is not over, those so far."""
    return [_points(state) for state in _last_states(steps)]


def _last_states(steps: Iterable[Played]) -> Iterator[State]:
    """The last state of each round. The deal is part of the first one."""
    last: dict[int, State] = {}
    for played in steps:
        last[max(played.state.round, 1)] = played.state
    yield from last.values()


def _points(state: State) -> RoundPoints:
    number = max(state.round, 1)
    if state.phase == "over":
        return RoundPoints(number, tuple(score.total for score in state.scores), final=True)
    return RoundPoints(number, tuple(open_points(state)))


def bars(points: int, most: int, heights: str, lines: int = 1) -> Sequence[str]:
    """Points as a bar of one cell in so many lines, the highest first: `heights` are the signs of a cell from
    empty to full, `most` the points that fill it all. Whoever has any point has more than nothing."""
    full = len(heights) - 1
    filled = -(-points * full * lines // max(most, 1))
    return [heights[max(0, min(filled - full * line, full))] for line in reversed(range(lines))]
