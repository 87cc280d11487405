"""The sensible bot as it was when the arena came to be: later ones are measured by it, and it is never changed.

    citadels-lan arena sensible,classic_sensible --plugin tests/bots/classic_sensible

It scores what it may do and does the best of it, one move at a time. It knows nothing of `citadels_lan.bots`: of
the program it needs the engine alone.
"""

from collections.abc import Callable, Mapping, Sequence
from math import comb
from random import Random
from typing import Any, Final

from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State

from . import abilities, drafting, turns
from .turns import ClassicTurnMind

Score = Callable[[ClassicTurnMind, Any], float]

LAST: Final = 0.001
"""So much of its score is left to what ends a turn: it comes after everything else that is worth doing."""
AT_ONCE: Final = 93.0
"""An ability that only ever gains something is used at once; so is anything not listed here."""
MOST_WAYS = 48
"""A Deal without a rule of its own is weighed in at most so many ways."""


def _at_once(mind: ClassicTurnMind, action: Action) -> float:
    return AT_ONCE


SCORES: Final[Mapping[str, Score]] = {
    "pick": drafting.score_pick,
    "theater": drafting.score_theater,
    "gather": turns.score_gather,
    "keep": turns.score_keep,
    "income": turns.score_income,
    "bonus": turns.score_bonus,
    "build": turns.score_build,
    "end": turns.score_end,
    "kill": drafting.score_kill,
    "bewitch": drafting.score_bewitch,
    "rob": drafting.score_rob,
    "warrant": drafting.score_marks,
    "threaten": drafting.score_marks,
    "spy": drafting.score_spy,
    "bribe": drafting.score_bribe,
    "reveal": drafting.score_reveal,
    "confiscate": drafting.score_confiscate,
    "swap": abilities.score_swap,
    "redraw": abilities.score_redraw,
    "look": abilities.score_look,
    "take": abilities.score_take,
    "give": abilities.score_give,
    "crown": abilities.score_crown,
    "levy": abilities.score_levy,
    "destroy": abilities.score_destroy,
    "seize": abilities.score_seize,
    "exchange": abilities.score_exchange,
    "beautify": abilities.score_beautify,
    "laboratory": abilities.score_laboratory,
    "smithy": abilities.score_smithy,
    "museum": abilities.score_museum,
    "armory": abilities.score_armory,
    "sell": abilities.score_sell,
    "offer": abilities.score_offer,
    "bid": abilities.score_bid,
    "pass": abilities.score_pass,
    "thank": drafting.score_thank,
    "tribute": drafting.score_tribute,
    "lighthouse": drafting.score_lighthouse,
    "graveyard": drafting.score_graveyard,
    "bell_tower": drafting.score_bell_tower,
    "turn": drafting.score_turn,
}
DEALS: Final[Mapping[str, Callable[[ClassicTurnMind, Deal], list[Action]]]] = {
    "warrant": drafting.deal_marks,
    "threaten": drafting.deal_marks,
    "redraw": abilities.deal_redraw,
    "give": abilities.deal_give,
    "build": abilities.deal_build,
    "take": abilities.deal_build,
    "offer": abilities.deal_offer,
}


def _score(mind: ClassicTurnMind, action: Action) -> float:
    score = SCORES.get(action.verb, _at_once)(mind, action)
    ends = mind.my_turn and mind.edition.last_abilities.get(mind.character) == action.verb
    return score * LAST if ends and score > 0 else score


class ClassicSensiblePolicy:
    """Plays by rules of thumb. What it knows of the table is its own view; `random` decides its few caprices."""

    blind = False

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        if len(choices) == 1 and isinstance(choices[0], Action):
            return choices[0]
        mind = ClassicTurnMind(view, seat, choices, self._random)
        actions = [action for choice in choices for action in self._ways(mind, choice)]
        return max(actions, key=lambda action: _score(mind, action))

    def _ways(self, mind: ClassicTurnMind, choice: Choice) -> list[Action]:
        """The actions of a choice that are worth weighing."""
        if not isinstance(choice, Deal):
            return [choice]
        if choice.verb in DEALS:
            return DEALS[choice.verb](mind, choice)
        if choice.count() <= MOST_WAYS:
            return list(choice.actions())
        return [deal_at_random(choice, self._random) for _ in range(MOST_WAYS)]


def choose(view: State, seat: int, choices: Sequence[Choice], memory: object, random: Random) -> Action:
    """The bot as a plug-in."""
    return ClassicSensiblePolicy(random).choose(view, seat, choices)


def deal_at_random(deal: Deal, random: Random) -> Action:
    """One of the ways of a Deal, each equally likely, copies of a card told apart."""
    cards = list(deal.pool)
    random.shuffle(cards)
    parts = []
    for part in range(len(deal.sizes)):
        size = _size(len(cards), deal.sizes[part:], random)
        parts.append(tuple(cards[:size]))
        del cards[:size]
    return deal.make(tuple(parts))


def _size(left: int, sizes: Sequence[tuple[int, int]], random: Random) -> int:
    """How many cards the first part gets, each number weighed by the ways of dealing that go on from it."""
    least, most = sizes[0]
    if least == most:
        return least
    options = range(least, min(most, left) + 1)
    weights = [comb(left, size) * _ways(left - size, sizes[1:]) for size in options]
    return random.choices(options, weights)[0]


def _ways(left: int, sizes: Sequence[tuple[int, int]]) -> int:
    if not sizes:
        return 1
    least, most = sizes[0]
    return sum(comb(left, size) * _ways(left - size, sizes[1:]) for size in range(least, min(most, left) + 1))
