"""The value of a table to each seat at the end of a round or a turn: features, and the chance to win.

The features describe the table after one more simple turn of every seat, in which it gathers gold and builds
the most expensive district that it can pay for. Without this turn, a seat that kept its gold would look worse
than one that built. Gold counts only as far as the hand can use it. All editions have the same features; a
feature that an edition does not have is zero. In Città Comune each unique district has its own feature.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from operator import mul
from pathlib import Path
from typing import Final

from msgspec import Struct, json

from citadels_lan.engine import DEFAULT, EDITIONS, TYPES, Edition, Player, State, edition_of
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.turn.cities import size
from citadels_lan.engine.turn.shared_city import names, names_wanted

GATHERED: Final = 2
"""The gold that a seat is assumed to gather in a turn."""
NEXT_CARD: Final = 4
"""The assumed cost of the next card drawn."""
CHEAP: Final = 2
"""A district of at most this cost is easily destroyed."""
DEAR: Final = 5
"""A district of at least this cost is rarely destroyed."""
NEAR: Final = 2
"""A player whose city lacks at most this many districts may soon end the game."""
LASTING: Final = frozenset({
    "factory", "gold_mine", "graveyard", "laboratory", "library", "museum", "observatory", "park", "poor_house",
    "quarry", "school_of_magic", "smithy", "stables", "theater", "throne_room",
})  # fmt: skip
"""The unique districts that have an effect in many turns."""
UNIQUES: Final = tuple(
    sorted({key for edition in EDITIONS.values() if isinstance(edition.flow, Cycles) for key in edition.uniques})
)
"""The unique districts of editions with a shared city."""
PLACES: Final = {key: place for place, key in enumerate(UNIQUES)}
NOTHING: Final = [0.0] * len(UNIQUES)
HELD: Final = 0.5
"""The feature of a unique district has this value if the hand can build it, and 1 if it is built."""

NAMES: Final = (
    "points", "ahead", "behind", "leads",
    "size", "missing_1", "missing_2", "missing_3", "finishes", "longest",
    "gold_4", "gold_2", "gold_8",
    "hand_2", "hand_5", "useful", "build_now", "build_soon", "stuck",
    "crown", "waits", "types", "four_types", "new_types", *TYPES, "lasting",
    "cheap", "dear", "cheapest", "leads_late",
    *UNIQUES,
)  # fmt: skip
"""The names of a seat's features, in order."""
FAR: Final = 9
"""Stands for the number of missing districts in an edition in which no city is ever complete."""


def progress(state: State) -> float:
    """Return how far the game has progressed: from 0 to 1, when the condition for its end is met."""
    needed = edition_of(state).goal(state)
    if needed is None:
        return min(1.0, len(names(state)) / max(1, names_wanted(state)))
    return min(1.0, max(size(state, seat) for seat in range(len(state.players))) / needed)


def standings(state: State) -> list[list[float]]:
    """Return the features of every seat, in the order of NAMES."""
    edition = edition_of(state)
    needed = edition.goal(state)
    hopes = [hope_of(state, seat, edition) for seat in range(len(state.players))]
    scores = edition.scores(state)
    totals = [score.total + hope.points for score, hope in zip(scores, hopes, strict=True)]
    sizes = [size(state, seat) + bool(hope.card) for seat, hope in enumerate(hopes)]
    missing = [FAR if needed is None else max(0, needed - own) for own in sizes]
    return [
        _standing(state, edition, seat, hope, totals, sizes, missing)
        + (_uniques(state.players[seat], hope) if needed is None else NOTHING)
        for seat, hope in enumerate(hopes)
    ]


class Hope(Struct, frozen=True):
    """The position of a seat after one more simple turn. `card` is the district that it builds, "" if none;
    `points` are the points of that district. `gold` is what remains, and `useful` are the names of the other
    hand cards that can be built."""

    card: str
    points: int
    gold: int
    useful: frozenset[str]


def hope_of(state: State, seat: int, edition: Edition) -> Hope:
    """Return the position of `seat` after a simple turn: gather gold, build the most expensive useful card."""
    player, costs = state.players[seat], edition.costs
    useful = _useful(state, seat, edition)
    gold = player.gold + GATHERED
    card = max((card for card in useful if costs[card] <= gold), key=lambda card: (costs[card], card), default="")
    if not card:
        return Hope("", 0, gold, useful)
    worth = edition.effects[card].worth if card in edition.effects else 0
    return Hope(card, costs[card] + worth, gold - costs[card], useful - {card})


def _useful(state: State, seat: int, edition: Edition) -> frozenset[str]:
    """Return the names of the hand cards that can be built in the seat's present city."""
    player, effects = state.players[seat], edition.effects
    forbidden = edition.identical(state, seat)
    return frozenset(
        card
        for card in player.hand
        if card in edition.costs
        and card not in forbidden
        and not (card in effects and effects[card].unbuildable(player))
    )


