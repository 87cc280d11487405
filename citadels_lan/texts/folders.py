"""The languages there are: a folder each, found by looking (docs/adding.md).

A language's folder is named after its code and holds

    language.toml    what it calls itself, and the few rules that translations cannot say (`Language`)
    texts.po         the translations; English, the language of the texts themselves, has none
    texts.mo         the same as gettext reads them: built, never kept in the repository (`catalogue`)
"""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from gettext import NullTranslations
from typing import Any, Final

from .catalogue import PO, translations

HOME: Final = os.path.join(os.path.dirname(__file__), "languages")  # pathlib costs 4 ms of a --help
FACTS: Final = "language.toml"
SOURCE: Final = "en"
"""The language that the texts are written in; it stands first."""
VARIABLE: Final = "CITADELS_LANGUAGES"
"""The environment variable that names more folders of languages, as PATH names folders of programs."""


class UnreadableLanguage(Exception):
    """A file of a language that is not what it should be. The message says which and why."""


class Language:
    """A language as its folder says it. Its files are read when they are needed; UnreadableLanguage comes then."""

    def __init__(self, code: str, folder: str) -> None:
        self.code = code
        self.folder = folder

    @property
    def name(self) -> str:
        """What the language calls itself."""
        return str(self._facts.get("name", self.code))

    @property
    def same(self) -> Sequence[str]:
        """Texts that are the same in English, and right so."""
        return tuple(self._facts.get("same", ()))

    def other_titles(self, page: str) -> Sequence[str]:
        """Other words that a page of the rules is found by."""
        return tuple(self._facts.get("pages", {}).get(page, ()))

    def older_names(self, card: str) -> Sequence[str]:
        """What older books in this language call a card."""
        return tuple(self._facts.get("older", {}).get(card, ()))

    def before(self, text: str, values: Mapping[str, object]) -> str:
        """The text with the words before its values as the values ask for them: Italian says `ad Anna`."""
        for rule in self._facts.get("before", ()):
            for name, value in values.items():
                if isinstance(value, str) and value and value[0].lower() in rule["letters"]:
                    text = text.replace(f" {rule['word']}{{{name}}}", f" {rule['becomes']}{{{name}}}")
        return text

    def translations(self) -> NullTranslations:
        """The translations; none where the folder has none."""
        path = os.path.join(self.folder, PO)
        if not os.path.exists(path):
            return NullTranslations()
        try:
            return translations(self.folder)
        except (OSError, ValueError) as error:
            raise UnreadableLanguage(f"{path}: {error}") from error

    @cached_property
    def _facts(self) -> dict[str, Any]:
        import tomllib  # a --help needs no facts

        path = os.path.join(self.folder, FACTS)
        try:
            with open(path, "rb") as file:
                return tomllib.load(file)
        except (OSError, ValueError) as error:
            raise UnreadableLanguage(f"{path}: {error}") from error


def find(environ: Mapping[str, str] = os.environ) -> dict[str, Language]:
    """The languages by code, English first. A folder of `CITADELS_LANGUAGES` takes the place of one of ours."""
    found: dict[str, Language] = {}
    for place in (HOME, *environ.get(VARIABLE, "").split(os.pathsep)):
        if os.path.isdir(place):
            for code in os.listdir(place):
                folder = os.path.join(place, code)
                if os.path.isfile(os.path.join(folder, FACTS)):
                    found[code] = Language(code, folder)
    return {code: found[code] for code in sorted(found, key=lambda code: (code != SOURCE, code))}
