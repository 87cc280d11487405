"""The question about a sealed marker: its answer leaves after a fixed time.

A player with an unsigned warrant is asked nothing, so that no delay reveals it.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citadels_lan.engine import Action, Choice, IllegalMove
from citadels_lan.net.client.answers import PASS
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.texts import msgs
from citadels_lan.texts.moves import describe

from .game import Game
from .symbols import ASCII, Glyphs

DOTS: Final = 2
"""Characters of the bar for a second."""


@dataclass(frozen=True)
class Waits:
    """An answer that waits, ready to be shown: `chosen` is what the person has chosen, None where nothing yet;
    `free` whether there is anything to choose; `left` in seconds."""

    told: str
    left: float
    free: bool
    chosen: Action | None


def waits(game: Game) -> Waits | None:
    """The answer that waits to be sent, what will be sent, and when; None if there is none."""
    held = game.table.answer
    if held is None or game.table.state is None or not game.table.state.steps:
        return None
    anything, left = free(game.table.choices), max(held.until - asyncio.get_running_loop().time(), 0.0)
    text = msgs(
        "Without a choice sent in {count} second: {answer}", "Without a choice sent in {count} seconds: {answer}"
    )
    if not anything:
        text = msgs(
            "Not the signed one: you let it be built in {count} second. Nothing to press.",
            "Not the signed one: you let it be built in {count} seconds. Nothing to press.",
        )
    elif held.chosen:
        text = msgs("Chosen, sent in {count} second: {answer}", "Chosen, sent in {count} seconds: {answer}")
    told = game.texts.say(text, count=math.ceil(left), answer=label(game, held.action))
    return Waits(told, left, anything, held.action if held.chosen else None)


def check(game: Game, action: Action) -> None:
    """Nothing is put aside that could not be sent in the end: the host would learn from the second try. Raises
    IllegalMove, Rejected."""
    # The host must not learn from a rejected answer that the warrant is unsigned.
    choices = {str(choice) for choice in game.table.choices}
    if str(action) in choices or game.table.state is None or game.table.state.turn is None:
        return
    if str(action) == "confiscate yes" and "confiscate no" in choices:
        raise IllegalMove("not_signed", character=game.table.state.turn.character)
    raise Rejected("not_your_turn")


def bar(glyphs: Glyphs, seconds: float) -> str:
    """The time that is left as characters."""
    return ("#" if glyphs is ASCII else "■") * math.ceil(seconds * DOTS)


def free(choices: Sequence[Choice]) -> bool:
    """Whether there is anything to choose; with an unsigned warrant there is not."""
    return any(str(choice) not in {str(action) for action in PASS.values()} for choice in choices)


def label(game: Game, action: Action) -> str:
    """An answer, as the list of choices says it."""
    assert game.table.state is not None
    assert game.table.seat is not None
    return describe(game.texts, action, game.table.state, game.table.seat, game.names)
