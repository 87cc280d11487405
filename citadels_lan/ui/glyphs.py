"""The signs of the table: one cell each and never an emoji, with an ASCII set for terminals without more."""

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple


class Glyphs(NamedTuple):
    """A set of signs."""

    turn: str
    crown: str
    gold: str
    card: str
    gone: str
    killed: str
    robbed: str
    bewitched: str
    chosen: str
    warrant: str
    threat: str
    mark: str
    complete: str
    up: str
    down: str
    more: str
    cut: str
    dot: str
    bar: str
    tick: str
    box: str
    rule: str
    corners: str
    side: str
    secret: str


UNICODE = Glyphs(
    turn="►", crown="♛", gold="●", card="▯", gone="×", killed="†", robbed="$", bewitched="‡", chosen="¤",
    warrant="§", threat="!", mark="•", complete="★",
    up="▲", down="▼", more="…", cut="…", dot="·", bar="▌", tick="✓", box="□", rule="─", corners="╭╮╰╯",
    side="│", secret="◦",
)  # fmt: skip
ASCII = Glyphs(
    turn=">", crown="K", gold="$", card="#", gone="x", killed="+", robbed="%", bewitched="&", chosen="@",
    warrant="=", threat="!", mark="*", complete="*",
    up="^", down="v", more="...", cut="~", dot="-", bar="|", tick="x", box=".", rule="-", corners="++++",
    side="|", secret="*",
)  # fmt: skip


def suitable(environ: Mapping[str, str] = os.environ, encoding: str | None = None) -> Glyphs:
    """The set that the terminal can show: ASCII where its encoding is not a Unicode one, or TERM says so."""
    used = (encoding or getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if environ.get("CITADELS_ASCII") or environ.get("TERM") in ("dumb", "linux") or "utf" not in used:
        return ASCII
    return UNICODE
