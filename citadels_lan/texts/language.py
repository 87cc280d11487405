"""Languages: a folder for each (docs/adding.md), and `Texts`, everything that the program says in one language.

language.toml    the name of the language, and the few rules that translations cannot express (`Language`)
characters.md    what is written of each character, and in districts.md of each district (`pages`)
rules/           a page of the rules in each file (`pages`)
texts.po         the translations; English, the language of the texts themselves, has none
LC_MESSAGES/     the same as gettext reads them; the build makes it (`catalogue`)
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from citadels_lan.platform.system import system_language
from citadels_lan.texts.catalogue import PO, translations

if TYPE_CHECKING:
    from citadels_lan.texts.pages import CardText, Page

# Marks: they return a text unchanged, so a table can be built before the language is known


class Plural(NamedTuple):
    """A text in a singular and a plural form. The `count` given to `Texts.say` selects one."""

    one: str
    many: str = ""
    """The plural form; empty if both forms are equal in English."""


class InContext(NamedTuple):
    """A text with a context, because the same English words can mean different things: "Keep" the district,
    "Keep" the button."""

    context: str
    text: str


Message: TypeAlias = str | Plural | InContext


def msg(text: str) -> str:
    """Mark a text for translation, and return it unchanged."""
    return text


def msgs(one: str, many: str) -> Plural:
    """Mark a text with a number in it for translation: `one` is its singular, `many` its plural."""
    return Plural(one, many)


def msg_in(context: str, text: str) -> InContext:
    """Mark a text that needs its context for the translation."""
    return InContext(context, text)


VERB, CHOICE = "verb", "choice"
"""Contexts of verbs: in a sentence (you may still kill), and as a choice in a menu (kill the King)."""
COMMAND = "command"
"""The context of commands in line mode."""


T = TypeVar("T")

HOME: Final = os.path.join(os.path.dirname(__file__), "languages")  # importing pathlib adds 4 ms to --help
FACTS: Final = "language.toml"
SOURCE: Final = "en"
"""The language of the texts in the code. It is the first in every list."""
VARIABLE: Final = "CITADELS_LANGUAGES"
"""The environment variable with more folders of languages, separated as in PATH."""


@cache
def term_tables() -> Mapping[str, Any]:
    """Return the tables of `terms.toml`. The file is read only once."""
    import tomllib  # a --help needs none of them

    with open(os.path.join(os.path.dirname(__file__), "terms.toml"), "rb") as file:
        return tomllib.load(file)


@cache
def named(context: str) -> Mapping[str, InContext]:
    """Return the texts of the table `context` in `terms.toml`, by their keys, each marked with that context."""
    return {key: InContext(context, text) for key, text in term_tables()["contexts"][context].items()}


class UnreadableLanguage(Exception):
    """A file of a language is invalid. The message says which and why."""


class Language:
    """A language in its folder. Its files are read when they are first needed. Reading them may raise
    UnreadableLanguage."""

    def __init__(self, code: str, folder: str) -> None:
        self.code = code
        self.folder = folder

    @property
    def name(self) -> str:
        """The name of the language in that language."""
        return str(self._facts.get("name", self.code))

    @property
    def same(self) -> Sequence[str]:
        """English texts that are translated by the same words, such as names."""
        return tuple(self._facts.get("same", ()))

    @cached_property
    def rules(self) -> "Mapping[str, Page]":
        """The pages of the rules by key, in English if this language has none. Raises UnreadableLanguage."""
        from citadels_lan.texts.pages import read_pages

        return self._with_english(read_pages)

    @cached_property
    def cards(self) -> "dict[str, CardText]":
        """The texts of each card by key, in English if this language has none. Raises UnreadableLanguage."""
        from citadels_lan.texts.pages import read_cards

        return self._with_english(read_cards)

    def _with_english(self, read: "Callable[[str], dict[str, T]]") -> "dict[str, T]":
        try:
            # A card or page that the language lacks stays English.
            return {**read(os.path.join(HOME, SOURCE)), **read(self.folder)}
        except (OSError, ValueError) as error:
            raise UnreadableLanguage(str(error)) from error

    def older_names(self, card: str) -> Sequence[str]:
        """The names that older books in this language use for a card, by its key."""
        return tuple(self._facts.get("older", {}).get(card, ()))

    def before(self, text: str, values: Mapping[str, object]) -> str:
        """Return the text after the rules of this language for a word before a value: Italian `a {name}`
        becomes `ad {name}` if the value begins with a."""
        # English has no such rules, and this runs for every sentence.
        if self.code == SOURCE:
            return text
        for rule in self._facts.get("before", ()):
            for name, value in values.items():
                if isinstance(value, str) and value and value[0].lower() in rule["letters"]:
                    text = text.replace(f" {rule['word']}{{{name}}}", f" {rule['becomes']}{{{name}}}")
        return text

    def translations(self) -> NullTranslations:
        """The translations; none if the folder has none."""
        path = os.path.join(self.folder, PO)
        # English has no translations, and a new language may not have any yet.
        if not os.path.exists(path):
            return NullTranslations()
        try:
            return translations(self.folder)
        except (OSError, ValueError) as error:
            raise UnreadableLanguage(f"{path}: {error}") from error

    @cached_property
    def _facts(self) -> dict[str, Any]:
        import tomllib  # --help needs no facts about cards

        path = os.path.join(self.folder, FACTS)
        try:
            with open(path, "rb") as file:
                return tomllib.load(file)
        except (OSError, ValueError) as error:
            raise UnreadableLanguage(f"{path}: {error}") from error


def find(environ: Mapping[str, str] = os.environ) -> dict[str, Language]:
    """Return the languages by their codes, English first. A language in a folder of `CITADELS_LANGUAGES`
    replaces the program's own language with the same code."""
    found: dict[str, Language] = {}
    # Later folders replace earlier ones, so translators can test a changed language.
    for place in (HOME, *environ.get(VARIABLE, "").split(os.pathsep)):
        if os.path.isdir(place):
            for code in os.listdir(place):
                folder = os.path.join(place, code)
                if os.path.isfile(os.path.join(folder, FACTS)):
                    found[code] = Language(code, folder)
    return {code: found[code] for code in sorted(found, key=lambda code: (code != SOURCE, code))}


