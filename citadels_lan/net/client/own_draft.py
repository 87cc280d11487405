"""A sealed draft as its own seat knows it: packets, picks and exchanges, out of the own key and the log.

The host tells a seat no character that is not shown, not even its own ones. So the seat adds them, to the events
that it is told and to its view.
"""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.engine import Event, State
from citadels_lan.engine.actions import Pick
from citadels_lan.engine.events import CharactersSwapped, Offered, Picked
from citadels_lan.engine.flow.sealed import OwnPicks, asks_own, own_event, with_picks


class OwnDraft(Struct, frozen=True):
    """What a seat knows by itself of one draft, as characters: the packets that it was offered, what it kept and
    laid aside at each step, what it gave and received in each exchange."""

    packets: tuple[tuple[str, ...], ...] = ()
    taken: tuple[tuple[str, ...], ...] = ()
    swapped: tuple[tuple[str, ...], ...] = ()

    @property
    def picks(self) -> OwnPicks:
        """The same as the engine has it."""
        held = [kept for kept, *_ in self.taken]
        for given, received in self.swapped:
            held.remove(given)
            held.append(received)
        laid = tuple(character for _, *aside in self.taken for character in aside)
        return OwnPicks(self.packets, tuple(held), laid)


def own_draft(hand: DraftHand) -> OwnDraft | None:
    """What a seat knows by itself; None where it, or somebody, has complained of a lie."""
    if hand.record.complaint is not None or hand.complaint() is not None:
        return None
    plan = hand.record.table.plan

    def names(*cards: int) -> tuple[str, ...]:
        return tuple(plan.names(card)[0] for card in cards)

    return OwnDraft(
        tuple(map(plan.names, hand.packets())),
        tuple(names(*cards) for cards in hand.taken()),
        tuple(names(*cards) for cards in hand.swapped()),
    )


def with_own_cards(
    events: Sequence[Event], seat: int, known: OwnDraft, before: Sequence[Event]
) -> tuple[Event, ...]:
    """Events of one entry as a seat is told them, with its own characters in them, as far as it knows them by now;
    `before` are those of this round that it was told."""
    filled: list[Event] = []
    for event in events:
        past = [one for one in (*before, *filled) if asks_own(one, seat)]
        taken = sum(isinstance(one, Picked) for one in past)
        swapped = sum(isinstance(one, CharactersSwapped) for one in past)
        cards: Sequence[tuple[str, ...]] = ()
        if asks_own(event, seat):
            match event:
                case Offered():
                    cards = [one for one in known.packets[taken : taken + 1] if len(one) == len(event.packet)]
                case Picked():
                    cards = known.taken[taken : taken + 1]
                case CharactersSwapped():
                    cards = known.swapped[swapped : swapped + 1]
        filled.append(own_event(event, seat, cards[0]) if cards else event)
    return tuple(filled)


def with_own_draft(view: State, seat: int, known: OwnDraft) -> State:
    """The view of a seat with what it knows by itself. A packet whose box has not come yet stays hidden."""
    steps = view.steps
    if steps and steps[-1].verb == Pick.verb and steps[-1].seat == seat and len(known.packets) == len(known.taken):
        return with_picks(view.but(steps=steps[:-1]), seat, known.picks).but(steps=steps)
    return with_picks(view, seat, known.picks)
