"""Whether to leave the table."""

from collections.abc import Callable, Sequence

from citadels_lan.front.waiting import handing
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.look import Look

from .sure import SureScreen


class LeaveScreen(SureScreen):
    """Answers `yes` where the table is to be left, and `bot` where a bot is to move for who leaves; that is asked
    only where `handing_over`. A host during a game (`hosting`) may also answer `hand`. Where the game is `stuck`,
    everyone may answer `end`: to agree to an end without a result."""

    def __init__(
        self,
        texts: Texts,
        look: Callable[[], Look],
        question: str,
        *,
        handing_over: bool,
        hosting: bool = False,
        stuck: bool = False,
    ) -> None:
        end = [Row("end", texts.say(msg("Agree to end the game without a result, or withdraw that")), "x")] * stuck
        if hosting:
            hand = Row("hand", texts.say(msg("Hand the game to another player")), "h")
            close = Row("yes", texts.say(msg("Save the game and close it")), "q")
            super().__init__(look, question, [Row("no", texts.say(msg("Cancel"))), hand, close, *end])
            return
        rows = [Row("no", texts.say(msg("Stay"))), Row("yes", texts.say(msg("Leave the table")), "q")]
        bot = Row("bot", texts.say(msg("Leave, and let a bot move for me until I am back")), "b")
        super().__init__(look, question, [*rows, *[bot] * handing_over, *end])


class HandScreen(SureScreen):
    """Asks who hosts the game from now on; answers the seat as a number, or `no`."""

    def __init__(
        self, texts: Texts, look: Callable[[], Look], warning: str, players: Sequence[tuple[int, str]]
    ) -> None:
        question = " ".join(filter(None, (texts.say(handing.TO_WHOM), warning)))
        names = [
            Row(str(seat), texts.say(handing.TO, name=name), letter)
            for letter, (seat, name) in zip("abcdefgh", players, strict=False)
        ]
        super().__init__(look, question, [Row("no", texts.say(msg("Cancel"))), *names])
