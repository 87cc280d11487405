"""The limits that docs/protocol.md states, each with a function that provokes it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from citadels_lan.crypto.codec import Malformed

WRITTEN: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
LIMITS: Final[dict[str, Callable[..., Any]]] = {}
"""By the words of docs/protocol.md, what provokes the limit."""


def limit(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that checks the limit with these words of docs/protocol.md: a value just within the
    limit is accepted, and one just beyond it rejected. The function may take a folder."""

    def register(provoke: Callable[..., Any]) -> Callable[..., Any]:
        assert words not in LIMITS
        LIMITS[words] = provoke
        return provoke

    return register


def malformed(call: Callable[..., object], *arguments: object) -> None:
    """Check that the call raises Malformed."""
    with pytest.raises(Malformed):
        call(*arguments)
