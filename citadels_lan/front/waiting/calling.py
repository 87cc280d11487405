"""What a table with a sealed draft waits for, and what comes of it where somebody is gone."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import State, acting
from citadels_lan.front.shown.drafting import order
from citadels_lan.front.told.entries import Notice
from citadels_lan.texts import Texts, msg

DEAL: Final = msg(
    "Away, says the host: {names}. After 30 seconds somebody else deals, and {names} gets no character in this"
    " round."
)
SWAP: Final = msg("Away, says the host: {names}. After 30 seconds it goes on, and nothing is exchanged.")
CALL: Final = msg(
    "Away, says the host: {names}. After 30 seconds it goes on without: if {character} is theirs, it loses the"
    " turn of this round, and is shown when the game is over."
)
LATE: Final = msg(
    "Away, says the host: {names}. After 30 seconds it goes on without: if {character} was theirs, that is shown"
    " when the game is over."
)
PICK: Final = msg(
    "Away, says the host: {name}. The game waits. If a bot moves in their place, {name} gets no character in this"
    " round: what was offered is theirs alone to see."
)
ALL_LOST: Final = msg(
    "Away, says the host: {name}. The game waits. If a bot moves in their place, the choice of characters ends:"
    " nobody else can hand them on, and whoever has not chosen gets none in this round."
)
AGAIN: Final = msg(
    "Away, says the host: {names}. Nobody else can hand the characters on: after 30 seconds the choice of"
    " characters ends, and whoever has not chosen gets none in this round."
)
HANDS_ON: Final = msg("{names} hands the characters on, without whoever was left out.")
GONE: Final = {"deal": DEAL, "swap": SWAP, "call": CALL, "late": LATE, "again": AGAIN}


def asked_for(view: State) -> str:
    """The character that was called, while nobody has said yet whose it is; empty where there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


def choosing(view: State) -> tuple[int, ...]:
    """The seats that are to pick in a sealed draft, for which no bot can do it; empty where there are none."""
    return acting(view) if view.phase == "draft" and view.draft != "open" else ()


def handing_on(view: State, waiting: Sequence[int]) -> tuple[int, ...]:
    """Who of those that the table is `waiting` for must hand characters on once more, to whoever picks after one
    that was left out; empty where nobody must."""
    picking = choosing(view) if view.inquiry is None else ()
    return tuple(seat for seat in waiting if seat not in picking) if picking else ()


def awaited(view: State, waiting: Sequence[int]) -> tuple[str, Sequence[int]]:
    """For what a table with a sealed draft waits, and for whom: as an inquiry says it, a `pick`, or `again` for
    those who hand characters on; empty where it waits for nothing of the kind."""
    if view.inquiry is not None:
        return view.inquiry.what, view.inquiry.seats
    handing = handing_on(view, waiting)
    return ("again", handing) if handing else ("pick", choosing(view))


def _maker(view: State) -> int:
    """Who has handed on the characters of which is to be chosen: who chose last, or else whoever dealt."""
    chosen = [one.seat for one in order(view) if one.progress == "done"]
    return chosen[-1] if chosen else view.crown


def gone(
    view: State, what: str, seats: Sequence[int], away: Sequence[int], named: Sequence[str], texts: Texts
) -> Notice:
    """What the log says of players who are gone: how long they are waited for, and what happens then. Of one who
    should pick: that it is waited for, and what a bot cannot do. `named` are the names by seat."""
    if what == "pick":
        text = ALL_LOST if _maker(view) in away else PICK
        return Notice(text, (("name", named[seats[0]]),), aside=True)
    character = view.inquiry.character if view.inquiry is not None else None
    values = (("names", texts.listing([named[seat] for seat in seats])), ("character", character or ""))
    return Notice(GONE[what], values[: 2 if character else 1], aside=True)
