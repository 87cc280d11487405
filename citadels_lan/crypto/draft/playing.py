"""What the engine plays of an entry of a sealed draft: the same at the host and in a replay."""

from collections.abc import Sequence
from typing import TypeAlias

from citadels_lan.crypto.log import DraftCalled, DraftSaid, DraftWithout
from citadels_lan.engine import HIDDEN, Action, Chance, Event, State, Table, go_on, play_move
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut, LeftOut
from citadels_lan.engine.events import PassedOver

from .messages import AnyDraftMessage, CallReply, Dealt, HandedOver, PassedOn, decode_message

DraftEntry: TypeAlias = DraftSaid | DraftWithout | DraftCalled
DraftPlay: TypeAlias = Action | Answer
"""A move of the seat that the entry is of, or what the table is told."""


def passed_in(events: Sequence[Event]) -> int:
    """How many seats did not pick, as these events tell."""
    return sum(isinstance(event, PassedOver) for event in events)


def plays_of(entry: DraftEntry, state: State, passed: int) -> list[DraftPlay]:
    """What a blind table plays of an entry, in which so many seats are passed over."""
    match entry:
        case DraftSaid():
            return _plays_of_message(entry.seat, decode_message(entry.what), state, passed)
        case DraftWithout():
            swap = state.inquiry is not None and state.inquiry.what == "swap"
            return [Holder(None)] if swap else [LeftOut()] * passed
        case DraftCalled():
            shown = [one.seat for one in entry.replies if _held(decode_message(one.what))]
            return [Holder(shown[0] if shown else None)] if len(shown) < 2 else []


def _held(message: AnyDraftMessage) -> bool:
    return isinstance(message, CallReply) and message.held > 0


def _plays_of_message(seat: int, message: AnyDraftMessage, state: State, passed: int) -> list[DraftPlay]:
    match message:
        case Dealt():
            face_up = tuple(state.cast[place] for place in message.face_up if place < len(state.cast))
            return [LaidOut(face_up), *[LeftOut()] * passed]
        case PassedOn():
            return [Pick(HIDDEN, None if message.aside is None else HIDDEN)]
        case HandedOver() if state.inquiry is None:
            return [Theater(message.to, HIDDEN if len(state.players[seat].concealed) > 1 else None)]
        case HandedOver():
            return [Holder(seat)]
    return []


def play_draft(table: Table, seat: int, plays: Sequence[DraftPlay]) -> None:
    """Play these on a table. Raises IllegalMove and Impossible."""
    for one in plays:
        if isinstance(one, Action):
            play_move(table, seat, one)
        else:
            go_on(table, one)


def drafted(state: State, chance: Chance, seat: int, plays: Sequence[DraftPlay]) -> list[Event]:
    """What comes of these; changes nothing. Raises IllegalMove and Impossible."""
    table = Table(state.copy(), chance)
    play_draft(table, seat, plays)
    return table.events
