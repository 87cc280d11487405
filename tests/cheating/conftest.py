"""The games of tests/crypto, which nobody changes, and what verification must say of a cheating host."""

import pytest

from tests.crypto.conftest import duel, marked

from .attacks import Verdict, row_of

__all__ = ["duel", "marked"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "attack(name): tests this row of the table in tests/cheating/test_hosts.py")


@pytest.fixture
def verdict(request: pytest.FixtureRequest) -> Verdict:
    """What `verify` has to say by the test's row."""
    return Verdict(row_of(request.node))
