"""What has just happened, with what comes of it, for somebody who does not know the game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.cards import summary
from citadels_lan.texts.sentences.sentence import sentence

from .glance import Glance

Told = Callable[[Texts, Glance, Any], str]


def _called(texts: Texts, glance: Glance, event: ev.Called) -> str:
    keys = [key for key in glance.view.cast if glance.edition.ranks[key] == event.rank]
    names = texts.alternatives([texts.the(key) for key in keys])
    said = msg("Number {rank}, {names}: no answer. No player has it, or it was killed.")
    return texts.say(said, rank=event.rank, names=names)


def _turn(texts: Texts, glance: Glance, event: ev.TurnBegan) -> str:
    values = {"the": texts.the(event.character), "what": summary(texts, glance.edition, event.character)}
    if event.seat == glance.seat:
        return texts.say(msg("Your turn as {the}. {what}"), **values)
    return texts.say(msg("{name} is {the}. {what}"), name=glance.names[event.seat], **values)


def _crowned(texts: Texts, glance: Glance, event: ev.Crowned) -> str:
    if glance.common or glance.view.last_round:
        return sentence(texts, event, glance.names, glance.seat) or ""
    if event.seat == glance.seat:
        return texts.say(msg("You have the crown: in the next round you choose first."))
    name = glance.names[event.seat]
    return texts.say(msg("{name} has the crown, and chooses first in the next round."), name=name)


def _built(texts: Texts, glance: Glance, event: ev.Built) -> str:
    values = {"card": texts.district(event.card), "type": texts.type(glance.edition.types[event.card])}
    if event.seat == glance.seat:
        said = msg("Built: {card} ({type}); your city is worth {cost} more.")
        return texts.say(said, cost=event.cost, **values)
    said = msg("{name} has built: {card} ({type}), worth {cost}.")
    return texts.say(said, name=glance.names[event.seat], cost=event.cost, **values)


TELLING: Final[Mapping[type[Event], Told]] = {
    ev.Called: _called,
    ev.TurnBegan: _turn,
    ev.Crowned: _crowned,
    ev.Built: _built,
}
"""What is told in other words than in the log."""
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
        told = TELLING.get(type(event))
        said = told(texts, glance, event) if told else sentence(texts, event, glance.names, glance.seat)
        if said:
            return said
    return ""


def _running(event: Event, after: Sequence[Event]) -> bool:
    """Whether a call has not been answered yet, and still may be."""
    return isinstance(event, ev.Called) and (not after or isinstance(after[-1], ev.Inquired))


def _past(event: Event, after: Sequence[Event]) -> bool:
    """Whether it is of a round that is over: calls and turns, and the crown that said who would choose first."""
    of_round = isinstance(event, ev.Called | ev.TurnBegan | ev.Crowned)
    return of_round and any(isinstance(one, ev.RoundBegan) for one in after)
