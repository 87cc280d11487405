"""The signs of the table, and what they mean: one cell each, with an ASCII set."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from citadels_lan.texts import Message, msg, msg_in

if TYPE_CHECKING:  # The first frame needs only the signs.
    from citadels_lan.engine import State
    from citadels_lan.engine.state import Mark


class Glyphs(NamedTuple):
    """A set of signs. `heights` are blocks from nothing to a full cell."""

    turn: str
    crown: str
    gone: str
    killed: str
    robbed: str
    bewitched: str
    chosen: str
    warrant: str
    threat: str
    mark: str
    complete: str
    down: str
    up: str
    cut: str
    dot: str
    tick: str
    matched: str
    rule: str
    corners: str
    side: str
    secret: str
    turned: str
    heights: str
    plot: str
    to: str
    seat: str
    free: str
    house: str


UNICODE = Glyphs(
    turn="►", crown="♛", gone="×", killed="†", robbed="$", bewitched="‡", chosen="¤",
    warrant="§", threat="!", mark="•", complete="★",
    down="▼", up="▲", cut="…", dot="·", tick="✓", matched="✓", rule="─", corners="╭╮╰╯",
    side="│", secret="◦", turned="^", heights=" ▁▂▃▄▅▆▇█", plot="▁", to="→",
    seat="●", free="○", house="█▒▄",
)  # fmt: skip
ASCII = Glyphs(
    turn=">", crown="K", gone="x", killed="+", robbed="%", bewitched="&", chosen="@",
    warrant="=", threat="!", mark="*", complete="*",
    down="v", up="^", cut="~", dot="-", tick="x", matched="ok", rule="-", corners="++++",
    side="|", secret="*", turned="^", heights=" .-~+=*#@", plot="_", to=">",
    seat="#", free="-", house="#o_",
)  # fmt: skip


def suitable(environ: Mapping[str, str] = os.environ, encoding: str | None = None) -> Glyphs:
    """The set that the terminal can show: ASCII if its encoding is not Unicode, or TERM asks for it."""
    used = (encoding or getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if environ.get("CITADELS_ASCII") or environ.get("TERM") in ("dumb", "linux") or "utf" not in used:
        return ASCII
    return UNICODE


WORDS = msg(
    "read them aloud in each round. They come from the whole history and from a random word of each player who has"
    " signed it. A player with other words has another history, and the host has told two."
)
MATCHED = msg(
    "behind a character, warrant or threat that was revealed: it matches the commitment. Your "
    "program checked it. It raises an alarm if one does not match."
)
GUEST = msg("through the host's computer")
"""Who plays with a browser."""
MARKS = {
    "killed": msg_in("marker", "killed"),
    "bewitched": msg_in("marker", "bewitched"),
    "signed": msg_in("marker", "your signed warrant"),
    "flower": msg_in("marker", "your flower"),
    "robbed": msg_in("marker", "to be robbed"),
    "warrant": msg_in("marker", "warrant"),
    "threat": msg_in("marker", "threat"),
}
"""What lies on a character, by the kind of marker."""
ROBBED = msg_in("marker", "robbed")


def mark_word(view: "State", mark: "Mark") -> Message:
    """The word for a marker now: a robbery is over once the character is revealed."""
    # The engine is not loaded for the first frame.
    from citadels_lan.engine.state import is_killed

    shown = any(mark.character in player.revealed for player in view.players)
    over = mark.kind == "robbed" and shown and not is_killed(view, mark.character)
    return ROBBED if over else MARKS[mark.kind]
