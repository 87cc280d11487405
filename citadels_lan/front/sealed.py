"""The question about a sealed marker: its answer leaves after a fixed time, whatever it is.

Nothing here asks anything of whoever holds an unsigned warrant: that person has nothing to press, and so nothing
to give away.
"""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citadels_lan.engine import Action, Choice, IllegalMove
from citadels_lan.net.client.answers import PASS
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.texts import Texts
from citadels_lan.texts.choices.describe import describe

from .game import Game
from .glyphs import ASCII, Glyphs
from .table_session import Held

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
    """What waits now, where something does."""
    held = game.session.answer
    if held is None or game.view is None or not game.view.steps:
        return None
    anything = free(game.session.choices())
    said = told(game.texts, held, label(game, held.action), anything=anything)
    return Waits(said, left(held), anything, held.action if held.chosen else None)


def check(game: Game, action: Action) -> None:
    """Nothing is put aside that could not be sent in the end: the host would learn from the second try. Raises
    IllegalMove, Rejected."""
    choices = {str(choice) for choice in game.session.choices()}
    if str(action) in choices or game.view is None or game.view.turn is None:
        return
    if str(action) == "confiscate yes" and "confiscate no" in choices:
        raise IllegalMove("not_signed", character=game.view.turn.character)
    raise Rejected("not_your_turn")


def left(held: Held) -> float:
    """Seconds until an answer leaves."""
    return max(held.until - asyncio.get_running_loop().time(), 0.0)


def bar(glyphs: Glyphs, seconds: float) -> str:
    """The time that is left as characters."""
    return ("#" if glyphs is ASCII else "■") * math.ceil(seconds * DOTS)


def free(choices: Sequence[Choice]) -> bool:
    """Whether there is anything to choose; with an unsigned warrant there is not."""
    return any(str(choice) not in {str(action) for action in PASS.values()} for choice in choices)


def label(game: Game, action: Action) -> str:
    """An answer, as the list of choices says it."""
    assert game.view is not None
    assert game.seat is not None
    return describe(game.texts, action, game.view, game.seat, game.names)


def told(texts: Texts, held: Held, said: str, *, anything: bool) -> str:
    """What will be sent, and when. `said` is the answer in words, `anything` whether there is a choice."""
    seconds = math.ceil(left(held))
    if not anything:
        return texts.plural(
            "Not the signed one: you let it be built in {count} second. Nothing to press.",
            "Not the signed one: you let it be built in {count} seconds. Nothing to press.",
            seconds,
        )
    if held.chosen:
        return texts.plural(
            "Chosen, sent in {count} second: {answer}",
            "Chosen, sent in {count} seconds: {answer}",
            seconds,
            answer=said,
        )
    return texts.plural(
        "Without a choice sent in {count} second: {answer}",
        "Without a choice sent in {count} seconds: {answer}",
        seconds,
        answer=said,
    )
