"""What arrives at a table, told in lines."""

from collections.abc import Sequence

from citadels_lan.engine.events import CastDrawn
from citadels_lan.front.alarm import GRAVE, Violation, in_lines
from citadels_lan.front.game import Game
from citadels_lan.front.refused import because
from citadels_lan.front.table_session import (
    Alarm,
    Away,
    Connected,
    Cosigned,
    Disconnected,
    Halted,
    Happened,
    Update,
)
from citadels_lan.front.waiting.absence import TYPED
from citadels_lan.texts import msg

from . import lines as plain_lines
from .output import Output


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

    def tell_cast(self, arrived: Sequence[Update]) -> None:
        """What is played with, before anything else of the game, unless an event tells it."""
        if self._game.view is None or self._cast_told:
            return
        self._cast_told = True
        events = [event for update in arrived if isinstance(update, Happened) for event in update.events]
        if not any(isinstance(event, CastDrawn) for event in (*self._game.story.entries, *events)):
            self.say(plain_lines.in_this_game(self._game))

    def tell(self, update: Update) -> None:
        """What an update means, and what it has added to the log."""
        game, say = self._game, self._game.texts.say
        match update:
            case Disconnected(code, details) | Alarm(code, details) if code in GRAVE:
                self._alarm(Violation(code, details, game.session.transcript))
            case Disconnected():
                self._lost = True
                keys = {"leave": say(TYPED, word=say(self._leave))} if self._leave else {}
                self.say(f"!! {game.parted(keys)[0]}")
            case Connected() if self._lost:
                self._lost = False
                self.say(say(msg("Connected again.")))
            case Away(seat, away) if seat != game.seat:
                name = game.names[seat]
                self.say(say(msg("{name} has lost the connection, says the host."), name=name) if away
                         else say(msg("{name} is back."), name=name))  # fmt: skip
            case Halted(code):
                self.say(because(game.texts, code, {}) if code else say(msg("The game goes on.")))
            case Alarm(code, details):
                self._alarm(Violation(code, details, game.session.transcript))
            case Cosigned() if game.view is not None:
                self.say(plain_lines.round_words(game, update))
        self.tell_story()

    def tell_story(self) -> None:
        """What the log has that was not told yet."""
        for line in self._game.story.lines(self._game.texts, self._told):
            self.say(f"{line.text} {self._matched}" if line.matched else line.text, line.kind)
        self._told = len(self._game.story.entries)

    def _alarm(self, found: Violation) -> None:
        """Say what must not be, once."""
        if not self._alarmed:
            self._alarmed = True
            self.say(in_lines(self._game.texts, found))
