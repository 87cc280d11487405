"""Digests of 200 seeded games, so that any change of behaviour is seen.

After a change that is meant: `python -m tests.engine.test_goldens` writes them anew; say in the commit why.
"""

import hashlib
import json
import random
from pathlib import Path

import pytest

from citadels_lan.engine import encode_event
from tests.engine.games import Game, random_setup
from tests.facts import CHARACTERS

GOLDENS = Path(__file__).with_name("goldens.json")
GAMES = 200
PARTS = 8


def game(number: int) -> Game:
    """Game `number`: 2 to 8 players in turn, a cast and unique districts of its own."""
    return Game(number, random_setup(random.Random(number), 2 + number % 7))


def digest(number: int) -> str:
    """A digest of every line said and every event of a game."""
    digested = hashlib.sha256()
    for said, events in game(number).steps():
        digested.update(json.dumps([said, *map(encode_event, events)]).encode())
    return digested.hexdigest()[:16]


@pytest.mark.parametrize("part", range(PARTS))
def test_games_go_as_they_always_went(part: int) -> None:
    expected = json.loads(GOLDENS.read_text(encoding="utf-8"))
    numbers = range(part, GAMES, PARTS)
    assert {str(number): digest(number) for number in numbers} == {
        number: value for number, value in expected.items() if int(number) in numbers
    }


def test_the_games_use_every_character_and_every_number_of_players() -> None:
    setups = [game(number).setup for number in range(GAMES)]
    assert {setup.players for setup in setups} == set(range(2, 9))
    assert {character for setup in setups for character in setup.cast} == set(CHARACTERS)


if __name__ == "__main__":
    GOLDENS.write_text(json.dumps({str(n): digest(n) for n in range(GAMES)}, indent=0) + "\n", encoding="utf-8")
