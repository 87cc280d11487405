"""Every ruling of this folder holds, and every numbered rule is covered."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from citadels_lan.engine import Event, decisions, expand
from citadels_lan.engine.events import Drawn, Inquired
from tests.effort import one_case, quick
from tests.engine import telling

from .chance import Scripted
from .files import NOT_RULINGS, Case, find_files, load, load_yaml
from .play import Play
from .runner import Result, played, run, run_once
from .schema import Then

HERE = Path(__file__).parent
FILES = find_files(str(HERE))
NUMBERS = {f"R{number:03}" for number in range(1, 511)}


MOST_TRIED = 60
"""So many of the moves open at the end of a ruling are tried."""
QUICK = 8
"""In the quick suite only every so many rulings are tried where trying takes long."""
SAMPLED = pytest.mark.parametrize("every", quick([QUICK, 1], QUICK))


SECRETIVE = [kind for kind, row in telling.SAYS.items() if row.keys() - telling.PUBLIC and kind is not Inquired]
"""The events that do not tell everybody all. No ruling is played at a table with a sealed draft, where the table
inquires: `tests/engine/sealed` holds those against two worlds."""


@cache
def cases() -> list[Case]:
    """All rulings."""
    return load([str(HERE)])


def not_executable() -> dict[str, str]:
    """Numbers of rules that no ruling can execute, and why."""
    found: dict[str, str] = load_yaml((HERE / NOT_RULINGS).read_text(encoding="utf-8"))
    return found


def covered() -> set[str]:
    return {number for case in cases() if case.ruling is not None for number in case.ruling.covers}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HERE).with_suffix("").as_posix())
def test_the_rulings_of_a_file_hold(path: Path) -> None:
    """Each at an open table, and at a sealed one with another chance."""
    results = [result for case in cases() if case.path == path for result in held_twice(case)]
    assert [str(result) for result in results if result.outcome != "ok"] == []


def held_twice(case: Case, open_chance: str = "", sealed_chance: str = "other") -> Iterator[Result]:
    assert case.ruling is not None, f"{case.id}: {case.problem}"
    yield run_once(case, case.ruling, open_chance)
    sealed = run_once(case, case.ruling, sealed_chance, sealed=True)
    yield replace(sealed, why=f"at a sealed table: {sealed.why}")


@pytest.mark.slow
def test_nothing_depends_on_what_a_ruling_leaves_open() -> None:
    """Other chances than those with which the rulings of a file hold."""
    results = [result for case in cases() for result in held_twice(case, "other", "third")]
    assert [str(result) for result in results if result.outcome != "ok"] == []


def test_ids_are_kebab_case() -> None:
    assert [case.id for case in cases() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", case.id)] == []


def test_every_ruling_covers_rules_that_exist() -> None:
    assert covered() <= NUMBERS
    assert [case.id for case in cases() if case.ruling is not None and not case.ruling.covers] == []


def test_every_rule_is_covered() -> None:
    assert sorted(NUMBERS - covered() - set(not_executable())) == []


def test_a_rule_is_called_not_executable_only_where_no_ruling_covers_it() -> None:
    assert sorted(covered() & set(not_executable())) == []
    assert set(not_executable()) <= NUMBERS
    assert all(not_executable().values())


@SAMPLED
def test_every_ruling_needs_the_moves_that_it_makes(every: int) -> None:
    """Without its moves, apart from the refused ones, it does not hold: else they would show nothing."""
    idle = []
    for case in cases()[::every]:
        assert case.ruling is not None
        refused = [line for line in case.ruling.when if line.refused]
        if len(refused) < len(case.ruling.when):
            without = replace(case, ruling=replace(case.ruling, when=refused))
            idle += [case.id] if run(without).outcome == "ok" else []
        elif not refused:
            assert case.ruling.then != Then(), case.id
    assert idle == []


@pytest.mark.parametrize("sealed", quick([False, True], False), ids=["open", "sealed"])
@SAMPLED
def test_what_is_open_at_the_end_of_a_ruling_is_accepted(*, sealed: bool, every: int) -> None:
    for at in range(0, len(cases()), every):
        play = _played(at, sealed=sealed)
        for seat in decisions(play.state):
            for action in islice(expand(decisions(play.owners.view(play.state, seat))[seat]), MOST_TRIED):
                assert play.judged(seat, action, Scripted("open")) is None, (seat, action)


@one_case("kind", quick(SECRETIVE, Drawn))
def test_some_ruling_fails_where_an_event_tells_everybody_all(kind: type[Event]) -> None:
    assert any(fails_with(kind, case) for at, case in enumerate(cases()) if kind in happens(at))


def fails_with(kind: type[Event], case: Case) -> bool:
    """Whether a ruling fails where events of a kind tell everybody all."""
    with mock.patch.object(kind, "redact", lambda self, viewer: self):
        return "is told" in run(case).why


@cache
def happens(at: int) -> frozenset[type[Event]]:
    """The kinds of events in a ruling at a sealed table: seals are broken only there."""
    return frozenset(map(type, _played(at, sealed=True).events))


@cache
def _played(at: int, *, sealed: bool) -> Play:
    """How the ruling of this index ends; nobody plays on."""
    ruling = cases()[at].ruling
    assert ruling is not None
    return played(ruling, sealed=sealed)
