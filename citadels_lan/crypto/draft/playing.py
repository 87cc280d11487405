"""The engine and sealed drafts: what it plays of an entry, the same at the host and in a replay; and its views and
events, which the log has without characters, with those that are known. What is not known stays hidden."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from citadels_lan.crypto.log import Said, SaidItem
from citadels_lan.engine import HIDDEN, Action, Chance, Event, State, Table, go_on, play_move
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut
from citadels_lan.engine.events import CharactersSwapped, Inquired, Offered, Picked, RoundBegan, SetAside
from citadels_lan.engine.flow.sealed import OwnPicks, asks_own, outline

from .drafting import DraftHand, Knowledge
from .record import NOT_HELD, TOGETHER, CallReply, Dealt, GivenBack, HandedOver, PassedOn, decode_message

DraftPlay: TypeAlias = Action | Answer | None
"""A move of the seat that sends the message, or an answer for the table; None if there are no events."""


def speaker(entry: Said) -> SaidItem | None:
    """Return what one seat says alone in an entry; None where all seats begin or reply."""
    together = isinstance(decode_message(entry.items[0].message), TOGETHER)
    return None if together else entry.items[0]


def play_of(items: Sequence[SaidItem], state: State) -> DraftPlay:
    """Return what a table that knows no character plays of the messages of one entry."""
    said = {item.seat: decode_message(item.message) for item in items}
    (seat, message), *_ = said.items()
    match message:
        case Dealt():
            return LaidOut(tuple(state.cast[place] for place in message.face_up if place < len(state.cast)))
        case PassedOn() if not _waits(state):
            return Pick(HIDDEN, None if message.aside is None else HIDDEN)
        case GivenBack():
            return Pick(HIDDEN)
        case HandedOver() if state.inquiry is None:
            return Theater(message.to, HIDDEN if len(state.players[seat].concealed) > 1 else None)
        case HandedOver():
            return Holder(seat)
        case CallReply():
            shown = [seat for seat, reply in said.items() if reply != NOT_HELD]
            return Holder(shown[0] if shown else None) if len(shown) < 2 else None
    return None


def _waits(state: State) -> bool:
    """Return whether the events of the next pick wait for the face-down character of the last seat."""
    drawn = outline(state)
    return drawn.returns and state.picks == len(drawn.picks) - 2


def drafted(state: State, chance: Chance, items: Sequence[SaidItem]) -> list[Event]:
    """Return the events of the messages of one entry; changes nothing. Raises IllegalMove and Impossible."""
    table, play = Table(state.copy(), chance), play_of(items, state)
    if isinstance(play, Action):
        play_move(table, state.steps[-1].seat if isinstance(play, Pick) else items[0].seat, play)
    elif play is not None:
        go_on(table, play)
    return table.events


def own_picks(hand: DraftHand) -> OwnPicks:
    """Return what the seat of a hand was offered, holds and has not shown, and has laid aside."""
    known, seat = hand.known, hand.seat
    steps = [at for at, step in enumerate(hand.record.steps) if step.step.seat == seat]
    now = [len(hand.record.steps)] if hand.record.due == ("pick", (seat,)) else []
    names = hand.record.table.plan.names
    packets = tuple(names(known.offered(at) or 0) for at in [*steps, *now])
    laid = tuple(name for at in steps for name in names(known.aside[at] or 0))
    return OwnPicks(packets, names(known.hands.get(seat) or 0), laid)


class KnownEvents:
    """The events of a log one after the other, with the characters that are known. `known` gives what is known of
    the draft of a round, maybe at a later moment: a log that is read again gives the same events as at first."""

    def __init__(self, known: Callable[[int], Knowledge | None]) -> None:
        self._known = known
        self._round = self._done = self._given = 0

    def opened(self, events: Sequence[Event]) -> list[Event]:
        """Return the next events with all known characters."""
        return [self._opened(event) for event in events]

    def own(self, events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the next events as a seat knows them."""
        return own_part(events, self.opened(events), seat)

    def _opened(self, event: Event) -> Event:
        if isinstance(event, RoundBegan):
            self._round, self._done, self._given = event.round, 0, 0
        done, given, known = self._done, self._given, self._known(self._round)
        self._done += isinstance(event, Picked)
        self._given += 2 * isinstance(event, CharactersSwapped)
        return event if known is None else _opened(event, known, done, given)


def _opened(event: Event, known: Knowledge, done: int, given: int) -> Event:
    def cards(hidden: tuple[str, ...], which: int | None) -> tuple[str, ...]:
        names = known.record.table.plan.names(which or 0)
        return names if len(names) == len(hidden) else hidden

    match event:
        case RoundBegan():
            return event.but(facedown=cards(event.facedown, known.face_down))
        case Offered():
            return event.but(packet=cards(event.packet, known.offered(done)))
        case Picked() if done < len(known.picked):
            character, *_ = cards((event.character,), known.picked[done])
            return event.but(character=character, laid=cards(event.laid, known.aside[done]))
        case SetAside() if done:
            left = known.packets[done]
            if known.record.steps[done - 1].step.loses and left is not None:
                left = (known.offered(done - 1) or 0) & ~(left | (known.picked[done - 1] or 0))
            return event.but(characters=cards(event.characters, left))
        case Inquired() if event.what == "swap":
            return event.but(given=cards(event.given, known.gifts[given]))
        case CharactersSwapped():
            gifts = [cards((HIDDEN,), known.gifts[at])[0] for at in (given, given + 1)]
            return event.but(given=gifts[0], received=gifts[1])
    return event


def own_part(events: Sequence[Event], opened: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """Return events as a seat knows them; `opened` are the same with all known characters."""
    pairs = zip(events, opened, strict=True)
    return tuple(more if seat is not None and asks_own(event, seat) else event for event, more in pairs)
