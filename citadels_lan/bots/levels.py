"""The levels of bots by name, and the policy that does as little as possible (`SkippingPolicy`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from citadels_lan.bots.at_random import RandomPolicy, deal_at_random
from citadels_lan.bots.heuristics.policies import CarelessPolicy, SensiblePolicy
from citadels_lan.bots.heuristics.values import TASTES, Taste
from citadels_lan.bots.policy import Forgetful, Policy
from citadels_lan.engine.action import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State

LEAST: Final = ("pass", "end", "gather gold", "gather")
"""What does least, first; whatever says no goes with it."""


class SkippingPolicy(Forgetful):
    """Passes, says no, ends the turn; takes gold where it must gather, and otherwise any of what it must do."""

    blind = True

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        choice = min(choices, key=_effort)
        return deal_at_random(choice, self._random) if isinstance(choice, Deal) else choice


def _effort(choice: Choice) -> int:
    line = choice.verb if isinstance(choice, Deal) else str(choice)
    if line.endswith(" no"):
        return 0
    return next((at for at, least in enumerate(LEAST) if line.startswith(least)), len(LEAST))


Seed: TypeAlias = int | str
Maker: TypeAlias = Callable[[Seed], Policy]
Tasteful: TypeAlias = Callable[[Seed, Taste], Policy]


def _normal(seed: Seed, taste: Taste) -> Policy:
    from citadels_lan.bots.heuristics.policies import NormalPolicy

    return NormalPolicy(seed, taste)


def _hard(seed: Seed, taste: Taste) -> Policy:
    from citadels_lan.bots.search.searching import HARD, SearchingPolicy

    return SearchingPolicy(seed, HARD, taste)


def _expert(seed: Seed, taste: Taste) -> Policy:
    from citadels_lan.bots.search.searching import EXPERT, SearchingPolicy

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
