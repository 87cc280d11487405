"""The finished games of this machine: replay one, check its proofs."""

from pathlib import Path

from textual import on, work
from textual.binding import Binding, BindingType

from citadels_lan.front.archive import PastGame, result
from citadels_lan.front.cells import clean
from citadels_lan.front.launcher import Archive
from citadels_lan.front.recording import NotReplayable, Recording, load_recording
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .list_screen import ListScreen
from .replay import ReplayScreen

BINDING: list[BindingType] = [Binding("v", "verify", show=False)]


class GamesScreen(ListScreen):
    """A list of transcripts, the newest first."""

    BINDINGS = BINDING

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self.games = list(archive.finished())

    def title_text(self) -> str:
        return self.texts.say(msg("Finished games"))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("Enter", say(msg("replay"))), ("v", say(msg("check the proofs"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        if not self.games:
            return [Row("", self.texts.say(msg("None yet: play one first.")))]
        return [Row(str(number), game.date, self._told(game)) for number, game in enumerate(self.games)]

    def _told(self, game: PastGame) -> str:
        """Who played and how it went; the file's name where it does not say."""
        names = clean(", ".join(game.names), 60)
        return f"{names}: {result(self.texts, game)}" if names else game.path.name

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self._load(self.games[int(message.key)].path)

    @work(thread=True)
    def _load(self, path: Path) -> None:
        """Play the game again beside the screen, then show it."""
        try:
            recording = load_recording(path)
        except NotReplayable:
            said = self.texts.say(
                msg("This game cannot be replayed: it is not finished, or damaged. v says more.")
            )
            self.app.call_from_thread(self.say, said)
        else:
            self.app.call_from_thread(self._show, recording)

    def _show(self, recording: Recording) -> None:
        self.app.push_screen(ReplayScreen(recording))

    @work(thread=True)
    def action_verify(self) -> None:
        """The report of verification, as a page."""
        from citadels_lan.crypto.report.report_text import text
        from citadels_lan.crypto.report.verify import verify

        row = self.query_one("#list", ChoiceList).current
        if row is None or not row.key:
            return
        report = text(verify([self.games[int(row.key)].path]), self.texts.say)
        page = paragraphs(self.look, self.texts.say(msg("What the proof says")), [report])
        self.app.call_from_thread(self.app.push_screen, PageScreen(page))
