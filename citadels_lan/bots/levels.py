"""The levels of bots, by name."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final, TypeAlias

from .at_random import RandomPolicy
from .policy import Policy
from .skipping import SkippingPolicy
from .thumb.careless import CarelessPolicy
from .thumb.sensible import SensiblePolicy
from .thumb.taste import TASTES, Taste

Seed: TypeAlias = int | str
Maker: TypeAlias = Callable[[Seed], Policy]
Tasteful: TypeAlias = Callable[[Seed, Taste], Policy]


def _normal(seed: Seed, taste: Taste) -> Policy:
    from .thumb.normal import NormalPolicy

    return NormalPolicy(seed, taste)


def _hard(seed: Seed, taste: Taste) -> Policy:
    from .search.searching import HARD, SearchingPolicy

    return SearchingPolicy(seed, HARD, taste)


def _expert(seed: Seed, taste: Taste) -> Policy:
    from .search.searching import EXPERT, SearchingPolicy

    return SearchingPolicy(seed, EXPERT, taste)


PLAIN_LEVELS: Final[Mapping[str, Maker]] = {"random": RandomPolicy, "sensible": SensiblePolicy}
"""Those that all play alike."""
TASTEFUL_LEVELS: Final[Mapping[str, Tasteful]] = {
    "easy": CarelessPolicy,
    "normal": _normal,
    "hard": _hard,
    "expert": _expert,
}
"""Those in which players differ by what they like, not by what they know."""
ORDER: Final = ("random", "easy", "sensible", "normal", "hard", "expert")
"""The plain names, the best last."""


class Levels(Mapping[str, Maker]):
    """Every level by its name. Those with tastes are known by the name of one, too (`hard/rusher`); by the plain
    name the seed decides which it is."""

    def __getitem__(self, name: str) -> Maker:
        level, slash, taste = name.partition("/")
        if not slash and level in PLAIN_LEVELS:
            return PLAIN_LEVELS[level]
        make = TASTEFUL_LEVELS[level]
        if not slash:
            return lambda seed: make(seed, Random(f"taste of {seed}").choice(list(TASTES.values())))
        liked = TASTES[taste]
        return lambda seed: make(seed, liked)

    def __iter__(self) -> Iterator[str]:
        """The plain names, the best last."""
        return iter(ORDER)

    def __len__(self) -> int:
        return len(ORDER)


LEVELS: Final = Levels()
SUBSTITUTES: Final[Mapping[str, Maker]] = {**LEVELS, "skip": SkippingPolicy}
"""The bots that may move for a player who is gone."""


def make_substitute(level: str, seed: Seed) -> Policy:
    """A bot of a level that moves for somebody. KeyError for an unknown level."""
    return SUBSTITUTES[level](seed)


def make_policy(level: str, seed: Seed) -> Policy:
    """A bot of a level; the same seed plays the same in the same situations. KeyError for an unknown level."""
    return LEVELS[level](seed)
