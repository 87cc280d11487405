"""A sealed draft as the host sees it, who knows no pick, and as a seat sees it, which knows its own.

What the host tells a seat has not even that seat's own characters: the seat adds them itself. What comes of this
is what an open table would show it.
"""

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import (
    Cards,
    CharactersSwapped,
    Event,
    Inquired,
    Offered,
    Picked,
    RoundBegan,
    SetAside,
)
from citadels_lan.engine.events.base import Impossible, take
from citadels_lan.engine.state import State

from .draft import NEVER_FACE_UP, aside_at, loses, picks
from .rounds import Rounds

SECRET = (RoundBegan, Offered, Picked, SetAside, CharactersSwapped, Inquired)
"""The events that name characters not shown."""


def as_blind(action: Action) -> Action:
    """An action as a blind table plays it."""
    match action:
        case Pick():
            return Pick(HIDDEN, action.discarding and HIDDEN)
        case Theater():
            return Theater(action.seat, action.giving and HIDDEN)
    return action


def blind_event(event: Event) -> Event:
    """An event as it happens at a blind table."""
    return event.redact(None) if isinstance(event, SECRET) else event


def asks_own(event: Event, seat: int) -> bool:
    """Whether `seat` knows more of an event of a blind table than it is told."""
    if isinstance(event, CharactersSwapped):
        return seat in (event.seat, event.other)
    return isinstance(event, (Offered, Picked)) and event.seat == seat


def own_event(event: Event, seat: int, cards: Cards) -> Event:
    """An event of a blind table with what `seat` knows of it: the packet that it is offered; what it keeps, and
    then what it lays aside; what it gives in an exchange, and then what it receives. Raises Impossible where these
    are not as many, and where it knows no more than it is told."""
    if not asks_own(event, seat):
        raise Impossible("picks")
    match event:
        case Offered():
            _fit(event.packet, cards)
            return event.but(packet=cards)
        case Picked():
            _fit((event.character, *event.laid), cards)
            return event.but(character=cards[0], laid=cards[1:])
        case CharactersSwapped():
            _fit((event.given, event.received), cards)
            given, received = cards if seat == event.seat else reversed(cards)
            return event.but(given=given, received=received)
    return event


class Picking(Struct, frozen=True):
    """A seat keeps a character of what it is offered. With `aside` it also lays one face down; where it `loses`
    one, chance takes one more."""

    seat: int
    aside: bool
    loses: bool


class Outline(Struct, frozen=True):
    """What everybody knows of a draft before it begins: how many characters lie face up, the rank that never does,
    whether chance lays one face down, and whether that `returns` to the last seat, which would have no choice
    otherwise."""

    face_up: int
    never_up: int
    face_down: bool
    picks: tuple[Picking, ...]
    returns: bool


def outline(state: State) -> Outline:
    """The draft of the round to come, or of this one, at a table that has a draft."""
    flow, players, cast = edition_of(state).flow, len(state.players), len(state.cast)
    assert isinstance(flow, Rounds)
    face_up, face_down = flow.draft.laid(state)
    order = [
        Picking(
            (state.crown + place) % players,
            aside_at(players, nth, face_down=bool(face_down)),
            loses(players, nth, cast),
        )
        for nth, place in enumerate(picks(players))
    ]
    last = cast - face_up - face_down - sum(1 + one.aside + one.loses for one in order[:-1])
    return Outline(face_up, NEVER_FACE_UP, bool(face_down), tuple(order), last == 1)


class OwnPicks(Struct, frozen=True):
    """What a seat knows by itself of a round: the packets that it was offered, the characters it holds or has
    revealed, in the order in which they came to it, and those that it has laid aside."""

    packets: tuple[Cards, ...] = ()
    held: Cards = ()
    laid: Cards = ()

    def after(self, event: Event, seat: int) -> "OwnPicks":
        """The same after an own event of `seat`, or any other."""
        if isinstance(event, RoundBegan):
            return OwnPicks()
        if not asks_own(event, seat):
            return self
        match event:
            case Offered():
                return replace(self, packets=(*self.packets, event.packet))
            case Picked():
                return replace(self, held=(*self.held, event.character), laid=(*self.laid, *event.laid))
            case CharactersSwapped():
                gives = seat == event.seat
                held = list(self.held)
                take(held, event.given if gives else event.received)
                return replace(self, held=(*held, event.received if gives else event.given))
        return self


def with_picks(view: State, seat: int, own: OwnPicks) -> State:
    """The view of `seat` at a blind table with what it knows by itself. Raises Impossible where that does not
    fit."""
    players, steps = view.players.copy(), view.steps.copy()
    player = players[seat]
    concealed = [character for character in own.held if character not in player.revealed]
    _fit(player.concealed, concealed)
    _fit(player.laid, own.laid)
    players[seat] = player.but(concealed=concealed, laid=list(own.laid), seen=list(own.packets))
    if steps and steps[-1].verb == Pick.verb and steps[-1].seat == seat:
        packet = own.packets[-1] if own.packets else ()
        _fit(steps[-1].cards, packet)
        steps[-1] = steps[-1].but(cards=packet)
    return view.but(players=players, steps=steps)


def _fit(told: Cards | list[str], known: Cards | list[str]) -> None:
    if len(told) != len(known) or HIDDEN in known:
        raise Impossible("picks")
