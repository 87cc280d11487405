"""What holds for all tests."""

import pytest

from . import effort


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is read."""
    effort.load(config)
