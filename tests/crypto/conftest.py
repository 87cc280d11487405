"""Games that many tests look at; nobody changes them."""

import pytest
from msgspec.structs import replace

from citadels_lan.engine import Setup

from .table import Game, begin, setup_for


@pytest.fixture(scope="session")
def duel() -> Game:
    """A whole game of two."""
    return begin(2).play()


@pytest.fixture(scope="session")
def four() -> Game:
    """A whole game of four."""
    return begin(4).play()


MARKED: Setup = replace(setup_for(4), cast=("magistrate", "blackmailer", *setup_for(4).cast[2:]))
"""A table with both characters that seal what they place."""


@pytest.fixture(scope="session")
def marked() -> Game:
    """A whole game with warrants and threats: some seals are broken, some opened after the game."""
    return begin(setup=MARKED, seed=1).play()
