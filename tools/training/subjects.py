"""What is learned from searching: kinds of decisions, and the numbers of what may be done in each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.bots.heuristics.learned import (
    A_GOLD,
    DESTROYED,
    GATHERED,
    PICKED,
    LearnedMind,
    about_destruction,
    about_gathering,
    about_pick,
)
from citadels_lan.engine import Choice
from citadels_lan.engine.actions import Destroy, Gather, Pick
from citadels_lan.engine.turn.cities import find

Numbers: TypeAlias = tuple[str, Sequence[float]]
"""By which name the weights of an action go, and its numbers."""
NOTHING: Final[Numbers] = ("", ())
"""Against what all else of its decision is weighed."""


class Subject(Struct, frozen=True):
    """A kind of decision: the names of its numbers, those of an action, and the part of such decisions that is
    searched, for those of one game are much alike. `begin` are weights that rules of thumb know; all others begin
    with nought."""

    names: tuple[str, ...]
    about: Callable[[LearnedMind, Any], Numbers]
    part: float
    begin: Mapping[str, float] = {}


def _pick(mind: LearnedMind, action: Pick) -> Numbers:
    return action.character, about_pick(mind, action.character)


def _destroy(mind: LearnedMind, action: Destroy) -> Numbers:
    owner, index = find(mind.view, mind.seat, action.target)
    district = mind.view.players[owner].city[index]
    return "any", about_destruction(mind, owner, district.key, district.cost)


def _gather(mind: LearnedMind, action: Gather) -> Numbers:
    return ("gold", about_gathering(mind)) if action.what == "gold" else NOTHING


SUBJECTS: Final[Mapping[str, Subject]] = {
    "pick": Subject(PICKED, _pick, part=0.7, begin={"appeal": 3 * A_GOLD}),  # an appeal counts in threes
    "destroy": Subject(DESTROYED, _destroy, part=0.7),
    "gather": Subject(GATHERED, _gather, part=0.4),
}
"""By verb. Of several that a decision could be about it is the first."""


def subject(choices: Sequence[Choice]) -> str:
    """What a decision is about; nothing where it is none of the subjects, or leaves nothing to choose: a
    destruction is weighed against the end of the turn, gold against cards."""
    verbs = Counter(choice.verb for choice in choices)
    missing = {"destroy"} if not verbs["end"] else set()
    if verbs["gather"] < 2:
        missing.add("gather")
    return next((verb for verb in SUBJECTS if verbs[verb] and verb not in missing), "")
