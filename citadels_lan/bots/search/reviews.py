"""What searching teaches players: the value of each move, the reasons, and the costly moves of a game.

    best, *others = weigh(view, seat, choices, memory, HINT, seed="any text")

**Weighing.** Every move is tried in the same sampled states, and none drops out, so a difference has an error
of its own.

**Reasons.** The logit of a chance to win is a sum over features with weights, minus the sum of the other seats.
So the difference of two chances splits among the features. A feature counts with the mean of its weights at
both ends. What the change of the weights makes counts as the nearer end of the game. If a game is over, the
whole difference is its end.

**Reviews.** The first look at all decisions finds suspects. A second look, in new samples, compares the better
move with the move that was made. So a move that looked bad by chance is not reported.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing
from math import exp, log, sqrt
from operator import mul
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct

from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search.dealing import NoWorld
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.searching import Effort, SupposedWorlds, candidates
from citadels_lan.bots.search.value import NAMES, chances, hope_of, progress, standings, weights_of
from citadels_lan.bots.thinking import ThinkingPool
from citadels_lan.engine import decisions, edition_of, parse
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.state import State

Part: TypeAlias = Literal["city", "lead", "gold", "paying", "cards", "crown", "types", "others", "end"]
GROUPS: Final[Mapping[str, Part]] = {
    **dict.fromkeys(("ahead", "behind", "leads", "leads_late", "longest"), "lead"),
    **dict.fromkeys(("gold_4", "gold_2", "gold_8"), "gold"),
    **dict.fromkeys(("build_now", "build_soon", "stuck", "finishes"), "paying"),
    **dict.fromkeys(("hand_2", "hand_5", "useful"), "cards"),
    **dict.fromkeys(("crown", "waits"), "crown"),
    **dict.fromkeys(("types", "four_types", "new_types"), "types"),
}
"""Which part a feature belongs to; all others are the city's."""
MEMBERS: Final[Mapping[Part, Sequence[int]]] = {
    part: [at for at, name in enumerate(NAMES) if GROUPS.get(name, "city") == part] for part in get_args(Part)[:-2]
}
EDGE: Final = 1e-6
"""A chance is never taken for nearer to nought or one than this as long as the game goes on."""
WORTH: Final = 0.2
"""Points, gold and cards that differ by less, on average, are the same in a sentence."""
LIKELY: Final = 0.05
"""The same of shares of worlds."""
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
"""The figures that show a part, the plainest first."""
SHARES: Final = frozenset({"crown", "won"})
"""Figures that are shares of worlds."""
LESS: Final = frozenset({"rival"})
"""Figures of which less is better."""


class RoundEnd(Struct, frozen=True):
    """What stands for a seat at the end of a round, in one world or on average: its `chance` to win, its `points`,
    how many that is before the best of the others (`lead`), who has those of `rival`; its `types` of districts,
    whether it has the `crown`; how far the game is, from 0 to 1, whether it is `over`, and whether it is over and
    `won`. One plain turn later, as in the features: its points then (`later`), the `gold` and `cards` that are
    left, and what the dearest district costs that it can pay for soon after (`payable`)."""

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


class WorldEnd(Struct, frozen=True):
    """The end of a round in one world: what is told of it, and what it was weighed by, the features seat by
    seat."""

    seat: int
    told: RoundEnd
    weights: Sequence[float]
    features: Sequence[Sequence[float]]


class Reason(Struct, frozen=True):
    """The part that makes most of a difference, and the `figure` that shows it, a field of `RoundEnd`: with the
    better move, and with the worse."""

    part: Part
    figure: str
    better: float
    worse: float


def world_end(state: State, seat: int) -> WorldEnd:
    """What a round has come to for a seat."""
    early, late = weights_of(state.edition, len(state.players))
    done, features = progress(state), standings(state)
    weights = [first + done * (last - first) for first, last in zip(early, late, strict=True)]
    own = dict(zip(NAMES, features[seat], strict=True))
    edition, player = edition_of(state), state.players[seat]
    hope = hope_of(state, seat, edition)
    totals = [score.total for score in edition.scores(state)]
    rival = max(total for other, total in enumerate(totals) if other != seat)
    chance, over = chances(state)[seat], state.phase == "over"
    told = RoundEnd(
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
        progress=done,
        over=over,
        won=chance if over else 0.0,
    )
    return WorldEnd(seat, told, weights, features)


def average(ends: Sequence[WorldEnd]) -> RoundEnd:
    """What stands at the end of a round on average."""
    return RoundEnd(*(fmean(getattr(end.told, name) for end in ends) for name in RoundEnd.__struct_fields__))


