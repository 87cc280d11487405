"""What a seat's standing says about who will win, in numbers. They are the same for every edition: what an edition
lacks stays nought. Whoever asks has the full state of a world, real or supposed.

They are those of the table as it is likely to stand once every seat has had one more plain turn, in which it
gathers gold and builds the dearest district that it can pay. A turn builds one: a district not built comes a turn
later, and gold and cards count for what they still bring after that. Otherwise whoever kept its gold would look as
well off as who built. Gold counts as far as the hand can use it: nobody of those learned from keeps more for long.
The first gold at hand, cheap and dear districts and the wait are those of the table as it stands.

Where one city is built by all, games are long and cards are sold: what a unique district brings turn after turn is
worth far more than its points there, and each has a number of its own.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.engine import EDITIONS, TYPES, Edition, edition_of
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.state import Player, State
from citadels_lan.engine.turn.cities import size
from citadels_lan.engine.turn.shared_city import names, names_wanted

GATHERED: Final = 2
"""Gold that comes with a turn, at least."""
NEXT_CARD: Final = 4
"""What a card that is drawn next may cost."""
CHEAP: Final = 2
"""What a district costs at most that is soon destroyed."""
DEAR: Final = 5
"""What one costs at least that is left alone."""
NEAR: Final = 2
"""Whoever lacks no more districts than this may soon end the game."""
LASTING: Final = frozenset({
    "factory", "gold_mine", "graveyard", "laboratory", "library", "museum", "observatory", "park", "poor_house",
    "quarry", "school_of_magic", "smithy", "stables", "theater", "throne_room",
})  # fmt: skip
"""The unique districts that bring something again and again."""
UNIQUES: Final = tuple(
    sorted({key for edition in EDITIONS.values() if isinstance(edition.flow, Cycles) for key in edition.uniques})
)
"""Those of a city that everybody builds."""
PLACES: Final = {key: place for place, key in enumerate(UNIQUES)}
NOTHING: Final = [0.0] * len(UNIQUES)
HELD: Final = 0.5
"""How much of a district that stands one is that a hand can still build."""

NAMES: Final = (
    "points", "ahead", "behind", "leads",
    "size", "missing_1", "missing_2", "missing_3", "finishes", "longest",
    "gold_4", "gold_2", "gold_8",
    "hand_2", "hand_5", "useful", "build_now", "build_soon", "stuck",
    "crown", "waits", "types", "four_types", "new_types", *TYPES, "lasting",
    "cheap", "dear", "cheapest", "leads_late",
    *UNIQUES,
)  # fmt: skip
"""The features of a seat, in their order."""
FAR: Final = 9
"""Districts that a city lacks where none is ever complete."""


def progress(state: State) -> float:
    """How far a game is, from 0 to 1."""
    wanted = edition_of(state).goal(state)
    if wanted is None:
        return min(1.0, len(names(state)) / max(1, names_wanted(state)))
    return min(1.0, max(size(state, seat) for seat in range(len(state.players))) / wanted)


def standings(state: State) -> list[list[float]]:
    """The features of every seat, in the order of NAMES."""
    edition = edition_of(state)
    wanted = edition.goal(state)
    hopes = [hope_of(state, seat, edition) for seat in range(len(state.players))]
    scores = edition.scores(state)
    totals = [score.total + hope.points for score, hope in zip(scores, hopes, strict=True)]
    sizes = [size(state, seat) + bool(hope.card) for seat, hope in enumerate(hopes)]
    missing = [FAR if wanted is None else max(0, wanted - own) for own in sizes]
    return [
        _standing(state, edition, seat, hope, totals, sizes, missing)
        + (_uniques(state.players[seat], hope) if wanted is None else NOTHING)
        for seat, hope in enumerate(hopes)
    ]


class Hope(Struct, frozen=True):
    """What a seat builds in one more plain turn, nothing where the `card` is empty, and what it has then: `gold`
    and the cards that it can still use. `points` are what the district brings at the end of the game."""

    card: str
    points: int
    gold: int
    useful: frozenset[str]


def hope_of(state: State, seat: int, edition: Edition) -> Hope:
    """What a seat may hope for of a plain turn."""
    player, costs = state.players[seat], edition.costs
    useful = _useful(state, seat, edition)
    gold = player.gold + GATHERED
    card = max((card for card in useful if costs[card] <= gold), key=lambda card: (costs[card], card), default="")
    if not card:
        return Hope("", 0, gold, useful)
    worth = edition.effects[card].worth if card in edition.effects else 0
    return Hope(card, costs[card] + worth, gold - costs[card], useful - {card})


def _useful(state: State, seat: int, edition: Edition) -> frozenset[str]:
    """The names in a hand that can be built in the seat's city some day, as it stands."""
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
    late = min([left for other, left in enumerate(missing) if other != seat]) <= NEAR
    return [
        points,
        min(8, max(0, lead)),
        min(8, max(0, -lead)),
        lead >= 0,
        sizes[seat],
        lacks <= 1,
        lacks <= 2,
        lacks <= 3,
        lacks <= 0,
        sizes[seat] == max(sizes),
        min(player.gold, NEXT_CARD),
        min(usable, 2),
        min(max(0, usable - 2), 6),
        min(hand, 2),
        min(max(0, hand - 2), 3),
        min(len(useful), 4),
        now,
        soon,
        not hope.card,
        seat == state.crown,
        waits / (len(totals) - 1),
        len(present),
        len(present) == len(TYPES) - 1,
        len({kinds[card] for card in useful} - present),
        *(here.count(kind) for kind in TYPES),
        sum([key in LASTING for key in own]),
        sum([cost <= CHEAP for cost in standing]),
        sum([cost >= DEAR for cost in standing]),
        min(standing, default=0),
        min(10, max(0, lead)) * late,
    ]


def _first(state: State) -> int:
    """The seat that picks first in the next round, or calls next."""
    return state.crown if state.caller is None else (state.caller + 1) % len(state.players)


def _uniques(player: Player, hope: Hope) -> list[float]:
    """Which of UNIQUES stand in a city, and which its hand can still build, in their order."""
    found = NOTHING.copy()
    for card in (hope.card, *hope.useful):
        if card in PLACES:
            found[PLACES[card]] = HELD
    for district in player.city:
        if district.key in PLACES:
            found[PLACES[district.key]] = 1.0
    return found
