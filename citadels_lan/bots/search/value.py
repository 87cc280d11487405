"""What a table is worth to each seat when a round has ended, or a turn: its chance to win."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Final

from msgspec import json

from citadels_lan.engine import DEFAULT
from citadels_lan.engine.state import State

from .features import NAMES, progress, standings

GROUPS: Final = {2: 2, 3: 3, 4: 4, 5: 4}
"""Which number of players shares whose weights; all larger ones share those of LARGE."""
LARGE: Final = 7
PLACE: Final = 0.1
"""How much being before others counts beside winning."""
Weights = tuple[tuple[float, ...], tuple[float, ...]]
"""The weight of each feature at the beginning of a game, and at its end; in between both count in parts."""


def group(edition: str, players: int) -> str:
    """The name of the weights for an edition and a number of players."""
    return f"{edition}/{GROUPS.get(players, LARGE)}"


@cache
def all_weights() -> Mapping[str, Weights]:
    """The weights by their group, as `citadels_lan.bots.training` has made them."""
    text = files("citadels_lan.bots.search").joinpath("weights.json").read_bytes()
    named = json.decode(text, type=dict[str, dict[str, tuple[float, float]]])
    return {key: _in_order(features) for key, features in named.items()}


@cache
def weights_of(edition: str, players: int) -> Weights:
    """Those of the table's group; where nobody has learned them, those of the likest one there is."""
    known = all_weights()
    names = [group(edition, players), f"{edition}/4", group(DEFAULT, players), f"{DEFAULT}/4"]
    return next(known[name] for name in names if name in known)


def _in_order(features: Mapping[str, tuple[float, float]]) -> Weights:
    early, late = zip(*(features.get(name, (0.0, 0.0)) for name in NAMES), strict=True)
    return early, late


def chances(state: State, weights: Weights | None = None) -> list[float]:
    """Every seat's chance to win, in a round or turn that has ended or a game that is over."""
    if state.phase == "over":
        return _shares(state)
    return softmax(_strengths(state, weights))


def prospects(state: State) -> list[float]:
    """What those who think ahead go by, for every seat: its chance to win, and a little of how far it is before
    the others, or behind: also where the victory is out of reach, or sure, some moves are better than others."""
    if state.phase == "over":
        strengths: list[float] = [score.total for score in state.scores]
        winning = _shares(state)
    else:
        strengths = _strengths(state)
        winning = softmax(strengths)
    return [
        (1 - PLACE) * chance + PLACE * place for chance, place in zip(winning, _places(strengths), strict=True)
    ]


def _shares(state: State) -> list[float]:
    """What each seat has of the victory."""
    return [(seat in state.winners) / len(state.winners) for seat in range(len(state.players))]


def _strengths(state: State, weights: Weights | None = None) -> list[float]:
    """What every seat's standing promises, as a logit."""
    early, late = weights or weights_of(state.edition, len(state.players))
    done = progress(state)
    mixed = [first + done * (last - first) for first, last in zip(early, late, strict=True)]
    return [sum(map(mul, mixed, features)) for features in standings(state)]


def _places(strengths: Sequence[float]) -> list[float]:
    """The chance of each to be before another one, on average; between equals it is a half."""
    others = len(strengths) - 1
    return [(sum([1 / (1 + exp(one - own)) for one in strengths]) - 0.5) / others for own in strengths]


def softmax(values: Sequence[float]) -> list[float]:
    """Shares of one, each as large as the exponential of its value."""
    most = max(values)
    parts = [exp(value - most) for value in values]
    whole = sum(parts)
    return [part / whole for part in parts]
