"""How many examples hypothesis tries: few in a quick run (`-m "not slow"`), all of them in a full one.

A quick run tries the same ones every time; a full one tries new ones. With `--hypothesis-profile=full` a quick run
tries all.
"""

import inspect
import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

PARAM: Final = type(pytest.param())
FULL: Final = 100
QUICK: Final = 12
"""Of every hundred examples so many are tried in a quick run."""


def load(config: pytest.Config) -> None:
    """Choose the profile, before any test is read."""
    settings.register_profile("full", max_examples=FULL, deadline=None)
    settings.register_profile("quick", max_examples=QUICK, deadline=None, derandomize=True)
    asked = config.getoption("--hypothesis-profile", None)
    quick = config.getoption("markexpr", "") == "not slow"
    settings.load_profile(asked or ("quick" if quick else "full"))


def quick(values: Iterable[Any], *chosen: object) -> list[Any]:
    """What a test is given: in a quick run the chosen ones only. A tuple is several arguments."""
    return [value if value in chosen else _slow(value) for value in values]


def one_case(
    names: str | Sequence[str], values: Iterable[Any], **_ids: object
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """As `pytest.mark.parametrize`, but all parameters are one case, also those of `parametrize` below it. The
    case fails with a list of the parameters that fail. For tests that cost less than a case each would."""

    def of(test: Callable[..., None]) -> Callable[[], None]:
        marks = [pytest.mark.parametrize(names, values).mark, *vars(test).pop("pytestmark", ())]
        axes = [
            [_named(mark.args[0], value) for value in mark.args[1]] for mark in marks if mark.name == "parametrize"
        ]

        @wraps(test)
        def tested() -> None:
            failures, count = [], 0
            for chosen in itertools.product(*axes):
                if settings().max_examples >= FULL or not any(slow for _, slow in chosen):
                    given = {name: value for named, _ in chosen for name, value in named.items()}
                    count += 1
                    try:
                        test(**given)
                    except (Exception, pytest.fail.Exception) as error:
                        error.add_note(f"with {given}")
                        failures.append(error)
            assert count, "there are no parameters"
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {count} sets of parameters fail", failures)

        vars(tested)["__signature__"] = inspect.Signature()
        vars(tested)["pytestmark"] = [mark for mark in marks if mark.name != "parametrize"]
        return tested

    return of


def _named(names: str | Iterable[str], value: Any) -> tuple[dict[str, Any], bool]:
    """The arguments of a value of `parametrize`, and whether it is for full runs only."""
    slow = False
    if isinstance(value, PARAM):
        slow = any(mark.name == "slow" for mark in value.marks)
        value = value.values if len(value.values) > 1 else value.values[0]
    each = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    return dict(zip(each, value if len(each) > 1 else (value,), strict=True)), slow


def _slow(value: object) -> object:
    return pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.slow)


def without_shrinking(full: int, least: int = 3) -> settings:
    """The same for long stories: always the same ones, and one that fails is told as it was found, for to make it
    smaller takes longer than all of them together."""
    return settings(examples(full, least), derandomize=True, phases=(Phase.explicit, Phase.generate))


def examples(full: int, least: int = 3) -> settings:
    """So many examples in a full run, for a test that is dearer or cheaper than others; `least` in any."""
    return settings(max_examples=max(least, full * settings().max_examples // FULL))
