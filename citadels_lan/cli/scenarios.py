"""Preset tables, and tables drawn by lot, fitted to the number of players (R006 to R011)."""

import tomllib
from importlib.resources import files
from random import Random
from typing import Final

from citadels_lan.engine.cards import CHARACTERS, RANK, UNIQUES
from citadels_lan.engine.setup import UNIQUES_IN_PLAY, Setup

RANDOM: Final = "random"
NO_RANK_NINE: Final = (2,)
"""With so many players there is no rank 9."""
RANK_NINE_NEEDED: Final = (3, 8)
"""With so many there must be one."""
INSTEAD: Final = {"queen": "artist", "emperor": "king"}
"""Who stands in for a character that this many players cannot use."""
EXTRA_NINTH: Final = "artist"
"""The rank 9 of a preset that names none, at a table that needs one."""

PRESETS: Final[dict[str, dict[str, list[str]]]] = tomllib.loads(
    files(__package__).joinpath("scenarios.toml").read_text(encoding="utf-8")
)
SCENARIOS: Final = (*PRESETS, RANDOM)


def scenario(name: str, players: int, random: Random) -> Setup:
    """The set-up of a scenario of SCENARIOS for a number of players; `random` draws what is left to chance."""
    if name == RANDOM:
        return Setup(
            players, _random_cast(players, random), tuple(sorted(random.sample(UNIQUES, UNIQUES_IN_PLAY)))
        )
    preset = PRESETS[name]
    return Setup(players, _fitted(preset["cast"], players), tuple(preset["uniques"]))


def usable(character: str, players: int) -> bool:
    """Whether a table of this size may have a character."""
    least, most = CHARACTERS[character].players
    return least <= players <= most


def _fitted(cast: list[str], players: int) -> tuple[str, ...]:
    wanted = cast[:8] if players in NO_RANK_NINE else cast
    fitted = [character if usable(character, players) else INSTEAD[character] for character in wanted]
    if players in RANK_NINE_NEEDED and len(fitted) == 8:
        fitted.append(EXTRA_NINTH)
    return tuple(fitted)


def _random_cast(players: int, random: Random) -> tuple[str, ...]:
    ranks = 8
    if players not in NO_RANK_NINE:
        ranks += players in RANK_NINE_NEEDED or random.random() < 0.5
    return tuple(
        random.choice([key for key in CHARACTERS if RANK[key] == rank and usable(key, players)])
        for rank in range(1, ranks + 1)
    )
