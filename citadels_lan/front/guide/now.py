"""The advice of the tutorial: the preselected move, what else is possible, and why nothing can be built."""

from collections.abc import Iterator, Mapping
from typing import Final

from citadels_lan.engine import acting
from citadels_lan.engine.actions import Build, Crown
from citadels_lan.front.asking.candidates import refused
from citadels_lan.front.asking.preselect import Preselected, Reason, preselect
from citadels_lan.front.shown.stage import dead, murdered
from citadels_lan.texts import Message, Texts, msg, msgs
from citadels_lan.texts.amounts import gold as gold_amount
from citadels_lan.texts.refusals import refusal
from citadels_lan.texts.verbs import verb

from .glance import Glance

ORDINARY: Final = frozenset({"gather", "income", "bonus", "taxes", "build", "end"})
"""What every turn does; other verbs are abilities."""
GOOD_FOR: Final[Mapping[str, Message]] = {
    "crown": msg("The player with the crown chooses first in the next round."),
    "kill": msg("Kill the character that the leader would like to have now."),
    "rob": msg("Rob the character that a rich player may have."),
    "bewitch": msg("Bewitch a useful character that another player probably has."),
    "swap": msg("After building, swap hands with a player who has many cards."),
    "redraw": msg("Exchange cards that you will not build soon for as many new ones."),
    "destroy": msg("Destroying costs 1 gold less than the district. Use it against the leader."),
    "sell": msg("Sell what you cannot build: nothing else gives gold so soon."),
    "laboratory": msg("A card that you do not want can become gold."),
    "smithy": msg("Gold that is left over can become cards."),
}
"""What an ability that is not preselected is good for, by the first word of the notation."""
FREE: Final[Mapping[str, Message]] = {
    "income": msg("Collect your income: it costs nothing."),
    "bonus": msg("Take the extra: it costs nothing."),
    "taxes": msg("Collect the taxes: they cost nothing."),
}
ADVICE: Final[Mapping[Reason, Message]] = {
    "no_deck": msg("The deck is empty: take gold."),
    "nothing_to_build": msg("Nothing in your hand can be built soon: draw cards."),
    "gold_short": msgs(
        "You are {count} gold short of your cheapest district: take gold.",
        "You are {count} gold short of your cheapest district: take gold.",
    ),
    "more_gold": msg("You can pay for one district already: take gold for the next."),
    "more_cards": msg("You can pay for your districts already: draw cards."),
    "build": msg("Build {cards}: each gold that it costs is a point."),
    "end": msg("Nothing left to build: end your turn ({end})."),
    "best_paid": msgs("Choose {the}: it brings {count} gold.", "Choose {the}: it brings {count} gold."),
    "unpaid": msg("Your city pays no character yet: choose {the}."),
    "cheapest": msg("Choose {cards}: the cheapest that you can build."),
    "unbuildable": msg("None of these can be built now: choose {cards}."),
    "no": msg("Decline: it costs nothing."),
    "bribe": msg("Refuse: paying costs half your gold for certain."),
    "thanks": msg("Say thanks: it costs nothing, and silence loses your turn."),
    "pass": msg("Pass, unless you want this card."),
    "crown": msg("Give the crown to {name}, who has built the least."),
    "bewitch": msg("You must bewitch a character now: choose {the}."),
    "give": msg("Give away what you need least: {what}."),
}
"""The sentence about the preselected move, by the rule that leads to it."""


def now(texts: Texts, glance: Glance) -> Iterator[str]:
    """The preselected move in a sentence; while others decide, what they do."""
    if not glance.choices or glance.seat is None:
        yield from _waiting(texts, glance)
    elif (found := preselect(glance.view, glance.seat, glance.choices)) is not None:
        yield _advice(texts, glance, found)


def possible(texts: Texts, glance: Glance) -> Iterator[str]:
    """What else may be done in the own turn, where that is worth a sentence: the first ability."""
    words = [] if glance.step else [word for word in glance.verbs if word not in ORDINARY]
    yield from (good_for(texts, glance, word) for word in words[:1])


def good_for(texts: Texts, glance: Glance, word: str) -> str:
    """What something that can be done is good for."""
    if word in GOOD_FOR:
        return texts.say(GOOD_FOR[word])
    return texts.say(msg("You may also {what}."), what=verb(texts, word, glance.choices))


def _advice(texts: Texts, glance: Glance, found: Preselected) -> str:
    """Why a move is preselected."""
    action, cards = found.action, texts.listing([texts.district(key) for key in found.cards])
    if found.reason == "free":
        return texts.say(FREE[action.verb])
    crowned = action.seat if isinstance(action, Crown) else None
    return texts.say(
        ADVICE[found.reason],
        count=found.gold,
        cards=cards,
        the=texts.the(found.character) if found.character else "",
        name="" if crowned is None else glance.names[crowned],
        what=cards or gold_amount(texts, 1),
        end=glance.keys.get("end", ""),
    )


def _waiting(texts: Texts, glance: Glance) -> Iterator[str]:
    """What goes on while others decide."""
    view, deciding = glance.view, acting(glance.view)
    if view.phase == "over":
        return
    if dead(view, glance.seat):
        yield texts.say(msg("You wait for the next round: your character was killed."))
    elif view.phase == "draft" and deciding:
        names = texts.listing([glance.names[seat] for seat in deciding])
        yield texts.say(msg("You wait: {names} chooses in secret, as you do."), names=names)
    elif glance.held and view.phase == "turns" and not glance.common:
        left = set(glance.held).difference(murdered(view, glance.seat))
        ranks = texts.alternatives(
            sorted(str(glance.edition.ranks[key]) for key in left if key in glance.edition.ranks)
        )
        if ranks:
            yield texts.say(msg("You wait: your turn comes when number {ranks} is called."), ranks=ranks)
    elif deciding:
        names = texts.listing([glance.names[seat] for seat in deciding])
        yield texts.say(msg("You wait: it is the turn of {names}."), names=names)


def barred(texts: Texts, glance: Glance) -> str:
    """Why nothing can be built, where that is so in the own turn and its reason is worth a sentence."""
    view, seat = glance.view, glance.seat
    if seat is None or glance.step or not glance.choices or "build" in glance.verbs or "gather" in glance.verbs:
        return ""
    reasons = [why for action, why in refused(view, seat) if isinstance(action, Build)]
    if not reasons:
        return ""
    nearest = min(reasons, key=lambda why: _missing(why.details.get("missing")))
    return texts.say(msg("No building now. {why}"), why=refusal(texts, nearest.code, nearest.details))


def _missing(gold: object) -> int:
    return gold if isinstance(gold, int) else 99
