"""Digests of seeded games, 50 of each edition, so that any change of behaviour is seen.

After a change that is meant: `python -m tests.engine.test_goldens` writes them anew; say in the commit why.
"""

import hashlib
import json
import random
from pathlib import Path

import pytest

from citadels_lan.engine import EDITIONS, encode_event
from tests.effort import quick
from tests.engine.games import Game
from tests.engine.tables import Tables

GOLDENS = Path(__file__).with_name("goldens.json")
GAMES = 50
PARTS = 3


def game(edition: str, number: int) -> Game:
    """Game `number` of an edition: every number of players in turn, options, cast and districts of its own."""
    players = EDITIONS[edition].players
    return Game(number, Tables((edition,)).draw(random.Random(number), players[number % len(players)]))


def digest(edition: str, number: int) -> str:
    """A digest of every line said and every event of a game."""
    digested = hashlib.sha256()
    for said, events in game(edition, number).steps():
        digested.update(json.dumps([said, *map(encode_event, events)]).encode())
    return digested.hexdigest()[:16]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("part", quick(range(PARTS), 0))
def test_games_go_as_they_always_went(edition: str, part: int) -> None:
    expected = json.loads(GOLDENS.read_text(encoding="utf-8"))[edition]
    numbers = range(part, GAMES, PARTS)
    assert [digest(edition, number) for number in numbers] == expected[part::PARTS]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_games_use_every_character_every_number_of_players_and_every_option(edition: str) -> None:
    setups = [game(edition, number).setup for number in range(GAMES)]
    assert {setup.players for setup in setups} == set(EDITIONS[edition].players)
    assert {character for setup in setups for character in setup.cast} == set(EDITIONS[edition].characters)
    assert {option for setup in setups for option in setup.options} == {
        (name, value) for name, values in EDITIONS[edition].options.items() for value in list(values)[1:]
    }


if __name__ == "__main__":
    written = {edition: [digest(edition, number) for number in range(GAMES)] for edition in EDITIONS}
    GOLDENS.write_text(json.dumps(written, indent=0) + "\n", encoding="utf-8")
