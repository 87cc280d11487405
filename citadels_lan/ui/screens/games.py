"""The player's games: resume, replay or verify one."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import BindingType

from citadels_lan.crypto.report.model import sentence
from citadels_lan.engine import EDITIONS
from citadels_lan.presenter.archive import PastGame, Wins, result, tallies
from citadels_lan.presenter.recording import NotReplayable, load_recording
from citadels_lan.presenter.statistics import own_games, statistics, statistics_lines
from citadels_lan.presenter.text_width import clean, pad
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.ui.screens.replay_screen import ReplayScreen
from citadels_lan.ui.widgets.look import paragraphs
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen, Row, letters

from .analysis import proof_page
from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

BESIDE: Final = 40
"""Columns of the frame to the right of the list, which has facts about a game."""
DATE: Final = 10
"""Columns of a date without the time."""
EDITION: Final = 14
RESULT: Final = 24
"""Columns of a game's result, which is before the names of the players."""


def edition_name(texts: Texts, edition: str) -> str:
    """Return the name of an edition, or its key if this program does not know it."""
    return terms.name(texts, edition) if edition in EDITIONS else clean(edition, 24)


class GamesScreen(ListScreen):
    """The list of the player's games. Returns the game to be resumed, or None."""

    HEADLINE = msg("Your games")
    NUMBERS = False
    POINTS = True
    BINDINGS: ClassVar[list[BindingType]] = letters(c="go_on", v="verify", s="statistics")

    def __init__(self, unfinished: Sequence[PastGame], games: Sequence[PastGame]) -> None:
        super().__init__()
        self.unfinished, self.games = unfinished, games

    def below_title(self) -> list[str]:
        return [f" {self.look.glyphs.dot} ".join(self._counted(tally) for tally in tallies(self.games))]

    def _counted(self, tally: Wins) -> str:
        said = self.texts.say("{count} played, {won} won", count=tally.played, won=tally.won)
        return f"{edition_name(self.texts, tally.edition)}: {said}" if tally.edition else said

    def purpose(self) -> list[str]:
        return self.help_sentences()

    def hints(self) -> Sequence[Hint]:
        game = self.game
        on = [("Enter", msg("continue"))] if game in self.unfinished else []
        past = [("Enter", msg("replay")), ("V", msg("check the proofs"))] if game in self.games else []
        first = [("C", msg("continue"))] if self.unfinished and not on else []
        sums = [("S", msg("statistics"))] if self.games else []
        return (*on, *past, *first, *sums, HELP, BACK, LANGUAGE)

    def beside_width(self) -> int:
        return BESIDE if super().beside_width() else 0

    def rows(self) -> list[Row]:
        """Return the unfinished games first, then the others, each group with the newest first."""
        say = self.texts.say
        if not self.unfinished:
            nothing = [Row("", say("No games yet."))]
            return [self._row(game) for game in self.games] or nothing
        rows = [Row("", say("To resume")), *map(self._row, self.unfinished)]
        return [*rows, *([Row("", say("Played"))] if self.games else []), *map(self._row, self.games)]

    def _row(self, game: PastGame) -> Row:
        look, names = self.look, clean(", ".join(game.names), 80)
        ended = clean(result(self.texts, game) if names else game.path.name, 80)
        style = look.gold if game.won else None if game.over else look.accent
        text = Text().append(f"{look.glyphs.crown if game.won else ' '} ", look.gold)
        text.append(f"{game.date[:DATE]}  ", look.dim)
        text.append(f"{pad(edition_name(self.texts, game.edition), EDITION)} ")
        text.append(pad(ended, RESULT), style).append(f"  {names}", look.dim)
        return Row(str(game.path), "", text=text)

    @property
    def game(self) -> PastGame | None:
        """The game under the cursor; None if there is none."""
        row = self.pointed
        every = (*self.unfinished, *self.games)
        return next((game for game in every if row is not None and str(game.path) == row.key), None)

    def beside(self) -> tuple[str, Text] | None:
        """Return the facts about the game under the cursor, as far as they are known without a replay."""
        look, say, game = self.look, self.texts.say, self.game
        if game is None:
            return None
        facts = (game.date, edition_name(self.texts, game.edition), result(self.texts, game))
        text = Text("\n".join(facts), look.bold).append("\n", "not bold")
        for seat, name in enumerate(game.names):
            won = name in game.winners
            crown, mine = look.glyphs.crown if won else " ", f"  {say('that is you')}"
            text.append(f"\n{crown} {clean(name, 24)}", look.gold if won else "not bold")
            text.append(mine if seat == game.seat else "", look.dim)
        text.append(f"\n\n{clean(str(game.path), 240)}", look.dim)
        return say("This game"), text

    # Commands

    def action_go_on(self) -> None:
        """Resume the game under the cursor, or the newest unfinished one."""
        if self.unfinished:
            self.dismiss(self.game if self.game in self.unfinished else self.unfinished[0])

    @on(ChoiceList.Chosen)
    def _chosen(self) -> None:
        """Replay the chosen game, or resume it if it is unfinished."""
        self.say("")
        if self.game in self.unfinished:
            self.action_go_on()
        elif self.game is not None:
            self._load(self.game.path)

    @work(thread=True)
    def _load(self, path: Path) -> None:
        """Read the game in a thread, then show its replay."""
        try:
            recording = load_recording(path)
        except NotReplayable as reason:
            damaged = msg("This game cannot be replayed: it is unfinished or damaged. Press V for details.")
            other, say = reason.other_rules, self.texts.say
            self.app.call_from_thread(self.say, say(damaged) if other is None else sentence(other, None, say))
        else:
            self.app.call_from_thread(self.app.push_screen, ReplayScreen(recording))

    @work(thread=True)
    def action_statistics(self) -> None:
        """Read all games in a thread, then show their statistics."""
        lines = statistics_lines(self.texts, statistics(own_games(self.games)), self.look.glyphs)
        page = paragraphs(self.look, self.texts.say("Statistics"), ["\n".join(lines)])
        self.app.call_from_thread(self.app.push_screen, PageScreen(page, ("s", "S")))

    def action_verify(self) -> None:
        """Verify the transcript under the cursor and show the report."""
        if self.game is not None and self.game not in self.unfinished:
            self._verify(self.game.path)

    @work(thread=True)
    def _verify(self, path: Path) -> None:
        page = proof_page(self.texts, self.look, path)
        self.app.call_from_thread(self.app.push_screen, PageScreen(page))
