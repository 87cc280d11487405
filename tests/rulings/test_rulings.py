"""Every ruling in this folder holds, and every numbered rule has a ruling."""

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
RULES = dict(re.findall(r"^- \*\*(R\d{3})\*\* (.+)$", (HERE / "rules.md").read_text(encoding="utf-8"), re.M))
NUMBERS = set(RULES)


MOST_TRIED = 60
"""The largest number of listed moves that are tried at the end of a ruling."""
QUICK = 8
"""In a quick test run, slow checks use only every eighth ruling."""
SAMPLED = pytest.mark.parametrize("every", quick([QUICK, 1], QUICK))


SECRETIVE = [kind for kind, row in telling.SAYS.items() if row.keys() - telling.PUBLIC and kind is not Inquired]
"""The kinds of events with secrets, without the inquiry of a sealed draft. No ruling has a sealed draft;
`tests/engine/sealed` tests these."""


@cache
def cases() -> list[Case]:
    """Return all rulings of this folder."""
    return load([str(HERE)])


def not_executable() -> dict[str, str]:
    """Return the numbers of rules that no ruling can test, each with the reason."""
    found: dict[str, str] = load_yaml((HERE / NOT_RULINGS).read_text(encoding="utf-8"))
    return found


def covered() -> set[str]:
    return {number for case in cases() if case.ruling is not None for number in case.ruling.covers}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HERE).with_suffix("").as_posix())
def test_rulings_of_each_file_hold(path: Path) -> None:
    """Each ruling is played at an open table, and at a sealed one with other random draws."""
    results = [result for case in cases() if case.path == path for result in held_twice(case)]
    assert [str(result) for result in results if result.outcome != "ok"] == []


def held_twice(case: Case, open_chance: str = "", sealed_chance: str = "other") -> Iterator[Result]:
    assert case.ruling is not None, f"{case.id}: {case.problem}"
    yield run_once(case, case.ruling, open_chance)
    sealed = run_once(case, case.ruling, sealed_chance, sealed=True)
    yield replace(sealed, why=f"at a sealed table: {sealed.why}")


@pytest.mark.slow
def test_rulings_hold_with_other_random_draws() -> None:
    """The seeds differ from those of `test_rulings_of_each_file_hold`."""
    results = [result for case in cases() for result in held_twice(case, "other", "third")]
    assert [str(result) for result in results if result.outcome != "ok"] == []


def test_every_rule_number_used_in_the_project_has_a_sentence() -> None:
    root = HERE.parent.parent
    files = [
        path for folder in ("citadels_lan", "docs", "extras", "tests") for path in (root / folder).rglob("*.*")
    ]
    named = {
        number
        for path in files
        if path.suffix in (".py", ".md", ".yaml", ".toml")
        for number in re.findall(r"\bR\d{3}\b", path.read_text(encoding="utf-8"))
    }
    assert sorted(named - NUMBERS) == []
    assert list(RULES) == [f"R{number:03}" for number in range(1, len(RULES) + 1)]


def test_ruling_ids_are_kebab_case() -> None:
    assert [case.id for case in cases() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", case.id)] == []


def test_every_ruling_covers_existing_rules() -> None:
    assert covered() <= NUMBERS
    assert [case.id for case in cases() if case.ruling is not None and not case.ruling.covers] == []


def test_every_rule_has_a_ruling() -> None:
    assert sorted(NUMBERS - covered() - set(not_executable())) == []


def test_rule_marked_not_executable_has_no_ruling() -> None:
    assert sorted(covered() & set(not_executable())) == []
    assert set(not_executable()) <= NUMBERS
    assert all(not_executable().values())


@SAMPLED
def test_every_ruling_fails_without_its_moves(every: int) -> None:
    """If a ruling held without its moves, the moves would prove nothing. Moves that the rules reject are
    kept."""
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
def test_listed_moves_at_the_end_of_a_ruling_are_accepted(*, sealed: bool, every: int) -> None:
    for at in range(0, len(cases()), every):
        play = _played(at, sealed=sealed)
        for seat in decisions(play.state):
            for action in islice(expand(decisions(play.owners.view(play.state, seat))[seat]), MOST_TRIED):
                assert play.judged(seat, action, Scripted("open")) is None, (seat, action)


@one_case("kind", quick(SECRETIVE, Drawn))
def test_each_kind_of_unredacted_event_makes_some_ruling_fail(kind: type[Event]) -> None:
    assert any(fails_with(kind, case) for at, case in enumerate(cases()) if kind in happens(at))


def fails_with(kind: type[Event], case: Case) -> bool:
    """Return whether the ruling fails if events of the kind `kind` are sent without redaction."""
    with mock.patch.object(kind, "redact", lambda self, viewer: self):
        return "is told" in run(case).why


@cache
def happens(at: int) -> frozenset[type[Event]]:
    """Return the kinds of events that happen in ruling number `at` at a sealed table, where players prove
    their markers."""
    return frozenset(map(type, _played(at, sealed=True).events))


@cache
def _played(at: int, *, sealed: bool) -> Play:
    """Return the table of ruling number `at` after its moves."""
    ruling = cases()[at].ruling
    assert ruling is not None
    return played(ruling, sealed=sealed)
