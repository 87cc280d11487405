"""The signs of the table: one cell each and never an emoji, with an ASCII set for terminals without more."""

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple


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
    """The set that the terminal can show: ASCII where its encoding is not a Unicode one, or TERM says so."""
    used = (encoding or getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if environ.get("CITADELS_ASCII") or environ.get("TERM") in ("dumb", "linux") or "utf" not in used:
        return ASCII
    return UNICODE