def _standing(
    state: State,
    edition: Edition,
    seat: int,
    hope: Hope,
    totals: Sequence[int],
    sizes: Sequence[int],
    missing: Sequence[int],
) -> list[float]:
    player, lacks = state.players[seat], missing[seat]
    costs, kinds = edition.costs, edition.types
    points, gold, hand, useful = totals[seat], hope.gold, len(player.hand) - bool(hope.card), hope.useful
    lead = points - max(total for other, total in enumerate(totals) if other != seat)
    own = [district.key for district in player.city]
    standing = [costs[key] for key in own]
    if hope.card:
        own.append(hope.card)
    here = [kinds[key] for key in own]
    prices = [costs[card] for card in useful]
    usable = min(gold, sum(prices) + NEXT_CARD)
    now = max([price for price in prices if price <= gold + GATHERED], default=0)
    soon = max([price for price in prices if price <= gold + 2 * GATHERED + 1], default=0)
    present = set(here)
    waits = (seat - _first(state)) % len(totals)
    late = min([districts for other, districts in enumerate(missing) if other != seat]) <= NEAR
    # One row for each of NAMES.
    return [
        points, min(8, max(0, lead)), min(8, max(0, -lead)), lead >= 0,
        sizes[seat], lacks <= 1, lacks <= 2, lacks <= 3, lacks <= 0, sizes[seat] == max(sizes),
        min(player.gold, NEXT_CARD), min(usable, 2), min(max(0, usable - 2), 6),
        min(hand, 2), min(max(0, hand - 2), 3), min(len(useful), 4), now, soon, not hope.card,
        seat == state.crown, waits / (len(totals) - 1), len(present), len(present) == len(TYPES) - 1,
        len({kinds[card] for card in useful} - present), *(here.count(kind) for kind in TYPES),
        sum([key in LASTING for key in own]),
        sum([cost <= CHEAP for cost in standing]), sum([cost >= DEAR for cost in standing]),
        min(standing, default=0), min(10, max(0, lead)) * late,
    ]  # fmt: skip


def _first(state: State) -> int:
    """Return the seat that picks first in the next round; in an edition without a draft, the seat that calls
    next."""
    return state.crown if state.caller is None else (state.caller + 1) % len(state.players)


def _uniques(player: Player, hope: Hope) -> list[float]:
    """Return the feature of each of UNIQUES: 1 if it is built, HELD if the hand can build it, otherwise 0."""
    built = NOTHING.copy()
    for card in (hope.card, *hope.useful):
        if card in PLACES:
            built[PLACES[card]] = HELD
    for district in player.city:
        if district.key in PLACES:
            built[PLACES[district.key]] = 1.0
    return built


GROUPS: Final = {2: 2, 3: 3, 4: 4, 5: 4}
"""For each number of players, the number in the name of the group of weights that a table uses. Larger tables
use LARGE."""
LARGE: Final = 7
PLACE: Final = 0.1
"""The weight of being ahead of other seats, compared with that of winning."""
Weights = tuple[tuple[float, ...], tuple[float, ...]]
"""The weights of the features at the beginning of a game, and those at its end. Between the two they are
interpolated."""


def group(edition: str, players: int) -> str:
    """Return the name of the group whose weights a table of this edition and number of players uses."""
    return f"{edition}/{GROUPS.get(players, LARGE)}"


@cache
def all_weights() -> Mapping[str, Weights]:
    """Return the weights by the name of their group, from the file that `tools.training` writes."""
    text = Path(__file__).with_name("weights.json").read_bytes()
    named = json.decode(text, type=dict[str, dict[str, tuple[float, float]]])
    return {key: _in_order(features) for key, features in named.items()}


@cache
def weights_of(edition: str, players: int) -> Weights:
    """Return the weights for tables of this edition and number of players. If their group has no learned
    weights, return those of the most similar group."""
    weights = all_weights()
    names = [group(edition, players), f"{edition}/4", group(DEFAULT, players), f"{DEFAULT}/4"]
    return next(weights[name] for name in names if name in weights)


def _in_order(features: Mapping[str, tuple[float, float]]) -> Weights:
    early, late = zip(*(features.get(name, (0.0, 0.0)) for name in NAMES), strict=True)
    return early, late


def chances(state: State) -> list[float]:
    """Return every seat's chance to win. `state` is at the end of a round or a turn, or the game is over."""
    if state.phase == "over":
        return _shares(state)
    return softmax(_strengths(state))


def prospects(state: State) -> list[float]:
    """Return the value of a state to every seat for a search: its chance to win and, with a small weight, its
    chance to be ahead of other seats. The latter decides between moves if the victory is certain or
    impossible."""
    if state.phase == "over":
        strengths: list[float] = [score.total for score in state.scores]
        winning = _shares(state)
    else:
        strengths = _strengths(state)
        winning = softmax(strengths)
    return [
        (1 - PLACE) * chance + PLACE * place for chance, place in zip(winning, _places(strengths), strict=True)
    ]


def _shares(state: State) -> list[float]:
    """Return each seat's share of the victory in a finished game."""
    return [(seat in state.winners) / len(state.winners) for seat in range(len(state.players))]


def present_weights(state: State) -> list[float]:
    """Return the weights for the state's progress, interpolated between those of the beginning and of the end
    of a game."""
    early, late = weights_of(state.edition, len(state.players))
    done = progress(state)
    return [first + done * (last - first) for first, last in zip(early, late, strict=True)]


def _strengths(state: State) -> list[float]:
    """Return the strength of every seat: the logit of its chance to win."""
    mixed = present_weights(state)
    return [sum(map(mul, mixed, features)) for features in standings(state)]


def _places(strengths: Sequence[float]) -> list[float]:
    """Return, for each seat, the mean chance to be ahead of another seat. Between two equal seats it is a
    half."""
    others = len(strengths) - 1
    return [(sum([1 / (1 + exp(other - own)) for other in strengths]) - 0.5) / others for own in strengths]


def softmax(values: Sequence[float]) -> list[float]:
    """Return numbers with the sum 1, each proportional to the exponential of its value."""
    most = max(values)
    parts = [exp(value - most) for value in values]
    whole = sum(parts)
    return [part / whole for part in parts]
