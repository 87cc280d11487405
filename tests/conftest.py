"""What holds for all tests."""

from collections.abc import Iterator

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
