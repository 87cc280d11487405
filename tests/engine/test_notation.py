"""Reading lines of notation: valid lines, and the errors of invalid ones (docs/notation.md)."""

import ast
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

import citadels_lan.engine
from citadels_lan.engine import BadNotation, Deal, expand, parse
from citadels_lan.engine.action import OfSeat
from citadels_lan.engine.actions import Bonus, Redraw, Swap
from citadels_lan.engine.choices import Parts
from tests.effort import one_case
from tests.rulings.cast import read_move
from tests.rulings.files import load_yaml
from tests.rulings.runner import played
from tests.rulings.schema import SEATS, Ruling, SeatName

A = SEATS.index("a")


@one_case(
    ("line", "code", "word"),
    [
        ("", "line_too_short", ""),
        ("dance", "unknown_verb", "dance"),
        ("end now", "line_too_long", "now"),
        ("gather", "line_too_short", ""),
        ("gather silver", "unknown_word", "silver"),
        ("keep", "line_too_short", ""),
        ("keep chapel", "no_district", "chapel"),
        ("keep castle chapel", "no_district", "chapel"),
        ("rob jester", "no_character", "jester"),
        ("swap", "line_too_short", ""),
        ("swap j", "no_seat", "j"),
        ("swap ab", "no_seat", "ab"),
        ("theater none giving king", "line_too_long", "giving"),
        ("theater b giving", "line_too_short", ""),
        ("pick king discarding", "line_too_short", ""),
        ("build castle quickly", "unknown_word", "quickly"),
        ("build castle by", "line_too_short", ""),
        ("build castle by magic", "unknown_word", "magic"),
        ("build castle with", "line_too_short", ""),
        ("build castle with docks with tavern", "said_twice", "with"),
        ("build castle by framework by framework", "said_twice", "by"),
        ("build castle borrowing b for docks", "unknown_word", "b"),
        ("build castle borrowing from b with docks", "unknown_word", "with"),
        ("build castle borrowing from b for", "line_too_short", ""),
        ("build castle sacrificing b.docks#0", "no_district", "b.docks#0"),
        ("take castle now", "line_too_long", "now"),
        ("income gold", "unknown_word", "gold"),
        ("income gold=1 gold=2", "unknown_word", "gold=2"),
        ("income gold=100", "unknown_word", "gold=100"),
        ("warrant king* bishop* thief", "marks_unclear", "king* bishop* thief"),
        ("threaten", "line_too_short", ""),
        ("spy b blue", "unknown_word", "blue"),
        ("give b=castle castle", "unknown_word", "castle"),
        ("give j=castle", "unknown_word", "j=castle"),
        ("give b=chapel", "no_district", "chapel"),
        ("crown b taking silver", "unknown_word", "silver"),
        ("crown b castle", "line_too_long", "castle"),
        ("destroy j.castle", "no_district", "j.castle"),
        ("destroy b.chapel", "no_district", "chapel"),
        ("destroy b.castle#100", "no_district", "b.castle#100"),
        ("exchange castle docks", "unknown_word", "docks"),
        ("beautify", "line_too_short", ""),
        ("bribe perhaps", "unknown_word", "perhaps"),
        ("bid", "line_too_short", ""),
        ("bid 0", "unknown_word", "0"),
        ("bid 03", "unknown_word", "03"),
        ("bid 1000", "unknown_word", "1000"),
        ("bid -1", "unknown_word", "-1"),
        ("bid 1 2", "line_too_long", "2"),
        ("pass on", "line_too_long", "on"),
        ("sell", "line_too_short", ""),
        ("offer castle from", "line_too_short", ""),
        ("offer castle from 0", "unknown_word", "0"),
        ("offer castle 3", "line_too_long", "3"),
        ("turn", "line_too_short", ""),
        ("turn castle", "unknown_word", "castle"),
    ],
)
def test_error_for_an_invalid_line_names_the_wrong_word(line: str, code: str, word: str) -> None:
    with pytest.raises(BadNotation) as caught:
        parse(line, A)
    assert (caught.value.code, caught.value.details) == (code, {"word": word})
    assert str(caught.value) == (f"{code}: {word}" if word else code)


