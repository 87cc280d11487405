"""The settings: name, language, colours, symbols, alerts."""

from dataclasses import replace
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text
from textual import on, work

from citadels_lan.platform.files import settings_folder
from citadels_lan.presenter.launcher import BOT_SPEEDS, NAME_ASKED, Colours, Launcher, Preferences, remember_name
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import LANGUAGES, msg
from citadels_lan.texts.tables import sentences
from citadels_lan.ui.table.commands import COMMANDS, key_of, usable
from citadels_lan.ui.widgets.look import shown
from citadels_lan.ui.widgets.program import ChoiceList, LinePrompt, Row

from .list_screen import BACK, CHANGE, CHOOSE, HELP, ListScreen

COLOURS: Final[dict[Colours, str]] = {"dark": msg("dark"), "light": msg("light"), "contrast": msg("high contrast")}
ABOUT: Final = sentences("citadels_lan.ui", "screens.toml")["settings"]
"""The explanation of each setting."""
ROOMY: Final = 24
"""From this height of the screen on, an empty line follows each setting."""


class SettingsScreen(ListScreen):
    """The settings. Each change takes effect at once and is saved."""

    HEADLINE = msg("Settings")
    HINTS = (CHANGE, CHOOSE, HELP, BACK)

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    def purpose(self) -> list[str]:
        say, path = self.texts.say, settings_folder() / "preferences.json"
        keys = msg('To change the key of a command at the table, add it to {path}: "keymap": {example}.')
        applied = say("Changes apply at once and are saved.")
        return [applied, say(keys, path=path, example='{"who": "F"}')]

    def rows(self) -> list[Row]:
        rows: list[Row] = []
        for row in self._settings():
            rows += [row, *self.about(self.texts.say(ABOUT[row.key]))]
            rows += [Row("", "")] if self.size.height >= ROOMY else []
        return rows

    def _settings(self) -> list[Row]:
        say, kept = self.texts.say, self.launcher.preferences
        yes_no = {True: say("yes"), False: say("no")}
        name = clean(kept.name, 40) or say("none yet")
        speed = say(BOT_SPEEDS.get(kept.bot_speed, BOT_SPEEDS["normal"]))
        return [
            Row("name", say("Name: {name}", name=name)),
            Row("language", say("Language"), value=LANGUAGES[self.texts.language].name),
            Row("dark", say("Colours"), value=say(COLOURS[kept.colours])),
            Row("ascii", say("ASCII mode"), value=yes_no[kept.ascii]),
            Row("alerts", say("Desktop notifications"), value=yes_no[kept.alerts]),
            Row("bot_speed", say("Bot speed"), value=speed),
        ]

    def beside(self) -> tuple[str, RenderableType]:
        """Return the content of the frame to the right of the list: the keys of the table's commands."""
        keymap, table = usable(self.launcher.preferences.keymap), Table.grid(padding=(0, 2))
        for command in COMMANDS:
            key = Text(shown(key_of(command.name, keymap)), self.look.title)
            table.add_row(key, Text(self.texts.say(command.title)))
        return self.texts.say("Table keys"), table

    @on(ChoiceList.Chosen)
    @work
    async def _rename(self) -> None:
        if self.is_active:  # a second Enter in the same read comes later
            prompt = LinePrompt(self.texts.say(NAME_ASKED), self.launcher.preferences.name)
            if name := await self.app.push_screen_wait(prompt):
                remember_name(self.launcher, name)
                self.retell()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        kept = self.launcher.preferences
        if message.key == "language":
            self.program.action_switch_language()
        elif message.key == "dark":
            self._keep(kept.in_colours(message.step))
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
