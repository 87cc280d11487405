"""A ban on every source of chance and every clock except the game's own chance."""

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
    """Code used a source of chance other than the port."""


class Ban:
    """While it is `on`, every source of chance fails. `asked` lists the uses, in case an error was swallowed."""

    def __init__(self) -> None:
        self.on = False
        self.asked: list[str] = []

    def __enter__(self) -> None:
        self.on = True

    def __exit__(self, *_: object) -> None:
        self.on = False

    def refusing(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return the source as a function that fails while the ban is on."""

        def refused(*args: object, **options: object) -> Any:
            if self.on:
                self.asked.append(name)
                raise OtherChance(name)
            return real(*args, **options)

        return refused

    def banned(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs under the ban."""

        def wrapped(*args: object, **options: object) -> Any:
            if self.on:
                return real(*args, **options)
            with self:
                return real(*args, **options)

        return wrapped


@contextlib.contextmanager
def watched() -> Iterator[Ban]:
    """Put all sources of chance under the ban that is yielded."""
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