@one_case(
    ("said", "canonical"),
    [
        ("keep tavern castle", "keep castle tavern"),
        ("  gather   gold ", "gather gold"),
        ("destroy a.market", "destroy market"),
        ("destroy b.market#1", "destroy b.market"),
        ("destroy b.market#10", "destroy b.market#10"),
        ("beautify market docks", "beautify docks market"),
        ("beautify market#2 market", "beautify market market#2"),
        ("income gold=0 cards=2", "income cards=2"),
        ("income cards=12 gold=11", "income gold=11 cards=12"),
        ("income gold=0", "income"),
        ("warrant king thief* bishop", "warrant thief* king bishop"),
        ("give c=castle b=docks", "give b=docks c=castle"),
        ("exchange a.docks for b.castle", "exchange docks for b.castle"),
        (
            "build thieves_den borrowing from b for tavern docks with market castle",
            "build thieves_den with castle market borrowing from b for docks tavern",
        ),
        ("build castle sacrificing a.docks#2", "build castle sacrificing docks#2"),
        ("take castle building by framework", "take castle building by framework"),
        ("theater none", "theater none"),
        ("theater i giving king", "theater i giving king"),
        ("crown b taking card", "crown b taking card"),
        ("reveal no", "reveal no"),
        ("bid 999", "bid 999"),
        ("offer castle from 1", "offer castle"),
        ("offer castle from 12", "offer castle from 12"),
        ("turn  bell_tower", "turn bell_tower"),
    ],
)
def test_line_is_read_and_written_in_canonical_form(said: str, canonical: str) -> None:
    assert str(parse(said, A)) == canonical


def test_seat_letter_is_kept_if_the_mover_is_unknown() -> None:
    assert str(parse("destroy a.market")) == "destroy a.market"


def test_declaring_a_second_action_with_the_same_verb_is_an_error() -> None:
    with pytest.raises(TypeError, match="the verb swap is that of Swap already"):

        class Trade(OfSeat, frozen=True):
            verb = "swap"

    assert type(parse("swap b")) is Swap


class Dealt(Redraw, frozen=True):
    """An action that contains the parts of its Deal, so that each way to deal gives a different action."""

    parts: Parts = ()


def deal(pool: tuple[str, ...], *sizes: tuple[int, int]) -> Deal:
    return Deal("redraw", pool, ("part",) * len(sizes), sizes, lambda parts: Dealt((), parts))


def by_hand(pool: tuple[str, ...], sizes: tuple[tuple[int, int], ...]) -> Iterator[Parts]:
    """Yield every way to deal different cards into parts. It is computed from all permutations, not by the
    engine."""
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
def test_deal_choice_yields_and_counts_every_distribution_once(sizes: tuple[tuple[int, int], ...]) -> None:
    pool = ("castle", "docks", "market", "tavern")
    offered = deal(pool, *sizes)
    actions = list(offered.actions())
    ways = [action.parts for action in actions if isinstance(action, Dealt)]
    assert set(ways) == set(by_hand(pool, sizes))
    assert len(ways) == len(set(ways)) == offered.count()


def test_equal_cards_make_one_action_but_count_separately() -> None:
    offered = deal(("castle", "castle", "docks"), (1, 1))
    assert len(list(offered.actions())) == 2
    assert offered.count() == 3


def test_expand_yields_actions_in_the_order_of_the_choices() -> None:
    gold = Bonus("gold")
    assert list(expand([gold, deal(("castle",), (1, 1))])) == [gold, Dealt((), (("castle",),))]


CASES: list[dict[str, Any]] = load_yaml(Path(__file__).with_name("refusals.yaml").read_text(encoding="utf-8"))
ELSEWHERE = {
    "no_cards", "swap_with_whom",  # the notation has no such line
    "opening_needed", "nothing_sealed",  # sealed tables: test_sealed.py
    "nothing_to_swap",  # sealed drafts: sealed/test_draft.py
}  # fmt: skip


def refused(case: dict[str, Any]) -> tuple[SeatName, str]:
    """Return the seat and the move of a test case for a rejected move."""
    ((seat, move),) = ((name, case[name]) for name in SEATS if name in case)
    return seat, move


@one_case("case", [pytest.param(case, id=refused(case)[1]) for case in CASES])
def test_rejected_move_has_its_reason(case: dict[str, Any]) -> None:
    seat, move = refused(case)
    ruling = convert({"id": "refused", "given": case["given"], "when": case.get("when", [])}, Ruling)
    reason = played(ruling).judged(SEATS.index(seat), read_move(seat, move))
    assert str(reason) == case["why"]


def test_every_reason_to_reject_a_move_has_a_case() -> None:
    codes = set()
    for path in Path(citadels_lan.engine.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "IllegalMove(" in source else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalMove":
                codes |= {one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)}
    codes = {code for code in codes if isinstance(code, str) and "_" in code and not code.startswith("_")}
    assert codes - {case["why"].split(" ")[0] for case in CASES} - ELSEWHERE == set()
