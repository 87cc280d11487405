"""The answer about a sealed marker in lines: one when it is asked, one when it is chosen, one when it is sent."""

from collections.abc import Sequence

from citadels_lan.front.game import Game
from citadels_lan.front.sealed import label, waits
from citadels_lan.front.table_session import Happened, Held, Update
from citadels_lan.texts import msg


class PlainSealed:
    """Follows the answer that waits, without looking at any clock."""

    def __init__(self) -> None:
        self._held: Held | None = None
        self._said = ""

    def asked(self, game: Game) -> str:
        """What will be sent and when; empty where nothing waits."""
        held = waits(game)
        if held is None:
            return ""
        self._note(game)
        return held.told

    def _note(self, game: Game) -> None:
        self._held = game.session.answer
        if self._held is not None:
            self._said = label(game, self._held.action)

    def sent(self, game: Game, arrived: Sequence[Update]) -> str:
        """That the answer has left, once its entry is there."""
        if self._held is None or not any(
            isinstance(update, Happened) and update.seat == game.seat for update in arrived
        ):
            return ""
        self._held = None
        return game.texts.say(msg("Sent: {answer}"), answer=self._said)
