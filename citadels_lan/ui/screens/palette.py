"""The commands of the table in the palette: found by their names in any of the languages, each with its key."""

from collections.abc import Iterator
from functools import partial

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.table.commands import COMMANDS, TableCommand, key_of
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.program import ProgramScreen, program

KEY = 5
"""Cells of a key before what it does."""


class NamedCommands(CommandPalette, ProgramScreen[None]):
    """Textual's, without its emoji."""

    DEFAULT_CSS = "NamedCommands SearchIcon { display: none; }"


class TableCommands(Provider):
    """What can be done at the table besides answering the question."""

    def _listed(self) -> Iterator[tuple[TableCommand, str, str]]:
        """The commands with what they do, as it is read here, and their keys."""
        here = program(self.app)
        for command in sorted(COMMANDS, key=lambda command: command.name != "help"):  # the first row is harmless
            if command.name != "palette":
                yield command, here.texts.say(command.does), shown(key_of(command.name, here.keymap))

    async def discover(self) -> Hits:
        for command, does, key in self._listed():
            yield DiscoveryHit(f"{key:<{KEY}} {does}", partial(self.screen.run_action, command.action), does)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command, does, key in self._listed():
            score = max(matcher.match(load(language).say(command.does)) for language in LANGUAGES)
            if score > 0:
                yield Hit(score, f"{key:<{KEY}} {does}", partial(self.screen.run_action, command.action), does)
