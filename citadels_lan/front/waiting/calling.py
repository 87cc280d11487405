"""What a table with a sealed draft waits for, and what comes of it where somebody is gone."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.engine import State, acting
from citadels_lan.engine.state import Inquiry
from citadels_lan.front.log import Notice
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
GONE: Final = {"deal": DEAL, "swap": SWAP, "call": CALL, "late": LATE}


def asked_for(view: State) -> str:
    """The character that was called, while nobody has said yet whose it is; empty where there is none."""
    inquiry = view.inquiry
    return inquiry.character or "" if inquiry is not None and inquiry.what == "call" else ""


def choosing(view: State) -> tuple[int, ...]:
    """The seats that are to pick in a sealed draft, for which no bot can do it; empty where there are none."""
    return acting(view) if view.phase == "draft" and view.draft != "open" else ()


def gone_choosing(name: str) -> Notice:
    """What the log says of a player who is gone and should pick: it is waited for, and what a bot cannot do."""
    return Notice(PICK, (("name", name),), aside=True)


def gone(inquiry: Inquiry, names: Sequence[str], texts: Texts) -> Notice:
    """What the log says of players who are gone: how long they are waited for, and what happens then."""
    values = (("names", texts.listing(list(names))), ("character", inquiry.character or ""))
    return Notice(GONE[inquiry.what], values[: 2 if inquiry.character else 1], aside=True)
