"""The unchanged games of tests/crypto, and both kinds of drafts."""

import pytest

from tests.crypto.conftest import duel, four, marked, stood

from . import court

__all__ = ["duel", "four", "marked", "stood"]


@pytest.fixture(params=["open", pytest.param("sealed", marks=pytest.mark.slow)])
def draft(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both kinds of drafts; without this fixture a table has an open one."""
    kind: str = request.param
    monkeypatch.setattr(court, "DRAFT", kind)
    return kind
