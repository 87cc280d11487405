"""Bots that search: they try candidate moves in sampled states and play the one with the best mean result.

All candidates are tried in the same sampled states (`sampling`). The other seats are heuristic players of a
random kind and taste, because no one knows theirs. They play on to the end of the round; then `value`
estimates each seat's chance to win. In Città Comune a move that affects no other player is judged at the end
of the seat's turn. Weak candidates drop out early (`race`, sequential halving)."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from math import ceil, exp, log2, sqrt
from random import Random
from time import perf_counter
from typing import Final, TypeVar

from msgspec import Struct

from citadels_lan.bots.heuristics.mind import Mind
from citadels_lan.bots.heuristics.picking import appeal
from citadels_lan.bots.heuristics.policies import NormalPolicy, SensiblePolicy
from citadels_lan.bots.heuristics.scores import score, ways
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.bots.heuristics.values import PLAIN, TASTES, Taste
from citadels_lan.bots.policy import Policy
from citadels_lan.bots.search.dealing import NoSampledState, Weight
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.value import prospects
from citadels_lan.bots.stepping import play_on
from citadels_lan.engine import Action, Choice, Event, State, edition_of
from citadels_lan.engine.actions import Armory, Destroy, Exchange, Pick, Seize
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.turn.cities import find

TAKING: Final = (Armory, Destroy, Exchange, Seize)
"""Moves that take a district from its owner."""
MOST: Final = 10
"""The number of moves tried in a short time. Moves after these in the heuristic order are rarely the best."""


def candidates(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    random: Random,
    taste: Taste,
    most: int = MOST,
    kind: type[SensiblePolicy] = NormalPolicy,
) -> list[Action]:
    """Return the best moves in the order of the heuristics of a kind of bot, at least one and at most `most`.
    The best move of each verb comes before all others, because heuristics may underestimate doing nothing,
    too."""
    if len(choices) == 1 and isinstance(choices[0], Action):
        return [choices[0]]
    mind = kind.minds(view, seat, choices, random, taste)
    scores = {
        action: score(mind, action, kind.scores) + _hurts(mind, action)
        for choice in choices
        for action in ways(mind, choice)
    }
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    # Reversed, so that the best move of each verb is entered last and stays.
    first = {action.verb: action for action in reversed(ranked)}
    kept = set(sorted(ranked, key=lambda action: first[action.verb] is not action)[:most])
    # The heuristic order stays, because the first move is played if no state can be sampled.
    return [action for action in ranked if action in kept]


def _hurts(mind: TurnMind, action: Action) -> float:
    """Return the harm that heuristics overlook in the shared city: the extra points of the owner's district,
    weighted by the owner's danger."""
    if mind.shared is None or not isinstance(action, TAKING):
        return 0.0
    owner, index = find(mind.view, mind.seat, action.target)
    player = mind.view.players[owner]
    effect = mind.edition.effects.get(player.city[index].key)
    if effect is None or owner == mind.seat:
        return 0.0
    types = Counter(mind.edition.types[district.key] for district in player.city)
    return mind.danger(owner) * effect.score(player, types, mind.view.crown == owner)


TEMPERATURE: Final = 1.5
"""A character that is worth this much more gold is about three times as likely to be taken."""


def popularity(view: State) -> Weight:
    """Return the weight of each character for each seat, computed when first used."""
    minds = [Mind(view, seat, (), Random(0)) for seat in range(len(view.players))]

    @cache
    def weight(seat: int, character: str) -> float:
        return exp(appeal(minds[seat], character) / TEMPERATURE)

    return weight


C = TypeVar("C")

ENOUGH: Final = 8
"""A candidate is not excluded before this many trials."""
SURE: Final = 2.5
"""A mean is assumed to be within this many standard errors."""
SMALLEST_GAP: Final = 0.003
"""A candidate that can be better by at most this much drops out of the race."""


