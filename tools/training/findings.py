"""Training examples from searches: the estimated chance to win after each candidate, for kinds of decisions
in which heuristics are weak (`subjects`)."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean
from typing import Final

from msgspec import Struct

from citadels_lan.bots.heuristics.learned import LearnedMind
from citadels_lan.bots.heuristics.policies import SensiblePolicy
from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.searching import SampledStates, candidates, tried
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import Choice, State, Table, TableConfig, decisions, go_on, new_table, play_move, view
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Destroy
from citadels_lan.engine.turn.cities import find

from .lessons import MOST_MOVES
from .subjects import NOTHING, SUBJECTS, subject
from .tables import seats

WORLDS: Final = 4
"""Each candidate is tried in this many sampled states. With more states, fewer decisions could be searched in
the same time, which teaches less."""
FOLLOWED: Final = 0.5
"""In this share of the searched decisions, the candidate that the search rates best is played."""


class SearchedChoice(Struct, frozen=True):
    """A decision. For each candidate: the name of its weights ("" for the candidate with which all others are
    compared), its features, and the estimated chance to win after it."""

    kind: str
    keys: tuple[str, ...]
    numbers: tuple[tuple[float, ...], ...]
    found: tuple[float, ...]


def findings(config: TableConfig, seed: str) -> Iterator[SearchedChoice]:
    """Play one game of heuristic bots, and yield a training example for each decision that is searched."""
    random = Random(seed)
    table, players = Table(new_table(config), QuickChance(seed)), seats(config.players, random)
    for _ in range(MOST_MOVES):
        table.events.clear()
        waiting = decisions(table.state)
        if not waiting:
            if table.state.phase == "over":
                return
            go_on(table)
            continue
        ((seat, choices),) = waiting.items()
        known = view(table.state, seat)
        action = players[seat].choose(known, seat, choices)
        kind = subject(choices)
        if kind and random.random() < SUBJECTS[kind].part:
            values = _searched(kind, known, seat, choices, random)
            if len(values) > 1:
                yield _finding(kind, LearnedMind(known, seat, choices, Random(0)), values)
                if random.random() < FOLLOWED:
                    action = max(values, key=values.__getitem__)
        play_move(table, seat, action)


class SensibleStates(SampledStates):
    """Sampled states (see glossary) from which all seats continue with plain heuristics."""

    kinds = (SensiblePolicy,)


def _searched(
    kind: str, known: State, seat: int, choices: Sequence[Choice], random: Random
) -> dict[Action, float]:
    """Return for each candidate action the estimated chance to win after it. All candidates are tried in the
    same sampled states. Empty if there are fewer than two."""
    verbs = {kind, "end"} if kind == "destroy" else {kind}
    asked = [choice for choice in choices if choice.verb in verbs]
    actions = [
        action
        for action in candidates(known, seat, asked, random, PLAIN, kind=SensiblePolicy)
        if not (isinstance(action, Destroy) and find(known, seat, action.target)[0] == seat)
    ]
    worlds = SensibleStates(known, seat, Memory(), random, PLAIN)
    if len(actions) < 2:
        return {}
    return {action: fmean(tried(worlds, PLAIN, action, number) for number in range(WORLDS)) for action in actions}


def _finding(kind: str, mind: LearnedMind, values: dict[Action, float]) -> SearchedChoice:
    about = SUBJECTS[kind].about
    rows = [about(mind, action) if action.verb == kind else NOTHING for action in values]
    keys, numbers = zip(*[(key, tuple(map(float, row))) for key, row in rows], strict=True)
    return SearchedChoice(kind, keys, numbers, tuple(values.values()))
