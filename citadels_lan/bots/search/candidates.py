"""Which moves are worth thinking about: those that a player of thumb likes best."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from citadels_lan.bots.thumb.normal import NormalPolicy
from citadels_lan.bots.thumb.scores import score, ways
from citadels_lan.bots.thumb.sensible import SensiblePolicy
from citadels_lan.bots.thumb.taste import Taste
from citadels_lan.bots.thumb.turns import TurnMind
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Armory, Destroy, Exchange, Seize
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State
from citadels_lan.engine.turn.cities import find

TAKING: Final = (Armory, Destroy, Exchange, Seize)
"""Moves after which a district is no longer its owner's."""
MOST: Final = 10
"""So many moves are tried where time is short; what comes after them by the rules of thumb is rarely the best."""


def candidates(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    random: Random,
    taste: Taste,
    kind: type[SensiblePolicy] = NormalPolicy,
    most: int = MOST,
) -> list[Action]:
    """The best moves by the rules of thumb of a kind of player, the best first; at least one, and no more than
    `most`. The best of each verb come before all others: doing nothing, and doing what does not look worth it, are
    moves, too."""
    if len(choices) == 1 and isinstance(choices[0], Action):
        return [choices[0]]
    mind = kind.minds(view, seat, choices, random, taste)
    scores = {
        action: score(mind, action, kind.scores) + _hurts(mind, action)
        for choice in choices
        for action in ways(mind, choice)
    }
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    first = {action.verb: action for action in reversed(ranked)}
    kept = set(sorted(ranked, key=lambda action: first[action.verb] is not action)[:most])
    return [action for action in ranked if action in kept]


def _hurts(mind: TurnMind, action: Action) -> float:
    """What rules of thumb overlook in a common city, which lasts long: the points that a district has brought its
    owner beyond its cost, by how much it is worth to hinder that one."""
    if mind.shared is None or not isinstance(action, TAKING):
        return 0.0
    owner, index = find(mind.view, mind.seat, action.target)
    player = mind.view.players[owner]
    effect = mind.edition.effects.get(player.city[index].key)
    if effect is None or owner == mind.seat:
        return 0.0
    types = Counter(mind.edition.types[district.key] for district in player.city)
    return mind.danger(owner) * effect.score(player, types, mind.view.crown == owner)
