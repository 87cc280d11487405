"""Settings: name, language, colours, signs, alerts, and the keys of the table's commands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from citadels_lan.front.cells import clean, wrap
from citadels_lan.front.launcher import Colours, Launcher, Preferences
from citadels_lan.texts import LANGUAGES, Texts, msg
from citadels_lan.ui.drawings.frame import EDGES, SIDES, frame
from citadels_lan.ui.table.commands import COMMANDS, NAMED, free, key_of, taken, usable
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.page import LinePrompt
from citadels_lan.ui.widgets.program import ProgramModal

from .list_screen import BACK, CHANGE, CHOOSE, HELP, ListScreen

COLOURS: Final[dict[Colours, str]] = {
    "dark": msg("dark"),
    "light": msg("light"),
    "contrast": msg("high contrast"),
}
ABOUT: Final = {
    "name": msg("How the others see you at a table."),
    "language": msg("Of everything that is said; L changes it on every screen."),
    "dark": msg("For a dark terminal, a light one, or for eyes that want more contrast."),
    "ascii": msg("Letters and dashes, for terminals that draw blocks and frames badly."),
    "alerts": msg("The desktop says when it is your move, where the terminal can do that."),
    "guide": msg("For a first game: what is new is explained while you play."),
    "keys": msg("Give the commands of the table other keys."),
}
"""What each setting does."""
ROOMY: Final = 30
"""Lines from which the settings stand apart."""
KEY: Final = 8
"""Cells of a key before what it does."""


class SettingsScreen(ListScreen):
    """Changes what is remembered, at once."""

    HINTS = (CHANGE, CHOOSE, HELP, BACK)
    BESIDE = True

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    def title_text(self) -> str:
        return self.texts.say(msg("Settings"))

    def purpose(self) -> list[str]:
        return [self.texts.say(msg("What you change here holds at once, and at the next start."))]

    def rows(self) -> list[Row]:
        rows: list[Row] = []
        for row in self._settings():
            rows += [row, *self.about(self.texts.say(ABOUT[row.key]))]
            rows += [Row("", "")] if self.size.height >= ROOMY else []
        return rows

    def _settings(self) -> list[Row]:
        say, known = self.texts.say, self.launcher.preferences
        yes_no = {True: say(msg("yes")), False: say(msg("no"))}
        name = clean(known.name, 40) or say(msg("none yet"))
        return [
            Row("name", say(msg("Name: {name}"), name=name)),
            Row("language", say(msg("Language")), value=LANGUAGES[self.texts.language].name),
            Row("dark", say(msg("Colours")), value=say(COLOURS[known.colours])),
            Row("ascii", say(msg("Plain signs (ASCII)")), value=yes_no[known.ascii]),
            Row("alerts", say(msg("Desktop notices")), value=yes_no[known.alerts]),
            Row("guide", say(msg("Hints at the table")), value=yes_no[known.guide]),
            Row("keys", say(msg("Keys at the table…"))),
        ]

    def beside(self, width: int, height: int) -> Drawing:
        """The keys of the table's commands as they are now."""
        inside, say = Drawing(), self.texts.say
        for command in COMMANDS:
            key = shown(key_of(command.name, usable(self.launcher.preferences.keymap)))
            first, *others = wrap(say(command.does), max(width - SIDES - KEY, 8))
            Pen(inside).write(f"{key:<{KEY}}", self.look.title).write(first)
            for line in others:
                Pen(inside).to(KEY).write(line)
        rows = min(height, len(inside.lines) + EDGES)
        return frame(self.look, say(msg("Keys at the table")), inside, width, rows)

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        if message.key == "keys":
            self.app.push_screen(KeymapScreen(self.launcher))
        elif self.is_active:  # a second Enter in the same read comes later
            question = self.texts.say(msg("Your name at the table:"))
            self.app.push_screen(LinePrompt(question, self.launcher.preferences.name), self._rename)

    def _rename(self, name: str | None) -> None:
        if name:
            self._keep(replace(self.launcher.preferences, name=clean(name, 24)))

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        known = self.launcher.preferences
        if message.key == "language":
            self.program.action_switch_language()
        elif message.key == "dark":
            order = list(COLOURS)
            colours = order[(order.index(known.colours) + message.step) % len(order)]
            self._keep(replace(known, dark=colours != "light", contrast=colours == "contrast"))
        else:
            other = {
                "ascii": replace(known, ascii=not known.ascii),
                "alerts": replace(known, alerts=not known.alerts),
                "guide": replace(known, guide=not known.guide),
            }
            self._keep(other[message.key])

    def _keep(self, preferences: Preferences) -> None:
        self.launcher.remember(preferences)
        self.program.dress(preferences)
        self.retell()


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
    HINTS = (("Enter", msg("another key")), ("Del", msg("the usual key")), HELP, BACK)
    NUMBERS = False

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

    def rows(self) -> list[Row]:
        keys = [(shown(key_of(command.name, self.keymap)), command) for command in COMMANDS]
        return [Row(command.name, f"{key:<{KEY}}{self.texts.say(command.does)}") for key, command in keys]

    @on(ChoiceList.Chosen)
    def _ask_key(self, message: ChoiceList.Chosen) -> None:
        name, say = message.key, self.texts.say
        if self.is_active:  # a second Enter in the same read comes later
            question = msg("Press the key for: {does}. Esc leaves it as it is.")
            prompt = KeyPrompt(say(question, does=say(NAMED[name].does)))
            self.app.push_screen(prompt, lambda key: self._give(name, key) if key is not None else None)

    def action_usual(self) -> None:
        """Give the command under the cursor its default key again."""
        if self.pointed is not None:
            self._give(self.pointed.key, NAMED[self.pointed.key].key)

    def _give(self, name: str, key: str) -> None:
        """Give a command a key, or explain why the key is refused."""
        why = refusal(self.texts, key, name, self.keymap)
        if not why:
            keys = {**self.keymap, name: key}
            kept = {name: key for name, key in keys.items() if key != NAMED[name].key}
            preferences = replace(self.launcher.preferences, keymap=kept)
            self.launcher.remember(preferences)
            self.program.dress(preferences)
            self.retell()
        self.say(why)
