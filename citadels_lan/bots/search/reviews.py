"""Reviews of moves by search: the value of each move, the reasons, and the costly moves of a game.

    best, *others = weigh(view, seat, choices, memory, HINT, seed="any text")

**Weighing.** Every move is tried in the same sampled states, and no move is dropped early. So the difference
of two moves has a standard error of its own, which is smaller than that of each value.

**Reasons.** The logit of a chance to win is a sum over features with weights, minus the same sum of the other
seats. So the difference of two chances can be divided among the features. A feature is multiplied by the mean
of its weights at the two positions. The effect of the difference between these weights is counted as "the end
of the game is nearer". If one of the games is over, the whole difference is counted like that.

**Reviews.** The first look at all decisions finds moves that may be costly. A second look, in new samples,
compares the better move with the move that was made. So a move that looked bad by chance is not reported.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing
from math import exp, log, sqrt
from operator import mul, sub
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct

from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search.dealing import NoSampledState
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.searching import Effort, SampledStates, candidates
from citadels_lan.bots.search.value import NAMES, chances, hope_of, present_weights, progress, standings
from citadels_lan.bots.thinking import ThinkingPool
from citadels_lan.engine import Action, Choice, State, decisions, edition_of, parse

Part: TypeAlias = Literal["city", "lead", "gold", "paying", "cards", "crown", "types", "others", "end"]
GROUPS: Final[Mapping[str, Part]] = {
    **dict.fromkeys(("ahead", "behind", "leads", "leads_late", "longest"), "lead"),
    **dict.fromkeys(("gold_4", "gold_2", "gold_8"), "gold"),
    **dict.fromkeys(("build_now", "build_soon", "stuck", "finishes"), "paying"),
    **dict.fromkeys(("hand_2", "hand_5", "useful"), "cards"),
    **dict.fromkeys(("crown", "waits"), "crown"),
    **dict.fromkeys(("types", "four_types", "new_types"), "types"),
}
"""For each feature, the part of a reason to which it belongs. Features that are not listed belong to "city".
"""
MEMBERS: Final[Mapping[Part, Sequence[int]]] = {
    part: [at for at, name in enumerate(NAMES) if GROUPS.get(name, "city") == part] for part in get_args(Part)[:-2]
}
EDGE: Final = 1e-6
"""Unless the game is over, a chance to win is at least this far from 0 and from 1."""
WORTH: Final = 0.2
"""A reason names a difference in points, gold or cards only if the means differ by at least this much."""
LIKELY: Final = 0.05
"""A reason names a difference between shares of sampled states only if they differ by at least this much."""
SEEN: Final[Mapping[Part, Sequence[str]]] = {
    "city": ("points", "later"),
    "lead": ("lead",),
    "gold": ("gold",),
    "paying": ("payable",),
    "cards": ("cards",),
    "crown": ("crown",),
    "types": ("types",),
    "others": ("rival",),
    "end": ("won",),
}
"""For each part of a reason, the figures of `RoundEnd` that can show it, the simplest first."""
SHARES: Final = frozenset({"crown", "won"})
"""The figures of `RoundEnd` that are shares of sampled states."""
LESS: Final = frozenset({"rival"})
"""The figures of `RoundEnd` that are better if they are lower."""


class RoundEnd(Struct, frozen=True):
    """The position of a seat at the end of a round: in one sampled state, or the mean over several.

    `chance` to win; `points`; `lead` over the best other seat, which has `rival` points; number of `types` of
    districts; whether it has the `crown`; `progress` of the game from 0 to 1; whether the game is `over`;
    whether it is over and `won`. The following are values after one more simple turn, as in the features of
    `value`: the points (`later`), the `gold` and `cards` left, and the cost of the most expensive district
    that can be paid for soon (`payable`).
    """

    chance: float
    points: float
    later: float
    lead: float
    rival: float
    gold: float
    cards: float
    types: float
    payable: float
    crown: float
    progress: float
    over: float
    won: float


class SampledEnd(Struct, frozen=True):
    """The end of a round in one sampled state: the figures of `seat`, the features of each seat, and the
    weights of these features."""

    seat: int
    figures: RoundEnd
    weights: Sequence[float]
    features: Sequence[Sequence[float]]


class Reason(Struct, frozen=True):
    """Why one move is better than another: the `part` that contributes most to the difference, and the
    `figure` of `RoundEnd` that shows it, with its values for the better and for the worse move."""

    part: Part
    figure: str
    better: float
    worse: float


def sampled_end(state: State, seat: int) -> SampledEnd:
    """Return the position of a seat at the end of a round."""
    features = standings(state)
    own = dict(zip(NAMES, features[seat], strict=True))
    edition, player = edition_of(state), state.players[seat]
    hope = hope_of(state, seat, edition)
    totals = [score.total for score in edition.scores(state)]
    rival = max(total for other, total in enumerate(totals) if other != seat)
    chance, over = chances(state)[seat], state.phase == "over"
    figures = RoundEnd(
        chance=chance,
        points=totals[seat],
        later=totals[seat] if over else own["points"],
        lead=totals[seat] - rival,
        rival=rival,
        gold=hope.gold,
        cards=len(player.hand) - bool(hope.card),
        types=len({edition.types[district.key] for district in player.city}),
        payable=own["build_soon"],
        crown=own["crown"],
        progress=progress(state),
        over=over,
        won=chance if over else 0.0,
    )
    return SampledEnd(seat, figures, present_weights(state), features)


def _split(better: SampledEnd, worse: SampledEnd) -> dict[Part, float]:
    """Return how much each part, such as gold or districts, contributes to the difference between the chances
    to win of two moves. Both were played on from the same sampled state. The sum of the contributions is that
    difference."""
    gap = better.figures.chance - worse.figures.chance
    if better.figures.over or worse.figures.over:
        return {"end": gap}
    weights = [(first + other) / 2 for first, other in zip(better.weights, worse.weights, strict=True)]
    gains = list(map(sub, better.features[better.seat], worse.features[worse.seat]))
    logits = {part: sum(weights[at] * gains[at] for at in members) for part, members in MEMBERS.items()}
    logits["others"] = _others(worse, weights) - _others(better, weights)
    whole = _logit(better.figures.chance) - _logit(worse.figures.chance)
    logits["end"] = whole - sum(logits.values())
    scale = gap / whole if abs(whole) > EDGE else better.figures.chance * (1 - better.figures.chance)
    return {part: scale * logit for part, logit in logits.items()}


def _others(end: SampledEnd, weights: Sequence[float]) -> float:
    """Return the strength of all other seats together, as the logarithm of the sum of the exponentials of
    theirs."""
    values: list[float] = [
        sum(map(mul, weights, row)) for other, row in enumerate(end.features) if other != end.seat
    ]
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


def _logit(chance: float) -> float:
    chance = min(max(chance, EDGE), 1 - EDGE)
    return log(chance / (1 - chance))


def reason(parts: Mapping[Part, float], better: RoundEnd, worse: RoundEnd) -> Reason | None:
    """Return the part that contributes most to the better move and of which a figure clearly shows it. None
    if there is no such part."""
    for part in sorted(SEEN, key=lambda part: -parts.get(part, 0.0)):
        for figure in SEEN[part]:
            value, other = getattr(better, figure), getattr(worse, figure)
            more = other - value if figure in LESS else value - other
            if parts.get(part, 0.0) > 0 and more >= (LIKELY if figure in SHARES else WORTH):
                return Reason(part, figure, value, other)
    return None


HINT: Final = Effort(trials=400, seconds=1.0)
"""The effort for a hint that a player waits for."""
FEWEST: Final = 2
"""The least number of sampled states, because a single one gives no standard error."""
CLEAR: Final = 2.0
"""A difference is clear if it is at least this many times its standard error."""


class Weighed(Struct, frozen=True):
    """A move and its value. `line` is its line of notation. `chance` is its chance to win with the standard
    error `error`, and `end` the mean end of the round. `gap` is how much better the best move is, with the
    standard error `gap_error`; `parts` are the contributions to that gap. For the best move, `gap` is 0 and
    `parts` is empty."""

    line: str
    chance: float
    error: float
    gap: float
    gap_error: float
    end: RoundEnd
    parts: dict[Part, float]

    @property
    def worse(self) -> bool:
        """Whether the move is clearly worse than the best one."""
        return self.gap > CLEAR * self.gap_error


def weigh(
    view: State,
    seat: int,
    choices: Sequence[Choice],
    memory: Memory,
    effort: Effort,
    seed: int | str,
    also: Action | None = None,
) -> list[Weighed]:
    """Return the moves that are worth considering, and the move `also` if given, the best first. If the time
    of the effort is not used up, the same seed gives the same result. Raises NoSampledState for a view that
    no table can have."""
    random = Random(f"{seed}/{view.tick}")
    actions = candidates(view, seat, choices, random, PLAIN, most=effort.moves)
    if also is not None and also not in actions:
        actions.append(also)
    return weigh_these(view, seat, actions, memory, effort, random)


def weigh_these(
    view: State, seat: int, actions: Sequence[Action], memory: Memory, effort: Effort, random: Random
) -> list[Weighed]:
    """Return the moves `actions` with their values, the best first. Raises NoSampledState."""
    late = perf_counter() + effort.seconds
    states = SampledStates(view, seat, memory, random, PLAIN)
    ends: list[list[SampledEnd]] = [[] for _ in actions]
    for number in range(max(FEWEST, effort.trials // len(actions))):
        if number >= FEWEST and perf_counter() > late:
            break
        for action, results in zip(actions, ends, strict=True):
            results.append(sampled_end(states.end(action, number), seat))
    best = max(ends, key=lambda results: fmean(end.figures.chance for end in results))
    weighed = [_weighed(action, results, best) for action, results in zip(actions, ends, strict=True)]
    return sorted(weighed, key=lambda one: (one.gap, -one.chance))


def _weighed(action: Action, results: Sequence[SampledEnd], best: Sequence[SampledEnd]) -> Weighed:
    own_chances, best_chances = ([end.figures.chance for end in ends] for ends in (results, best))
    chance, error = _mean(own_chances)
    gap, gap_error = _mean(map(sub, best_chances, own_chances))
    split = [] if results is best else [_split(*pair) for pair in zip(best, results, strict=True)]
    parts = {part: fmean(each.get(part, 0.0) for each in split) for part in SEEN if split}
    mean = RoundEnd(*(fmean(getattr(end.figures, name) for end in results) for name in RoundEnd.__struct_fields__))
    return Weighed(str(action), chance, error, gap, gap_error, mean, parts)


def _mean(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    numbers = list(values)
    mean = fmean(numbers)
    return mean, sqrt(sum((value - mean) ** 2 for value in numbers) / (len(numbers) - 1) / len(numbers))


T = TypeVar("T")

FIRST_LOOK: Final = Effort(trials=120, seconds=2.0)
"""The effort for each decision of a game."""
SECOND_LOOK: Final = Effort(trials=240, seconds=4.0)
"""The effort for each of the worst decisions."""
LOOKED_AT_AGAIN: Final = 9
MOST: Final = 3
"""The largest number of moves in a review."""
LEAST: Final = 0.02
"""A move is not reported if it lost less of the chance to win."""
PATIENCE: Final = 180.0
"""The time limit of the first look at all decisions of a game, in seconds. The review says how many decisions
were looked at until then."""


class Decision(Struct, frozen=True):
    """A decision as the player had it: the `step` of the recording, the view and the memory of `seat`, and
    the line of notation of the move made."""

    step: int
    seat: int
    view: State
    memory: Memory
    line: str


class CostlyMove(Struct, frozen=True):
    """A move that was made and a better one, both tried in the same sampled states."""

    decision: Decision
    made: Weighed
    better: Weighed


class Review(Struct, frozen=True):
    """The result of a review: the costly moves, the worst first; how many decisions were `looked` at, of how
    many in all."""

    moves: tuple[CostlyMove, ...]
    looked: int
    decisions: int


def first_look(decision: Decision) -> CostlyMove | None:
    """Return the move made together with the best one. None if the move made is the best, or if no state can
    be sampled."""
    view, seat = decision.view, decision.seat
    made = parse(decision.line, seat)
    seed = f"first look/{decision.step}"
    try:
        moves = weigh(view, seat, decisions(view).get(seat, ()), decision.memory, FIRST_LOOK, seed, made)
    except NoSampledState:
        return None
    return _against(decision, made, moves)


def second_look(found: CostlyMove) -> CostlyMove | None:
    """Compare the two moves of `found` in new sampled states. Return the result, or None if the move made is
    the better one in them."""
    decision = found.decision
    made, better = (parse(move.line, decision.seat) for move in (found.made, found.better))
    random = Random(f"second look/{decision.step}")
    weighed = weigh_these(decision.view, decision.seat, [made, better], decision.memory, SECOND_LOOK, random)
    return _against(decision, made, weighed)


def _against(decision: Decision, made: Action, moves: Sequence[Weighed]) -> CostlyMove | None:
    own = next(move for move in moves if move.line == str(made))
    return None if own is moves[0] else CostlyMove(decision, own, moves[0])


def suspects(moves: Iterable[CostlyMove], own: Sequence[Decision]) -> list[CostlyMove]:
    """Return the moves for a second look, the worst first. A move is skipped if the seat made the better move
    later in the same turn. Of each turn only the worst move is returned; of about equally bad ones the last,
    because all of them missed the same opportunity."""
    worst: dict[object, CostlyMove] = {}
    for move in moves:
        if _put_off(move, own):
            continue
        here = _moment(move.decision)
        if here not in worst or move.made.gap >= worst[here].made.gap - LEAST / 2:
            worst[here] = move
    return sorted(worst.values(), key=lambda move: -move.made.gap)[:LOOKED_AT_AGAIN]


def _put_off(move: CostlyMove, own: Sequence[Decision]) -> bool:
    return any(
        later.step > move.decision.step
        and later.line == move.better.line
        and _moment(later) == _moment(move.decision)
        for later in own
    )


def _moment(decision: Decision) -> object:
    """Return a key that is equal for all decisions of one turn. A decision outside the seat's own turn, such
    as a pick, has its own key."""
    view = decision.view
    turn = view.turn
    if turn is None or turn.seat != decision.seat:
        return decision.step
    return view.round, turn.character


def costliest(moves: Iterable[CostlyMove]) -> tuple[CostlyMove, ...]:
    """Return the moves that clearly lost at least LEAST of the chance to win, the worst first, at most MOST."""
    clear = [move for move in moves if move.made.worse and move.made.gap >= LEAST]
    return tuple(sorted(clear, key=lambda move: -move.made.gap)[:MOST])


async def review(pool: ThinkingPool, own: Sequence[Decision], told: Callable[[float], None]) -> Review:
    """Review the decisions `own` in the processes of `pool`, in the order of the game. `told` is called with
    the progress, from 0 to 1. Cancelling this coroutine also ends the work in the processes."""
    late = perf_counter() + PATIENCE
    looked, candidates = 0, []
    async with aclosing(_each(pool, first_look, own)) as looks:
        async for move in looks:
            looked += 1
            candidates += [] if move is None else [move]
            told(0.8 * looked / len(own))
            if perf_counter() > late:
                break
    again = suspects(sorted(candidates, key=lambda move: move.decision.step), own)
    held = []
    async with aclosing(_each(pool, second_look, again)) as looks:
        async for move in looks:
            held.append(move)
            told(0.8 + 0.2 * len(held) / len(again))
    return Review(costliest(move for move in held if move is not None), looked, len(own))


async def _each(
    pool: ThinkingPool, look: Callable[[T], CostlyMove | None], things: Sequence[T]
) -> AsyncGenerator[CostlyMove | None, None]:
    """Yield the result of `look` for each of `things`, as soon as it is ready. If the operating system ends a
    process, stop."""
    looks = [asyncio.wrap_future(pool.submit(look, thing)) for thing in things]
    try:
        for done in asyncio.as_completed(looks):
            try:
                yield await done
            except BrokenProcessPool:
                return
    finally:
        for pending in looks:
            pending.cancel()
