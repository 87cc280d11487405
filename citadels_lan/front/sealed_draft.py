"""What everybody should know of a table with a sealed draft: what it gives, what it costs, how it is called."""

from typing import Final

from citadels_lan.engine.config import DraftKind
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import Texts, msg, msg_in

KINDS: Final = {"open": msg_in("draft", "open"), "sealed": msg_in("draft", "sealed")}
OPEN: Final = msg("Open draft: the host's machine knows every character as soon as it is picked.")
GIVES: Final = msg(
    "Sealed draft: nobody, not even the host's machine, knows the character of a player before it is called."
)
COSTS: Final = msg("Everybody must be there at every call: the game waits for players who are away.")
SHORT: Final = msg("Sealed draft: no host sees your pick; everybody is needed at every call.")
BUT_BOTS: Final = msg("What the host's own bots hold, its machine knows.")


def kind(texts: Texts, draft: DraftKind) -> str:
    """Whether a draft is open or sealed, in a word."""
    return texts.say(KINDS[draft])


def about_sealed(texts: Texts) -> str:
    """What a sealed draft gives, and what it costs."""
    return f"{texts.say(GIVES)} {texts.say(COSTS)}"


def sealed_draft(texts: Texts, settings: Settings) -> str:
    """What it means at this table; empty where the draft is open."""
    if settings.config.draft == "open":
        return ""
    return f"{about_sealed(texts)} {texts.say(BUT_BOTS)}" if settings.bots else about_sealed(texts)


def in_short(texts: Texts, draft: DraftKind) -> str:
    """The same in a line, for where there is room for no more; empty where the draft is open."""
    return texts.say(SHORT) if draft == "sealed" else ""


def about_draft(texts: Texts, settings: Settings) -> list[str]:
    """How the draft of this table is, and what a sealed one is where it is open."""
    return [sealed_draft(texts, settings) or texts.say(OPEN)] + (
        [about_sealed(texts)] if settings.config.draft == "open" else []
    )
