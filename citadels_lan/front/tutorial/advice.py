"""The advice of the tutorial: what has happened, the preselected move, what else is possible, the progress."""

from collections.abc import Iterator, Sequence
from typing import Final

from citadels_lan.engine import Choice, Deal, Event, State, acting, edition_of
from citadels_lan.engine import events as ev
from citadels_lan.engine.actions import Build, Crown, Pick
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.city_view import names_standing, names_wanted, open_points, shared
from citadels_lan.front.identities import gold_now, income
from citadels_lan.front.prompt.menu import distance, refused
from citadels_lan.front.prompt.preselect import Preselected, preselect
from citadels_lan.front.status import dead, murdered
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.cards import summary
from citadels_lan.texts.choices import verb
from citadels_lan.texts.refusals import refusal
from citadels_lan.texts.sentences.sentence import sentence
from citadels_lan.texts.terms import gold as gold_amount

from .lessons import Glance, tutorial


def brings(texts: Texts, view: State, seat: int | None, choice: Choice | None) -> str:
    """A few words on what a choice would bring `seat`; empty if nothing can be predicted."""
    if choice is None or isinstance(choice, Deal) or seat is None or shared(view):
        return ""
    if isinstance(choice, Pick):
        return _paid(texts, view, seat, choice.character)
    return _built(texts, view, seat, choice.card) if isinstance(choice, Build) else ""


def _paid(texts: Texts, view: State, seat: int, character: str) -> str:
    pays, count = edition_of(view).characters[character].pays, income(view, seat, character)
    if count is None or pays is None:
        return texts.say(msg("no income"))
    if pays == "cards":
        return texts.plural("income: {count} card", "income: {count} cards", count)
    if pays == "gold_or_cards":
        return texts.plural("income: {count} gold or card", "income: {count} gold or cards", count)
    gold = gold_now(view, seat, character)
    return texts.plural("income: {count} gold", "income: {count} gold", gold)


def _built(texts: Texts, view: State, seat: int, card: str) -> str:
    """Points and types with that district; what comes at the end is not counted."""
    edition, player = edition_of(view), view.players[seat]
    kinds = {edition.types[district.key] for district in player.city} | {edition.types[card]}
    points = open_points(view)[seat] + edition.costs[card]
    return texts.say(msg("points {points}, types {types}/5"), points=points, types=len(kinds))


ORDINARY: Final = frozenset({"gather", "income", "bonus", "taxes", "build", "end"})
"""What every turn does; other verbs are abilities."""


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
    """A sentence on the use of an ability."""
    if word in tutorial().abilities:
        return texts.say(tutorial().abilities[word])
    return texts.say(msg("You may also {what}."), what=verb(texts, word, glance.choices))


def _advice(texts: Texts, glance: Glance, found: Preselected) -> str:
    """Why a move is preselected."""
    action, cards = found.action, texts.listing([texts.district(key) for key in found.cards])
    if found.reason == "free":
        return texts.say(tutorial().free[action.verb])
    name = glance.names[action.seat] if isinstance(action, Crown) and action.seat is not None else ""
    the, what = texts.the(found.character) if found.character else "", cards or gold_amount(texts, 1)
    values = {"cards": cards, "the": the, "name": name, "what": what, "end": glance.keys.get("end", "")}
    return texts.say(tutorial().advice[found.reason], count=found.gold, **values)


def _waiting(texts: Texts, glance: Glance) -> Iterator[str]:
    """A sentence about the players who decide now."""
    view, deciding = glance.view, acting(glance.view)
    names = texts.listing([glance.names[seat] for seat in deciding])
    if view.phase == "over":
        return
    if dead(view, glance.seat):
        yield texts.say(msg("You wait for the next round: your character was killed."))
    elif view.phase == "draft" and deciding:
        yield texts.say(msg("You wait: {names} chooses in secret, as you do."), names=names)
    elif glance.held and view.phase == "turns" and not shared(glance.view):
        left = set(glance.held).difference(murdered(view, glance.seat))
        ranks = texts.alternatives(
            sorted(str(glance.edition.ranks[key]) for key in left if key in glance.edition.ranks)
        )
        if ranks:
            yield texts.say(msg("You wait: your turn comes when number {ranks} is called."), ranks=ranks)
    elif deciding:
        yield texts.say(msg("You wait: it is the turn of {names}."), names=names)


def barred(texts: Texts, glance: Glance) -> str:
    """Why nothing can be built, where that is so in the own turn and its reason is worth a sentence."""
    view, seat = glance.view, glance.seat
    if seat is None or glance.step or not glance.choices or "build" in glance.verbs or "gather" in glance.verbs:
        return ""
    reasons = [why for action, why in refused(view, seat) if isinstance(action, Build)]
    if not reasons:
        return ""
    nearest = min(reasons, key=distance)
    return texts.say(msg("No building now. {why}"), why=refusal(texts, nearest.code, nearest.details))


