"""Every test of screens waits for them as `waiting` does."""

from collections.abc import Iterator

import pytest

from .waiting import quick_waiting


@pytest.fixture(scope="session", autouse=True)
def settling() -> Iterator[None]:
    """Use that in every test of screens."""
    with quick_waiting():
        yield