def race(candidates: Sequence[C], trial: Callable[[C, int], float], budget: int, late: Callable[[], bool]) -> C:
    """Return the candidate with the best mean after at most about `budget` trials.

    All stages have equally many trials, and after each the better half continues. `trial` returns the result
    of a candidate in the trial of a number. All candidates in the race have had the same trials. The race ends
    when one candidate is left, or when `late` returns True; an incomplete trial is ignored.
    """
    results: list[list[float]] = [[] for _ in candidates]
    alive = list(range(len(candidates)))
    going_on = len(alive)
    stages = max(1, ceil(log2(len(candidates))))
    for _ in range(stages):
        for _ in range(max(1, budget // (stages * len(alive)))):
            values = []
            for index in alive:
                # An interrupted trial lacks some candidates. Without it, all means have equally many trials.
                if late():
                    return candidates[_best(results, alive)]
                values.append(trial(candidates[index], len(results[index])))
            for index, value in zip(alive, values, strict=True):
                results[index].append(value)
            # A clearly worse candidate drops out at once, which saves time for the next decision.
            alive = _maybe_better(results, alive)
            if len(alive) == 1:
                return candidates[alive[0]]
        going_on = ceil(going_on / 2)
        alive = sorted(alive, key=lambda index: sum(results[index]), reverse=True)[:going_on]
    return candidates[alive[0]]


def _best(results: Sequence[Sequence[float]], alive: Sequence[int]) -> int:
    # Sums can stand for means, because all candidates in the race have had equally many trials.
    return max(alive, key=lambda index: sum(results[index]))


def _maybe_better(results: Sequence[Sequence[float]], alive: Sequence[int]) -> list[int]:
    """Return the best candidate so far and those that may still be better, in their order."""
    if len(results[alive[0]]) < ENOUGH:
        return list(alive)
    best = _best(results, alive)
    return [index for index in alive if index == best or _lead(results[index], results[best]) > SMALLEST_GAP]


def _lead(values: Sequence[float], best: Sequence[float]) -> float:
    """Return an upper bound of how much better than the best candidate these values can be on average. Both
    lists come from the same trials."""
    many = len(values)
    # Differences in the same sampled state vary less than the values, so fewer trials are enough.
    gaps = [high - low for low, high in zip(values, best, strict=True)]
    mean = sum(gaps) / many
    spread = sum((gap - mean) ** 2 for gap in gaps) / (many - 1)
    return SURE * sqrt(spread / many) - mean


TASTED: Final = (PLAIN, PLAIN, *TASTES.values())
"""The possible tastes of other players. Most people have no strong taste, so PLAIN is there twice."""


class SampledStates:
    """Sampled states, made when first used. `taste` is that of the `seat`. `kinds` are the possible kinds of
    bots for all seats; the seat itself plays on as the last of them. Moves are played to the end of the round
    if `far`, otherwise to the end of the seat's turn."""

    kinds: Sequence[type[SensiblePolicy]] = (SensiblePolicy, NormalPolicy)

    def __init__(
        self, view: State, seat: int, memory: Memory, random: Random, taste: Taste, far: bool = True
    ) -> None:
        self.seat = seat
        self._view = view
        self._memory = memory
        self._random = random
        self._taste = taste
        self._far = far
        self._popularity = popularity(view)
        self._made: list[tuple[State, int]] = []

    def end(self, action: Action, number: int) -> State:
        """Return the state after an action and the following moves, in the sampled state of a number. Raises
        NoSampledState."""
        # Equal numbers give equal states and chance to all candidates, which makes their results comparable.
        while number >= len(self._made):
            world = sample(self._view, self.seat, self._memory, self._random, self._popularity)
            self._made.append((world, self._random.getrandbits(32)))
        world, chance = self._made[number]
        return play_on(world, self.seat, action, self._players(chance), chance, self._far)

    def _players(self, chance: int) -> list[Policy]:
        random, seats = Random(chance), range(len(self._view.players))
        kinds = self.kinds
        players: list[Policy] = [random.choice(kinds)(chance + other, random.choice(TASTED)) for other in seats]
        players[self.seat] = kinds[-1](chance + self.seat, self._taste)
        return players


ALONE: Final = frozenset({
    "gather", "keep", "build", "income", "bonus", "sell", "offer", "redraw", "beautify", "smithy", "laboratory",
    "museum", "lighthouse", "end",
})  # fmt: skip
"""Moves that only affect their own player. Their effect is complete at the end of the turn."""
MORE_TRIALS: Final = 2
"""How many times more trials are made if they end with the seat's turn, because each takes half the time."""
LIKED: Final = 0.005
"""The chance to win that one gold of a taste's preference for a character counts as."""


class Effort(Struct, frozen=True):
    """The limits of a search: the number of `moves` and of `trials`, and the time in `seconds`. If the time
    suffices, the same seed plays the same way."""

    trials: int
    seconds: float
    moves: int = MOST


EFFORTS: Final = {"hard": Effort(trials=300, seconds=0.28), "expert": Effort(trials=4000, seconds=2.0, moves=40)}
"""The effort of each level that searches."""


class SearchingPolicy:
    """Searches with an `effort`. `taste` is its own taste."""

    ignores_view = False
    ignores_events = False

    def __init__(self, seed: int | str, effort: Effort, taste: Taste = PLAIN) -> None:
        self._seed = seed
        self._effort = effort
        self._taste = taste
        self._memory = Memory()

    def told(self, view: State, event: Event) -> None:
        """Remember what the event shows about hidden cards and characters."""
        remember(self._memory, view, event)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the best move found in the time of the effort."""
        # The clock starts before the candidates are ranked, because this takes time, too.
        late = perf_counter() + self._effort.seconds
        # With the tick in the seed, a decision does not depend on how much chance earlier ones have used.
        random = Random(f"{self._seed}/{view.tick}")
        actions = candidates(view, seat, choices, random, self._taste, most=self._effort.moves)
        if len(actions) == 1:
            return actions[0]
        try:
            far = reaches_others(view, seat, actions)
            states = SampledStates(view, seat, self._memory, random, self._taste, far=far)
            trial = partial(tried, states, self._taste)
            trials = self._effort.trials * (1 if far else MORE_TRIALS)
            return race(actions, trial, trials, lambda: perf_counter() > late)
        except NoSampledState:
            # Heuristics need only the view.
            return actions[0]


def reaches_others(view: State, seat: int, actions: Sequence[Action]) -> bool:
    """Return whether a trial must go beyond the seat's own turn. It always must in an edition with a draft,
    because the values were learned at the ends of rounds."""
    if view.turn is None or view.turn.seat != seat or not isinstance(edition_of(view).flow, Cycles):
        return True
    return any(action.verb not in ALONE for action in actions)


def tried(states: SampledStates, taste: Taste, action: Action, number: int) -> float:
    """Return the value of an action in the sampled state of a number, and what a pick is worth to the taste."""
    liked = LIKED * taste.likes.get(action.character, 0.0) if isinstance(action, Pick) else 0.0
    return prospects(states.end(action, number))[states.seat] + liked
