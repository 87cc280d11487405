"""A rejected move names its reason: every reason of the engine, at the tables of `refusals.yaml`."""

import ast
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

import citadels_lan.engine
from tests.effort import one_case
from tests.rulings.cast import read_move
from tests.rulings.files import load_yaml
from tests.rulings.runner import played
from tests.rulings.schema import SEATS, Ruling, SeatName

CASES: list[dict[str, Any]] = load_yaml(Path(__file__).with_name("refusals.yaml").read_text(encoding="utf-8"))
ELSEWHERE = {
    "no_cards", "swap_with_whom",  # the notation has no such line
    "opening_needed", "nothing_sealed",  # sealed tables: test_sealed.py
    "nothing_to_swap",  # sealed drafts: sealed/test_draft.py
}  # fmt: skip


def refused(case: dict[str, Any]) -> tuple[SeatName, str]:
    """Return the seat and its move."""
    ((seat, move),) = ((name, case[name]) for name in SEATS if name in case)
    return seat, move


@one_case("case", [pytest.param(case, id=refused(case)[1]) for case in CASES])
def test_rejected_move_names_its_reason(case: dict[str, Any]) -> None:
    seat, move = refused(case)
    ruling = convert({"id": "refused", "given": case["given"], "when": case.get("when", [])}, Ruling)
    reason = played(ruling).judged(SEATS.index(seat), read_move(seat, move))
    assert str(reason) == case["why"]


def test_every_reason_of_the_engine_has_a_case() -> None:
    codes = set()
    for path in Path(citadels_lan.engine.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "IllegalMove(" in source else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalMove":
                codes |= {one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)}
    codes = {code for code in codes if isinstance(code, str) and "_" in code and not code.startswith("_")}
    assert codes - {case["why"].split(" ")[0] for case in CASES} - ELSEWHERE == set()
