"""The player's games: resume one, replay one, check its proofs."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType

from citadels_lan.crypto.report.model import sentence
from citadels_lan.engine import EDITIONS
from citadels_lan.front.archive import PastGame, Wins, result, tallies
from citadels_lan.front.cells import clean, cut, pad
from citadels_lan.front.recording import NotReplayable, load_recording
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.ui.drawings.frame import SIDES, frame, said
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen
from .replay import ReplayScreen
from .thought import proof_page

BESIDE: Final = 40
"""Cells for what is known of a game, beside the list."""
DATE: Final = 10
"""Cells of a date without the hour."""
EDITION: Final = 14
RESULT: Final = 34
"""Cells of a result, where the players stand behind it."""


def edition_name(texts: Texts, edition: str) -> str:
    """The name of an edition; the key of an edition that this program does not know."""
    return terms.name(texts, edition) if edition in EDITIONS else clean(edition, 24)


class GamesScreen(ListScreen):
    """Returns the game to resume, or None."""

    NUMBERS = False
    POINTS = True
    BESIDE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c,C", "go_on", show=False),
        Binding("v,V", "verify", show=False),
    ]

    def __init__(self, unfinished: Sequence[PastGame], games: Sequence[PastGame]) -> None:
        super().__init__()
        self.unfinished, self.games = unfinished, games

    def title_text(self) -> str:
        return self.texts.say(msg("Your games"))

    def below_title(self) -> list[str]:
        return [f" {self.look.glyphs.dot} ".join(self._counted(tally) for tally in tallies(self.games))]

    def _counted(self, tally: Wins) -> str:
        said = self.texts.say(msg("{count} played, {won} won"), count=tally.played, won=tally.won)
        return f"{edition_name(self.texts, tally.edition)}: {said}" if tally.edition else said

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("The games of this machine, with a crown where you have won.")),
            say(msg("Those above were open here when the program stopped: the same people come back to them.")),
        ]

    def hints(self) -> Sequence[Hint]:
        game = self.game
        on = [("Enter", msg("go on"))] if game in self.unfinished else []
        past = [("Enter", msg("replay")), ("V", msg("check the proofs"))] if game in self.games else []
        first = [("C", msg("go on"))] if self.unfinished and not on else []
        return (*on, *past, *first, HELP, LANGUAGE, BACK)

    @property
    def list_width(self) -> int:
        return self.app.size.width - (BESIDE + 1 if self.has_beside else 0)

    def rows(self) -> list[Row]:
        """The unfinished games, then the others, the newest first."""
        say = self.texts.say
        if not self.unfinished:
            nothing = [Row("", say(msg("None yet: play one first.")))]
            return [self._row(game) for game in self.games] or nothing
        rows = [Row("", say(msg("To go on with"))), *map(self._row, self.unfinished)]
        return [*rows, *([Row("", say(msg("Played")))] if self.games else []), *map(self._row, self.games)]

    def _row(self, game: PastGame) -> Row:
        look, width, pen = self.look, self.list_width - 2, Pen(Drawing())
        pen.write(f"{look.glyphs.crown if game.won else ' '} ", look.gold)
        pen.write(f"{game.date[:DATE]}  ", look.dim)
        pen.write(pad(edition_name(self.texts, game.edition), EDITION, look.glyphs.cut)).write(" ")
        ended = clean(result(self.texts, game) if game.names else game.path.name, 80)
        style = look.gold if game.won else None if game.over else look.accent
        room, names = max(width - pen.x, 0), clean(", ".join(game.names), 80)
        roomy = len(names) + RESULT + 2 <= room
        pen.write(pad(ended, RESULT, look.glyphs.cut) if roomy else cut(ended, room, look.glyphs.cut), style)
        pen.write(cut(f"   {names}", max(width - pen.x, 0), look.glyphs.cut), look.dim)
        return Row(str(game.path), "", text=pen.line)

    @property
    def game(self) -> PastGame | None:
        """The game under the cursor."""
        row = self.pointed
        every = (*self.unfinished, *self.games)
        return next((game for game in every if row is not None and str(game.path) == row.key), None)

    def beside(self, width: int, height: int) -> Drawing:
        """The facts about a game that need no replay."""
        drawing, look, say, game = Drawing(), self.look, self.texts.say, self.game
        if game is None:
            return drawing
        width = BESIDE - SIDES
        for line in (game.date, edition_name(self.texts, game.edition), result(self.texts, game)):
            said(drawing, line, width, look.bold)
        Pen(drawing)
        for seat, name in enumerate(game.names):
            won = name in game.winners
            pen = Pen(drawing).write(f"{look.glyphs.crown if won else ' '} ", look.gold)
            pen.write(cut(clean(name, 40), width - 14, look.glyphs.cut), look.gold if won else None)
            pen.write(f"  {say(msg('that is you'))}" if seat == game.seat else "", look.dim)
        Pen(drawing)
        said(drawing, clean(str(game.path), 240), width, look.dim)
        return frame(look, say(msg("This game")), drawing, BESIDE, height)

    # What can be done

    def action_go_on(self) -> None:
        """Resume the game under the cursor, or the newest unfinished one."""
        if self.unfinished:
            self.dismiss(self.game if self.game in self.unfinished else self.unfinished[0])

    @on(ChoiceList.Chosen)
    def _chosen(self) -> None:
        """Replay the game; resume an unfinished one."""
        self.say("")
        if self.game in self.unfinished:
            self.action_go_on()
        elif self.game is not None:
            self._load(self.game.path)

    @work(thread=True)
    def _load(self, path: Path) -> None:
        """Play the game again in a thread, then show it."""
        try:
            recording = load_recording(path)
        except NotReplayable as reason:
            damaged = msg("This game cannot be replayed: it is not finished, or damaged. v says more.")
            other, say = reason.other_rules, self.texts.say
            self.app.call_from_thread(self.say, say(damaged) if other is None else sentence(other, None, say))
        else:
            self.app.call_from_thread(self.app.push_screen, ReplayScreen(recording))

    def action_verify(self) -> None:
        """The report of verification, of a transcript."""
        if self.game is not None and self.game not in self.unfinished:
            self._verify(self.game.path)

    @work(thread=True)
    def _verify(self, path: Path) -> None:
        page = proof_page(self.texts, self.look, path)
        self.app.call_from_thread(self.app.push_screen, PageScreen(page))
