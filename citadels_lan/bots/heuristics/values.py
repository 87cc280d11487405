"""Values that heuristic bots use: numbers of an edition (`amounts`), the preferences of bots (`tastes.toml`),
and properties that are computed once."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, overload

from msgspec import Struct, convert

from citadels_lan.engine import Edition
from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.piles import SellRule

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - it is used as a decorator
    """A property that is computed when it is first used, like `functools.cached_property`, but without the
    lock that the latter has before Python 3.12. Only one thread uses a mind, and searches spent half of their
    time on such locks."""

    def __init__(self, work: "Callable[[Any], T]") -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> "once[T]": ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> "T | once[T]":
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._work(owner)
        return value


R = TypeVar("R", bound=Rule[Any])


class Amounts(Struct, frozen=True):
    """Numbers of an edition, in gold. `gathered`: what gathering gold brings. `bonus`: the extra gold of each
    character. `laboratory`: what the Laboratory pays for a card. `smithy`: what the Smithy costs. `sells`:
    whether the bank buys cards."""

    gathered: int
    bonus: dict[str, int]
    laboratory: int
    smithy: int
    sells: bool


def rule_of(rules: Iterable[Rule[Any]], kind: type[R]) -> R | None:
    """Return the first of `rules` that is an instance of the class `kind`, or None."""
    return next((rule for rule in rules if isinstance(rule, kind)), None)


@cache
def amounts(edition: Edition) -> Amounts:
    """Return the numbers that the rules of `edition` contain."""
    gather = rule_of(edition.rules, GatherRule)
    bonuses = {key: rule_of(ability.rules, BonusRule) for key, ability in edition.abilities.items()}
    laboratory = rule_of(edition.effect("laboratory").rules, LaboratoryRule)
    smithy = rule_of(edition.effect("smithy").rules, SmithyRule)
    return Amounts(
        gather.gold if gather else 0,
        {key: rule.gold for key, rule in bonuses.items() if rule},
        laboratory.gold if laboratory else 0,
        smithy.pays if smithy else 0,
        rule_of(edition.rules, SellRule) is not None,
    )


class Taste(Struct, frozen=True):
    """The preferences of a bot, which change its style but not its strength. `likes` adds to the value of a
    character, in gold. `malice`: the weight of hindering others. `haste`: the extra value of each district,
    in points. `thrift`: the weight of gold compared with points. `variety`: the weight of having all types of
    districts. `caprice`: the largest random change of a pick's value, in gold."""

    likes: Mapping[str, float] = {}
    malice: float = 1.0
    haste: float = 0.0
    thrift: float = 1.0
    variety: float = 1.0
    caprice: float = 0.8


PLAIN: Final = Taste()
"""A taste without preferences."""
TASTES: Final = convert(
    tomllib.loads(Path(__file__).with_name("tastes.toml").read_text(encoding="utf-8")), dict[str, Taste]
)
"""The tastes of the file by name."""
