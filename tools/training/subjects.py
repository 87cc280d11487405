"""The decisions that are learned from searches: their kinds, and the features of each action."""

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
"""The name of an action's weights, and its features."""
NOTHING: Final[Numbers] = ("", ())
"""The action with which all others of a decision are compared."""


class Subject(Struct, frozen=True):
    """A kind of decision: the names of its features, the features of an action, and the share of such
    decisions that is searched, because those of one game are similar. `begin` are starting weights known
    from heuristics; all others begin with 0."""

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
"""By verb. A decision that several subjects fit belongs to the first of them."""


def subject(choices: Sequence[Choice]) -> str:
    """Return the key in SUBJECTS of the kind of a decision. Empty if it is of no such kind, or has nothing to
    compare: a destruction is compared with the end of the turn, gathering gold with gathering cards."""
    verbs = Counter(choice.verb for choice in choices)
    missing = {"destroy"} if not verbs["end"] else set()
    if verbs["gather"] < 2:
        missing.add("gather")
    return next((verb for verb in SUBJECTS if verbs[verb] and verb not in missing), "")
