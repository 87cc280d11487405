"""Questions that are asked before a step that cannot be undone, and after the tutorial."""

from collections.abc import Sequence
from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from citadels_lan.presenter.game import Game
from citadels_lan.presenter.status import TO, TO_WHOM
from citadels_lan.presenter.tutorial import finish, tutorial
from citadels_lan.ui.table.commands import USUAL
from citadels_lan.ui.widgets.program import ChoiceList, ProgramModal, Row


class SureScreen(ProgramModal[str]):
    """A question with several answers above another screen. Returns the key of the chosen row. The detail of
    each row is the keyboard key that chooses it. Escape chooses the first row."""

    CSS_PATH = "sure.tcss"

    def __init__(self, question: str, answers: Sequence[Row], *, first: str = "") -> None:
        """`first` is the key of the row on which the cursor starts; if it is "", the first row."""
        super().__init__()
        self._first = first or answers[0].key
        self._question = question
        self._rows = [Row(answers[0].key, answers[0].label, "Esc")]
        self._rows += [replace(row, detail=row.detail.upper()) for row in answers[1:]]
        self._keys = {"escape": answers[0].key, **{row.detail: row.key for row in answers[1:]}}

    def compose(self) -> ComposeResult:
        with Vertical(id="sure"):
            yield Static(self._question, markup=False)
            yield ChoiceList("answers", numbers=False)

    def on_mount(self) -> None:
        answers = self.query_one(ChoiceList)
        answers.put(self._rows)
        answers.point(self._first)
        answers.styles.height = len(self._rows)
        answers.focus()

    def on_key(self, event: events.Key) -> None:
        key = event.key.lower()  # players who came here by a capital key may press it again
        if key in self._keys:
            event.stop()
            self.dismiss(self._keys[key])

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self.dismiss(message.key)


class LeaveScreen(SureScreen):
    """Asks whether to leave the table. Returns one of these: `no` (stay); `yes`; `bot` (leave, and a bot
    plays this seat); `hand` (the host hands over the hosting first); `end` (the player agrees to end a game
    that cannot continue)."""

    def __init__(self, game: Game) -> None:
        say = game.texts.say
        rows = [Row("no", say("Stay")), Row("yes", say("Leave"), "q")]
        if game.may_hand_to:
            hand = Row("hand", say("Hand over game"), "h")
            rows = [Row("no", say("Cancel")), hand, Row("yes", say("Save and close"), "q")]
        elif game.may_hand_over:
            rows.append(Row("bot", say("Let a bot play"), "b"))
        if game.may_end:
            rows.append(Row("end", say("End without result"), "x"))
        super().__init__(game.leaving(), rows)


class HandScreen(SureScreen):
    """Asks the host to whom the hosting is handed over. Returns the number of the seat, or `no`."""

    def __init__(self, game: Game) -> None:
        say = game.texts.say
        names = [
            Row(str(seat), say(TO, name=game.names[seat]), letter)
            for letter, seat in zip("abcdefgh", game.may_hand_to, strict=False)
        ]
        question = f"{say(TO_WHOM)} {game.warn_of_handing()}".rstrip()
        super().__init__(question, [Row("no", say("Cancel")), *names])


class LessonsEndScreen(SureScreen):
    """The question at the end of the tutorial. Returns `play` (start a full game, where the cursor starts) or
    `leave`."""

    def __init__(self, game: Game) -> None:
        title, text = finish(game.texts, USUAL)
        texts = tutorial().finish
        leave, play = (game.texts.say(texts[key]) for key in ("leave", "play"))
        super().__init__(f"{title}\n\n{text}", [Row("leave", leave), Row("play", play, "p")], first="play")
