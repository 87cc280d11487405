"""The plan of a draft out of what the engine says of it."""

from citadels_lan.engine import State, edition_of
from citadels_lan.engine.flow.sealed import outline

from .plan import NOBODY, DraftPlan, DraftStep


def plan_for(state: State) -> DraftPlan:
    """How a table drafts in the round to come, or in this one."""
    drawn, ranks = outline(state), edition_of(state).ranks
    never_up = (place for place, character in enumerate(state.cast) if ranks[character] == drawn.never_up)
    steps = tuple(DraftStep(one.seat, int(one.aside), one.loses) for one in drawn.picks)
    return DraftPlan(
        tuple(state.cast), steps, drawn.face_up, next(never_up, NOBODY), drawn.face_down, drawn.returns
    )
