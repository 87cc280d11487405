"""A deal represents exactly the actions that it describes."""

from collections.abc import Iterator
from itertools import permutations

from citadels_lan.engine import Deal, expand
from citadels_lan.engine.actions import Bonus, Redraw
from citadels_lan.engine.choices import Parts
from tests.effort import one_case


class Dealt(Redraw, frozen=True):
    """An action that contains the parts, so that each way is a different action."""

    parts: Parts = ()


def deal(pool: tuple[str, ...], *sizes: tuple[int, int]) -> Deal:
    return Deal("redraw", pool, ("part",) * len(sizes), sizes, lambda parts: Dealt((), parts))


def by_hand(pool: tuple[str, ...], sizes: tuple[tuple[int, int], ...]) -> Iterator[Parts]:
    """Yield every way to deal different cards, from all their permutations."""
    for order in permutations(pool):
        yield from _cut(order, sizes)


def _cut(cards: tuple[str, ...], sizes: tuple[tuple[int, int], ...]) -> Iterator[Parts]:
    if not sizes:
        yield ()
        return
    for size in range(sizes[0][0], min(sizes[0][1], len(cards)) + 1):
        for rest in _cut(cards[size:], sizes[1:]):
            yield (tuple(sorted(cards[:size])), *rest)


@one_case(
    "sizes",
    [(), ((1, 1),), ((0, 2),), ((1, 4),), ((1, 1), (2, 2)), ((1, 1), (1, 1), (1, 1)), ((0, 1), (1, 3)), ((2, 9),)],
)
def test_deal_yields_and_counts_every_way_once(sizes: tuple[tuple[int, int], ...]) -> None:
    pool = ("castle", "docks", "market", "tavern")
    offered = deal(pool, *sizes)
    actions = list(offered.actions())
    ways = [action.parts for action in actions if isinstance(action, Dealt)]
    assert set(ways) == set(by_hand(pool, sizes))
    assert len(ways) == len(set(ways)) == offered.count()


def test_copies_of_a_card_make_one_action_but_count_separately() -> None:
    offered = deal(("castle", "castle", "docks"), (1, 1))
    assert len(list(offered.actions())) == 2
    assert offered.count() == 3


def test_choices_expand_in_order() -> None:
    gold = Bonus("gold")
    assert list(expand([gold, deal(("castle",), (1, 1))])) == [gold, Dealt((), (("castle",),))]
