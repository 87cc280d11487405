"""An edition of the game as one value: its cards, what they do, and how a game of it goes.

What follows from its parts is computed once and kept. An option makes another edition of an edition
(`replace(edition, abilities={**edition.abilities, "king": …})`): no rule ever asks for one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .action import Action
from .cards import TYPES, CharacterCard, DistrictCard, DistrictType
from .chance import Chance
from .config import RANDOM, Scenario, TableConfig, Value
from .pieces import Character, Flow, Marker, Piles, Steps, Unique
from .rules import Rule
from .score import Score
from .state import State
from .table import Table


class Casting:
    """Which characters and which unique districts a table may play with."""

    chosen: int | None = None
    """How many unique districts are in play; None where the edition does not say."""
    chooses_cast: bool = True
    """Whether a table chooses its characters at all."""
    ninth_needed: Sequence[int] = ()
    """With so many players there is a character of rank 9."""
    ninth: str = ""
    """The rank 9 character of a scenario that names none."""

    def check(self, edition: "Edition", config: TableConfig) -> None:
        """Raise Unplayable where the edition does not allow this cast or these districts; empty is drawn later."""
        raise NotImplementedError

    def filled(self, edition: "Edition", config: TableConfig) -> TableConfig:
        """The same with what is neither chosen nor drawn in this edition."""
        return config

    def draw(self, edition: "Edition", config: TableConfig, chance: Chance) -> TableConfig:
        """The same with what was left to chance."""
        raise NotImplementedError

    def substituted(self, cast: Sequence[str], players: int, ninth: str = "") -> tuple[str, ...]:
        """A cast as the book changes it for this many players; `ninth` joins where a ninth is needed and there is
        none."""
        return tuple(cast)


@dataclass(frozen=True, eq=False)
class Edition:
    """Everything that may differ from one edition to another.

    `hand` says how many cards each player begins with, by the number of players; `gold` is what each begins with.
    `rules` are those of every turn, `steps` answer what they ask; characters, districts and the flow bring their
    own. `endings` happen at the end of a turn, in order. `identical` has, by name, the code of what forbids the
    seat on turn a district because one of that name stands already. `goal` is how many districts complete a city,
    None where none is ever complete. `winners` may be several. `options` has, by name, what each allowed value
    makes of the edition, the default first.
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
    endings: tuple[Callable[[Table, int], None], ...]
    flow: Flow
    piles: Piles
    casting: Casting
    identical: Callable[[State, int], Mapping[str, str]]
    goal: Callable[[State], int | None]
    scores: Callable[[State], tuple[Score, ...]]
    winners: Callable[[State, tuple[Score, ...]], tuple[int, ...]]
    scenarios: Mapping[str, Scenario] = field(default_factory=dict)
    options: Mapping[str, Mapping[Value, Callable[["Edition"], "Edition"]]] = field(default_factory=dict)

    @cached_property
    def costs(self) -> Mapping[str, int]:
        """The printed cost of each district."""
        return {key: card.cost for key, card in self.districts.items()}

    @cached_property
    def types(self) -> Mapping[str, DistrictType]:
        """The type of each district."""
        return {key: card.type for key, card in self.districts.items()}

    @cached_property
    def paying(self) -> Mapping[DistrictType, frozenset[str]]:
        """The districts that an income of each type pays for; some are among all of them (R304)."""
        every = {key for key, effect in self.effects.items() if effect.any_income}
        return {
            wanted: frozenset(every.union(k for k, own in self.types.items() if own == wanted)) for wanted in TYPES
        }

    @cached_property
    def walls(self) -> Mapping[str, int]:
        """What rank 8 pays more in the city of each district that makes it pay more."""
        return {key: effect.wall for key, effect in self.effects.items() if effect.wall}

    @cached_property
    def helping(self) -> Mapping[str, Unique]:
        """The unique districts that help to pay for others."""
        return {key: effect for key, effect in self.effects.items() if effect.discount or effect.pays_builds}

    @cached_property
    def paid_otherwise(self) -> frozenset[str]:
        """The districts that something else than gold may pay for."""
        return frozenset(k for k, u in self.effects.items() if u.paid_by_cards or u.paid_by_sacrifice)

    @cached_property
    def uncounted(self) -> Mapping[str, frozenset[str]]:
        """The districts that each character builds without using the limit."""
        outside = {key for key, effect in self.effects.items() if effect.outside_limit}
        return {
            character: frozenset(
                k for k, card in self.districts.items() if k in outside or not ability.counts(card)
            )
            for character, ability in self.abilities.items()
        }

    @cached_property
    def larger(self) -> Mapping[str, int]:
        """The districts that count as more than one towards a complete city, and as how many."""
        return {key: effect.counts for key, effect in self.effects.items() if effect.counts != 1}

    @cached_property
    def theaters(self) -> tuple[str, ...]:
        """The districts whose owner may swap characters after the draft."""
        return tuple(key for key, effect in self.effects.items() if effect.swaps_characters)

    @cached_property
    def district_rules(self) -> Mapping[str, Sequence[Rule[Any]]]:
        """The rules of the districts that have any."""
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
        """The districts that are always in the deck, one entry for each copy."""
        return tuple(
            key for key, card in self.districts.items() if card.type != "unique" for _ in range(card.count)
        )

    @cached_property
    def uniques(self) -> tuple[str, ...]:
        """The names of the unique districts."""
        return tuple(key for key, card in self.districts.items() if card.type == "unique")

    @cached_property
    def by_action(self) -> Mapping[type[Action], Rule[Any]]:
        """The rules of every turn, by their action."""
        return {rule.action: rule for rule in self.rules}

    @cached_property
    def turn_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """The rules of a turn with each character, those of the city not yet among them."""
        return {key: (*self.rules, *ability.rules) for key, ability in self.abilities.items()}

    @cached_property
    def early_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """Those of them that may have choices before the gathering: none that belongs to the end of a turn."""
        return {
            key: tuple(rule for rule in rules if rule.early and not rule.last)
            for key, rules in self.turn_rules.items()
        }

    @cached_property
    def late_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """Those of them that may have choices after the gathering."""
        return {key: tuple(rule for rule in rules if rule.late) for key, rules in self.turn_rules.items()}

    @cached_property
    def rules_by_action(self) -> Mapping[str, Mapping[type[Action], Rule[Any]]]:
        """The rules of a turn with each character by their action, those of every district among them."""
        brought = {rule.action: rule for rules in self.district_rules.values() for rule in rules}
        return {key: brought | {rule.action: rule for rule in rules} for key, rules in self.turn_rules.items()}

    @cached_property
    def answers_by_action(self) -> Mapping[str, Mapping[type[Action], Rule[Any]]]:
        """The rules that answer each kind of pending step by their action."""
        return {verb: {rule.action: rule for rule in rules} for verb, rules in self.answers.items()}

    @cached_property
    def bound_rules(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """The same while only gathering is allowed."""
        bound = tuple(rule for rule in self.rules if rule.bound)
        return {k: (*bound, *ability.rules) if ability.bound else bound for k, ability in self.abilities.items()}

    @cached_property
    def closing_rules(self) -> tuple[Rule[Any], ...]:
        """The rules of every turn that are left once an ability of its end is used."""
        return tuple(rule for rule in self.rules if rule.closing)

    @cached_property
    def last_abilities(self) -> Mapping[str, str]:
        """The ability that ends the turn of a character, where there is one."""
        return {key: rule.once for key, ability in self.abilities.items() for rule in ability.rules if rule.last}

    @cached_property
    def markers(self) -> Mapping[str, Marker]:
        """What each marker does, by its kind."""
        return {marker.kind: marker for piece in self.abilities.values() for marker in piece.markers}

    @cached_property
    def watchers(self) -> tuple[str, ...]:
        """The characters that something comes to when others end their turns."""
        return tuple(key for key, ability in self.abilities.items() if ability.watches)

    @cached_property
    def wants_thanks(self) -> bool:
        """Whether there is a district whose owner wants thanks."""
        return any(effect.wants_thanks for effect in self.effects.values())

    @cached_property
    def answers(self) -> Mapping[str, tuple[Rule[Any], ...]]:
        """The rules that answer each kind of pending step, by its verb."""
        asking = [self.steps, self.flow.steps]
        asking += [ability.steps for ability in self.abilities.values()]
        asking += [effect.steps for effect in self.effects.values()]
        named = {verb: rules for steps in asking for verb, rules in steps.items()}
        return {verb: rules if isinstance(rules, tuple) else (rules,) for verb, rules in named.items()}

    @cached_property
    def ways(self) -> tuple[str, ...]:
        """The scenarios, and chance, which draws cast and unique districts."""
        return (*self.scenarios, RANDOM)

    def deck(self, uniques: Sequence[str]) -> list[str]:
        """The cards of a game with these unique districts, one entry for each copy."""
        return [*self.basics, *(key for key in uniques for _ in range(self.districts[key].count))]
