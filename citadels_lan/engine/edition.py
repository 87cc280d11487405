"""An edition as one value: its cards, what they do, and how a game of it proceeds. Also all editions by key.

Values that follow from the fields of an edition are computed once. An option makes a changed copy of an
edition: the value "stays" of the option `killed_king` replaces `abilities`. So rules ask the edition, never
the options. A state holds the key of its edition and the options; `edition_of` returns the value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from citadels_lan.engine.action import Action
from citadels_lan.engine.cards import TYPES, CharacterCard, DistrictCard, DistrictType
from citadels_lan.engine.config import RANDOM, Options, Scenario, TableConfig, Unplayable, Value
from citadels_lan.engine.pieces import NEITHER, Character, Flow, Marker, Piles, Steps, Unique
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Mark, State
from citadels_lan.engine.table import Chance

Changes: TypeAlias = Mapping[str, Any]
"""New values for fields of an edition."""


class Casting:
    """Which characters and unique districts a table may play with."""

    chosen: int | None = None
    """How many unique districts are in play. None: the edition does not prescribe a number."""
    chooses_cast: bool = True
    """Whether the players of a table choose its characters. False: the edition has fixed ones."""
    ninth_needed: Sequence[int] = ()
    """The numbers of players that need a character of rank 9."""
    ninth: str = ""
    """The rank 9 character that a scenario uses if it names none."""

    def check(self, edition: "Edition", config: TableConfig) -> None:
        """Raise Unplayable if the edition does not allow the cast or the districts of `config`. An empty cast
        and empty districts are allowed; chance draws them later."""
        raise NotImplementedError

    def filled(self, edition: "Edition", config: TableConfig) -> TableConfig:
        """Return `config` with the cast and districts that the edition fixes: those that neither players nor
        chance choose."""
        return config

    def draw(self, edition: "Edition", config: TableConfig, chance: Chance) -> TableConfig:
        """Return `config` with a cast and districts drawn by chance, each only if it is empty in `config`."""
        raise NotImplementedError

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        """Return `cast` with the changes that the rulebook requires for this number of players (R008 to
        R011). The character `ninth` is added if rank 9 is needed and missing."""
        return tuple(cast)


@dataclass(frozen=True, eq=False)
class Edition:
    """An edition of the game: the rules and cards that can differ between editions.

    `hand` is the number of cards that each player is dealt first, by the number of players; `gold` is each
    player's first gold. `rules` are the moves of every turn, and `steps` has the rules that answer their
    questions; characters, districts and the flow add theirs. `identical` returns the names that the seat on
    turn may not build because such a district exists, each with the code of the reason. `goal` returns how
    many districts complete a city; None: cities are never complete. `winners` returns one seat, or several
    that share the victory.
    """

    key: str
    players: range
    hand: Mapping[int, int]
    gold: int
    districts: Mapping[str, DistrictCard]
    characters: Mapping[str, CharacterCard]
    abilities: Mapping[str, Character]
    effects: Mapping[str, Unique]
    rules: tuple[Rule[Any], ...]
    steps: Steps
    flow: Flow
    piles: Piles
    casting: Casting
    identical: Callable[[State, int], Mapping[str, str]]
    goal: Callable[[State], int | None]
    scores: Callable[[State], tuple[Score, ...]]
    winners: Callable[[State, tuple[Score, ...]], tuple[int, ...]]
    scenarios: Mapping[str, Scenario] = field(default_factory=dict)
    options: Mapping[str, Mapping[Value, Changes]] = field(default_factory=dict)
    """The options by name. Each has its possible values, with the fields that a value changes. The first
    value is the default."""

    @cached_property
    def costs(self) -> Mapping[str, int]:
        """The printed cost of each district, in gold."""
        return {key: card.cost for key, card in self.districts.items()}

    @cached_property
    def types(self) -> Mapping[str, DistrictType]:
        """The type of each district."""
        return {key: card.type for key, card in self.districts.items()}

    @cached_property
    def paying(self) -> Mapping[DistrictType, frozenset[str]]:
        """For each type of income, the districts that it counts. Some districts count for all types
        (R304)."""
        # A School of Magic counts for each type of income.
        every = {key for key, effect in self.effects.items() if effect.any_income}
        return {kind: frozenset(every.union(k for k, own in self.types.items() if own == kind)) for kind in TYPES}

    @cached_property
    def walls(self) -> Mapping[str, int]:
        """The districts like the Great Wall, each with the extra gold that rank 8 pays for another district
        of that city."""
        return {key: effect.wall for key, effect in self.effects.items() if effect.wall}

    @cached_property
    def helping(self) -> Mapping[str, Unique]:
        """The unique districts that help their owner to pay for other districts."""
        return {key: effect for key, effect in self.effects.items() if effect.discount or effect.pays_builds}

    @cached_property
    def paid_otherwise(self) -> frozenset[str]:
        """The districts that can be paid for with hand cards or by destroying another district."""
        return frozenset(k for k, u in self.effects.items() if u.paid_by_cards or u.paid_by_sacrifice)

    @cached_property
    def uncounted(self) -> Mapping[str, frozenset[str]]:
        """For each character, the districts that do not use the building limit in its turn."""
        outside = {key for key, effect in self.effects.items() if effect.outside_limit}
        return {
            character: frozenset(
                k for k, card in self.districts.items() if k in outside or not ability.counts(card)
            )
            for character, ability in self.abilities.items()
        }

    @cached_property
    def larger(self) -> Mapping[str, int]:
        """The districts that count as more than one towards a complete city, each with the number that it
        counts as."""
        return {key: effect.counts for key, effect in self.effects.items() if effect.counts != 1}

    @cached_property
    def district_rules(self) -> Mapping[str, Sequence[Rule[Any]]]:
        """The rules of each district that has rules."""
        return {key: effect.rules for key, effect in self.effects.items() if effect.rules}

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The rank of each character."""
        return {key: card.rank for key, card in self.characters.items()}

    @cached_property
    def of_rank(self) -> Mapping[int, tuple[str, ...]]:
        """The characters of each rank."""
        numbers = sorted(set(self.ranks.values()))
        return {number: tuple(key for key, rank in self.ranks.items() if rank == number) for number in numbers}

    @cached_property
    def basics(self) -> tuple[str, ...]:
        """The basic (not unique) district cards, which are always in the deck; one entry for each copy."""
        return tuple(
            key for key, card in self.districts.items() if card.type != "unique" for _ in range(card.count)
        )

    @cached_property
    def uniques(self) -> tuple[str, ...]:
        """The keys of the unique districts."""
        return tuple(key for key, card in self.districts.items() if card.type == "unique")

    @cached_property
    def by_action(self) -> Mapping[type[Action], Rule[Any]]:
        """The rules that every turn has, by the class of their action."""
        return {rule.action: rule for rule in self.rules}

    @cached_property
    def turn_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """For each character, the rules of its turn, without those that districts add."""
        return {key: (*self.rules, *ability.rules) for key, ability in self.abilities.items()}

    @cached_property
    def early_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """For each character, those of its `turn_rules` that may have choices before gathering. Abilities
        that end the turn are not among them."""
        return {
            key: tuple(rule for rule in rules if rule.early and not rule.last)
            for key, rules in self.turn_rules.items()
        }

    @cached_property
    def late_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """For each character, those of its `turn_rules` that may have choices after gathering."""
        # A rule that ends the turn comes after gathering, so it stays in this list.
        return {key: tuple(rule for rule in rules if rule.late) for key, rules in self.turn_rules.items()}

    @cached_property
    def rules_by_action(self) -> Mapping[str, Mapping[type[Action], Rule[Any]]]:
        """For each character, the rules of its turn by the class of their action, including those of all
        districts."""
        # The districts of all cards are included: a listed move has already been checked.
        brought = {rule.action: rule for rules in self.district_rules.values() for rule in rules}
        return {key: brought | {rule.action: rule for rule in rules} for key, rules in self.turn_rules.items()}

    @cached_property
    def bound_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """For each character, the rules of its turn while it is bound, which means that only gathering is
        allowed."""
        bound = tuple(rule for rule in self.rules if rule.bound)
        return {k: (*bound, *ability.rules) if ability.bound else bound for k, ability in self.abilities.items()}

    @cached_property
    def closing_rules(self) -> tuple[Rule[Any], ...]:
        """The rules of every turn that remain after the use of an ability that ends the turn, such as
        `end`."""
        return tuple(rule for rule in self.rules if rule.closing)

    @cached_property
    def last_abilities(self) -> Mapping[str, str]:
        """For each character that has one: its ability that ends the turn."""
        return {key: rule.once for key, ability in self.abilities.items() for rule in ability.rules if rule.last}

    @cached_property
    def markers(self) -> Mapping[str, Marker]:
        """The markers of this edition, by their kind."""
        return {marker.kind: marker for piece in self.abilities.values() for marker in piece.markers}

    @cached_property
    def watchers(self) -> tuple[str, ...]:
        """The characters that may react to the end of any player's turn after they were revealed."""
        return tuple(key for key, ability in self.abilities.items() if ability.watches)

    @cached_property
    def answers(self) -> Mapping[str, Mapping[type[Action], Rule[Any]]]:
        """For each kind of question, by the verb of its `Step`: the rules that answer it, by the class of
        their action."""
        steps = [self.steps, self.flow.steps]
        steps += [ability.steps for ability in self.abilities.values()]
        steps += [effect.steps for effect in self.effects.values()]
        return {verb: {rule.action: rule for rule in rules} for named in steps for verb, rules in named.items()}

    @cached_property
    def ways(self) -> tuple[str, ...]:
        """The keys of the scenarios, and "random": chance draws cast and unique districts."""
        return (*self.scenarios, RANDOM)

    def effect(self, card: str) -> Unique:
        """Return the unique district `card`. For a basic district, return one that changes nothing."""
        return self.effects.get(card, NEITHER)

    def deck(self, uniques: Sequence[str]) -> list[str]:
        """Return the district cards of a game with these unique districts, one entry for each copy."""
        return [*self.basics, *(key for key in uniques for _ in range(self.districts[key].count))]


