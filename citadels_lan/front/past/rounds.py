"""Finding the way in a recording: where its rounds begin, and where somebody was hurt."""

from collections.abc import Iterator, Sequence

from citadels_lan.crypto.replay import Played
from citadels_lan.engine import Event, State, edition_of, evolve
from citadels_lan.front.fate import heals
from citadels_lan.front.told.befallen import Situation, blow


def first_steps(steps: Sequence[Played]) -> dict[int, int]:
    """The number of the first step of each round, by the number of the round. The deal is part of the first."""
    found: dict[int, int] = {}
    for number, played in enumerate(steps):
        found.setdefault(max(played.state.round, 1), number)
    return found


def harmed(steps: Sequence[Played]) -> Sequence[frozenset[int]]:
    """Whom each step has hurt: robbed, murdered, lost a district, and whatever else a player is told of in red."""
    before = [None, *(played.state for played in steps)]
    return [
        frozenset() if state is None else frozenset(_harmed(state, played.events))
        for state, played in zip(before, steps, strict=False)
    ]


def _harmed(state: State, events: Sequence[Event]) -> Iterator[int]:
    for event in events:
        yield from (seat for seat in range(len(state.players)) if blow(event, situation(state, seat)) is not None)
        state = evolve(state, event)


def situation(state: State, seat: int) -> Situation:
    """How a seat stands, as far as a state tells."""
    killed, turn = state.mark("killed"), state.turn
    return Situation(
        seat,
        frozenset(state.players[seat].concealed),
        turn.seat if turn is not None else None,
        killed=killed.character if killed is not None else "",
        ranks=edition_of(state).ranks,
        healed=heals(state, seat),
    )
