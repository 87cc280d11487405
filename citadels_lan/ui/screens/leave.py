"""Whether to leave the table."""

from collections.abc import Callable

from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look

from .sure import SureScreen


class LeaveScreen(SureScreen):
    """True where the table is to be left."""

    def __init__(self, texts: Texts, look: Callable[[], Look], question: str) -> None:
        stay, leave = texts.say(msg("Stay")), texts.say(msg("Leave the table"))
        super().__init__(look, question, no=stay, yes=leave, key="q")
