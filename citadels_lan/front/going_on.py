"""What everybody at a table should know that may go on without its host."""

from typing import Final

from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import Texts, msg

GOING_ON: Final = msg(
    "If the host's machine is gone the game goes on at another one: for that any {count} people at other machines"
    " can open, together and at any time, everything that the host sees."
)
ALONE: Final = msg(
    "If the host's machine is gone the game goes on at another one: for that each person at another machine can"
    " open, alone and at any time, everything that the host sees."
)
LOOKING: Final = msg("Connection lost: trying again. After a minute another machine hosts.")


def going_on(texts: Texts, settings: Settings) -> str:
    """Who can see what at such a table; empty where nobody can."""
    if not settings.migrate:
        return ""
    return texts.say(ALONE if settings.migrate == 1 else GOING_ON, count=settings.migrate)