def parts_of(pairs: Iterable[tuple[WorldEnd, WorldEnd]]) -> dict[Part, float]:
    """What each part makes of the difference in chances, on average; they add up to all of it. A pair is what the
    better and the worse move came to in one world."""
    split = [_split(better, worse) for better, worse in pairs]
    return {part: fmean(parts.get(part, 0.0) for parts in split) for part in SEEN}


def _split(better: WorldEnd, worse: WorldEnd) -> dict[Part, float]:
    gap = better.told.chance - worse.told.chance
    if better.told.over or worse.told.over:
        return {"end": gap}
    weights = [(one + other) / 2 for one, other in zip(better.weights, worse.weights, strict=True)]
    logits = {
        part: sum(weights[at] * (_own(better)[at] - _own(worse)[at]) for at in members)
        for part, members in MEMBERS.items()
    }
    logits["others"] = _others(worse, weights) - _others(better, weights)
    whole = _logit(better.told.chance) - _logit(worse.told.chance)
    logits["end"] = whole - sum(logits.values())
    scale = gap / whole if abs(whole) > EDGE else better.told.chance * (1 - better.told.chance)
    return {part: scale * logit for part, logit in logits.items()}


def _own(end: WorldEnd) -> Sequence[float]:
    return end.features[end.seat]


def _others(end: WorldEnd, weights: Sequence[float]) -> float:
    """What all others have together, as a logit."""
    values: list[float] = [
        sum(map(mul, weights, row)) for other, row in enumerate(end.features) if other != end.seat
    ]
    most = max(values)
    return most + log(sum(exp(value - most) for value in values))


def _logit(chance: float) -> float:
    chance = min(max(chance, EDGE), 1 - EDGE)
    return log(chance / (1 - chance))


def reason(parts: Mapping[Part, float], better: RoundEnd, worse: RoundEnd) -> Reason | None:
    """The largest part whose figure shows that it speaks for the better move; None where no single one does."""
    for part in sorted(SEEN, key=lambda part: -parts.get(part, 0.0)):
        for figure in SEEN[part]:
            one, other = getattr(better, figure), getattr(worse, figure)
            more = other - one if figure in LESS else one - other
            if parts.get(part, 0.0) > 0 and more >= (LIKELY if figure in SHARES else WORTH):
                return Reason(part, figure, one, other)
    return None


HINT: Final = Effort(trials=400, seconds=1.0)
"""For a move that somebody waits for."""
FEWEST: Final = 2
"""So many worlds there are in any case: one alone has no error."""
CLEAR: Final = 2.0
"""A difference is clear if it is so many times its error."""


class Weighed(Struct, frozen=True):
    """A move: its line of notation, its chance to win with the standard error of that, and what stands at the end
    of the round on average. `gap` is what the best of those weighed has more, with its own error, and `parts` is
    what that consists of (see `reasons`); nought and nothing for the best itself."""

    line: str
    chance: float
    error: float
    gap: float
    gap_error: float
    end: RoundEnd
    parts: dict[Part, float]

    @property
    def worse(self) -> bool:
        """Whether it is clearly not the best."""
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
    """The moves worth thinking about and the one that was made, the best first. As long as the seconds suffice,
    the same seed says the same. Raises NoWorld for a view that no table has."""
    random = Random(f"{seed}/{view.tick}")
    actions = candidates(view, seat, choices, random, PLAIN, most=effort.moves)
    if also is not None and also not in actions:
        actions.append(also)
    return weigh_these(view, seat, actions, memory, effort, random)


