"""How the points went over the rounds of a game, out of its transcript, for the screen after it."""

from collections.abc import Sequence
from pathlib import Path

from citadels_lan.front.past.points import points_by_round
from citadels_lan.front.recording import NotReplayable, load_recording


def course(path: Path | None) -> Sequence[Sequence[int]]:
    """The points of each seat at the end of every round; empty where there is no transcript to be read. Plays the
    game again, which takes a moment: call it where nothing waits."""
    if path is None or not path.exists():
        return ()
    try:
        return [one.points for one in points_by_round(load_recording(path).steps)]
    except NotReplayable:
        return ()
