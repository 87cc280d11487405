"""Settings: name, language, colours, signs, alerts, keys."""

from dataclasses import replace
from typing import Final

from textual import on, work

from citadels_lan.front.cells import clean, wrap
from citadels_lan.front.launcher import Colours, Launcher, Preferences
from citadels_lan.texts import LANGUAGES, msg
from citadels_lan.ui.drawings.frame import EDGES, SIDES, frame
from citadels_lan.ui.table.commands import COMMANDS, key_of, usable
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.line_prompt import LinePrompt

from .beside_screen import BesideScreen
from .keymap import KEY, KeymapScreen

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
MARGIN: Final = 5
"""Cells before a sentence."""
ROOMY: Final = 30
"""Lines from which the settings stand apart."""


class SettingsScreen(BesideScreen):
    """Changes what is remembered, at once."""

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher

    def title_text(self) -> str:
        return self.texts.say(msg("Settings"))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("←→", say(msg("change"))),
            ("Enter", say(msg("choose"))),
            ("?", say(msg("help"))),
            ("Esc", say(msg("back"))),
        ]

    def purpose(self) -> list[str]:
        return [self.texts.say(msg("What you change here holds at once, and at the next start."))]

    def rows(self) -> list[Row]:
        gap = [Row("", "")] if self.size.height >= ROOMY else []
        return [row for setting, about in self._settings() for row in (setting, *self._said(about), *gap)]

    def _said(self, about: str) -> list[Row]:
        lines = wrap(self.texts.say(about), max(self.list_width - MARGIN - 1, 20))
        return [Row("", f"{' ' * (MARGIN - 1)}{line}") for line in lines]

    def _settings(self) -> list[tuple[Row, str]]:
        """Each with a sentence of what it does."""
        say, known = self.texts.say, self.launcher.preferences
        yes_no = {True: say(msg("yes")), False: say(msg("no"))}
        name = clean(known.name, 40) or say(msg("none yet"))
        return [
            (Row("name", say(msg("Name: {name}"), name=name)), ABOUT["name"]),
            (Row("language", say(msg("Language")), value=LANGUAGES[self.texts.language].name), ABOUT["language"]),
            (Row("dark", say(msg("Colours")), value=say(COLOURS[known.colours])), ABOUT["dark"]),
            (Row("ascii", say(msg("Plain signs (ASCII)")), value=yes_no[known.ascii]), ABOUT["ascii"]),
            (Row("alerts", say(msg("Desktop notices")), value=yes_no[known.alerts]), ABOUT["alerts"]),
            (Row("guide", say(msg("Hints at the table")), value=yes_no[known.guide]), ABOUT["guide"]),
            (Row("keys", say(msg("Keys at the table…"))), ABOUT["keys"]),
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
        else:
            self._ask_name()

    @work
    async def _ask_name(self) -> None:
        if not self.is_active:  # a second Enter in the same read
            return
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
