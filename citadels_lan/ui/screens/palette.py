"""The command palette of every screen. It finds commands by their names and synonyms in all languages."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from rich.text import Text
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider

from citadels_lan.texts import LANGUAGES, Message, load
from citadels_lan.texts.tables import data_file
from citadels_lan.texts.topics import plain
from citadels_lan.ui.widgets.program import ProgramScreen, ScreenCommand, program

KEY: Final = 6
"""Columns for the key to the left of a command."""
SYNONYMS: Final = [row["does"] for row in data_file("citadels_lan.ui", "keys.toml")["synonyms"]]
"""Lists of words that players may use for the same command. The first word of each list occurs in the title
of the command."""


class NamedCommands(CommandPalette, ProgramScreen[None]):
    """Textual's command palette without its emoji."""

    DEFAULT_CSS = "NamedCommands SearchIcon { display: none; }"


def _words(text: str) -> list[str]:
    """Return the words of a text in a normal form: without capitals, accents and commas."""
    return [plain(word) for word in text.replace(",", " ").split()]


@cache
def _vocabulary(language: str, title: Message) -> frozenset[str]:
    """Return the words of a title in a language and their synonyms."""
    texts = load(language)
    words = set(_words(texts.say(title)))
    groups = [_words(texts.say(group)) for group in SYNONYMS]
    return frozenset(words.union(*(group for group in groups if group[0] in words)))


def score(command: ScreenCommand, query: str) -> float:
    """Return how well a command matches the typed words `query`: highest if its title begins with them, lower
    if words in its title, synonyms or description begin with them, 0 if it does not match."""
    typed, best = _words(query), 0.0
    for language in LANGUAGES:
        say = load(language).say
        if plain(say(command.title)).startswith("".join(typed)):
            return 1.0
        about = _words(say(command.does)) if command.does else []
        for value, vocabulary in ((0.6, _vocabulary(language, command.title)), (0.3, about)):
            if all(any(word.startswith(part) for word in vocabulary) for part in typed):
                best = max(best, value)
    return best


class ScreenCommands(Provider):
    """Provides the palette with the commands that are available on the screen below it. The first one is
    harmless, because Enter alone would run it."""

    def _rows(self) -> Iterator[tuple[ScreenCommand, Text, str | None, Callable[[], object]]]:
        """Yield each command with its line, its help and a call that runs it."""
        app, screen = program(self.app), self.screen
        assert isinstance(screen, ProgramScreen)
        for command in (*screen.commands(), *app.commands()):
            title = app.texts.say(command.title)
            row = Text(f"{command.key:<{KEY}} {title[:1].upper()}{title[1:]}")
            about = app.texts.say(command.does) if command.does else None
            yield command, row, about, partial(screen.run_action, command.action)

    async def discover(self) -> Hits:
        for _, row, _, run in self._rows():
            yield DiscoveryHit(row, run, row.plain)

    async def search(self, query: str) -> Hits:
        for command, row, about, run in self._rows():
            if value := score(command, query):
                yield Hit(value, row, run, row.plain, about)
