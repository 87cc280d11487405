"""A ban on every source of chance, and every clock, but the game's own port of chance."""

import contextlib
import os
import random
import secrets
import time
import uuid
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final
from unittest import mock

from tests.play.dice import LabelChance

SOURCES: Final[tuple[tuple[ModuleType, tuple[str, ...]], ...]] = (
    (random, tuple(random.__all__)),
    (secrets, tuple(secrets.__all__)),
    (uuid, ("uuid1", "uuid4")),
    (os, ("urandom", "getrandom")),
    (time, ("time", "time_ns", "monotonic", "perf_counter")),
)


class OtherChance(AssertionError):
    """Something asked for chance beside the port."""


class Ban:
    """While it is `on`, asking any of the sources fails; `asked` has what was, in case the error got lost."""

    def __init__(self) -> None:
        self.on = False
        self.asked: list[str] = []

    def __enter__(self) -> None:
        self.on = True

    def __exit__(self, *_: object) -> None:
        self.on = False

    def refusing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """The source, which fails while the ban is on."""

        def refused(*args: object, **options: object) -> Any:
            if self.on:
                self.asked.append(name)
                raise OtherChance(name)
            return real(*args, **options)

        return refused

    def banned(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """A function that works under the ban."""

        def wrapped(*args: object, **options: object) -> Any:
            if self.on:
                return real(*args, **options)
            with self:
                return real(*args, **options)

        return wrapped


@contextlib.contextmanager
def watched() -> Iterator[Ban]:
    """All sources of chance obey the ban that is given."""
    ban = Ban()
    with contextlib.ExitStack() as stack:
        for module, names in SOURCES:
            for name in names:
                if hasattr(module, name):
                    refusing = ban.refusing(f"{module.__name__}.{name}", getattr(module, name))
                    stack.enter_context(mock.patch.object(module, name, refusing))
        yield ban
    assert not ban.asked


class Port(LabelChance):
    """A port of chance that works under the ban."""

    def _dice(self, label: str) -> random.Random:
        return DICE(f"{self._seed} {label}")


DICE: Final = random.Random
