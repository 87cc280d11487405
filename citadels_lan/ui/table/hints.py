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
USUAL: Final = (
    ("Enter", msg("confirm")),
    ("e", msg("end turn")),
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
UNLOCK: Final = msg("locked: new code")


def hints(
    say: Callable[[Message], str], *, ticking: bool, bidding: bool, shared: bool, hosting: bool
) -> list[tuple[str, str]]:
    """The keys and what they do, the most useful first."""
    usual = (*USUAL[:3], *(SHARED if shared else ()), *USUAL[3:-1], *((HOSTING,) if hosting else ()), USUAL[-1])
    keys = BIDDING if bidding else TICKING if ticking else usual
    return [(key, say(meaning)) for key, meaning in keys]
