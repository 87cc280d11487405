"""Settings: name, language, colours, signs, alerts, keys."""

from dataclasses import replace
from typing import Final

from textual import on, work

from citadels_lan.front.cells import clean
from citadels_lan.front.launcher import Colours, Launcher, Preferences
from citadels_lan.texts import LANGUAGES, msg
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.line_prompt import LinePrompt

from .keymap import KeymapScreen
from .list_screen import ListScreen

COLOURS: Final[dict[Colours, str]] = {
    "dark": msg("dark"),
    "light": msg("light"),
    "contrast": msg("high contrast"),
}


class SettingsScreen(ListScreen):
    """Changes what is remembered, at once."""

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    def title_text(self) -> str:
        return self.texts.say(msg("Settings"))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("←→", say(msg("change"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        say, known = self.texts.say, self.launcher.preferences
        yes_no = {True: say(msg("yes")), False: say(msg("no"))}
        return [
            Row("name", say(msg("Name: {name}"), name=clean(known.name, 40) or say(msg("none yet")))),
            Row("language", say(msg("Language")), value=LANGUAGES[self.texts.language].name),
            Row("dark", say(msg("Colours")), value=say(COLOURS[known.colours])),
            Row("ascii", say(msg("Plain signs (ASCII)")), value=yes_no[known.ascii]),
            Row(
                "alerts",
                say(msg("Desktop notices")),
                say(msg("where the terminal has them")),
                yes_no[known.alerts],
            ),
            Row("guide", say(msg("Hints at the table")), say(msg("for a first game")), yes_no[known.guide]),
            Row("keys", say(msg("Keys at the table…"))),
        ]

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        if message.key == "keys":
            self.app.push_screen(KeymapScreen(self.launcher))
        else:
            self._ask_name()

    @work
    async def _ask_name(self) -> None:
        known = self.launcher.preferences
        name = await self.app.push_screen_wait(
            LinePrompt(self.texts.say(msg("Your name at the table:")), known.name)
        )
        if name:
            self._keep(replace(known, name=clean(name, 24)))

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        known = self.launcher.preferences
        if message.key == "language":
            self.program.action_switch_language()
            return
        if message.key == "dark":
            known = _other_colours(known, message.step)
        elif message.key == "ascii":
            known = replace(known, ascii=not known.ascii)
        elif message.key == "guide":
            known = replace(known, guide=not known.guide)
        else:
            known = replace(known, alerts=not known.alerts)
        self._keep(known)

    def _keep(self, preferences: Preferences) -> None:
        self.launcher.remember(preferences)
        self.program.dress(preferences)
        self.retell()


def _other_colours(known: Preferences, step: int) -> Preferences:
    """The next palette, or the one before."""
    order = list(COLOURS)
    chosen = order[(order.index(known.colours) + step) % len(order)]
    return replace(known, dark=chosen != "light", contrast=chosen == "contrast")
