"""What a table will play, while it is being chosen: the scenario, the cast and the unique districts.

Every step asks the engine whether it may be, and raises its Unplayable where it may not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from msgspec.structs import replace as changed

from citadels_lan.engine import DEFAULT, EDITIONS, Edition, TableConfig, Unplayable, check, from_scenario
from citadels_lan.net.host.lobby import RANDOM

from .table_session import Settings

OWN: Final = ""
"""The scenario of a cast or districts chosen by hand."""
FIRST: Final = "first_game"


@dataclass(frozen=True)
class Plan:
    """Cast and unique districts for so many players; None where the table's chance draws them.

    `base` is the scenario to go back to, `nine` whether a scenario's rank 9 is used where it is optional.
    """

    players: int
    scenario: str = FIRST
    cast: tuple[str, ...] | None = None
    uniques: tuple[str, ...] | None = None
    nine: bool = False
    base: str = FIRST

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return EDITIONS[DEFAULT]

    @property
    def ways(self) -> tuple[str, ...]:
        """All there is to choose from: the scenarios, chance, one's own choice."""
        return (*self.edition.scenarios, RANDOM, OWN)

    @property
    def wanted(self) -> int:
        """How many unique districts are chosen."""
        return self.edition.casting.chosen or len(self.edition.uniques)

    # Between the settings of a table and this

    @classmethod
    def of(cls, settings: Settings) -> "Plan":
        """What these settings will play."""
        plan = cls(settings.players, settings.scenario, nine=settings.rank_nine)
        if settings.scenario in plan.edition.scenarios:
            plan = plan.like(settings.scenario)
        if not settings.cast and not settings.uniques:
            return plan
        cast, uniques = settings.cast or plan.cast, settings.uniques or plan.uniques
        return replace(plan, scenario=OWN, cast=cast, uniques=uniques)

    def settings(self, now: Settings) -> Settings:
        """The settings of a table that plays this."""
        cast, uniques = (self.cast or (), self.uniques or ()) if self.scenario == OWN else ((), ())
        nine = self.nine and self.scenario in self.edition.scenarios
        return changed(
            now, players=self.players, scenario=self.scenario, rank_nine=nine, cast=cast, uniques=uniques
        )

    # Whether it may be

    def problem(self) -> Unplayable | None:
        """Why the rules do not allow this; None where they do."""
        if self.uniques == ():  # to the engine, a set-up that draws them
            return Unplayable("fourteen_uniques", count=0)
        try:
            check(TableConfig(self.players, self.cast or (), self.uniques or ()))
        except Unplayable as reason:
            return reason
        return None

    def why_not(self, character: str) -> Unplayable | None:
        """Why a character cannot be used; None where it can."""
        try:
            self.choose(character)
        except Unplayable as reason:
            return reason
        return None

    # Choosing

    def like(self, way: str) -> "Plan":
        """A scenario, everything by chance, or what it is now as a choice of one's own."""
        if way in self.edition.scenarios:
            config = from_scenario(way, self.players, rank_nine=self.nine)
            return replace(self, scenario=way, cast=config.cast, uniques=config.districts, base=way)
        if way == RANDOM:
            return replace(self, scenario=way, cast=None, uniques=None)
        if self.scenario == RANDOM:
            return replace(self, scenario=OWN, cast=self._cast(), uniques=self._uniques())
        return replace(self, scenario=OWN)

    def next(self, step: int) -> "Plan":
        """The next way to choose, or the one before."""
        here = self.ways.index(self.scenario) if self.scenario in self.ways else 0
        return self.like(self.ways[(here + step) % len(self.ways)])

    def back(self) -> "Plan":
        """The scenario's own cast and districts again."""
        return self.like(self.base)

    def choose(self, character: str) -> "Plan":
        """This character for its rank. Raises Unplayable."""
        by_rank = {self.edition.ranks[key]: key for key in self._cast()} | {
            self.edition.ranks[character]: character
        }
        cast = tuple(by_rank[rank] for rank in sorted(by_rank))
        check(TableConfig(self.players, cast))
        return self._own(cast, self.uniques)

    def without_nine(self) -> "Plan":
        """No character of rank 9. Raises Unplayable."""
        cast = self._cast()[:8]
        check(TableConfig(self.players, cast))
        return self._own(cast, self.uniques)

    def toggle(self, unique: str) -> "Plan":
        """This unique district in or out."""
        chosen = set(self.uniques or ()) ^ {unique}
        return self._own(self.cast, self._ordered(chosen))

    def filled(self, dice: Random) -> "Plan":
        """As many unique districts more as are missing, by chance."""
        chosen = list(self.uniques or ())[: self.wanted]
        free = [key for key in self.edition.uniques if key not in chosen]
        return self._own(self.cast, self._ordered((*chosen, *dice.sample(free, self.wanted - len(chosen)))))

    def with_uniques(self, uniques: Sequence[str] | None) -> "Plan":
        """Exactly these unique districts; None where chance draws them."""
        return self._own(self.cast, None if uniques is None else self._ordered(uniques))

    def draw_cast(self) -> "Plan":
        """The cast by the table's chance, or chosen after all."""
        return self._own(self._cast() if self.cast is None else None, self.uniques)

    def draw_uniques(self) -> "Plan":
        """The unique districts by the table's chance, or chosen after all."""
        return self.with_uniques(self._uniques() if self.uniques is None else None)

    def for_players(self, players: int) -> "Plan":
        """The same for another number of players, with the substitutions of the book."""
        if self.scenario in self.edition.scenarios:
            return replace(self, players=players).like(self.scenario)
        cast = self.cast and self._substituted(self.cast, players)
        return replace(self, players=players, cast=cast)

    def _substituted(self, cast: Sequence[str], players: int) -> tuple[str, ...]:
        ninth = self.edition.scenarios[self.base].rank_nine or ""
        return self.edition.casting.substituted(cast, players, ninth)

    def _cast(self) -> tuple[str, ...]:
        """The cast, or that to begin choosing from."""
        return self.cast or from_scenario(self.base, self.players, rank_nine=self.nine).cast

    def _uniques(self) -> tuple[str, ...]:
        return self.edition.scenarios[self.base].districts if self.uniques is None else self.uniques

    def _own(self, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        """This cast and these districts, as what they are: a scenario's own, all by chance, or chosen by hand."""
        own = replace(self, scenario=OWN, cast=cast, uniques=uniques)
        if cast is None and uniques is None:
            return replace(own, scenario=RANDOM)
        for nine in (False, True):
            named = replace(own, nine=nine).like(self.base)
            if cast == named.cast and set(uniques or ()) == set(named.uniques or ()):
                return named
        return own

    def _ordered(self, uniques: Sequence[str] | set[str]) -> tuple[str, ...]:
        """Unique districts in the order of the box; what is none of them, or is there twice, stays."""
        box = self.edition.uniques
        known = [key for key in box if key in uniques]
        return (*known, *(key for key in dict.fromkeys(uniques) if key not in box))
