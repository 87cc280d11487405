"""What one may do now, what it is good for, and why what one might want is barred."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from citadels_lan.engine import acting
from citadels_lan.engine.actions import Build
from citadels_lan.front.asking.candidates import refused
from citadels_lan.front.shown.stage import dead, murdered
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.refusals import refusal
from citadels_lan.texts.verbs import verb

from .brings import best_paid
from .glance import Glance

FREE: Final = frozenset({"income", "bonus", "taxes"})
"""What costs nothing."""
GOOD_FOR: Final[Mapping[str, Message]] = {
    "income": msg("Take your income: it costs nothing, and is more after building that type."),
    "bonus": msg("Take the extra: it costs nothing."),
    "taxes": msg("Take the taxes: they cost nothing."),
    "crown": msg("The crown: whoever has it chooses first in the next round."),
    "kill": msg("Murder the character that whoever is ahead would like to have now."),
    "rob": msg("Rob the character that somebody with much gold may have."),
    "bewitch": msg("Bewitch a character whose powers you want, and that somebody surely has."),
    "swap": msg("Swap hands with somebody who has many cards, once you have built."),
    "redraw": msg("Cards that you will not build soon can be given for as many others."),
    "destroy": msg("Destroying costs 1 gold less than the district: good against who is ahead."),
    "build": msg("Build what you can pay: each gold that you build is a point."),
    "sell": msg("Sell what you cannot build: nothing else gives gold so soon."),
    "laboratory": msg("A card that you do not want can become gold."),
    "smithy": msg("Gold that is left over can become cards."),
    "end": msg("Nothing is left but to end the turn: {end}."),
    "pick": msg("Choose the character that you would like to be in this round."),
    "keep": msg("Keep the card that you will build first."),
    "bid": msg("Bid what the card is worth to you at most, or pass."),
}
"""By the first word of the notation."""


def now(texts: Texts, glance: Glance) -> Iterator[str]:
    """What to do now, in a sentence or two; what is asked beside the ordinary turn in general words."""
    if not glance.choices:
        yield from _waiting(texts, glance)
        return
    special = SPECIAL.get(glance.step or glance.verbs[0])
    said = special(texts, glance) if special is not None else ""
    if said:
        yield said
    elif glance.step:
        yield good_for(texts, glance, glance.step)
    if glance.step:
        return
    for word in _worth(glance):
        yield good_for(texts, glance, word)


def good_for(texts: Texts, glance: Glance, word: str) -> str:
    """What something that can be done is good for."""
    if word in GOOD_FOR:
        return texts.say(GOOD_FOR[word], end=glance.keys.get("end", ""))
    if glance.step:
        said = msg("You decide: {what}. Whatever can be chosen is allowed.")
    else:
        said = msg("You may {what} now, once; nothing makes you.")
    return texts.say(said, what=verb(texts, word))


def _worth(glance: Glance) -> Sequence[str]:
    """Two things worth doing: what is free first, the gathering aside, and the end where nothing else is left."""
    words = [word for word in glance.verbs if word not in ("gather", "end")]
    first = [word for word in words if word in FREE]
    found = [*first, *(word for word in words if word not in first)]
    if "build" in found and "build" not in found[:2]:
        found = [*found[:1], "build"]
    return found[:2] or [word for word in glance.verbs if word == "end"]


def _pick(texts: Texts, glance: Glance) -> str:
    """Which character would be paid most."""
    assert glance.seat is not None
    best, gold = best_paid(glance.view, glance.seat, glance.view.steps[-1].cards)
    if not gold:
        return texts.say(msg("Your city brings gold to no character yet: choose what you would like to do."))
    return texts.say(msg("Most gold would come with {the}: {gold}."), gold=gold, the=texts.the(best))


def _gather(texts: Texts, glance: Glance) -> str:
    """Gold or cards."""
    assert glance.seat is not None
    player = glance.view.players[glance.seat]
    there = {district.key for district in player.city}
    wanted = [glance.edition.costs[card] for card in player.hand if card not in there or glance.common]
    if "cards" not in {getattr(choice, "what", "") for choice in glance.choices}:
        return texts.say(msg("The deck is empty: take gold."))
    if not wanted:
        return texts.say(msg("Nothing in your hand can be built: draw cards."))
    missing = min(wanted) - player.gold
    if missing > 0:
        return texts.plural(
            "For the cheapest card of your hand {count} gold is missing: take gold.",
            "For the cheapest card of your hand {count} gold are missing: take gold.",
            missing,
        )
    return texts.say(msg("You can pay a card already: gold for a dearer one, cards for more choice."))


def _keep(texts: Texts, glance: Glance) -> str:
    """Which of the cards drawn could be paid at once, or would be a new type."""
    assert glance.seat is not None
    player, types = glance.view.players[glance.seat], glance.edition.types
    cards = [card for card in glance.view.steps[-1].cards if card in types]
    here = {types[district.key] for district in player.city}
    affordable = [card for card in cards if glance.edition.costs[card] <= player.gold]
    fresh = [card for card in cards if types[card] not in here]
    if affordable and len(affordable) < len(cards):
        said = msg("You could pay at once: {cards}.")
        return texts.say(said, cards=texts.districts(list(dict.fromkeys(affordable))))
    if fresh and len(fresh) < len(cards) and not glance.common:
        said = msg("A type that your city lacks: {cards}.")
        return texts.say(said, cards=texts.districts(list(dict.fromkeys(fresh))))
    return ""


SPECIAL: Final[Mapping[str, Callable[[Texts, Glance], str]]] = {"pick": _pick, "gather": _gather, "keep": _keep}
"""Where the table says which choice is better."""


def _waiting(texts: Texts, glance: Glance) -> Iterator[str]:
    """What goes on while others decide."""
    view, deciding = glance.view, acting(glance.view)
    if view.phase == "over":
        return
    if dead(view, glance.seat):
        yield texts.say(msg("You wait for the next round: your character has been murdered."))
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