def weigh_these(
    view: State, seat: int, actions: Sequence[Action], memory: Memory, effort: Effort, random: Random
) -> list[Weighed]:
    """These moves and no others, the best first."""
    late = perf_counter() + effort.seconds
    worlds = SupposedWorlds(view, seat, memory, random, PLAIN)
    ends: list[list[WorldEnd]] = [[] for _ in actions]
    for number in range(max(FEWEST, effort.trials // len(actions))):
        if number >= FEWEST and perf_counter() > late:
            break
        for action, found in zip(actions, ends, strict=True):
            found.append(world_end(worlds.end(action, number), seat))
    best = max(ends, key=lambda found: fmean(end.told.chance for end in found))
    weighed = [_weighed(action, found, best) for action, found in zip(actions, ends, strict=True)]
    return sorted(weighed, key=lambda one: (one.gap, -one.chance))


def _weighed(action: Action, found: Sequence[WorldEnd], best: Sequence[WorldEnd]) -> Weighed:
    chance, error = _mean([end.told.chance for end in found])
    gap, gap_error = _mean([top.told.chance - end.told.chance for top, end in zip(best, found, strict=True)])
    parts = parts_of(zip(best, found, strict=True)) if found is not best else {}
    return Weighed(str(action), chance, error, gap, gap_error, average(found), parts)


def _mean(values: Iterable[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    known = list(values)
    mean = fmean(known)
    return mean, sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1) / len(known))


T = TypeVar("T")

FIRST_LOOK: Final = Effort(trials=120, seconds=2.0)
"""For each decision of a game."""
SECOND_LOOK: Final = Effort(trials=240, seconds=4.0)
"""For each of those that look worst."""
LOOKED_AT_AGAIN: Final = 9
MOST: Final = 3
"""So many moves are told."""
LEAST: Final = 0.02
"""A chance to win that is smaller by less is nothing to speak of."""
PATIENCE: Final = 180.0
"""Seconds for the first look at a whole game; what has not been looked at by then is left out, and counted."""


class Decision(Struct, frozen=True):
    """A decision as the seat met it: at which `step` of a recording, its view and what it remembered, and the line
    of the move that it made."""

    step: int
    seat: int
    view: State
    memory: Memory
    line: str


class CostlyMove(Struct, frozen=True):
    """A move that was made and the better one, weighed in the same worlds."""

    decision: Decision
    made: Weighed
    better: Weighed


class Review(Struct, frozen=True):
    """What a review has found, the worst first; of so many decisions it has `looked` at these."""

    moves: tuple[CostlyMove, ...]
    looked: int
    decisions: int


def first_look(decision: Decision) -> CostlyMove | None:
    """What might have been better than the move that was made; None where nothing was, or there was no choice."""
    view, seat = decision.view, decision.seat
    made = parse(decision.line, seat)
    seed = f"first look/{decision.step}"
    try:
        found = weigh(view, seat, decisions(view).get(seat, ()), decision.memory, FIRST_LOOK, seed, made)
    except NoWorld:
        return None
    return _against(decision, made, found)


def second_look(found: CostlyMove) -> CostlyMove | None:
    """The same two moves in other worlds; None where the one that was made does better there."""
    decision = found.decision
    made, better = (parse(move.line, decision.seat) for move in (found.made, found.better))
    random = Random(f"second look/{decision.step}")
    weighed = weigh_these(decision.view, decision.seat, [made, better], decision.memory, SECOND_LOOK, random)
    return _against(decision, made, weighed)


def _against(decision: Decision, made: Action, found: Sequence[Weighed]) -> CostlyMove | None:
    own = next(move for move in found if move.line == str(made))
    return None if own is found[0] else CostlyMove(decision, own, found[0])


def suspects(found: Iterable[CostlyMove], own: Sequence[Decision]) -> list[CostlyMove]:
    """What is worth a second look, the worst first: of a turn one move alone, the last of those that look equally
    bad, for the same chance was missed with all of them; and nothing that the seat did later in the turn."""
    worst: dict[object, CostlyMove] = {}
    for move in found:
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
    """What the decisions of a turn have in common, and no others; a pick is one by itself."""
    view = decision.view
    turn = view.turn
    if turn is None or turn.seat != decision.seat:
        return decision.step
    return view.round, turn.character


def costliest(found: Iterable[CostlyMove]) -> tuple[CostlyMove, ...]:
    """Those that have clearly cost something, the worst first."""
    clear = [move for move in found if move.made.worse and move.made.gap >= LEAST]
    return tuple(sorted(clear, key=lambda move: -move.made.gap)[:MOST])


async def review(pool: ThinkingPool, own: Sequence[Decision], told: Callable[[float], None]) -> Review:
    """Go over decisions in the processes of a pool, in the order of the game; `told` hears how much is done, from
    0 to 1. Whoever cancels it ends all of its work."""
    late = perf_counter() + PATIENCE
    looked, found = 0, []
    async with aclosing(_each(pool, first_look, own)) as looks:
        async for move in looks:
            looked += 1
            found += [] if move is None else [move]
            told(0.8 * looked / len(own))
            if perf_counter() > late:
                break
    again = suspects(sorted(found, key=lambda move: move.decision.step), own)
    held = []
    async with aclosing(_each(pool, second_look, again)) as looks:
        async for move in looks:
            held.append(move)
            told(0.8 + 0.2 * len(held) / len(again))
    return Review(costliest(move for move in held if move is not None), looked, len(own))


async def _each(
    pool: ThinkingPool, look: Callable[[T], CostlyMove | None], things: Sequence[T]
) -> AsyncGenerator[CostlyMove | None, None]:
    """What a look at each thing has found, as it comes; a process that the system has ended finds nothing."""
    looks = [asyncio.wrap_future(pool.submit(look, thing)) for thing in things]
    try:
        for done in asyncio.as_completed(looks):
            try:
                yield await done
            except BrokenProcessPool:
                return
    finally:
        for one in looks:
            one.cancel()
