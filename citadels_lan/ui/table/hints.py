"""The keys of the table screen, as the last line shows them."""

from collections.abc import Callable
from typing import Final

from citadels_lan.texts import Message, msg

HINTED: Final = {
    "?": "explain",
    "F1": "help",
    "w": "who",
    "p": "cards",
    "h": "hide_hand",
    "c": "chat",
    ":": "command",
    "e": "end_turn",
    "Tab": "app.focus_next",
    "l": "app.switch_language",
    "n": "invite",
    "m": "map",
    "d": "pile",
    "t": "result",
    "q": "app.leave_table",
    "Enter": "press('enter')",
    "Space": "press('space')",
    "Esc": "calm",
}
"""What a click on a hint does."""
TICKING: Final = (
    ("Space", msg("tick or untick")),
    ("Enter", msg("confirm")),
    ("Esc", msg("back")),
    ("?", msg("explain")),
)
DECIDING: Final = (("Enter", msg("confirm")), ("e", msg("end turn")))
OVER: Final = (("t", msg("the result")),)
USUAL: Final = (
    ("?", msg("explain")),
    ("F1", msg("help")),
    ("w", msg("who")),
    ("Tab", msg("cards")),
    ("h", msg("cover hand")),
    ("c", msg("chat")),
    ("p", msg("in play")),
    (":", msg("command")),
    ("l", msg("language")),
    ("q", msg("leave")),
)
BIDDING: Final = (
    ("Enter", msg("bid")),
    ("p", msg("pass")),
    ("Esc", msg("clear")),
    ("m", msg("common city")),
    ("?", msg("explain")),
    ("c", msg("chat")),
)
SHARED: Final = (("m", msg("common city")), ("d", msg("discard pile")))
HOSTING: Final = ("n", msg("the code"))
GUESSED: Final = msg("guessed: new code")


def hints(
    say: Callable[[Message], str], *, asked: bool, ticking: bool, bidding: bool, over: bool, shared: bool,
    hosting: bool,
) -> list[tuple[str, str]]:  # fmt: skip
    """The keys and what they do, the most useful first."""
    first = OVER if over else DECIDING if asked else ()
    extra = SHARED if shared else ()
    usual = (*first, USUAL[0], *extra, *USUAL[1:-1], *((HOSTING,) if hosting else ()), USUAL[-1])
    keys = BIDDING if bidding else TICKING if ticking else usual
    return [(key, say(meaning)) for key, meaning in keys]
