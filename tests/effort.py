"""How many examples hypothesis tries: few in a quick run (`-m "not slow"`), all of them in a full one.

A quick run tries the same ones every time; a full one tries new ones. With `--hypothesis-profile=full` a quick run
tries all.
"""

from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

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


def _slow(value: object) -> object:
    return pytest.param(*value if isinstance(value, tuple) else (value,), marks=pytest.mark.slow)


def without_shrinking(full: int, least: int = 3) -> settings:
    """The same for long stories: always the same ones, and one that fails is told as it was found, for to make it
    smaller takes longer than all of them together."""
    return settings(examples(full, least), derandomize=True, phases=(Phase.explicit, Phase.generate))


def examples(full: int, least: int = 3) -> settings:
    """So many examples in a full run, for a test that is dearer or cheaper than others; `least` in any."""
    return settings(max_examples=max(least, full * settings().max_examples // FULL))