def _retold(texts: Texts, glance: Glance, event: Event) -> str:
    """An event in a sentence: some with their consequences, which the log leaves out."""
    mine = getattr(event, "seat", None) == glance.seat
    match event:
        case ev.Called(rank):
            keys = [key for key in glance.view.cast if glance.edition.ranks[key] == rank]
            names = texts.alternatives([texts.the(key) for key in keys])
            said = msg("Number {rank}, {names}: no answer. No player has it, or it was killed.")
            return texts.say(said, rank=rank, names=names)
        case ev.TurnBegan(seat, character):
            said = msg("Your turn as {the}. {what}") if mine else msg("{name} is {the}. {what}")
            what = summary(texts, glance.edition, character)
            return texts.say(said, name=glance.names[seat], the=texts.the(character), what=what)
        case ev.Crowned(seat) if not (shared(glance.view) or glance.view.last_round):
            yours = msg("You have the crown: in the next round you choose first.")
            said = yours if mine else msg("{name} has the crown, and chooses first in the next round.")
            return texts.say(said, name=glance.names[seat])
        case ev.Built(seat, card, cost):
            yours = msg("Built: {card} ({type}); your city is worth {cost} more.")
            said = yours if mine else msg("{name} has built: {card} ({type}), worth {cost}.")
            values = {"card": texts.district(card), "type": texts.type(glance.edition.types[card]), "cost": cost}
            return texts.say(said, name=glance.names[seat], **values)
    return sentence(texts, event, glance.names, glance.seat) or ""


PASSING: Final[frozenset[type[Event]]] = frozenset(
    {
        ev.Asked, ev.BuildPaid, ev.CastDrawn, ev.DraftEnded, ev.Gathered, ev.Kept, ev.Drawn, ev.LapBegan,
        ev.Offered, ev.Picked, ev.Revealed, ev.RoundBegan, ev.RoundEnded, ev.SetAside, ev.Shuffled, ev.TakenBack,
        ev.TurnEnded, ev.CharacterCalled, ev.Answered, ev.CardsGained, ev.Restocked,
        ev.Inquired, ev.InquiryAnswered,
    }
)  # fmt: skip
"""What the table and the log show well enough, or what another event tells."""


def happened(texts: Texts, glance: Glance, events: Sequence[Event]) -> str:
    """The last thing among these that is worth a sentence; empty where there is none."""
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        answered = isinstance(event, ev.Called) and any(isinstance(one, ev.Revealed) for one in events[number:])
        after = events[number + 1 :]
        if type(event) in PASSING or answered or _running(event, after) or _past(event, after):
            continue
        if said := _retold(texts, glance, event):
            return said
    return ""


def _running(event: Event, after: Sequence[Event]) -> bool:
    """Whether a call has not been answered yet, and still may be."""
    return isinstance(event, ev.Called) and (not after or isinstance(after[-1], ev.Inquired))


def _past(event: Event, after: Sequence[Event]) -> bool:
    """Whether it is of a round that is over: calls and turns, and the crown that said who would choose first."""
    of_round = isinstance(event, ev.Called | ev.TurnBegan | ev.Crowned)
    return of_round and any(isinstance(one, ev.RoundBegan) for one in after)


def progress_sentence(texts: Texts, glance: Glance) -> str:
    """A sentence on this player's progress and that of the leader; empty before the first card is dealt."""
    view, seat, points = glance.view, glance.seat, open_points(glance.view)
    if view.phase == "setup" or not points:
        return ""
    others = [other for other in range(len(view.players)) if other != seat]
    best = max(others, key=lambda other: points[other])
    known = {"name": glance.names[best], "theirs": points[best]}
    if shared(glance.view):
        known |= {"built": names_standing(view), "goal": names_wanted(view)}
        if seat is None:
            return texts.say(msg("City: {built} of {goal}. Points: {name} {theirs}."), **known)
        said = msg("City: {built} of {goal}. Points: you {points}, {name} {theirs}.")
        return texts.say(said, points=points[seat], **known)
    known |= {"goal": goal(view) or 0, "other": size(view, best)}
    if seat is None:
        return texts.say(msg("Districts: {name} {other} of {goal}. Points: {theirs}."), **known)
    said = msg("Districts: you {built} of {goal}, {name} {other}. Points: you {points}, {name} {theirs}.")
    return texts.say(said, built=size(view, seat), points=points[seat], **known)