__all__ = ["EDITIONS", "Casting", "Edition", "Scenario", "add_edition", "edition_named", "edition_of"]

EDITIONS: Final[dict[str, Edition]] = {}
"""Every edition by its key, with the defaults of its options. `editions` fills it."""
_VARIANTS: Final[dict[str, dict[Options, Edition]]] = {}
"""Editions changed by options, by key and options. Each is made when it is first needed."""


def add_edition(edition: Edition) -> None:
    """Register an edition by its key."""
    EDITIONS[edition.key] = edition
    _VARIANTS[edition.key] = {(): edition}


def edition_named(key: str, options: Options = ()) -> Edition:
    """Return the edition with this key and these options. Raises Unplayable if there is no such edition, or
    if it does not have one of the options."""
    if key not in _VARIANTS:
        raise Unplayable("unknown_edition", edition=key)
    variants = _VARIANTS[key]
    try:
        return variants[options]
    # Two threads may compute the same variant; `setdefault` keeps one of them.
    except KeyError:
        return variants.setdefault(options, with_options(variants[()], options))


def with_options(played: Edition, options: Options) -> Edition:
    """Return `played` changed by `options`. Raises Unplayable if the edition does not have one of them, or if
    they are not in alphabetical order."""
    if [name for name, _ in options] != sorted({name for name, _ in options}):
        raise Unplayable("options_in_order")
    for name, value in options:
        if name not in played.options:
            raise Unplayable("unknown_option", option=name)
        if value not in played.options[name]:
            raise Unplayable("unknown_value", option=name, value=value)
        # A default that is named would give one edition two different option lists.
        if value == next(iter(played.options[name])):
            raise Unplayable("options_in_order")
        played = replace(played, **played.options[name][value])
    return played


def edition_of(state: State) -> Edition:
    """Return the edition that the table of `state` plays, with its options. Raises Unplayable if there is no
    such edition."""
    # Nearly every function calls this, so the usual case is one lookup.
    try:
        return _VARIANTS[state.edition][state.options]
    except KeyError:
        return edition_named(state.edition, state.options)


def markers_on(state: State, character: str) -> list[tuple[Marker, Mark]]:
    """Return the markers on a character that have effects, each as its `Marker` and the `Mark` that says who
    placed it."""
    markers = edition_of(state).markers
    return [
        (markers[mark.kind], mark) for mark in state.marks if mark.character == character and mark.kind in markers
    ]
