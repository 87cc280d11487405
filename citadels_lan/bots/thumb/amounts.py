"""What the pieces of an edition say in numbers: bots have none of their own."""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct

from citadels_lan.engine import Edition
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.pieces import NEITHER
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.selling import SellRule

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
