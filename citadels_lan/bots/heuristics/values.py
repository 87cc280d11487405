"""Values that heuristic players use: numbers of the edition (`amounts`), tastes, and properties computed once."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, Generic, TypeVar, overload

from msgspec import Struct

from citadels_lan.engine import Edition
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.selling import SellRule

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - it is used as a decorator
    """What `functools.cached_property` does, without the lock that it has before Python 3.12: a mind is nobody
    else's, and in a search half of the time went to such locks."""

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
    """`gathered`: gold for gathering. `bonus`: gold that characters get beside it. `laboratory`: gold for a card.
    `smithy`: gold for its cards. `sells`: the bank buys cards."""

    gathered: int
    bonus: dict[str, int]
    laboratory: int
    smithy: int
    sells: bool


def rule_of(rules: Iterable[Rule[Any]], kind: type[R]) -> R | None:
    """The rule of a kind, if there is one."""
    return next((rule for rule in rules if isinstance(rule, kind)), None)


@cache
def amounts(edition: Edition) -> Amounts:
    """The numbers of an edition."""
    gather = rule_of(edition.rules, GatherRule)
    bonuses = {key: rule_of(ability.rules, BonusRule) for key, ability in edition.abilities.items()}
    laboratory = rule_of(edition.effects.get("laboratory", NEITHER).rules, LaboratoryRule)
    smithy = rule_of(edition.effects.get("smithy", NEITHER).rules, SmithyRule)
    return Amounts(
        gather.gold if gather else 0,
        {key: rule.gold for key, rule in bonuses.items() if rule},
        laboratory.gold if laboratory else 0,
        smithy.pays if smithy else 0,
        rule_of(edition.rules, SellRule) is not None,
    )


class Taste(Struct, frozen=True):
    """`likes` adds to what a character brings, in gold. `malice`: how much it counts to hinder others. `haste`:
    what each district is worth beside its points, for being one more. `thrift`: how much gold counts against
    points. `variety`: how much districts of all types count. `caprice`: how far a pick may stray, in gold."""

    likes: Mapping[str, float] = {}
    malice: float = 1.0
    haste: float = 0.0
    thrift: float = 1.0
    variety: float = 1.0
    caprice: float = 0.8


PLAIN: Final = Taste()
"""Likes nothing above anything else."""
TASTES: Final[Mapping[str, Taste]] = {
    "builder": Taste(
        likes={"architect": 0.8, "merchant": 0.6, "alchemist": 0.6, "trader": 0.5, "scholar": 0.6, "seer": 0.4},
        malice=0.6,
        thrift=0.85,
    ),
    "rusher": Taste(
        likes={"architect": 0.8, "scholar": 0.6, "bishop": 0.6, "king": 0.4, "marshal": 0.4, "seer": 0.5},
        malice=0.8,
        haste=1.2,
        thrift=0.8,
        variety=0.5,
    ),
    "meddler": Taste(
        likes={
            "assassin": 1.0, "witch": 0.7, "magistrate": 0.7, "thief": 0.9, "blackmailer": 0.7, "spy": 0.5,
            "magician": 0.8, "wizard": 0.6, "warlord": 1.0, "diplomat": 0.8, "marshal": 0.8, "abbot": 0.4,
        },
        malice=1.7,
        caprice=1.2,
    ),
    "collector": Taste(
        likes={
            "king": 0.6, "emperor": 0.6, "patrician": 0.5, "bishop": 0.5, "abbot": 0.5, "cardinal": 0.5,
            "merchant": 0.6, "trader": 0.5, "tax_collector": 0.5, "artist": 0.4, "queen": 0.4,
        },
        malice=0.8,
        thrift=1.2,
        variety=1.8,
    ),
}  # fmt: skip
"""The personalities by name."""
