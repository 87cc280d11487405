"""How the points went over the rounds of a game that is over, out of its transcript."""

from collections.abc import Sequence
from pathlib import Path

from citadels_lan.front.recording import NotReplayable, load_recording

from .points import open_points


def course(path: Path | None) -> Sequence[Sequence[int]]:
    """What each seat had lying open at the end of every round; empty where there is no transcript of a finished
    game. Plays the game again, which takes a moment: call it where nothing waits."""
    if path is None or not path.exists():
        return ()
    try:
        steps = load_recording(path).steps
    except NotReplayable:
        return ()
    last = {step.state.round: step.state for step in steps if step.state.round}
    return [open_points(state) for _, state in sorted(last.items())]
