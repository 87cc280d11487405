"""A sealed draft as its own seat knows it: packets, picks and exchanges, out of the own key and the log.

The host tells a seat no character that is not shown, not even its own ones. So the seat adds them.
"""

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.own_picks import own_picks
from citadels_lan.engine import State
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.flow.sealed import OwnPicks, with_picks


def readable_picks(hand: DraftHand) -> OwnPicks | None:
    """What a seat knows by itself of its draft; None where it, or somebody, has complained of a lie."""
    return own_picks(hand) if readable(hand) else None


def readable(hand: DraftHand) -> bool:
    """Whether nobody has complained of a lie in a draft, and this seat does not have to."""
    return hand.record.complaint is None and hand.complaint() is None


def with_own_draft(view: State, hand: DraftHand, known: OwnPicks) -> State:
    """The view of a seat with what it knows by itself. A packet whose box has not come yet stays hidden."""
    steps = view.steps
    if steps and steps[-1].verb == Pick.verb and steps[-1].seat == hand.seat and not _offered(hand):
        return with_picks(view.but(steps=steps[:-1]), hand.seat, known).but(steps=steps)
    return with_picks(view, hand.seat, known)


def _offered(hand: DraftHand) -> bool:
    """Whether the packet of which the seat is to pick is there."""
    return hand.record.due == ("pick", hand.seat)
