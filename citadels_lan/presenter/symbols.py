"""The symbols that screens use, one cell each, and their meanings; as Unicode and as ASCII."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.texts.tables import data_file

if TYPE_CHECKING:  # The first frame needs only the signs.
    from citadels_lan.engine import State
    from citadels_lan.engine.state import Mark


class Glyphs(NamedTuple):
    """A set of symbols. `heights` are blocks from an empty to a full cell."""

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


UNICODE, ASCII = (
    Glyphs(**data_file(__package__, "symbols.toml")["symbols"][name]) for name in ("unicode", "ascii")
)


def suitable(environ: Mapping[str, str] = os.environ, encoding: str | None = None) -> Glyphs:
    """Return the set of symbols that the terminal can show. It is ASCII if the terminal's encoding is not a
    Unicode one, if TERM is `dumb` or `linux`, or if the variable CITADELS_ASCII is set."""
    used = (encoding or getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if environ.get("CITADELS_ASCII") or environ.get("TERM") in ("dumb", "linux") or "utf" not in used:
        return ASCII
    return UNICODE


WORDS = msg("read them aloud in each round. If a player's words differ, the host showed you different games.")
MATCHED = msg(
    "next to a revealed character, warrant or threat: it matches the earlier commitment. Your "
    "program checked it, and raises an alarm if one does not match."
)
GUEST = msg("through the host's computer")
"""The meaning of the symbol for a player who uses a browser."""
MARKS = {
    "killed": msg_in("marker", "killed"),
    "bewitched": msg_in("marker", "bewitched"),
    "signed": msg_in("marker", "your signed warrant"),
    "flower": msg_in("marker", "your flower"),
    "robbed": msg_in("marker", "will be robbed"),
    "warrant": msg_in("marker", "warrant"),
    "threat": msg_in("marker", "threat"),
}
"""The words for the kinds of markers on a character, the most important first."""
ROBBED = msg_in("marker", "robbed")


def mark_word(view: "State", mark: "Mark") -> Message:
    """Return the word for a marker. A robbery is described as past if the robbed character was revealed."""
    # The engine is not loaded for the first frame.
    from citadels_lan.engine.state import is_killed

    shown = any(mark.character in player.revealed for player in view.players)
    over = mark.kind == "robbed" and shown and not is_killed(view, mark.character)
    return ROBBED if over else MARKS[mark.kind]
