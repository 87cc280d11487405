"""The kinds of decisions for which weights are learned from searches (to pick, to destroy, to gather), and
the features of each action in such a decision."""

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
"""The name of the weights by which an action is rated, and the action's features."""
NOTHING: Final[Numbers] = ("", ())
"""Stands for the action with which all other actions of a decision are compared: it has no weights."""


class Subject(Struct, frozen=True):
    """A kind of decision. `names`: the names of the features. `about`: returns the weights' name and the
    features of an action. `part`: the share of such decisions that is searched; not all, because those of one
    game are similar. `begin`: starting weights, known from heuristics; all other weights start at 0."""

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
"""The kinds of decisions by their verbs. A decision with several of these verbs belongs to the first one."""


def subject(choices: Sequence[Choice]) -> str:
    """Return the verb in SUBJECTS to which a decision belongs.

    Return "" if it has none of these verbs, or if there is nothing to compare: to destroy is compared with
    ending the turn, to gather gold with gathering cards.
    """
    verbs = Counter(choice.verb for choice in choices)
    missing = {"destroy"} if not verbs["end"] else set()
    if verbs["gather"] < 2:
        missing.add("gather")
    return next((verb for verb in SUBJECTS if verbs[verb] and verb not in missing), "")
