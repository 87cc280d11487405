"""A sealed draft: what its host sees of it, and what one seat sees.

The host knows no pick, so the view that it sends contains not even the seat's own characters. The seat adds
them itself. The result equals the view that an open table would send to the seat.
"""

from msgspec import Struct

from citadels_lan.engine.actions import Pick
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Cards, CharactersSwapped, Event, Impossible, Offered, Picked
from citadels_lan.engine.state import State

from .draft import NEVER_FACE_UP, aside_at, loses, picks
from .rounds import Rounds


def asks_own(event: Event, seat: int) -> bool:
    """Return whether `event` of a sealed draft contains characters that the player of `seat` knows and the
    host does not."""
    if isinstance(event, CharactersSwapped):
        return seat in (event.seat, event.other)
    return isinstance(event, (Offered, Picked)) and event.seat == seat


class DraftStep(Struct, frozen=True):
    """One pick: `seat` keeps a character of its packet and lays `aside` this many face down. If `loses`,
    chance removes one more before the packet is passed on."""

    seat: int
    aside: int = 0
    loses: bool = False

    @property
    def taken(self) -> int:
        """How many characters leave the packet at this pick."""
        return 1 + self.aside + self.loses


class Outline(Struct, frozen=True):
    """The public facts about a draft before it begins.

    `face_up` is the number of face-up characters, and `never_up` the rank that is never face up. `face_down`:
    chance lays one character face down. `returns`: that character goes into the last packet, which otherwise
    would have only one. `picks` are the picks in order.
    """

    face_up: int
    never_up: int
    face_down: bool
    picks: tuple[DraftStep, ...]
    returns: bool


def outline(state: State) -> Outline:
    """Return the outline of the present draft, or of the next one if none is in progress. The edition of the
    table must have a draft."""
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
    # Only the last seat's packet is compared with 1: it decides whether the face-down character returns.
    last = cast - face_up - face_down - sum(step.taken for step in order[:-1])
    return Outline(face_up, NEVER_FACE_UP, bool(face_down), tuple(order), last == 1)


class OwnPicks(Struct, frozen=True):
    """The facts about a draft that only one seat knows: the `packets` that it received, the unrevealed
    characters that it has (`held`, in the order received), and those that it discarded face down (`laid`)."""

    packets: tuple[Cards, ...] = ()
    held: Cards = ()
    laid: Cards = ()


def with_picks(view: State, seat: int, own: OwnPicks) -> State:
    """Return the view of `seat` in a sealed draft: `view`, as sent by the host, with the seat's own
    characters filled in from `own`. Raises Impossible if `view` has another number of them."""
    players, steps = view.players.copy(), view.steps.copy()
    player = players[seat]
    _fit(player.concealed, own.held)
    _fit(player.laid, own.laid)
    players[seat] = player.but(concealed=list(own.held), laid=list(own.laid), seen=list(own.packets))
    # The question to this seat has hidden characters at the host; fill in the packet.
    if steps and steps[-1].verb == Pick.verb and steps[-1].seat == seat:
        packet = own.packets[-1] if own.packets else ()
        _fit(steps[-1].cards, packet)
        steps[-1] = steps[-1].but(cards=packet)
    return view.but(players=players, steps=steps)


def _fit(sent: Cards | list[str], own: Cards | list[str]) -> None:
    # The host's view has the right number of hidden characters, so another number contradicts the log.
    if len(sent) != len(own) or HIDDEN in own:
        raise Impossible("picks")
