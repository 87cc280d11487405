"""The decisions of a seat, out of a recording: what it was shown, what it remembered, what it did."""

from collections.abc import Iterator
from copy import deepcopy

from citadels_lan.bots.search.reviewing import Decision
from citadels_lan.bots.worlds.memory import Memory, remember
from citadels_lan.crypto.replay import Played
from citadels_lan.engine import HIDDEN, Deal, State, decisions, events, evolve, redact, view
from citadels_lan.engine.actions import Keep, Pick, Theater
from citadels_lan.front.recording import Recording


def decided(recording: Recording, seat: int) -> Iterator[Decision]:
    """Every move that the seat has made, where it could have made another one. Nothing that it could not know then
    has a part in them. The first step is the deal: with it the memory begins."""
    before, memory = known(recording.steps[0].state, seat), Memory()
    for step, played in enumerate(recording.steps[1:], 1):
        line = _line(played, before) if played.seat == seat and _chose(before, seat) else ""
        if line:
            yield Decision(step, seat, before, deepcopy(memory), line)
        for event in played.events:
            told = redact(event, seat)
            remember(memory, before, told)
            before = evolve(before, told)


def decision_at(recording: Recording, step: int) -> Decision | None:
    """The decision that a step was; None where nothing was to be decided, or the file does not say what."""
    seat = recording.steps[step].seat
    if seat is None or (not recording.open and seat != recording.owner):
        return None
    return next((one for one in decided(recording, seat) if one.step == step), None)


def known(state: State, seat: int) -> State:
    """What a seat may know of a state, which is the full one or its own view already."""
    return view(state, seat) if state.whole else state


def _line(played: Played, before: State) -> str:
    """The line of a move. In a game that was not opened, and in sealed drafts, those of hidden moves are missing:
    picks, exchanges and kept cards say it again by what came of them, and the few others are left out."""
    if played.line:
        return played.line
    for event in played.events:
        match event:
            case events.Picked(_, character, laid):
                return str(Pick(character, next(iter(laid), None)))
            case events.Inquired("swap", (other,), _, int() as by, (given,)) if given != HIDDEN:
                return str(Theater(other, given if len(before.players[by].concealed) > 1 else None))
            case events.Kept(_, kept):
                return str(Keep(kept))
    return ""


def _chose(before: State, seat: int) -> bool:
    choices = decisions(before).get(seat, ())
    return len(choices) > 1 or any(isinstance(choice, Deal) for choice in choices)
