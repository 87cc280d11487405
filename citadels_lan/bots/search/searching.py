"""Players that search: they try candidate moves in sampled states and play the one that won most often.

All candidates are tried in the same sampled states (`sampling`). The other seats are heuristic players of a
random kind and taste, because no one knows theirs. They play on to the end of the round; then `value` estimates
each seat's chance to win. In Città Comune a move that affects no other player is judged at the end of the own
turn. Weak candidates drop out early (`race`, sequential halving).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, exp, log2, sqrt
from random import Random
from time import perf_counter
from typing import Final, TypeVar

from msgspec import Struct

from citadels_lan.bots.heuristics.drafting import appeal
from citadels_lan.bots.heuristics.mind import Mind
from citadels_lan.bots.heuristics.policies import NormalPolicy, SensiblePolicy
from citadels_lan.bots.heuristics.scores import score, ways
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.bots.heuristics.values import PLAIN, TASTES, Taste
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.search.dealing import NoWorld
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.value import prospects
from citadels_lan.bots.stepping import play_on
from citadels_lan.engine import Event, edition_of
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Armory, Destroy, Exchange, Pick, Seize
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.flow.cycles import Cycles
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


WARMTH: Final = 1.5
"""So many gold more make a character about three times as likely to be taken."""


class Popularity:
    """The weights of characters by seat, worked out when they are first asked for."""

    def __init__(self, view: State) -> None:
        self._minds = [Mind(view, seat, (), Random(0)) for seat in range(len(view.players))]
        self._known: dict[tuple[int, str], float] = {}

    def __call__(self, view: State, seat: int, character: str) -> float:
        key = (seat, character)
        if key not in self._known:
            self._known[key] = exp(appeal(self._minds[seat], character) / WARMTH)
        return self._known[key]


C = TypeVar("C")

ENOUGH: Final = 8
"""After so many trials something may be sure."""
SURE: Final = 2.5
"""A mean is within so many of its own standard errors."""
HAIR: Final = 0.003
"""To be better by less is not worth a trial."""


def race(candidates: Sequence[C], trial: Callable[[C, int], float], budget: int, late: Callable[[], bool]) -> C:
    """The candidate with the best mean, after about `budget` trials at most.

    The trials go in stages of as many each; after a stage the better half goes on. `trial` tells what a candidate
    came to in the trial of a number: whoever is still in the race has had the same trials. The race is over when
    one is left, or once it is `late`, after the trial being run; a trial not yet run for all counts for nobody.
    """
    found: list[list[float]] = [[] for _ in candidates]
    alive = list(range(len(candidates)))
    going_on = len(alive)
    stages = max(1, ceil(log2(len(candidates))))
    for _ in range(stages):
        for _ in range(max(1, budget // (stages * len(alive)))):
            values = []
            for index in alive:
                if late():
                    return candidates[_best(found, alive)]
                values.append(trial(candidates[index], len(found[index])))
            for index, value in zip(alive, values, strict=True):
                found[index].append(value)
            alive = _maybe_better(found, alive)
            if len(alive) == 1:
                return candidates[alive[0]]
        going_on = ceil(going_on / 2)
        alive = sorted(alive, key=lambda index: sum(found[index]), reverse=True)[:going_on]
    return candidates[alive[0]]


def _best(found: Sequence[Sequence[float]], alive: Sequence[int]) -> int:
    return max(alive, key=lambda index: sum(found[index]))


def _maybe_better(found: Sequence[Sequence[float]], alive: Sequence[int]) -> list[int]:
    """The best so far and those that may be better than it, in their order."""
    if len(found[alive[0]]) < ENOUGH:
        return list(alive)
    best = _best(found, alive)
    return [index for index in alive if index == best or _lead(found[index], found[best]) > HAIR]


def _lead(values: Sequence[float], best: Sequence[float]) -> float:
    """By how much the mean of these may surpass the best one's at most; the trials are the same for both."""
    many = len(values)
    gaps = [high - low for low, high in zip(values, best, strict=True)]
    mean = sum(gaps) / many
    spread = sum((gap - mean) ** 2 for gap in gaps) / (many - 1)
    return SURE * sqrt(spread / many) - mean


KINDS: Final = (SensiblePolicy, NormalPolicy)
TASTED: Final = (PLAIN, PLAIN, *TASTES.values())
"""How others may play, and what they may like."""


