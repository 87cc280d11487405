"""Games that many tests look at; nobody changes them."""

import pytest

from .table import Game, begin


@pytest.fixture(scope="session")
def duel() -> Game:
    """A whole game of two."""
    return begin(2).play()


@pytest.fixture(scope="session")
def four() -> Game:
    """A whole game of four."""
    return begin(4).play()
