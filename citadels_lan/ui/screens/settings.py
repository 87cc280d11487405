"""Settings: name, language, colours, symbols, alerts."""

from dataclasses import replace
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual import on

from citadels_lan.platform.files import settings_folder
from citadels_lan.presenter.launcher import BOT_SPEEDS, NAME_ASKED, Colours, Launcher, Preferences, remember_name
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import LANGUAGES, msg
from citadels_lan.ui.table.commands import COMMANDS, key_of, usable
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.page import LinePrompt

from .list_screen import BACK, CHANGE, CHOOSE, HELP, ListScreen

COLOURS: Final[dict[Colours, str]] = {"dark": msg("dark"), "light": msg("light"), "contrast": msg("high contrast")}
ABOUT: Final = {
    "name": msg("How the others see you at a table."),
    "language": msg("For all texts. L changes it on every screen."),
    "dark": msg("For a dark terminal, a light one, or for eyes that want more contrast."),
    "ascii": msg("Letters and dashes, for terminals that draw blocks and frames badly."),
    "alerts": msg("The desktop says when it is your move, where the terminal can do that."),
    "bot_speed": msg("How long bots wait before their moves. Space skips to your move."),
}
"""The description of each setting."""
ROOMY: Final = 24
"""Lines of a screen from which a free line follows each setting."""


class SettingsScreen(ListScreen):
    """Changes the preferences at once."""

    HINTS = (CHANGE, CHOOSE, HELP, BACK)

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    def title_text(self) -> str:
        return self.texts.say(msg("Settings"))

    def purpose(self) -> list[str]:
        keys = msg('To change the key of a command at the table, add it to {path}: "keymap": {example}.')
        path = settings_folder() / "preferences.json"
        return [
            self.texts.say(msg("Changes apply at once and are saved.")),
            self.texts.say(keys, path=path, example='{"who": "F"}'),
        ]

    def rows(self) -> list[Row]:
        rows: list[Row] = []
        for row in self._settings():
            rows += [row, *self.about(self.texts.say(ABOUT[row.key]))]
            rows += [Row("", "")] if self.size.height >= ROOMY else []
        return rows

    def _settings(self) -> list[Row]:
        say, kept = self.texts.say, self.launcher.preferences
        yes_no = {True: say(msg("yes")), False: say(msg("no"))}
        name = clean(kept.name, 40) or say(msg("none yet"))
        speed = say(BOT_SPEEDS.get(kept.bot_speed, BOT_SPEEDS["normal"]))
        return [
            Row("name", say(msg("Name: {name}"), name=name)),
            Row("language", say(msg("Language")), value=LANGUAGES[self.texts.language].name),
            Row("dark", say(msg("Colours")), value=say(COLOURS[kept.colours])),
            Row("ascii", say(msg("Plain signs (ASCII)")), value=yes_no[kept.ascii]),
            Row("alerts", say(msg("Desktop notices")), value=yes_no[kept.alerts]),
            Row("bot_speed", say(msg("Bot speed")), value=speed),
        ]

    def beside(self) -> tuple[str, RenderableType]:
        """The keys of the table's commands."""
        keymap, table = usable(self.launcher.preferences.keymap), Table.grid(padding=(0, 2))
        for command in COMMANDS:
            key = Text(shown(key_of(command.name, keymap)), self.look.title)
            table.add_row(key, Text(self.texts.say(command.title)))
        return self.texts.say(msg("Keys at the table")), table

    @on(ChoiceList.Chosen)
    def _rename(self) -> None:
        if self.is_active:  # a second Enter in the same read comes later
            question = self.texts.say(NAME_ASKED)
            self.app.push_screen(LinePrompt(question, self.launcher.preferences.name), self._renamed)

    def _renamed(self, name: str | None) -> None:
        if name:
            remember_name(self.launcher, name)
            self.retell()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        kept = self.launcher.preferences
        if message.key == "language":
            self.program.action_switch_language()
        elif message.key == "dark":
            order = list(COLOURS)
            colours = order[(order.index(kept.colours) + message.step) % len(order)]
            self._keep(replace(kept, dark=colours != "light", contrast=colours == "contrast"))
        elif message.key == "bot_speed":
            speeds = list(BOT_SPEEDS)
            number = speeds.index(kept.bot_speed if kept.bot_speed in BOT_SPEEDS else "normal") + message.step
            self._keep(replace(kept, bot_speed=speeds[number % len(speeds)]))
        elif message.key == "ascii":
            self._keep(replace(kept, ascii=not kept.ascii))
        else:
            self._keep(replace(kept, alerts=not kept.alerts))

    def _keep(self, preferences: Preferences) -> None:
        self.launcher.remember(preferences)
        self.program.dress(preferences)
