"""`--takeover` and `--takeover-level`: when which bot moves for a player who is gone."""

import secrets
from typing import TYPE_CHECKING, Final

from citadels_lan.bots import SUBSTITUTES, make_substitute
from citadels_lan.bots.thinking.pool import ThinkingPool, Unhurried
from citadels_lan.cli.console import Console, quoted
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number

if TYPE_CHECKING:
    from citadels_lan.net.host.journal import TableState

HEADLESS: Final = 60
"""Seconds at a table where nobody can be asked."""
LONGEST: Final = 86_400
POOL: Final = ThinkingPool()
"""Where substitutes think, whichever of this program's tables they sit at; it ends with the program."""


def takeover_of(console: Console, when: str | None, level: str | None, *, headless: bool) -> Takeover | None:
    """What the options say; None for never. Raises Failure."""
    level = level or "sensible"
    if level not in SUBSTITUTES:
        raise console.wrong(
            msg("--takeover-level is one of {levels}, not {word}."),
            levels=", ".join(SUBSTITUTES),
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


def received(state: "TableState | None") -> Takeover | None:
    """What held at the host from whom a game was taken over."""
    if state is None:
        return asking()
    return Takeover(make, state.takeover, state.level) if state.level in SUBSTITUTES else None


def make(level: str) -> Unhurried:
    """A bot of a level, which plays otherwise every time. KeyError for an unknown level."""
    return Unhurried(make_substitute(level, secrets.token_hex(16)), POOL)


def _seconds(console: Console, word: str) -> int:
    if (seconds := whole_number(word)) is not None and seconds <= LONGEST:
        return seconds
    raise console.wrong(
        msg("--takeover is a number of seconds up to {most}, ask or never, not {word}."),
        most=LONGEST,
        word=quoted(word),
    )
