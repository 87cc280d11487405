"""What a city is worth as far as it lies open: not what anybody holds in hand."""

from collections.abc import Sequence

from citadels_lan.engine import State, edition_of
from citadels_lan.engine import view as seen


def open_points(view: State) -> Sequence[int]:
    """The points of each seat if the game ended now, hands not counted; where points are counted as they come,
    those so far."""
    edition = edition_of(view)
    if edition.goal(view) is None:
        return [player.points for player in view.players]
    return [score.total for score in edition.scores(seen(view, None))]
