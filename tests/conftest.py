"""What holds for all tests."""

import os
from collections.abc import Iterator
from unittest import mock

import pytest

from . import effort
from .once import once


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is read."""
    effort.load(config)


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """The same signatures are checked once."""
    with once():
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """No test outlives the machine: nothing waits until the disk has what was written."""
    with mock.patch.object(os, "fsync"):
        yield
