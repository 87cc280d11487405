"""The seats that a table with a sealed draft waits for, and the reason."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import State, acting
from citadels_lan.front.told.entries import Notice
from citadels_lan.texts import Texts, msg

from .absence import typed

WAITS: Final = msg(
    "The host says that {names} is away. The game waits. To end it without a result, type {word}: the other"
    " players must agree."
)
HANDS_ON: Final = msg("{names} passes on the face-down character.")


def asked_for(view: State) -> str:
    """The character that was called, while no player has shown it yet; empty where there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


def choosing(view: State) -> tuple[int, ...]:
    """The seats that are to pick in a sealed draft; empty where there are none."""
    return acting(view) if view.phase == "draft" and view.draft != "open" else ()


def handing_on(view: State, waiting: Sequence[int]) -> tuple[int, ...]:
    """Which of the seats that the table waits for pass on the face-down character; empty where none does."""
    picking = choosing(view) if view.inquiry is None else ()
    return tuple(seat for seat in waiting if seat not in picking) if picking else ()


def awaited(view: State, waiting: Sequence[int]) -> tuple[str, Sequence[int]]:
    """The reason why a table with a sealed draft waits, and the seats: as an inquiry has it, a `pick`, or `back`
    for the face-down character; empty where it waits for nothing of the kind."""
    if view.inquiry is not None:
        return view.inquiry.what, view.inquiry.seats
    handing = handing_on(view, waiting)
    return ("back", handing) if handing else ("pick", choosing(view))


def gone(seats: Sequence[int], named: Sequence[str], texts: Texts, *, in_lines: bool) -> Notice:
    """What the log says of players who are away and have to say something. `named` are the names by seat."""
    away = texts.listing([named[seat] for seat in seats])
    return Notice(WAITS, (("names", away), ("word", typed(texts, "conclude", in_lines=in_lines))), aside=True)
