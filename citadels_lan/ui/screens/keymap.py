"""The keys of the table's commands, and giving one of them another key."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from citadels_lan.front.launcher import Launcher
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.table.commands import COMMANDS, NAMED, free, key_of, taken, usable
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.screens import ProgramModal

from .list_screen import ListScreen

KEY = 8
"""Cells of a key before what it does."""


def refusal(texts: Texts, key: str, name: str, keymap: Mapping[str, str]) -> str:
    """Why a command cannot have a key; empty where it can."""
    other = taken(key, name, keymap)
    if other is not None:
        return texts.say(msg("{key} is taken: {does}."), key=shown(key), does=texts.say(other.does))
    if not free(key) and key != NAMED[name].key:
        said = msg("{key} has its meaning in questions: take a capital, F2 to F12, or a key with Ctrl.")
        return texts.say(said, key=shown(key))
    return ""


class KeyPrompt(ProgramModal[str | None]):
    """Asks for a key by its being pressed; None for Escape."""

    CSS_PATH = "sure.tcss"

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="sure"):
            yield Static(self._question, markup=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None if event.key == "escape" else event.key)


class KeymapScreen(ListScreen):
    """The commands with their keys; what is changed holds at once."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("delete,backspace", "usual", show=False)]

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    @property
    def keymap(self) -> dict[str, str]:
        """The keys that the person has given."""
        return usable(self.launcher.preferences.keymap)

    def title_text(self) -> str:
        return self.texts.say(msg("Keys at the table"))

    def below_title(self) -> list[str]:
        return [self.texts.say(msg("Small letters and digits are cards, choices and players, always the same."))]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("Enter", say(msg("another key"))), ("Del", say(msg("the usual key"))),
            ("?", say(msg("help"))), ("Esc", say(msg("back"))),
        ]  # fmt: skip

    def rows(self) -> list[Row]:
        found = [(shown(key_of(command.name, self.keymap)), command) for command in COMMANDS]
        return [Row(command.name, f"{key:<{KEY}}{self.texts.say(command.does)}") for key, command in found]

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield ChoiceList(lambda: self.look, id="list", numbers=False) if widget.id == "list" else widget

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self._ask_key(message.key)

    @work
    async def _ask_key(self, name: str) -> None:
        if not self.is_active:  # a second Enter in the same read
            return
        say, does = self.texts.say, self.texts.say(NAMED[name].does)
        question = say(msg("Press the key for: {does}. Esc leaves it as it is."), does=does)
        key = await self.app.push_screen_wait(KeyPrompt(question))
        if key is None:
            return
        why = refusal(self.texts, key, name, self.keymap)
        if not why:
            self._keep({**self.keymap, name: key})
        self.say(why)

    def action_usual(self) -> None:
        """The command under the cursor gets the key back that it has for everybody."""
        row = self.query_one(ChoiceList).current
        if row is None:
            return
        why = refusal(self.texts, NAMED[row.key].key, row.key, self.keymap)
        if not why:
            self._keep({name: key for name, key in self.keymap.items() if name != row.key})
        self.say(why)

    def _keep(self, keymap: Mapping[str, str]) -> None:
        kept = {name: key for name, key in keymap.items() if key != NAMED[name].key}
        preferences = replace(self.launcher.preferences, keymap=kept)
        self.launcher.remember(preferences)
        self.program.dress(preferences)
        self.retell()
