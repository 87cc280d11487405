"""The updates of a table in lines."""

from collections.abc import Sequence

from citadels_lan.engine.events import CastDrawn
from citadels_lan.front.failures import GRAVE, Violation, alarm_lines, because
from citadels_lan.front.game import Game
from citadels_lan.front.pending import TYPED
from citadels_lan.net.client import updates
from citadels_lan.texts import msg

from . import lines as plain_lines
from .streams import Output


class PlainNews:
    """Tells each update once it has been noted. `matched` is the sign for what shows what was committed to."""

    def __init__(self, game: Game, output: Output, matched: str) -> None:
        self.say = output.say
        self._leave = output.leave
        self._game = game
        self._matched = matched
        self._told = 0
        self._cast_told = False
        self._lost = False
        self._alarmed = False

    def tell_cast(self, arrived: Sequence[updates.Update]) -> None:
        """What is played with, before anything else of the game, unless an event tells it."""
        if self._game.table.state is None or self._cast_told:
            return
        self._cast_told = True
        events = [event for update in arrived if isinstance(update, updates.Happened) for event in update.events]
        if not any(isinstance(event, CastDrawn) for event in (*self._game.story.entries, *events)):
            self.say(plain_lines.in_this_game(self._game))

    def tell(self, update: updates.Update) -> None:
        """Print an update, and its lines of the log."""
        game, say = self._game, self._game.texts.say
        match update:
            case updates.Alarm(code, details):
                self._alarm(Violation(code, details, game.table.transcript))
            case updates.Disconnected(code, details) if code in GRAVE:
                self._alarm(Violation(code, details, game.table.transcript))
            case updates.Disconnected():
                self._lost = True
                keys = {"leave": say(TYPED, word=say(self._leave))} if self._leave else {}
                self.say(f"!! {game.parted(keys)[0]}")
            case updates.Connected() if self._lost:
                self._lost = False
                self.say(say(msg("Connected again.")))
            case updates.Away(seat, away) if seat != game.table.seat:
                name = game.names[seat]
                self.say(say(msg("{name} has lost the connection, says the host."), name=name) if away
                         else say(msg("{name} is back."), name=name))  # fmt: skip
            case updates.Halted(code):
                self.say(because(game.texts, code, {}) if code else say(msg("The game goes on.")))
            case updates.Cosigned() if game.table.state is not None:
                self.say(plain_lines.round_words(game, update))
        self.tell_story()

    def tell_story(self) -> None:
        """Print the new lines of the log."""
        for line in self._game.story.lines(self._game.texts, self._told):
            self.say(f"{line.text} {self._matched}" if line.matched else line.text, line.kind)
        self._told = len(self._game.story.entries)

    def _alarm(self, found: Violation) -> None:
        """Print an alarm, once."""
        if not self._alarmed:
            self._alarmed = True
            self.say(alarm_lines(self._game.texts, found))