class SupposedWorlds:
    """Each made when it is first asked for. `taste` is that of the `seat` itself, `kinds` are those of whom all
    play on, the last of them that of the seat; they play on so `far` as the round goes, or the seat's turn."""

    def __init__(
        self,
        view: State,
        seat: int,
        memory: Memory,
        random: Random,
        taste: Taste,
        kinds: Sequence[type[SensiblePolicy]] = KINDS,
        far: bool = True,
    ) -> None:
        self.seat = seat
        self._view = view
        self._memory = memory
        self._random = random
        self._taste = taste
        self._kinds = kinds
        self._far = far
        self._popularity = Popularity(view)
        self._made: list[tuple[State, int]] = []

    def end(self, action: Action, number: int) -> State:
        """What comes of an action in the world of a number. Raises NoWorld."""
        while number >= len(self._made):
            world = sample(self._view, self.seat, self._memory, self._random, self._popularity)
            self._made.append((world, self._random.getrandbits(32)))
        world, chance = self._made[number]
        return play_on(world, self.seat, action, self._players(chance), chance, self._far)

    def _players(self, chance: int) -> list[Policy]:
        random, seats = Random(chance), range(len(self._view.players))
        kinds = self._kinds
        players: list[Policy] = [random.choice(kinds)(chance + other, random.choice(TASTED)) for other in seats]
        players[self.seat] = kinds[-1](chance + self.seat, self._taste)
        return players


ALONE: Final = frozenset({
    "gather", "keep", "build", "income", "bonus", "sell", "offer", "redraw", "beautify", "smithy", "laboratory",
    "museum", "lighthouse", "end",
})  # fmt: skip
"""What comes of these moves has come once one's own turn has ended: others are not touched, or bid at once."""
MORE_TRIALS: Final = 2
"""So many times the trials where they end with one's own turn: each takes half the time."""
LIKED: Final = 0.005
"""So much chance to win is given up for a character that is liked by one gold."""


class Effort(Struct, frozen=True):
    """How much is thought about a move: so many `moves` at most, by so many trials in worlds that are played to
    the end of a round, and never for more seconds than these. As long as those suffice, the same seed plays the
    same."""

    trials: int
    seconds: float
    moves: int = MOST


HARD: Final = Effort(trials=300, seconds=0.28)
EXPERT: Final = Effort(trials=4000, seconds=2.0, moves=40)


class SearchingPolicy:
    """Thinks ahead with an `effort`; `taste` is its own."""

    blind = False
    deaf = False

    def __init__(self, seed: int | str, effort: Effort, taste: Taste = PLAIN) -> None:
        self._seed = seed
        self._effort = effort
        self._taste = taste
        self._memory = Memory()

    def told(self, view: State, event: Event) -> None:
        remember(self._memory, view, event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        late = perf_counter() + self._effort.seconds
        random = Random(f"{self._seed}/{view.tick}")
        actions = candidates(view, seat, choices, random, self._taste, most=self._effort.moves)
        if len(actions) == 1:
            return actions[0]
        try:
            far = reaches_others(view, seat, actions)
            worlds = SupposedWorlds(view, seat, self._memory, random, self._taste, far=far)
            trial = partial(tried, worlds, self._taste)
            trials = self._effort.trials * (1 if far else MORE_TRIALS)
            return race(actions, trial, trials, lambda: perf_counter() > late)
        except NoWorld:
            return actions[0]  # the rules of thumb go by the view alone


def reaches_others(view: State, seat: int, actions: Sequence[Action]) -> bool:
    """Whether more than the seat's own turn must be seen: always where characters are picked for a round, whose
    end is what the values were learned from."""
    if view.turn is None or view.turn.seat != seat or not isinstance(edition_of(view).flow, Cycles):
        return True
    return any(action.verb not in ALONE for action in actions)


def tried(worlds: SupposedWorlds, taste: Taste, action: Action, number: int) -> float:
    """What an action promises in the world of a number (`prospects`); and what a pick of one's own taste is worth
    beside that."""
    liked = LIKED * taste.likes.get(action.character, 0.0) if isinstance(action, Pick) else 0.0
    return prospects(worlds.end(action, number))[worlds.seat] + liked
