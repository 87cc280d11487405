"""The label of a choice as it stands on a button: what it does, what it costs and gains where the view shows it.

A new action gets its label in one place: a function marked with `@labels(TheAction)` in `turn.py` or
`characters.py`. A bounded choice is labelled here, by the action it makes.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from citadels_lan.engine import actions
from citadels_lan.engine.actions import Action
from citadels_lan.engine.choices import Choice, Deal
from citadels_lan.engine.state import State
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import msg

from . import characters, turn
from .labels import LABELS, Labeller
from .payments import built_with_cards


def describe(texts: Texts, choice: Choice, view: State, seat: int, names: Sequence[str]) -> str:
    """The label of an action or of a bounded choice, for `seat` and its view.

    `names` are the players' names by seat. The result is plain text: whoever shows it must not read markup in it.
    """
    labeller = Labeller(texts, view, seat, names)
    if isinstance(choice, Deal):
        return _deal(labeller, choice)
    return LABELS[type(choice)](labeller, choice)


# Bounded choices


def _deal(labeller: Labeller, deal: Deal) -> str:
    """The label of a bounded choice; any one of its actions shows what it is about."""
    action = next(deal.actions())
    return DEALS[type(action)](labeller, deal, action)


def _redraw(labeller: Labeller, deal: Deal, action: actions.Redraw) -> str:
    return labeller.texts.say(msg("Redraw any of your cards"))


def _build(labeller: Labeller, deal: Deal, action: actions.Build) -> str:
    return built_with_cards(labeller, deal, msg("Build {card}"), action.card, action.payment)


def _take(labeller: Labeller, deal: Deal, action: actions.Take) -> str:
    assert action.payment is not None
    return built_with_cards(labeller, deal, msg("Take and build {card}"), action.card, action.payment)


def _give(labeller: Labeller, deal: Deal, action: actions.Give) -> str:
    names = [labeller.names[seat] for seat, _ in action.gifts]
    if len(names) == 1:
        return labeller.texts.say(msg("Give a card to {name}"), name=names[0])
    return labeller.texts.say(msg("Give a card each to {names}"), names=labeller.texts.listing(names))


def _warrant(labeller: Labeller, deal: Deal, action: actions.Warrant) -> str:
    return labeller.texts.say(msg("Place the warrants, one of them signed"))


def _threaten(labeller: Labeller, deal: Deal, action: actions.Threaten) -> str:
    return labeller.texts.say(msg("Place the threats, one with the flower"))


DEALS: Final[dict[type[Action], Callable[[Labeller, Deal, Any], str]]] = {
    actions.Redraw: _redraw,
    actions.Build: _build,
    actions.Take: _take,
    actions.Give: _give,
    actions.Warrant: _warrant,
    actions.Threaten: _threaten,
}
"""Labels of bounded choices, by the action they make."""

PARTS: Final[dict[str, str]] = {
    "cards": msg("Cards to put under the deck"),
    "with": msg("Cards that pay one gold each"),
    "lent": msg("Cards for the lender, one for each gold"),
    "warrant chosen": msg("The character who gets the signed warrant"),
    "warrant plain": msg("The characters who get the blank ones"),
    "threaten chosen": msg("The character who gets the flower"),
    "threaten plain": msg("The character who gets the bluff"),
}
"""By the name of the part, or by the verb and the name."""


def describe_part(texts: Texts, deal: Deal, part: int, names: Sequence[str]) -> str:
    """What a part of a bounded choice is for; a part named after a seat's number is a gift for it."""
    name = deal.names[part]
    if name.isdecimal():
        return texts.say(msg("A card for {name}"), name=names[int(name)])
    return texts.say(PARTS.get(f"{deal.verb} {name}") or PARTS[name])


__all__ = ["characters", "describe", "describe_part", "turn"]
