"""Whether to leave the table."""

from collections.abc import Callable

from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.look import Look

from .sure import SureScreen


class LeaveScreen(SureScreen):
    """Answers `yes` where the table is to be left, and `bot` where a bot is to move for who leaves; that is asked
    only where `handing_over`."""

    def __init__(self, texts: Texts, look: Callable[[], Look], question: str, *, handing_over: bool) -> None:
        rows = [Row("no", texts.say(msg("Stay"))), Row("yes", texts.say(msg("Leave the table")), "q")]
        bot = Row("bot", texts.say(msg("Leave, and let a bot move for me until I am back")), "b")
        super().__init__(look, question, [*rows, bot] if handing_over else rows)
