"""Whether a card of the own hand can be built, in a word or two."""

from dataclasses import dataclass

from citadels_lan.engine import State, edition_of, refusal
from citadels_lan.engine.actions import Build
from citadels_lan.engine.turn.cities import standing, uniques
from citadels_lan.texts import Texts, msg

LATER = frozenset({"gather_first", "not_your_turn", "answer_first", "only_gathering"})
"""Why nothing at all can be built now; what a card lacks beyond that is said all the same."""


def price(view: State, seat: int, card: str) -> int:
    """What a card would cost this seat in gold."""
    facts = edition_of(view).districts[card]
    return facts.cost + sum(unique.price(facts) for unique in uniques(view, seat))


@dataclass(frozen=True)
class Verdict:
    """`ready`: the card can be built now. `said` is that, or what stands against it; nothing where only the moment
    does."""

    ready: bool
    said: str


def verdict(texts: Texts, view: State, seat: int, card: str) -> Verdict:
    """Whether a card of the own hand can be built."""
    turns = _turns(view, seat)
    found = refusal(view, seat, Build(card)) if turns else None
    if turns and found is None:
        return Verdict(True, texts.say(msg("build")))
    if found is not None and found.code not in LATER | {"gold_short"}:
        return Verdict(False, texts.say(SHORT.get(found.code, NOT_NOW)))
    if edition_of(view).goal(view) is not None and standing(view.players[seat], card):
        return Verdict(False, texts.say(SHORT["in_city_already"]))
    missing = price(view, seat, card) - view.players[seat].gold
    return Verdict(False, texts.plural("{count} short", "{count} short", missing) if missing > 0 else "")


def _turns(view: State, seat: int) -> bool:
    return view.turn is not None and view.turn.seat == seat and not view.steps


NOT_NOW = msg("not now")
SHORT = {
    "in_city_already": msg("stands"),
    "limit_reached": msg("limit"),
    "may_not_build": msg("no builder"),
}
"""Why a card cannot be built, by the engine's code."""
