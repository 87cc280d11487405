"""Every ruling of this folder holds, and every numbered rule of the 2016 edition is covered."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from citadels_lan.engine import decisions, evolve, expand, redact, view

from .chance import Scripted
from .files import NOT_RULINGS, Case, load, load_yaml
from .play import Play, judged
from .runner import played, run

HERE = Path(__file__).parent
CASES = load([str(HERE)])
NUMBERS = {f"R{number:03}" for number in range(1, 338)}
"""The rules of the 2016 edition; what follows them are other editions."""
NOT_EXECUTABLE: dict[str, str] = load_yaml((HERE / NOT_RULINGS).read_text(encoding="utf-8"))


MOST_TRIED = 60
"""So many of the moves open at the end of a ruling are tried."""


def covered() -> set[str]:
    return {number for case in CASES if case.ruling is not None for number in case.ruling.covers}


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_ruling_holds(case: Case) -> None:
    for seed in ("", "other", "third"):
        result = run(case, seed)
        if result.outcome == "waiting":
            pytest.skip(result.why)
        assert result.outcome == "ok", f"{case.path.name}: {result.why}"


def test_ids_are_kebab_case() -> None:
    assert [case.id for case in CASES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", case.id)] == []


def test_every_ruling_covers_rules_that_exist() -> None:
    assert covered() <= NUMBERS
    assert [case.id for case in CASES if case.ruling is not None and not case.ruling.covers] == []


def test_every_rule_is_covered() -> None:
    assert sorted(NUMBERS - covered() - set(NOT_EXECUTABLE)) == []


def test_a_rule_is_called_not_executable_only_where_no_ruling_covers_it() -> None:
    assert sorted(covered() & set(NOT_EXECUTABLE)) == []
    assert set(NOT_EXECUTABLE) <= NUMBERS
    assert all(NOT_EXECUTABLE.values())


def test_no_ruling_of_the_2016_edition_waits() -> None:
    waiting = [case.id for case in CASES if case.ruling is not None and run(case).outcome == "waiting"]
    assert waiting == []


def test_every_view_follows_the_table() -> None:
    """What each seat is told of the events leads its view of the table where the table goes."""
    for play in _all_played():
        state = play.start
        viewers = [None, *range(len(state.players))]
        views = {viewer: view(state, viewer) for viewer in viewers}
        for event in play.events:
            state = evolve(state, event)
            for viewer in viewers:
                views[viewer] = evolve(views[viewer], redact(event, viewer))
                assert views[viewer] == view(state, viewer), (event, viewer)


def test_what_is_open_at_the_end_of_a_ruling_is_accepted() -> None:
    for play in _all_played():
        for seat, choices in decisions(play.state).items():
            for action in islice(expand(choices), MOST_TRIED):
                assert judged(play.state, seat, action, Scripted("open")) is None, (seat, action)


def _all_played() -> Iterator[Play]:
    return (played(case.ruling) for case in CASES if case.ruling is not None)
