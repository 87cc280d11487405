"""Whole games of Dark City by chance: every number of players, every option, any cast and any purple districts."""

import random

from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.engine import EDITIONS, TableConfig
from tests.effort import examples
from tests.engine import checks
from tests.engine.games import Game, RandomChance

DARK_CITY = EDITIONS["dark_city"]
seeds = st.integers(min_value=0, max_value=2**32)


def table(rng: random.Random) -> TableConfig:
    """A table of Dark City: options, cast and purple districts by chance."""
    players = rng.choice(DARK_CITY.players)
    options = [(name, rng.choice(list(values))) for name, values in DARK_CITY.options.items()]
    changed = tuple(
        (name, value) for name, value in sorted(options) if value != next(iter(DARK_CITY.options[name]))
    )
    cast = DARK_CITY.casting.draw(DARK_CITY, TableConfig(players), RandomChance(rng.getrandbits(32))).cast
    purples = rng.sample(DARK_CITY.uniques, rng.choice((6, 14, 25)))
    return TableConfig(players, cast, tuple(purples), DARK_CITY.key, changed)


def game(seed: int) -> Game:
    return Game(seed, table(random.Random(seed)))


@examples(40)
@given(seeds)
def test_every_game_ends_and_loses_nothing(seed: int) -> None:
    checks.keeps_cards_and_gold(game(seed))


@examples(25)
@given(seeds)
def test_the_square_commutes_for_every_event_and_viewer(seed: int) -> None:
    checks.square_commutes(game(seed))


@examples(25)
@given(seeds)
def test_what_is_listed_is_what_is_accepted(seed: int) -> None:
    checks.listed_is_accepted(game(seed), every=0.2)
