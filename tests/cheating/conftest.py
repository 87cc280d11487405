"""Fixtures for tests of cheating: the unchanged games of tests/crypto, and tables with each kind of draft."""

import pytest

from tests.crypto.conftest import duel, four, marked, stood

from . import court

__all__ = ["duel", "four", "marked", "stood"]


@pytest.fixture(params=["open", pytest.param("sealed", marks=pytest.mark.slow)])
def draft(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the tables of a test have an open draft, then a sealed one. Without this fixture the draft is
    open."""
    kind: str = request.param
    monkeypatch.setattr(court, "DRAFT", kind)
    return kind
