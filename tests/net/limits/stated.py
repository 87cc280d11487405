"""The limits that docs/protocol.md states, each with a function that provokes it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from citadels_lan.crypto.codec import Malformed

WRITTEN: Final = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
LIMITS: Final[dict[str, Callable[..., Any]]] = {}
"""The functions that check a limit, by the words with which docs/protocol.md states it."""


def limit(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator that registers a function to check the limit that docs/protocol.md states with these words.
    It checks that a value just within the limit is accepted, and one just beyond it is rejected. It may take
    a folder."""

    def register(provoke: Callable[..., Any]) -> Callable[..., Any]:
        assert words not in LIMITS
        LIMITS[words] = provoke
        return provoke

    return register


def malformed(call: Callable[..., object], *arguments: object) -> None:
    """Check that the call raises Malformed."""
    with pytest.raises(Malformed):
        call(*arguments)