HIDDEN: Final = "?"
"""The engine's mark for a card that the viewer may not know; repeated here so that no engine is imported."""


class Texts:
    """All texts of the program in one language. To switch the language, use another object.

    Values are put into texts by name (`texts.say("Hello {name}", name=name)`). A value is never parsed or
    translated, so a player's name may contain anything.
    """

    def __init__(self, language: Language) -> None:
        self.language = language.code
        self._before = language.before
        self.older_names = language.older_names
        """The names that older books use for a card, by its key."""
        self._catalogue = language.translations()
        self._language = language

    def __repr__(self) -> str:
        return f"Texts({self.language!r})"

    def say(self, message: Message, /, **values: object) -> str:
        """Return a text in this language with the named values. The value `count` selects the plural form."""
        if isinstance(message, Plural):
            count = values["count"]
            # A count that is given as text takes the plural.
            number = count if isinstance(count, int) else 2
            text = self._catalogue.ngettext(message.one, message.many or message.one, number)
        elif isinstance(message, InContext):
            text = self._catalogue.pgettext(message.context, message.text)
        else:
            text = self._catalogue.gettext(message) if message else ""
        return self.put(text, values)

    def put(self, text: str, values: Mapping[str, object]) -> str:
        """Put values into a text that is already in this language."""
        return self._before(text, values).format_map(values) if values else text

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return a text with a number in it, `{count}`."""
        return self.say(Plural(one, many), count=count, **values)

    def listing(self, items: Sequence[str]) -> str:
        """Return items as a list in words: `A, B and C`."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} and {last}", first=", ".join(items[:-1]), last=items[-1])

    def alternatives(self, items: Sequence[str]) -> str:
        """Return alternatives as a list in words: `A, B or C`."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} or {last}", first=", ".join(items[:-1]), last=items[-1])

    @cached_property
    def cards(self) -> "Mapping[str, CardText]":
        """The texts of each card, by its key."""
        return self._language.cards

    @cached_property
    def rules(self) -> "Mapping[str, Page]":
        """The pages of the rules, by key."""
        return self._language.rules

    # Names

    def district(self, key: str) -> str:
        """Return the name of a district card, or words for a hidden one."""
        return self.say("a hidden card") if key == HIDDEN else self.cards[key].name

    def character(self, key: str) -> str:
        """Return the name of a character, as on the card."""
        return self.say("a hidden character") if key == HIDDEN else self.cards[key].name

    def the(self, key: str) -> str:
        """Return the name of a character with its article: the King, il Re, l'Assassina."""
        return self.say("a hidden character") if key == HIDDEN else self.cards[key].article

    def type(self, key: str) -> str:
        """Return the name of a district type, as an adjective."""
        return self.say(named("district type")[key])

    def letter(self, key: str) -> str:
        """Return the letter that stands for a district type; it is different for each type."""
        return self.say(named("letter of a district type")[key])

    def short_district(self, key: str) -> str:
        """Return the name of a district in at most `pages.SHORT_CELLS` cells."""
        return HIDDEN if key == HIDDEN else self.cards[key].short

    def short_character(self, key: str) -> str:
        """Return the name of a character in at most `pages.SHORT_CELLS` cells."""
        return HIDDEN if key == HIDDEN else self.cards[key].short

    def districts(self, keys: Sequence[str]) -> str:
        """Return several districts as a list in words."""
        return self.listing([self.district(key) for key in keys])

    def characters(self, keys: Sequence[str]) -> str:
        """Return several characters as a list in words."""
        return self.listing([self.character(key) for key in keys])


LANGUAGES: Final[Mapping[str, Language]] = find()
"""The available languages, by code."""


@cache
def load(language: str) -> Texts:
    """Return the texts of a language in `LANGUAGES`. Raises KeyError for an unknown code, UnreadableLanguage
    for an invalid file."""
    return Texts(LANGUAGES[language])


def default_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the language of the system, or English if this program does not have it."""
    language = system_language(environ)
    return language if language in LANGUAGES else SOURCE
