"""Bots that search: they try candidate moves in sampled states and play the one with the best mean result.

All candidates are tried in the same sampled states (`sampling`). The other seats are played by heuristic bots
of a random kind with random preferences, because no one knows how they play. After the move, all seats play
to the end of the round; then `value` estimates each seat's chance to win. In Città Comune, if no candidate
affects another player, they only play to the end of the seat's turn. Weak candidates drop out early (`race`,
sequential halving).
"""

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
"""The number of candidates if there is little time. A move that the heuristics rank lower is rarely the best.
"""


def candidates(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    random: Random,
    taste: Taste,
    most: int = MOST,
    kind: type[SensiblePolicy] = NormalPolicy,
) -> list[Action]:
    """Return the moves that the heuristics of a `kind` of bot find best, in their order; at least one and at
    most `most`. The best move of each verb is included before second ones, because heuristics may
    underestimate a whole kind of move, such as ending the turn."""
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
    """Return an addition to the score of a move that takes a district in the shared city: the extra points of
    that district, times the danger of its owner. Heuristics do not consider them. 0 for other moves."""
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
"""A character that is worth this much more gold to a player is picked about three times as often."""


def popularity(view: State) -> Weight:
    """Return a function that returns how likely a seat is to pick a character. It computes each result once."""
    minds = [Mind(view, seat, (), Random(0)) for seat in range(len(view.players))]

    @cache
    def weight(seat: int, character: str) -> float:
        return exp(appeal(minds[seat], character) / TEMPERATURE)

    return weight


C = TypeVar("C")

ENOUGH: Final = 8
"""No candidate drops out before this many trials."""
SURE: Final = 2.5
"""The true mean is assumed to be at most this many standard errors from the measured one."""
SMALLEST_GAP: Final = 0.003
"""A candidate drops out if it can be better than the best one by at most this chance to win."""


def race(candidates: Sequence[C], trial: Callable[[C, int], float], budget: int, late: Callable[[], bool]) -> C:
    """Return the candidate with the best mean result after about `budget` calls of `trial`, or fewer.

    The trials are divided equally among several stages. After each stage the better half of the candidates
    remains. `trial(candidate, number)` returns the result of a candidate in trial `number`; all remaining
    candidates have had the same trials. The race ends early when only one candidate remains, or when `late`
    returns True; a trial that not all of them have had is then ignored.
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
    """Return those of the candidates `alive` that may have the best mean, in their order. `results` has the
    results of each candidate."""
    if len(results[alive[0]]) < ENOUGH:
        return list(alive)
    best = _best(results, alive)
    return [index for index in alive if index == best or _lead(results[index], results[best]) > SMALLEST_GAP]


def _lead(values: Sequence[float], best: Sequence[float]) -> float:
    """Return how much higher, at most, the true mean of `values` may be than that of `best`, the results of
    the best candidate. Both lists come from the same trials."""
    many = len(values)
    # Differences in the same sampled state vary less than the values, so fewer trials are enough.
    gaps = [high - low for low, high in zip(values, best, strict=True)]
    mean = sum(gaps) / many
    spread = sum((gap - mean) ** 2 for gap in gaps) / (many - 1)
    return SURE * sqrt(spread / many) - mean


TASTED: Final = (PLAIN, PLAIN, *TASTES.values())
"""The tastes that other players may have. PLAIN is listed twice, because most people have no strong
preferences."""


class SampledStates:
    """Numbered sampled states for the decision of `seat`. Each is made when first used. `taste` is that of
    the bot that decides.

    The other seats are played by bots of a random one of `kinds`, and `seat` itself by the last of them. If
    `far`, moves are played to the end of the round, otherwise to the end of the seat's turn.
    """

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
        """Return the state at the end, if `seat` makes the move `action` in the sampled state `number` and
        all seats play on. Raises NoSampledState."""
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
"""The verbs of moves that affect only the player who makes them. Their effect is complete at the end of the
turn."""
MORE_TRIALS: Final = 2
"""If trials only go to the end of the seat's turn, there are this many times more of them, because each takes
half the time."""
LIKED: Final = 0.005
"""A preference for a character (`Taste.likes`) is converted to a chance to win: this much for one gold."""


class Effort(Struct, frozen=True):
    """The limits of a search: `moves` is the number of candidates, `trials` that of all trials, `seconds` the
    time. If the time is not used up, the same seed makes the same moves."""

    trials: int
    seconds: float
    moves: int = MOST


EFFORTS: Final = {"hard": Effort(trials=300, seconds=0.28), "expert": Effort(trials=4000, seconds=2.0, moves=40)}
"""The effort of each level that searches."""


class SearchingPolicy:
    """Searches with the limits of `effort`. `taste` has the preferences of the bot."""

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
        """Return the best move that the search finds within its limits. If no state can be sampled, return
        the best one by heuristics."""
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
    """Return whether trials of `actions` must go beyond the seat's own turn. In an edition with a draft they
    always must, because the weights of `value` were learned at the ends of rounds."""
    if view.turn is None or view.turn.seat != seat or not isinstance(edition_of(view).flow, Cycles):
        return True
    return any(action.verb not in ALONE for action in actions)


def tried(states: SampledStates, taste: Taste, action: Action, number: int) -> float:
    """Return the value of an action in the sampled state `number`: the prospects at the end and, for a pick,
    the preference of `taste` for the character."""
    liked = LIKED * taste.likes.get(action.character, 0.0) if isinstance(action, Pick) else 0.0
    return prospects(states.end(action, number))[states.seat] + liked
