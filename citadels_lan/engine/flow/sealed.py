"""A sealed draft as the host sees it, who knows no pick, and as a seat sees it, which knows its own.

What the host tells a seat has not even that seat's own characters: the seat adds them itself. What comes of this
is what an open table would show it.
"""

from msgspec import Struct

from citadels_lan.engine.actions import Pick
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import (
    Cards,
    CharactersSwapped,
    Event,
    Offered,
    Picked,
)
from citadels_lan.engine.events.base import Impossible
from citadels_lan.engine.state import State

from .draft import NEVER_FACE_UP, aside_at, loses, picks
from .rounds import Rounds


def asks_own(event: Event, seat: int) -> bool:
    """Whether `seat` knows more of an event of a blind table than it is told."""
    if isinstance(event, CharactersSwapped):
        return seat in (event.seat, event.other)
    return isinstance(event, (Offered, Picked)) and event.seat == seat


class DraftStep(Struct, frozen=True):
    """A seat keeps one character of what it is offered, and lays `aside` as many face down. If it `loses` one,
    chance takes one more out of what is left, before it is passed on."""

    seat: int
    aside: int = 0
    loses: bool = False

    @property
    def taken(self) -> int:
        """How many characters are fewer after this step."""
        return 1 + self.aside + self.loses


class Outline(Struct, frozen=True):
    """What everybody knows of a draft before it begins: how many characters lie face up, the rank that never does,
    whether chance lays one face down, and whether that `returns` to the last seat, which would have no choice
    otherwise."""

    face_up: int
    never_up: int
    face_down: bool
    picks: tuple[DraftStep, ...]
    returns: bool


def outline(state: State) -> Outline:
    """The draft of the round to come, or of this one, at a table that has a draft."""
    flow, players, cast = edition_of(state).flow, len(state.players), len(state.cast)
    assert isinstance(flow, Rounds)
    face_up, face_down = flow.draft.laid(state)
    order = [
        DraftStep(
            (state.crown + place) % players,
            int(aside_at(players, nth, face_down=bool(face_down))),
            loses(players, nth, cast),
        )
        for nth, place in enumerate(picks(players))
    ]
    last = cast - face_up - face_down - sum(one.taken for one in order[:-1])
    return Outline(face_up, NEVER_FACE_UP, bool(face_down), tuple(order), last == 1)


class OwnPicks(Struct, frozen=True):
    """What a seat knows by itself of a round: the packets that it was offered, the characters it holds and has not
    revealed, in the order in which it received them, and those that it has laid aside."""

    packets: tuple[Cards, ...] = ()
    held: Cards = ()
    laid: Cards = ()


def with_picks(view: State, seat: int, own: OwnPicks) -> State:
    """The view of `seat` at a blind table with what it knows by itself. Raises Impossible where that does not
    fit."""
    players, steps = view.players.copy(), view.steps.copy()
    player = players[seat]
    _fit(player.concealed, own.held)
    _fit(player.laid, own.laid)
    players[seat] = player.but(concealed=list(own.held), laid=list(own.laid), seen=list(own.packets))
    if steps and steps[-1].verb == Pick.verb and steps[-1].seat == seat:
        packet = own.packets[-1] if own.packets else ()
        _fit(steps[-1].cards, packet)
        steps[-1] = steps[-1].but(cards=packet)
    return view.but(players=players, steps=steps)


def _fit(told: Cards | list[str], known: Cards | list[str]) -> None:
    if len(told) != len(known) or HIDDEN in known:
        raise Impossible("picks")
