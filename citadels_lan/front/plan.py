"""What a table will play, while it is being chosen: edition, options, scenario, cast and unique districts.

Every step asks the engine whether it may be, and raises its Unplayable where it may not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from msgspec.structs import replace as changed

from citadels_lan.engine import (
    EDITIONS,
    RANDOM,
    Edition,
    TableConfig,
    Unplayable,
    check,
    edition_named,
    from_scenario,
    scenario_of,
)
from citadels_lan.engine.config import DraftKind, Value

OWN: Final = ""
"""The scenario of a cast or districts chosen by hand."""


@dataclass(frozen=True)
class Plan:
    """A table as it would be played, and how it was chosen.

    `base` is the scenario to go back to, `nine` whether a scenario's rank 9 is used where it is optional. `bare`:
    no unique district is chosen so far; without it, where the config names none, the edition plays with all of
    them, or chance draws as many as it wants.
    """

    config: TableConfig
    scenario: str
    base: str
    nine: bool = False
    bare: bool = False

    @classmethod
    def of(cls, config: TableConfig) -> "Plan":
        """What a table plays. Raises Unplayable for an edition or an option that there is not."""
        scenario, nine = scenario_of(config) or (OWN, False)
        scenarios = edition_named(config.edition, config.options).scenarios
        base = scenario if scenario in scenarios else next(iter(scenarios), OWN)
        return cls(config, scenario, base, nine)

    @property
    def players(self) -> int:
        """How many play."""
        return self.config.players

    @property
    def cast(self) -> tuple[str, ...] | None:
        """The characters; None where the table's chance draws them."""
        return self._filled.cast or None

    @property
    def uniques(self) -> tuple[str, ...] | None:
        """The unique districts; None where the table's chance draws them."""
        return () if self.bare else self._filled.districts or None

    @property
    def _filled(self) -> TableConfig:
        """With what is neither chosen nor drawn in this edition."""
        return self.edition.casting.filled(self.edition, self.config)

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_named(self.config.edition, self.config.options)

    @property
    def ways(self) -> tuple[str, ...]:
        """All there is to choose from: the scenarios, chance, one's own choice."""
        return (*self.edition.ways, OWN)

    @property
    def wanted(self) -> int:
        """How many unique districts are chosen, at most where the edition does not say."""
        return self.edition.casting.chosen or len(self.edition.uniques)

    @property
    def drafts(self) -> bool:
        """Whether there is a draft, which may be sealed."""
        return self.edition.flow.drafts

    @property
    def chooses(self) -> bool:
        """Whether there are characters and unique districts to choose."""
        return self.edition.casting.chooses_cast

    # Whether it may be

    def problem(self) -> Unplayable | None:
        """Why the rules do not allow this; None where they do."""
        if self.bare:  # to the engine, a table that says nothing of them
            chosen = self.edition.casting.chosen
            return Unplayable("uniques_needed", count=chosen) if chosen else Unplayable("no_uniques")
        try:
            check(self.config)
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

    def why_nine(self) -> Unplayable | None:
        """Why rank 9 cannot be left out; None where it can."""
        try:
            self.without_nine()
        except Unplayable as reason:
            return reason
        return None

    # Choosing an edition

    def in_edition(self, key: str) -> "Plan":
        """Another edition, as it is usually played, for as many players as it allows of these. Where it has a
        draft, a sealed one stays sealed."""
        allowed = edition_named(key).players
        players = min(max(self.players, min(allowed)), max(allowed))
        there = Plan.of(from_scenario(edition_named(key).ways[0], players, edition_key=key))
        return there.with_draft(self.config.draft) if there.drafts else there

    def next_edition(self, step: int) -> "Plan":
        """The next edition that there is, or the one before."""
        keys = list(EDITIONS)
        return self.in_edition(keys[(keys.index(self.config.edition) + step) % len(keys)])

    def option(self, name: str) -> Value:
        """The value of an option."""
        return dict(self.config.options).get(name, next(iter(self.edition.options[name])))

    def with_option(self, name: str, value: Value) -> "Plan":
        """The same with another value of an option. Raises Unplayable."""
        said = {**dict(self.config.options), name: value}
        known = EDITIONS[self.config.edition].options
        options = tuple(sorted((k, v) for k, v in said.items() if k not in known or v != next(iter(known[k]))))
        same = replace(self, config=changed(self.config, options=options))
        after = same.like(self.scenario) if self.scenario in same.edition.scenarios else same
        check(after.config)
        return after

    def next_value(self, name: str, step: int) -> "Plan":
        """The next value of an option, or the one before."""
        values = list(self.edition.options[name])
        return self.with_option(name, values[(values.index(self.option(name)) + step) % len(values)])

    def with_draft(self, draft: DraftKind) -> "Plan":
        """The same with an open draft, or a sealed one. Raises Unplayable."""
        if draft == "sealed" and not self.drafts:
            raise Unplayable("no_draft")
        return replace(self, config=changed(self.config, draft=draft))

    def other_draft(self) -> "Plan":
        """The same with a sealed draft, or with an open one again. Raises Unplayable."""
        return self.with_draft("open" if self.config.draft == "sealed" else "sealed")

    # Choosing cards

    def like(self, way: str) -> "Plan":
        """A scenario, everything by chance, or what it is now as a choice of one's own."""
        if way in self.edition.scenarios:
            return replace(self, config=self._scenario(way), scenario=way, base=way, bare=False)
        if way == RANDOM:
            return self._with(RANDOM, None, None)
        if self.scenario == RANDOM:
            return self._with(OWN, self._cast() or None, self._uniques())
        return replace(self, scenario=OWN)

    def next(self, step: int) -> "Plan":
        """The next way to choose, or the one before."""
        here = self.ways.index(self.scenario) if self.scenario in self.ways else 0
        return self.like(self.ways[(here + step) % len(self.ways)])

    def next_way(self, step: int) -> "Plan":
        """The next scenario, or chance; or the one before."""
        ways = self.edition.ways
        here = ways.index(self.scenario) if self.scenario in ways else -(step > 0)
        return self.like(ways[(here + step) % len(ways)])

    def back(self) -> "Plan":
        """The scenario's own cast and districts again."""
        return self.like(self.base)

    def choose(self, character: str) -> "Plan":
        """This character for its rank. Raises Unplayable."""
        if character not in self.edition.ranks:
            raise Unplayable("unknown_character", character=character)
        by_rank = {self.edition.ranks[key]: key for key in self._cast()} | {
            self.edition.ranks[character]: character
        }
        cast = tuple(by_rank[rank] for rank in sorted(by_rank))
        check(changed(self.config, cast=cast, districts=()))
        return self._own(cast, self.uniques)

    def without_nine(self) -> "Plan":
        """No character of rank 9. Raises Unplayable."""
        cast = tuple(key for key in self._cast() if self.edition.ranks[key] != 9)
        check(changed(self.config, cast=cast, districts=()))
        return self._own(cast, self.uniques)

    def toggle(self, unique: str) -> "Plan":
        """This unique district in or out."""
        chosen = set(self.uniques or ()) ^ {unique}
        return self._own(self.config.cast, self._ordered(chosen))

    def filled(self, dice: Random) -> "Plan":
        """As many unique districts more as are missing, by chance; all where the edition does not say how many."""
        chosen = list(self.uniques or ())[: self.wanted]
        free = [key for key in self.edition.uniques if key not in chosen]
        return self._own(self.config.cast, self._ordered((*chosen, *dice.sample(free, self.wanted - len(chosen)))))

    def with_uniques(self, uniques: Sequence[str] | None) -> "Plan":
        """Exactly these unique districts; None where chance draws them."""
        return self._own(self.config.cast, None if uniques is None else self._ordered(uniques))

    def draw_cast(self) -> "Plan":
        """The cast by the table's chance, or chosen after all."""
        return self._own(None if self.config.cast else self._cast(), self.uniques)

    def draw_uniques(self) -> "Plan":
        """The unique districts by the table's chance, or chosen after all."""
        return self.with_uniques(self._uniques() if self.uniques is None else None)

    def for_players(self, players: int) -> "Plan":
        """The same for another number of players, with the substitutions of the book."""
        if self.scenario in self.edition.scenarios:
            return replace(self, config=changed(self.config, players=players)).like(self.scenario)
        cast = self._substituted(self.config.cast, players) if self.config.cast else ()
        return replace(self, config=changed(self.config, players=players, cast=cast))

    def more(self, step: int) -> "Plan":
        """The same with more players or fewer, round at the ends of what the edition allows."""
        allowed = self.edition.players
        return self.for_players(allowed[(allowed.index(self.players) + step) % len(allowed)])

    def _substituted(self, cast: Sequence[str], players: int) -> tuple[str, ...]:
        scenarios = self.edition.scenarios
        ninth = (scenarios[self.base].rank_nine if self.base in scenarios else None) or ""
        return self.edition.casting.substituted(cast, players, ninth)

    def _cast(self) -> tuple[str, ...]:
        """The cast, or that to begin choosing from."""
        return self.config.cast or (self._scenario(self.base).cast if self.base else ())

    def _uniques(self) -> tuple[str, ...] | None:
        return self._scenario(self.base).districts if self.uniques is None else self.uniques

    def _scenario(self, key: str) -> TableConfig:
        """A scenario for these players in this edition. Raises Unplayable."""
        config = self.config
        named = from_scenario(
            key, config.players, rank_nine=self.nine, edition_key=config.edition, options=config.options
        )
        return changed(named, draft=config.draft)

    def _with(self, scenario: str, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        config = changed(self.config, cast=cast or (), districts=uniques or ())
        return replace(self, config=config, scenario=scenario, bare=uniques == ())

    def _own(self, cast: tuple[str, ...] | None, uniques: tuple[str, ...] | None) -> "Plan":
        """This cast and these districts, as what they are: a scenario's own, all by chance, or chosen by hand."""
        own = self._with(OWN, cast, uniques)
        found = None if own.bare else scenario_of(own.config)
        return own if found is None else replace(own, nine=found[1]).like(found[0])

    def _ordered(self, uniques: Sequence[str] | set[str]) -> tuple[str, ...]:
        """Unique districts in the order of the box; what is none of them, or is there twice, stays."""
        box = self.edition.uniques
        known = [key for key in box if key in uniques]
        return (*known, *(key for key in dict.fromkeys(uniques) if key not in box))
