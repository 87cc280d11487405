"""All tests of screens wait for a screen as the module `waiting` describes."""

from collections.abc import Iterator

import pytest

from .waiting import quick_waiting


@pytest.fixture(scope="session", autouse=True)
def settling() -> Iterator[None]:
    """In every test of screens, wait for a screen as `waiting` does."""
    with quick_waiting():
        yield
