"""The gold that a choice costs or brings the player who makes it."""

from typing import Any

from citadels_lan.engine import Choice, Deal, State, actions, edition_of
from citadels_lan.engine.characters.magistrate import Warranted
from citadels_lan.engine.characters.tax_collector import TaxCollector
from citadels_lan.engine.edition_actions import Sell
from citadels_lan.engine.play import rule_for
from citadels_lan.engine.state import Mark
from citadels_lan.engine.turn.cities import find, standing, uniques
from citadels_lan.engine.turn.payment import Builder
from citadels_lan.engine.turn.selling import half
from citadels_lan.front.identities import income


def gold_gained(view: State, seat: int, choice: Choice) -> int:
    """Return the gold that a legal choice of `seat` brings, or costs if it is negative; 0 if it changes nothing
    or if hidden cards decide. The result does not include later moves of other players."""
    if isinstance(choice, Deal):
        return 0
    match choice:
        case actions.Gather("gold"):
            return int(_rule(view, seat, choice).gold) + sum(unique.more_gold for unique in uniques(view, seat))
        case actions.Income(gold, cards):
            return gold if gold or cards else _income(view, seat)
        case actions.Bonus("gold") | actions.Laboratory():
            return int(_rule(view, seat, choice).gold)
        case actions.Taxes():
            return view.taxes
        case Sell(card):
            return half(edition_of(view).costs[card])
        case actions.Destroy(target) | actions.Seize(target):
            return -int(_rule(view, seat, choice).price(view, *find(view, seat, target)))
        case actions.Beautify(spots):
            return -len(spots)
        case actions.Build():
            return _built(view, seat, choice)
    return 0


def _rule(view: State, seat: int, choice: Any) -> Any:
    """The rule of a choice, which has its numbers."""
    return rule_for(view, seat, choice)


def _income(view: State, seat: int) -> int:
    """The whole income of the character on turn, if it is paid in gold."""
    assert view.turn is not None
    paid = edition_of(view).characters[view.turn.character].pays == "gold"
    return income(view, seat, view.turn.character) or 0 if paid else 0


def _built(view: State, seat: int, build: actions.Build) -> int:
    """What is paid for a district, and the gold that the Tax Collector then gets if any is left (R240 to R245). No
    tax is due yet while the Magistrate may confiscate the district."""
    payment, builder = build.payment, Builder(view, seat)
    paid = not payment.framework and payment.sacrifice is None
    gained = len(payment.cards) + len(payment.lent) - builder.price(build.card) if paid else 0
    turn, collector = builder.turn, builder.edition.abilities.get(TaxCollector.key)
    taxed = TaxCollector.key in view.cast and isinstance(collector, TaxCollector)
    if not taxed or turn.character == TaxCollector.key or builder.player.gold + gained <= 0:
        return gained
    asked = paid and not turn.paid and any(_confiscates(builder, mark, build.card) for mark in view.marks)
    return gained if asked else gained - 1


def _confiscates(builder: Builder, mark: Mark, card: str) -> bool:
    """Whether the Magistrate is asked about a district (R104, R115, R117)."""
    warranted = mark.character == builder.turn.character and isinstance(
        builder.edition.markers.get(mark.kind), Warranted
    )
    magistrate = builder.state.players[mark.by]
    stands = standing(magistrate, card) or builder.effect(card).unbuildable(magistrate)
    return warranted and mark.by != builder.seat and not stands
