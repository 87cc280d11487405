"""The games of tests/crypto, which nobody changes, and what verification must say of a cheating host."""

import pytest

from tests.crypto.conftest import duel, marked

from . import court
from .attacks import Verdict, row_of

__all__ = ["duel", "marked"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every attack is made on a table with a sealed draft, too, where it means anything there."""
    if "verdict" in metafunc.fixturenames:
        known = {mark.name for mark in metafunc.definition.iter_markers()}
        kinds = known & {"open_draft", "sealed_draft"} or {"open_draft", "sealed_draft"}
        drafts = [
            pytest.param(
                kind.removesuffix("_draft"), marks=[pytest.mark.slow] * (len(kinds) > 1 and kind[0] == "s")
            )
            for kind in sorted(kinds)
        ]
        metafunc.parametrize("draft", drafts, indirect=True)


@pytest.fixture
def draft(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the tables of a test have an open or a sealed draft."""
    kind: str = request.param
    monkeypatch.setattr(court, "DRAFT", kind)
    return kind


@pytest.fixture
def verdict(request: pytest.FixtureRequest, draft: str) -> Verdict:
    """What `verify` has to say by the test's row."""
    return Verdict(row_of(request.node))
