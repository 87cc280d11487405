"""The levels of bots by name, and a policy that does as little as possible (`SkippingPolicy`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final, TypeAlias

from citadels_lan.bots.at_random import RandomPolicy, deal_at_random
from citadels_lan.bots.heuristics.policies import CarelessPolicy, NormalPolicy, SensiblePolicy
from citadels_lan.bots.heuristics.values import TASTES, Taste
from citadels_lan.bots.policy import Forgetful, Policy
from citadels_lan.engine import Action, Choice, Deal, State

LEAST: Final = ("pass", "end", "gather gold", "gather")
"""The beginnings of the lines of notation of moves that do little, the least first. Lines that answer "no"
come before all of them."""


class SkippingPolicy(Forgetful):
    """Passes, answers no and ends the turn. If it must gather, it takes gold. Any other required move is
    random."""

    ignores_view = True

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        """Return the choice that does least."""
        choice = min(choices, key=_effort)
        return deal_at_random(choice, self._random) if isinstance(choice, Deal) else choice


def _effort(choice: Choice) -> int:
    line = choice.verb if isinstance(choice, Deal) else str(choice)
    if line.endswith(" no"):
        return 0
    return next((at for at, least in enumerate(LEAST) if line.startswith(least)), len(LEAST))


Seed: TypeAlias = int | str
Maker: TypeAlias = Callable[[Seed], Policy]
TasteMaker: TypeAlias = Callable[[Seed, Taste], Policy]


def _searching(level: str, seed: Seed, taste: Taste) -> Policy:
    # Imported when needed: programs without such bots start faster.
    from citadels_lan.bots.search.searching import EFFORTS, SearchingPolicy

    return SearchingPolicy(seed, EFFORTS[level], taste)


PLAIN_LEVELS: Final[Mapping[str, Maker]] = {"random": RandomPolicy, "sensible": SensiblePolicy}
"""The levels whose bots have no preferences."""
TASTEFUL_LEVELS: Final[Mapping[str, TasteMaker]] = {
    "easy": CarelessPolicy,
    "normal": NormalPolicy,
    "hard": partial(_searching, "hard"),
    "expert": partial(_searching, "expert"),
}
"""The levels whose bots have different preferences (`Taste`) with the same strength."""
ORDER: Final = ("random", "easy", "sensible", "normal", "hard", "expert")
"""The names of the levels, the strongest last."""


class Levels(Mapping[str, Maker]):
    """Every level by its name. For a level with tastes, a name with a taste is also allowed (`hard/rusher`);
    without it, the seed decides the taste. `plugins` are the bots that the user of this program has added;
    iteration does not include them."""

    def __init__(self) -> None:
        self.plugins: dict[str, Maker] = {}

    def __getitem__(self, name: str) -> Maker:
        level, slash, taste = name.partition("/")
        if name in self.plugins:
            return self.plugins[name]
        if not slash and level in PLAIN_LEVELS:
            return PLAIN_LEVELS[level]
        make = TASTEFUL_LEVELS[level]
        if not slash:
            return lambda seed: make(seed, Random(f"taste of {seed}").choice(list(TASTES.values())))
        liked = TASTES[taste]
        return lambda seed: make(seed, liked)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the levels, the strongest last."""
        return iter(ORDER)

    def __len__(self) -> int:
        return len(ORDER)


LEVELS: Final = Levels()
SUBSTITUTES: Final[Mapping[str, Maker]] = {**LEVELS, "skip": SkippingPolicy}
"""The bots that may move for a disconnected player."""


def make_policy(level: str, seed: Seed) -> Policy:
    """Return a bot of a level. Bots with the same level and seed make the same moves in the same situations.
    Raises KeyError for an unknown level."""
    return LEVELS[level](seed)
