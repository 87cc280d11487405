"""The number of examples that Hypothesis tries: few in a quick run (`-m "not slow"`), all in a full one.

A quick run tries the same examples every time, a full run tries new ones. With `--hypothesis-profile=full` a
quick run tries as many as a full run.
"""

import contextlib
import inspect
import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

PARAM: Final = type(pytest.param())
FULL: Final = 100
QUICK: Final = 8
"""A quick run tries this percentage of the examples of a full run."""


def load(config: pytest.Config) -> None:
    """Select the profile before any test is imported."""
    settings.register_profile("full", max_examples=FULL, deadline=None)
    settings.register_profile("quick", max_examples=QUICK, deadline=None, derandomize=True)
    asked = config.getoption("--hypothesis-profile", None)
    quick = config.getoption("markexpr", "") == "not slow"
    settings.load_profile(asked or ("quick" if quick else "full"))


def quick(values: Iterable[Any], *chosen: object) -> list[Any]:
    """Return the values for `parametrize`, marked so that a quick run tries only the `chosen` ones. A value
    that is a tuple has several arguments."""
    return [value if value in chosen else _slow(value) for value in values]


def one_case(
    names: str | Sequence[str], values: Iterable[Any], *, parts: int = 1, **_ids: object
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Like `pytest.mark.parametrize`, but all sets of parameters are run in one test case, including those of
    a `parametrize` below it. The case fails with a list of the parameters that fail. This is for very short
    tests, for which separate cases would take longer than the tests.

    Fixtures are shared by all sets of parameters. But each set has its own `tmp_path`, what it patches with
    `monkeypatch` is undone after it, and what it writes is cleared from `capsys`. `parts`: divide the sets
    into this many cases, so that several workers can share them.
    """

    def of(test: Callable[..., Any]) -> Callable[..., Any]:
        marks = [pytest.mark.parametrize(names, values).mark, *vars(test).pop("pytestmark", ())]
        axes = [
            [_named(mark.args[0], value) for value in mark.args[1]] for mark in marks if mark.name == "parametrize"
        ]
        parameters = {name for axis in axes for name in axis[0][0]}
        signature = inspect.signature(test)
        fixtures = [one for name, one in signature.parameters.items() if name not in parameters]
        if parts > 1:
            fixtures.append(inspect.Parameter("nth_part", inspect.Parameter.KEYWORD_ONLY))

        def sets(failures: list[BaseException], part: int) -> Iterator[dict[str, Any]]:
            full = settings().max_examples >= FULL
            chosen = [each for each in itertools.product(*axes) if full or not any(slow for _, slow in each)]
            assert chosen, "there are no parameters"
            for each in chosen[part::parts]:
                yield {name: value for named, _ in each for name, value in named.items()}
            if failures:
                count = len(chosen[part::parts])
                raise BaseExceptionGroup(f"{len(failures)} of {count} sets of parameters fail", failures)

        @wraps(test)
        def tested(*, nth_part: int = 0, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            for given in sets(failures, nth_part):
                with _noted(given, failures), _own(fixtures) as own:
                    test(**given, **own)

        @wraps(test)
        async def tested_async(*, nth_part: int = 0, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            for given in sets(failures, nth_part):
                with _noted(given, failures), _own(fixtures) as own:
                    await test(**given, **own)

        case = tested_async if inspect.iscoroutinefunction(test) else tested
        vars(case)["__signature__"] = signature.replace(parameters=fixtures)
        vars(case)["pytestmark"] = [mark for mark in marks if mark.name != "parametrize"]
        if parts > 1:
            case = pytest.mark.parametrize("nth_part", range(parts))(case)
        return case

    return of


@contextlib.contextmanager
def _noted(given: dict[str, Any], failures: list[BaseException]) -> Iterator[None]:
    """Context for one set of parameters: if the test fails, add the failure with the parameters to
    `failures`."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        error.add_note(f"with {given}")
        failures.append(error)


@contextlib.contextmanager
def _own(fixtures: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Context that yields the fixtures for one set of parameters: its own `tmp_path`, `monkeypatch` and
    `capsys`."""
    own = dict(fixtures)
    if "tmp_path" in own:
        own["tmp_path"] = Path(tempfile.mkdtemp(dir=own["tmp_path"]))
    with pytest.MonkeyPatch.context() as patch:
        if "monkeypatch" in own:
            own["monkeypatch"] = patch
        yield own
    if "capsys" in own:
        own["capsys"].readouterr()


def _named(names: str | Iterable[str], value: Any) -> tuple[dict[str, Any], bool]:
    """Return two values for a value of `parametrize`: its arguments by their names, and whether only full
    runs try it."""
    slow = False
    if isinstance(value, PARAM):
        assert {mark.name for mark in value.marks} <= {"slow"}, "one case has no marks for some parameters"
        slow = bool(value.marks)
        value = value.values if len(value.values) > 1 else value.values[0]
    each = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    return dict(zip(each, value if len(each) > 1 else (value,), strict=True)), slow


def _slow(value: object) -> object:
    return pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.slow)


def without_shrinking(full: int, least: int = 3) -> settings:
    """Settings for long state machine tests: always the same examples, without shrinking a failing one,
    because shrinking takes longer than all examples together."""
    return settings(examples(full, least), derandomize=True, phases=(Phase.explicit, Phase.generate))


def examples(full: int, least: int = 3) -> settings:
    """Settings for a test that takes more or less time than others: `full` examples in a full run, fewer in a
    quick run, but at least `least`."""
    return settings(max_examples=max(least, full * settings().max_examples // FULL))
