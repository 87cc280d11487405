"""Encode events and states as plain values for the wire, and decode them."""

from typing import Any, Final, Union

from msgspec import Struct, convert, to_builtins

from .events import Event
from .state import State

EVENTS: Final[Any] = Union[tuple(Event.__subclasses__())]  # noqa: UP007 - made of what the engine defines
"""The union of all kinds of events."""


class _Told(Struct, array_like=True):
    """A Struct around an event. With it msgspec analyses the union of all events only once, and not at every
    decoding."""

    event: EVENTS


def encode_event(event: Event) -> list[Any]:
    """Return an event as plain data: [tag, fields...]."""
    plain: list[Any] = to_builtins(event)
    return plain


def decode_event(plain: Any) -> Event:
    """Decode an event from its plain data. Raises msgspec.ValidationError."""
    # The list is a `_Told`: an array with the event as its only field.
    event: Event = convert([plain], _Told).event
    return event


def encode_state(state: State) -> Any:
    """Encode a state as dicts, lists and plain values, in the order of its fields."""
    return to_builtins(state)


def decode_state(plain: Any) -> State:
    """Decode a state from its plain values (`encode_state`). Raises msgspec.ValidationError."""
    return convert(plain, State)
