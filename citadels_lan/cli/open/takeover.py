"""`--takeover` and `--takeover-level`: when which bot moves for a player who is gone."""

import secrets
from typing import Final

from citadels_lan.bots import STAND_INS, make_stand_in
from citadels_lan.bots.thinking.pool import ThinkingPool, Unhurried
from citadels_lan.cli.console import Console, quoted
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number

HEADLESS: Final = 60
"""Seconds at a table where nobody can be asked."""
LONGEST: Final = 86_400
POOL: Final = ThinkingPool()
"""Where stand-ins think, whichever of this program's tables they sit at; it ends with the program."""


def takeover_of(console: Console, when: str | None, level: str | None, *, headless: bool) -> Takeover | None:
    """What the options say; None for never. Raises Failure."""
    level = level or "sensible"
    if level not in STAND_INS:
        raise console.wrong(
            msg("--takeover-level is one of {levels}, not {word}."),
            levels=", ".join(STAND_INS),
            word=quoted(level),
        )
    if when == "never":
        return None
    if when == "ask" or (when is None and not headless):
        return Takeover(make, None, level)
    return Takeover(make, HEADLESS if when is None else _seconds(console, when), level)


def asking() -> Takeover:
    """Where somebody sits at the host's screen, who says when."""
    return Takeover(make)


def make(level: str) -> Unhurried:
    """A bot of a level, which plays otherwise every time. KeyError for an unknown level."""
    return Unhurried(make_stand_in(level, secrets.token_hex(16)), POOL)


def _seconds(console: Console, word: str) -> int:
    if (seconds := whole_number(word)) is not None and seconds <= LONGEST:
        return seconds
    raise console.wrong(
        msg("--takeover is a number of seconds up to {most}, ask or never, not {word}."),
        most=LONGEST,
        word=quoted(word),
    )
