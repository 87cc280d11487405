"""Why one move is better than another: which part of what stands at the end of the round makes the difference.

A chance to win that is neither nought nor one has a logit, and that of a seat is a sum: what it has itself,
feature by feature with its weight, less what all others have together. So the difference of two logits parts into
those of the features, and the difference of two chances in the same proportions. Weights change in the course of a
game: a feature counts with the mean of its weights at both ends, and what the change of weights makes is the end
that has come nearer. Where a game is over there is no logit, and all of the difference is the end's.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from operator import mul
from statistics import fmean
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from citadels_lan.engine import edition_of
from citadels_lan.engine.state import State

from .features import NAMES, hope_of, progress, standings
from .value import chances, weights_of

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
